#include <functional>
#include <set>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/test_consortium.h>

namespace ppdnmf::consortium {
namespace {

TEST(ConsortiumDigest, IsOverTheMeaningAndNotTheBytes) {
  const Consortium written = test_consortium();
  const Digest digest = digest_of(written);
  Consortium other = written;
  std::swap(other.edges[0], other.edges[3]);
  std::swap(other.edges[1].first, other.edges[1].second);
  other.edges.push_back(other.edges[0]);
  other.members[0].address = std::nullopt;
  other.members[1].address = identity::parse_address("elsewhere:1").value();
  other.settings.tolerance = -0.0;
  EXPECT_EQ(digest_of(other), digest);
}

TEST(ConsortiumDigest, IsTheSameForAFileThatAPersonRearranged) {
  const Consortium consortium = test_consortium();
  std::string text = write_consortium(consortium);
  const auto replace = [&](std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("rank = 5", "rank = 0x5  # five");
  replace("\ntolerance = 0\n", "\ntolerance = 0.0e3\n");
  replace("[data]\nrows = 100", "[data]\n\n  rows = 1_00");
  replace("a.example", "b.a.example");
  EXPECT_NE(text, write_consortium(consortium));
  const auto parsed = parse_consortium(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(digest_of(*parsed), digest_of(consortium));
}

TEST(ConsortiumDigest, ChangesWithEverythingThatIsAgreedOn) {
  const Consortium consortium = test_consortium();
  const std::vector<std::function<void(Consortium&)>> changes = {
      [](Consortium&) {},
      [](Consortium& c) { std::swap(c.members[0], c.members[1]); },
      [](Consortium& c) { c.members.pop_back(); },
      [](Consortium& c) { c.members[0] = test_member("a", "a.example:7443"); },
      [](Consortium& c) { c.edges.pop_back(); },
      [](Consortium& c) { c.edges.back().first = "c"; },
      [](Consortium& c) { c.allow_degree_one = {"a"}; },
      [](Consortium& c) { c.allow_few_columns = {"a"}; },
      [](Consortium& c) { c.allow_difference_of = {"a"}; },
      [](Consortium& c) { c.throw_away_seed = 0; },
      [](Consortium& c) { c.throw_away_seed = 1; },
      [](Consortium& c) { c.rows = 101; },
      [](Consortium& c) {
        c.row_names = {"x", "y"};
      },
      [](Consortium& c) {
        c.row_names = {"y", "x"};
      },
      [](Consortium& c) { c.start_from = Digest{}; },
      [](Consortium& c) { c.settings.rank = 6; },
      [](Consortium& c) { c.settings.scheme = protocol::SchemeKind::kSum; },
      [](Consortium& c) {
        c.settings.scheme = protocol::SchemeKind::kSum;
        c.settings.starts = 7;
      },
      [](Consortium& c) { c.settings.updates = nmf::Updates::kAsPrinted; },
      [](Consortium& c) { c.settings.start = nmf::Start::kOnes; },
      [](Consortium& c) { c.settings.iterations = 7; },
      [](Consortium& c) { c.settings.admm_x = 7; },
      [](Consortium& c) { c.settings.admm_y = 7; },
      [](Consortium& c) { c.settings.local_rounds = 7; },
      [](Consortium& c) { c.settings.tolerance = 0.5; },
      [](Consortium& c) { c.settings.admm_tolerance = 0.5; },
      [](Consortium& c) { c.settings.mu = 0.5; },
      [](Consortium& c) { c.settings.eta = 0.5; },
      [](Consortium& c) { c.settings.weight = 0.5; },
      [](Consortium& c) { c.settings.cipher = protocol::CipherKind::kNone; },
      [](Consortium& c) { c.settings.key_bits = 2048; },
      [](Consortium& c) { c.settings.key_profile = crypto::KeyProfile::kFast; },
      [](Consortium& c) { c.settings.n_max = 7; },
      [](Consortium& c) { c.settings.u_bound = 7; },
      [](Consortium& c) { c.settings.min_columns = 7; },
      [](Consortium& c) { c.settings.max_seconds = 7; },
  };
  std::set<std::string> seen;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Consortium changed = consortium;
    changes[i](changed);
    EXPECT_TRUE(seen.insert(hex(digest_of(changed))).second) << i;
  }
}

TEST(ConsortiumDigest, OfRowNamesKnowsTheirOrderAndTheirEnds) {
  const std::vector<std::string> names = {"ab", "c"};
  const std::vector<std::string> turned = {"c", "ab"};
  const std::vector<std::string> cut = {"a", "bc"};
  EXPECT_NE(row_names_digest(names), row_names_digest(turned));
  EXPECT_NE(row_names_digest(names), row_names_digest(cut));
}

TEST(ConsortiumDigest, OfAMatrixKnowsItsShape) {
  const Matrix tall = Matrix::Ones(4, 1);
  const Matrix square = Matrix::Ones(2, 2);
  EXPECT_NE(matrix_digest(tall), matrix_digest(square));
  EXPECT_EQ(matrix_digest(square), matrix_digest(Matrix::Ones(2, 2)));
}

}  // namespace
}  // namespace ppdnmf::consortium
