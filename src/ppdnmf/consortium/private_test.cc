// Private runs in the consortium file: read, written, checked, and the noise that follows.
#include <functional>
#include <limits>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/run/options.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::consortium {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Consortium private_consortium() {
  Consortium out = test_consortium();
  out.settings.scheme = protocol::SchemeKind::kSum;
  out.settings.trust_members = false;
  out.settings.iterations = 40;
  out.settings.epsilon = 2;
  out.settings.delta = 1e-6;
  out.settings.normalise = nmf::ColumnNorm::kL2;
  out.settings.assume_honest = 3;
  out.settings.columns = 20'000;
  return out;
}

TEST(PrivateConsortium, HasNothingToComplainAbout) { EXPECT_THAT(sentences(private_consortium()), IsEmpty()); }

TEST(PrivateConsortium, IsReadAsItWasWritten) {
  Consortium consortium = private_consortium();
  for (const nmf::ColumnNorm norm : {nmf::ColumnNorm::kL1, nmf::ColumnNorm::kL2}) {
    consortium.settings.normalise = norm;
    const auto parsed = parse_consortium(write_consortium(consortium));
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->settings, consortium.settings);
    EXPECT_EQ(digest_of(*parsed), digest_of(consortium));
  }
}

// What `simulate` runs with, by the digest over all settings and the noise.
TEST(PrivateConsortium, RunsWithTheNoiseOfSimulate) {
  Consortium consortium = test_consortium();
  const protocol::Graph graph = sim::make_topology("ring", 4, Seed::from_number(5)).value();
  for (const nmf::ColumnNorm norm : {nmf::ColumnNorm::kL1, nmf::ColumnNorm::kL2}) {
    for (const std::optional<std::uint32_t> honest :
         {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(2)}) {
      run::RunOptions options;
      options.settings.rank = 4;
      options.settings.scheme = protocol::SchemeKind::kSum;
      options.settings.epsilon = 1.5;
      options.settings.delta = 1e-6;
      options.settings.normalise = norm;
      options.settings.assume_honest = honest;
      const auto simulated = run::make_settings(options, 50, 30'000, graph);
      ASSERT_TRUE(simulated) << simulated.error().message;
      consortium.rows = 50;
      consortium.settings = simulated->said;
      const auto parsed = parse_consortium(write_consortium(consortium));
      ASSERT_TRUE(parsed) << parsed.error().message;
      const auto run = protocol::make_run_settings(parsed->settings, parsed->rows, graph);
      ASSERT_TRUE(run) << run.error().message;
      EXPECT_EQ(run->digest(graph), simulated->digest(graph));
      EXPECT_EQ(run->privacy->noise, simulated->privacy->noise);
      EXPECT_EQ(run->privacy->noise.honest, honest.value_or(3));
    }
  }
}

TEST(PrivateConsortium, EveryEntryOfItIsPartOfTheDigest) {
  const std::vector<std::function<void(protocol::Settings&)>> changes = {
      [](auto&) {},
      [](auto& s) {
        s = test_consortium().settings;
        s.scheme = protocol::SchemeKind::kSum;
        s.iterations = 40;
      },
      [](auto& s) { s.epsilon = 2.5; },
      [](auto& s) { s.delta = 1e-7; },
      [](auto& s) { s.normalise = nmf::ColumnNorm::kL1; },
      [](auto& s) { s.assume_honest = 2; },
      [](auto& s) { s.columns = 20'001; }};
  std::set<Digest> digests;
  for (const auto& change : changes) {
    Consortium consortium = private_consortium();
    change(consortium.settings);
    digests.insert(digest_of(consortium));
  }
  EXPECT_EQ(digests.size(), changes.size());
}

TEST(PrivateConsortium, WhatCannotBeIsOneSentenceEach) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const std::function<void(protocol::Settings&)>& change) {
    Consortium consortium = private_consortium();
    change(consortium.settings);
    return sentences(consortium);
  };
  for (const double epsilon : {0.0, -1.0, kNone, 101.0, 1e-300}) {
    EXPECT_THAT(refused([&](protocol::Settings& s) { s.epsilon = epsilon; }),
                ElementsAre(AllOf(StartsWith("! "), HasSubstr("`epsilon` must be"))))
        << epsilon;
  }
  for (const double delta : {0.0, -1.0, kNone, 1.0 / 20'000, 1.0}) {
    EXPECT_THAT(refused([&](protocol::Settings& s) { s.delta = delta; }),
                ElementsAre(AllOf(StartsWith("! "), HasSubstr("`delta` must be"))))
        << delta;
  }
  EXPECT_THAT(refused([](protocol::Settings& s) {
                s.epsilon = 1e-300;
                s.delta = 1e-300;
              }),
              ElementsAre(HasSubstr("`epsilon` must be a number from")));
  for (const std::uint32_t honest : {0U, 5U}) {
    EXPECT_THAT(refused([&](protocol::Settings& s) { s.assume_honest = honest; }),
                ElementsAre(AllOf(StartsWith("! "), HasSubstr("`assume_honest` must be"))));
  }
  EXPECT_THAT(refused([](protocol::Settings& s) { s.scheme = protocol::SchemeKind::kHardened; }),
              ElementsAre(AllOf(StartsWith("! "), HasSubstr("`scheme=sum`"))));
  EXPECT_THAT(refused([](protocol::Settings& s) { s.starts = 2; }), ElementsAre(HasSubstr("`starts=2`")));
  EXPECT_THAT(refused([](protocol::Settings& s) { s.tolerance = 0.1; }), ElementsAre(HasSubstr("`tolerance`")));
  EXPECT_THAT(refused([](protocol::Settings& s) { s.epsilon = 1e-3; }),
              ElementsAre(AllOf(HasSubstr("hardly anything but noise"), HasSubstr("columns, or `epsilon="))));
}

TEST(PrivateConsortium, AnEarlierXIsNotInItsAccount) {
  Consortium consortium = private_consortium();
  consortium.start_from = Digest{1};
  consortium.allow_difference_of = {"z"};
  EXPECT_THAT(sentences(consortium), ElementsAre(AllOf(StartsWith("! "), HasSubstr("is not in its account"))));
}

TEST(PrivateConsortium, EntriesAreThereTogetherAndOfTheirKind) {
  const std::string text = write_consortium(private_consortium());
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    const auto parsed = parse_consortium(changed);
    return parsed ? "nothing" : parsed.error().message;
  };
  for (const std::string entry :
       {"epsilon = 2\n", "delta = 1e-06\n", "normalise = \"l2\"\n", "assume_honest = 3\n", "columns = 20000\n"}) {
    const std::string key = entry.substr(0, entry.find(' '));
    EXPECT_THAT(refused(entry, ""), HasSubstr("[run] lacks the entry '" + key + "'"));
  }
  for (const char* bad : {"-1", "nan", "inf", "\"2\""}) {
    EXPECT_THAT(refused("epsilon = 2", std::string("epsilon = ") + bad), HasSubstr("'epsilon' must be a number"));
  }
  EXPECT_THAT(refused("delta = 1e-06", "delta = -1e-06"), HasSubstr("'delta' must be a number"));
  EXPECT_THAT(refused("\"l2\"", "\"l3\""), HasSubstr("'normalise' must be one of l1, l2, not 'l3'"));
  EXPECT_THAT(refused("assume_honest = 3", "assume_honest = 0"), HasSubstr("'assume_honest' must be a whole number"));
  EXPECT_THAT(refused("columns = 20000", "columns = 0"), HasSubstr("'columns' must be a whole number"));
}

TEST(PrivateConsortium, ItsNotesSayWhatIsPromisedAndDebited) {
  const Consortium consortium = private_consortium();
  const auto checked = CheckedConsortium::create(consortium, identity::kTestTime);
  ASSERT_TRUE(checked) << checked.error().message;
  const auto notes = privacy_notes(consortium, checked->graph());
  EXPECT_THAT(notes, Contains(AllOf(HasSubstr("1e-06)-differentially private"), HasSubstr("as long as 3 agents"))));
  EXPECT_THAT(notes, Contains(HasSubstr("debits rho = ")));
}

}  // namespace
}  // namespace ppdnmf::consortium
