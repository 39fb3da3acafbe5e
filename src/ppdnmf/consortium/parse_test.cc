#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::consortium {
namespace {

using ::testing::HasSubstr;

// The text of a good file with one piece replaced.
std::string altered(std::string_view from, std::string_view to) {
  static const std::string text = write_consortium(test_consortium());
  std::string out = text;
  const std::size_t at = out.find(from);
  PPDNMF_CHECK(at != std::string::npos);
  out.replace(at, from.size(), to);
  return out;
}

std::string refusal(std::string_view text) {
  const auto parsed = parse_consortium(text);
  return parsed ? "accepted" : parsed.error().message;
}

Consortium everything() {
  Consortium c = test_consortium();
  c.members[3].address = std::nullopt;
  c.row_names = {"A[C>A]T",
                 "x",
                 "",
                 " a\"b\\c%41#, ",
                 ("gr\xc3\xb6\xc3\x9f"
                  "e\n\t"),
                 "{['='.]}"};
  c.start_from = Digest{4, 5, 6};
  c.settings.scheme = protocol::SchemeKind::kHardened;
  c.settings.updates = nmf::Updates::kAsPrinted;
  c.settings.start = nmf::Start::kOnes;
  c.settings.iterations = 11;
  c.settings.admm_x = 12;
  c.settings.admm_y = 13;
  c.settings.local_rounds = 14;
  c.settings.tolerance = 1e-7;
  c.settings.admm_tolerance = 0.1;
  c.settings.mu = 0.3;
  c.settings.eta = 1e200;
  c.settings.weight = 1e-200;
  c.settings.cipher = protocol::CipherKind::kNone;
  c.settings.key_bits = 2048;
  c.settings.key_profile = crypto::KeyProfile::kFast;
  c.settings.n_max = 123456789;
  c.settings.u_bound = 1e6;
  c.settings.min_columns = 0;
  c.settings.max_seconds = 12.5;
  c.allow_degree_one = {"a"};
  c.allow_few_columns = {"b", "c"};
  c.allow_difference_of = {"e"};
  c.throw_away_seed = 18446744073709551615U;
  return c;
}

Consortium of_sums() {
  Consortium c = test_consortium();
  c.settings.scheme = protocol::SchemeKind::kSum;
  c.settings.starts = 15;
  return c;
}

TEST(ParseConsortium, ReadsWhatWasWritten) {
  for (const Consortium& consortium : {test_consortium(), everything(), of_sums()}) {
    const std::string text = write_consortium(consortium);
    const auto parsed = parse_consortium(text);
    ASSERT_TRUE(parsed) << parsed.error().message << text;
    EXPECT_EQ(digest_of(*parsed), digest_of(consortium));
    EXPECT_EQ(write_consortium(*parsed), text);
    ASSERT_EQ(parsed->members.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(parsed->members[i].address, consortium.members[i].address);
  }
}

TEST(ParseConsortium, NamesTheLineAndTheEntry) {
  EXPECT_THAT(refusal(altered("rank = 5", "rank = 5.5")), HasSubstr("'rank' must be a whole number from 1 to"));
  EXPECT_THAT(refusal(altered("format = 1", "format = 2")), HasSubstr("line 3: 'format' must be"));
  EXPECT_THAT(refusal(altered("rank = 5", "rank = 0")), HasSubstr("'rank'"));
  EXPECT_THAT(refusal(altered("rank = 5", "rang = 5")), HasSubstr("[data] lacks the entry 'rank'"));
  EXPECT_THAT(refusal(altered("rank = 5", "rank = 5\ncolour = 1")), HasSubstr("[data] has no entry 'colour'"));
  EXPECT_THAT(refusal(altered("rank = 5", "rank = 5\nrank = 6")), HasSubstr("is not TOML"));
  EXPECT_THAT(refusal(altered("\"hardened\"", "\"open\"")),
              HasSubstr("'scheme' must be one of sum, moments, hardened, as-printed, or auto, not 'open'"));
  EXPECT_THAT(refusal(altered("mu = \"auto\"", "mu = 0")),
              HasSubstr("'mu' must be a number from 1e-200 to 1e+200, or auto"));
  EXPECT_THAT(refusal(altered("mu = \"auto\"", "mu = nan")), HasSubstr("'mu'"));
  EXPECT_THAT(refusal(altered("tolerance = 0", "tolerance = -1")), HasSubstr("'tolerance'"));
  EXPECT_THAT(refusal(altered("tolerance = 0", "tolerance = inf")), HasSubstr("'tolerance'"));
  EXPECT_THAT(refusal(altered("u_bound = 1024", "u_bound = \"1024\"")), HasSubstr("'u_bound'"));
  EXPECT_THAT(refusal(altered("[limits]", "[limit]")), HasSubstr("lacks the entry 'limits'"));
  EXPECT_THAT(refusal(altered("[limits]", "[[limits]]")), HasSubstr("'limits' must be a table"));
  EXPECT_THAT(refusal(altered("iterations = \"auto\"", "iterations = \"auto\"\nstart_from = \"12\"")),
              HasSubstr("'start_from': a SHA-256 digest"));
  EXPECT_THAT(refusal(altered("admm_y = 20\n", "")), HasSubstr("[run] lacks the entry 'admm_y'"));
  EXPECT_THAT(refusal(altered("[limits]", "[throw_away]\nseed = \"1x\"\n[limits]")), HasSubstr("'seed' must be"));
  EXPECT_THAT(refusal(altered("[limits]", "[throw_away]\nseed = \"\"\n[limits]")), HasSubstr("'seed' must be"));
}

TEST(ParseConsortium, EverySettingOfTheTableIsReadAsItWasWritten) {
  for (const protocol::Setting& setting : protocol::settings_table()) {
    if (setting.section.empty() || setting.private_run || setting.name == "scheme") continue;
    Consortium c = test_consortium();
    if (!setting.knows(protocol::SchemeKind::kHardened)) c.settings.scheme = protocol::SchemeKind::kSum;
    protocol::Value value = static_cast<std::int64_t>(7);
    if (setting.kind == protocol::ValueKind::kNumber) value = setting.below_max ? 0.125 : 7.5;
    if (setting.kind == protocol::ValueKind::kWord) value = std::string(setting.words.back());
    if (setting.kind == protocol::ValueKind::kYesNo) value = !std::get<bool>(setting.get(c.settings));
    ASSERT_TRUE(protocol::set_value(setting, c.settings, value)) << setting.name;
    const auto parsed = parse_consortium(write_consortium(c));
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(setting.get(parsed->settings), value) << setting.name;
    EXPECT_NE(digest_of(*parsed), digest_of(test_consortium())) << setting.name;
  }
}

// A file says what its scheme has a use for, and no more.
TEST(ParseConsortium, EntriesOfAnotherSchemeAreRefused) {
  EXPECT_THAT(refusal(altered("rank = 5", "rank = 5\nstarts = 2")), HasSubstr("[data] has no entry 'starts'"));
  EXPECT_THAT(refusal(altered("admm_y = 20", "admm_y = 20\nstarts = 2")), HasSubstr("[run] has no entry 'starts'"));
  std::string sums = write_consortium(of_sums());
  const std::size_t at = sums.find("starts = 15");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(refusal(sums.insert(at, "admm_x = 3\n")), HasSubstr("[run] has no entry 'admm_x'"));
}

TEST(ParseConsortium, RefusesEdgesThatAreNone) {
  EXPECT_THAT(refusal(altered("[\"a\", \"b\"]", "[\"a\"]")), HasSubstr("line 6: an edge must be two names"));
  EXPECT_THAT(refusal(altered("[\"a\", \"b\"]", "\"ab\"")), HasSubstr("an edge must be two names"));
  EXPECT_THAT(refusal(altered("[\"a\", \"b\"]", "[\"a\", 2]")), HasSubstr("'edges' must hold names"));
  EXPECT_THAT(refusal(altered("[\"a\", \"b\"]", "[\"a\", \"b:c\"]")), HasSubstr("'edges' must hold names"));
}

TEST(ParseConsortium, RefusesMembersThatAreNotWhoTheySay) {
  EXPECT_THAT(refusal(altered("name = \"a\"", "name = \"z\"")), HasSubstr("the member 'z': its identity is that of a"));
  EXPECT_THAT(refusal(altered("a.example:7443", "a.example")), HasSubstr("the member 'a': 'a.example' is no address"));
  EXPECT_THAT(refusal(altered("address = \"a.example:7443\"", "address = 7443")),
              HasSubstr("'address' must be a text"));
  const Consortium consortium = test_consortium();
  std::string text = write_consortium(consortium);
  const std::string identity = base64(consortium.members[0].identity.encode());
  const std::size_t at = text.find(identity.substr(64, 64));
  ASSERT_NE(at, std::string::npos);
  text[at] = text[at] == 'A' ? 'B' : 'A';
  EXPECT_THAT(refusal(text), HasSubstr("the member 'a': "));
}

TEST(ParseConsortium, RefusesWhatIsTooMuch) {
  EXPECT_THAT(refusal(std::string(kMaxConsortiumBytes + 1, ' ')), HasSubstr("is longer than"));
  EXPECT_THAT(refusal(altered("format = 1", "format = 1 #" + std::string(600, 'x'))), HasSubstr("line 3: is longer"));
  std::string edges;
  for (std::size_t i = 0; i < kMaxEdges; ++i) edges += "[\"a\", \"b\"],\n";
  EXPECT_THAT(refusal(altered("[\"a\", \"b\"],", edges)), HasSubstr("'edges' must be a list of at most 50000"));
  std::string names;
  for (std::size_t i = 0; i <= kMaxMembers; ++i) names += "\"a\",\n";
  EXPECT_THAT(refusal(altered("format = 1", "format = 1\nallow_few_columns = [\n" + names + "]")),
              HasSubstr("'allow_few_columns' must be a list of at most 1000"));
  std::string members;
  for (std::size_t i = 0; i <= kMaxMembers; ++i) members += "[[member]]\n";
  EXPECT_THAT(refusal(altered("[[member]]", members + "[[member]]")),
              HasSubstr("'member' must be a list of at most 1000"));
}

TEST(ParseConsortium, RowNamesStandAsTheyAreWhereTheyCan) {
  Consortium c = test_consortium();
  c.row_names = {"A[C>A]T", "100 %", "\xc3\xa4"};
  const std::string text = write_consortium(c);
  EXPECT_THAT(text, HasSubstr("row_names = [\n  \"A[C>A]T\",\n  \"100 %25\",\n  \"%C3%A4\",\n]\n"));
  const auto parsed = parse_consortium(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->row_names, c.row_names);
}

TEST(ParseConsortium, RowNamesThatAreNone) {
  const auto with = [](std::string_view list) {
    return altered("rows = 100", "rows = 100\nrow_names = " + std::string(list));
  };
  for (const char* list : {"[\n\"%4\"\n]", "[\n\"%\"\n]", "[\n\"%zz\"\n]", "[\n\"%+1\"\n]", "[1]", "[[\"a\"]]"})
    EXPECT_THAT(refusal(with(list)),
                testing::AnyOf(HasSubstr("'row_names' must hold texts"), HasSubstr("is not a comment")))
        << list;
  EXPECT_THAT(refusal(with("\"a\"")), HasSubstr("'row_names' must be a list"));
  EXPECT_THAT(refusal(with("[\n\"a\" \"b>\",\n]")), HasSubstr("line 15: is not a comment"));
  EXPECT_THAT(refusal(with("[\n\"a\\u0041\",\n]")), HasSubstr("is not a comment"));
}

TEST(ParseConsortium, TwentyThousandLongRowNamesFit) {
  Consortium c = test_consortium();
  c.rows = 20'000;
  for (int i = 0; i < 20'000; ++i)
    c.row_names.push_back(fmt::format("{:0100}", i) + "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac");
  const auto parsed = parse_consortium(write_consortium(c));
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->row_names, c.row_names);
  EXPECT_THAT(sentences(*parsed), testing::IsEmpty());
}

std::string dotted(int dots) {
  std::string key = "a";
  for (int i = 0; i < dots; ++i) key += ".a";
  return key;
}

// Each of these made toml++ 3.3 overflow its stack or fail an assertion of its own.
TEST(ParseConsortium, WhatToml33StumblesOverDoesNotReachIt) {
  EXPECT_THAT(refusal("[" + dotted(1'000'000) + "]\n"), HasSubstr("line 1: is longer than"));
  EXPECT_THAT(refusal("[" + dotted(100) + "]\n"), HasSubstr("line 1: is not a comment"));
  std::string text = "x = ";
  for (int i = 0; i < 120; ++i) text += "[\n{" + dotted(200) + "=";
  text += "1";
  for (int i = 0; i < 120; ++i) text += "}\n]";
  EXPECT_THAT(refusal(text), HasSubstr("line 2: is not a comment"));
  EXPECT_THAT(refusal("[\nencryption]\n"), HasSubstr("line 1: is not a comment"));
  EXPECT_THAT(refusal("edges = " + std::string(500, '[')), HasSubstr("is not TOML"));
  for (const char* other : {"a.b = 1", "\"a\" = 1", "a = {b = 1}", "a = 'b'", R"(a = "\u0041")", "= 1", "a =", "a",
                            "[]", "[a", "[[a]", "[a b]", R"(a = """b""")", "a = \"\"\"\nb!\n\"\"\""}) {
    EXPECT_THAT(refusal(other), HasSubstr(": is not a comment")) << other;
  }
}

// The first is undefined behaviour inside toml++ 3.3.
TEST(ParseConsortium, LettersBeyondAsciiAreRefused) {
  EXPECT_THAT(refusal("format = 1\nedL\xc7\x84==\n"), HasSubstr("line 2: has a letter that is not ASCII"));
  EXPECT_THAT(refusal(altered("format = 1", "format = 1 # f\xc3\xbcr uns")), HasSubstr("line 3: has a letter"));
}

TEST(ParseConsortium, EveryTruncationIsRefused) {
  const std::string text = write_consortium(test_consortium());
  // What stands in the last member's lines may go: then it is a smaller file, and check() or the digest tells.
  const std::size_t last = text.rfind("[[member]]");
  for (std::size_t size = 0; size < last; size += 7) {
    const auto parsed = parse_consortium(std::string_view(text).substr(0, size));
    EXPECT_TRUE(!parsed || parsed->members.size() < 4) << size;
  }
  for (std::size_t size = last + 1; size + 2 < text.size(); ++size)
    EXPECT_FALSE(parse_consortium(std::string_view(text).substr(0, size))) << size;
}

}  // namespace
}  // namespace ppdnmf::consortium
