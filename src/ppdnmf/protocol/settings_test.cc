#include <ppdnmf/protocol/settings.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::protocol {
namespace {

using ::testing::HasSubstr;

Graph ring(std::uint32_t agents) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < agents; ++i) edges.emplace_back(i, (i + 1) % agents);
  return *Graph::create(agents, edges);
}

Settings valid() {
  Settings s;
  s.rank = 4;
  return s;
}

std::string refusal(const Settings& settings) {
  const Status status = validate(settings);
  return status ? "nothing" : status.error().message;
}

// A value that differs from the default and is within the limits.
Value other_value(const Setting& setting) {
  const Value now = setting.get(with_defaults(valid()));
  if (setting.kind == ValueKind::kWord) {
    const auto differs = [&](std::string_view word) { return now != Value(std::string(word)); };
    return std::string(*std::find_if(setting.words.begin(), setting.words.end(), differs));
  }
  if (setting.kind == ValueKind::kYesNo) return !std::get<bool>(now);
  if (setting.kind == ValueKind::kWhole) return static_cast<std::int64_t>(setting.min) + 3;
  return setting.below_max ? Value(0.25) : Value(setting.min + 2.5);
}

TEST(SettingsTable, EveryRowIsWholeAndHasANameOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> python;
  for (const Setting& setting : settings_table()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_TRUE(python.insert(setting.python_name()).second) << setting.python_name();
    EXPECT_FALSE(setting.meaning.empty()) << setting.name;
    EXPECT_EQ(find_setting(setting.name), &setting);
    EXPECT_TRUE(setting.private_run || !can_be_left_out(setting) || setting.name == "normalise" || setting.later)
        << setting.name << " has neither a default nor a way to choose it, and columns stay as they are for one only";
  }
  EXPECT_EQ(find_setting("colour"), nullptr);
}

TEST(SettingsTable, EverySettingIsReadAsItWasSetAndChangesNoOther) {
  for (const Setting& setting : settings_table()) {
    Settings settings;
    EXPECT_FALSE(is_given(setting, settings)) << setting.name;
    const Value value = other_value(setting);
    ASSERT_TRUE(set_value(setting, settings, value)) << setting.name;
    EXPECT_EQ(setting.get(settings), value) << setting.name;
    for (const Setting& other : settings_table())
      EXPECT_EQ(is_given(other, settings), other.name == setting.name) << setting.name << " " << other.name;
    const auto parsed = parse_value(setting, text_of(value));
    ASSERT_TRUE(parsed) << parsed.error().message;
    Settings again;
    setting.set(again, *parsed);
    EXPECT_EQ(again, settings) << setting.name;
  }
}

TEST(SettingsTable, ValuesBeyondTheLimitsAreRefusedWithTheName) {
  for (const Setting& setting : settings_table()) {
    std::vector<std::string> wrong = {"", "x", "1x", "nan", "inf", "-inf"};
    const bool number = setting.kind == ValueKind::kWhole || setting.kind == ValueKind::kNumber;
    if (number) wrong.push_back(text_of(setting.min - 1 - setting.min / 2));
    if (setting.kind == ValueKind::kYesNo) wrong.insert(wrong.end(), {"0", "1", "yes", "True"});
    if (number && setting.below_max) wrong.push_back(text_of(setting.max));
    if (setting.kind == ValueKind::kWhole) wrong.insert(wrong.end(), {"1.5", "99999999999999999999"});
    if (setting.automatic.empty()) wrong.emplace_back("auto");
    for (const std::string& text : wrong) {
      if (std::find(setting.words.begin(), setting.words.end(), text) != setting.words.end()) continue;
      const auto value = parse_value(setting, text);
      ASSERT_FALSE(value) << setting.name << " " << text;
      EXPECT_EQ(value.error().code, ErrorCode::kUsage);
      EXPECT_THAT(value.error().message, HasSubstr("`" + std::string(setting.name) + "` must be"));
    }
  }
  EXPECT_EQ(parse_value(*find_setting("rank"), "0").error().message,
            "`rank` must be a whole number from 1 to 1048576, or two of them as 4-20, the smaller one first, not 0");
  EXPECT_EQ(parse_value(*find_setting("tolerance"), "2").error().message,
            "`tolerance` must be a number in [0, 1), not 2");
  EXPECT_EQ(parse_value(*find_setting("scheme"), "open").error().message,
            "`scheme` must be one of sum, moments, hardened, as-printed, or auto, not 'open'");
}

TEST(SettingsTable, NamesInSentencesAreRenderedByWhoeverShowsThem) {
  const auto render = [](std::string_view name, std::string_view value) {
    return "<" + std::string(name) + (value.empty() ? "" : " " + std::string(value)) + ">";
  };
  EXPECT_EQ(render_names("`key_bits` has no meaning for `scheme=sum`.", render),
            "<key_bits> has no meaning for <scheme sum>.");
  for (const char* plain : {"", "nothing here", "one ` alone", "`Not a name` and `a b`", "``", "`a`b`"}) {
    const std::string text = render_names(plain, render);
    EXPECT_EQ(text, std::string(plain) == "`a`b`" ? "<a>b`" : plain);
  }
}

TEST(Settings, ThePoissonLossIsForExactSumsOnly) {
  Settings s = valid();
  s.loss = nmf::LossKind::kPoisson;
  EXPECT_TRUE(validate(s));
  s.scheme = SchemeKind::kAsPrinted;
  EXPECT_THAT(refusal(s), HasSubstr("`loss=poisson` has no meaning for `scheme=as-printed`"));
  s.scheme = SchemeKind::kMoments;
  EXPECT_THAT(refusal(s), HasSubstr("`loss=poisson` needs `scheme=sum`: second moments"));
  s.scheme.reset();
  s.epsilon = 1;
  s.delta = 1e-6;
  s.normalise = nmf::ColumnNorm::kL1;
  EXPECT_THAT(refusal(s), HasSubstr("`loss=poisson` cannot be had in a private run"));
  Settings squares = valid();
  squares.curvature = nmf::Curvature::kFull;
  EXPECT_THAT(refusal(squares), HasSubstr("`curvature` is for `loss=poisson`"));
}

TEST(Settings, ThePoissonLossGetsItsCurvatureAndRounds) {
  const Graph graph = *Graph::create(2, {{0, 1}});
  Settings s = valid();
  s.loss = nmf::LossKind::kPoisson;
  s.rank = 20;
  EXPECT_EQ(chosen(s, 96, graph).curvature, nmf::Curvature::kFull);
  EXPECT_EQ(chosen(s, 96, graph).iterations, 50);
  s.rank = 40;
  EXPECT_EQ(chosen(s, 96, graph).curvature, nmf::Curvature::kScaled);
  EXPECT_EQ(chosen(s, 96, graph).iterations, 80);
  EXPECT_FALSE(chosen(valid(), 96, graph).curvature);
}

TEST(Settings, ARangeOfRanksIsAValueOfTheRank) {
  const Setting& rank = *find_setting("rank");
  Settings s = valid();
  rank.set(s, *parse_value(rank, "4-20"));
  EXPECT_EQ(s.least_rank, 4);
  EXPECT_EQ(s.rank, 20);
  EXPECT_EQ(text_of(rank.get(s)), "4-20");
  EXPECT_TRUE(validate(s));
  for (const char* wrong : {"20-4", "4-4", "0-4", "4-", "-4", "4-x", "4 - 20", "4-20-30", "4-2000000"})
    EXPECT_FALSE(parse_value(rank, wrong)) << wrong;
  rank.set(s, std::int64_t{5});
  EXPECT_EQ(s.least_rank, 0);
  EXPECT_EQ(text_of(rank.get(s)), "5");
}

TEST(Settings, ASearchHasStartsAndRoundsOfItsOwnAndNeedsExactSums) {
  const Graph graph = *Graph::create(3, {{0, 1}, {1, 2}});
  Settings s = valid();
  s.least_rank = 2;
  s.rank = 8;
  s.loss = nmf::LossKind::kPoisson;
  const Settings all = chosen(s, 96, graph);
  EXPECT_EQ(all.starts, 10);
  EXPECT_EQ(all.iterations, 40);
  EXPECT_EQ(all.curvature, nmf::Curvature::kScaled);
  EXPECT_EQ(all.cap, 0.75);
  const auto run = make_run_settings(s, 96, graph);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->most_rounds(), 7 * 40U);
  EXPECT_FALSE(search_notes(*run).empty());
  EXPECT_NE(run->digest(graph), make_run_settings(valid(), 96, graph)->digest(graph));
  s.starts = 10'000'000;
  EXPECT_FALSE(make_run_settings(s, 96, graph));
  s.starts = 1;
  s.scheme = SchemeKind::kHardened;
  s.loss = nmf::LossKind::kSquares;
  EXPECT_THAT(refusal(s), HasSubstr("`rank=2-8` needs `scheme=sum`"));
  s.scheme = SchemeKind::kMoments;
  EXPECT_THAT(refusal(s), HasSubstr("`rank=2-8` with `scheme=moments` needs `epsilon`"));
  s.scheme = SchemeKind::kSum;
  s.start = nmf::Start::kOnes;
  EXPECT_THAT(refusal(s), HasSubstr("needs `start=random`"));
}

TEST(Settings, SumUnlessASettingIsGivenThatOnlyNeighboursHave) {
  EXPECT_EQ(scheme_of(valid()), SchemeKind::kSum);
  EXPECT_EQ(scheme_follows_from(valid()), "");
  for (const Setting& setting : settings_table()) {
    Settings s = valid();
    if (setting.name == "scheme" || setting.name == "rank") continue;
    setting.set(s, other_value(setting));
    const bool neighbours = setting.known_to == KnownTo::kNeighbours;
    EXPECT_EQ(scheme_of(s), neighbours ? SchemeKind::kHardened : SchemeKind::kSum) << setting.name;
    EXPECT_EQ(scheme_follows_from(s).empty(), !neighbours) << setting.name;
    if (neighbours) {
      s.scheme = SchemeKind::kSum;
      EXPECT_THAT(refusal(s), HasSubstr("has no meaning for `scheme=sum`")) << setting.name;
    }
    if (setting.known_to == KnownTo::kSum) {
      s.scheme = SchemeKind::kHardened;
      EXPECT_THAT(refusal(s), HasSubstr("has no meaning for `scheme=hardened`: leave it out, or choose `scheme=sum`"));
    }
  }
  // The default said aloud chooses, too: whoever types a key's length wants keys.
  Settings s = valid();
  s.key_bits = 3072;
  EXPECT_EQ(scheme_of(s), SchemeKind::kHardened);
  EXPECT_EQ(scheme_follows_from(s), "`key_bits=3072`");
}

TEST(Settings, ASettingOfPrivateRunsNeedsEpsilonAndEpsilonTheOthers) {
  for (const Setting& setting : settings_table()) {
    if (!setting.private_run || setting.name == "epsilon") continue;
    Settings s = valid();
    setting.set(s, other_value(setting));
    EXPECT_TRUE(is_private(s));
    EXPECT_THAT(refusal(s), HasSubstr("`" + std::string(setting.name) + "` is for private runs: add `epsilon`"));
  }
  Settings s = valid();
  s.epsilon = 8;
  EXPECT_THAT(refusal(s), HasSubstr("needs `delta`"));
  s.delta = 1e-6;
  EXPECT_THAT(refusal(s), HasSubstr("needs `normalise=l1`"));
  s.normalise = nmf::ColumnNorm::kL2;
  EXPECT_EQ(refusal(s), "nothing");
  EXPECT_THAT(make_run_settings(s, 30, ring(4)).error().message, HasSubstr("needs `columns`"));
  s.columns = 5000;
  s.scheme = SchemeKind::kSum;
  const auto run = make_run_settings(s, 30, ring(4));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->iterations, privacy::kPrivateRounds);
  EXPECT_EQ(run->said.assume_honest, 3U);
  Settings two = s;
  two.starts = 2;
  EXPECT_THAT(refusal(two), HasSubstr("`starts=2` has no meaning in a private run"));
  two = s;
  two.tolerance = 0.1;
  EXPECT_THAT(refusal(two), HasSubstr("`tolerance` has no meaning in a private run"));
}

Settings private_settings() {
  Settings s = valid();
  s.epsilon = 1;
  s.delta = 1e-6;
  s.normalise = nmf::ColumnNorm::kL2;
  s.columns = 1000;
  return s;
}

TEST(Settings, APrivateRunWithoutASchemeTakesTheOneThatSuitsItsBudget) {
  const auto few = make_run_settings(private_settings(), 96, ring(4));
  ASSERT_TRUE(few) << few.error().message;
  EXPECT_EQ(few->scheme, SchemeKind::kMoments);
  EXPECT_EQ(few->iterations, 1);
  ASSERT_TRUE(few->privacy->opening);
  EXPECT_EQ(few->privacy->noise.rounds, 0);
  Settings s = private_settings();
  s.columns = 100'000;
  const auto rows = make_run_settings(s, privacy::kMaxMomentRows + 1, ring(4));
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->scheme, SchemeKind::kSum);
  EXPECT_EQ(rows->iterations, privacy::kPrivateRounds);
  s.scheme = SchemeKind::kMoments;
  EXPECT_FALSE(make_run_settings(s, privacy::kMaxMomentRows + 1, ring(4)));
  s.iterations = 4;
  const auto asked = make_run_settings(s, 96, ring(4));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->privacy->noise.rounds, 3);
}

TEST(Settings, MomentsHaveStartsAndNothingToStopBy) {
  Settings s = private_settings();
  s.scheme = SchemeKind::kMoments;
  s.starts = 5;
  EXPECT_EQ(refusal(s), "nothing");
  s.tolerance = 0.1;
  EXPECT_THAT(refusal(s), HasSubstr("`tolerance` has no meaning for `scheme=moments`"));
  s = valid();
  s.scheme = SchemeKind::kMoments;
  EXPECT_EQ(refusal(s), "nothing");
  EXPECT_EQ(chosen(s, 30, ring(4)).iterations, 1);
  s.start = nmf::Start::kOnes;
  EXPECT_THAT(refusal(s), HasSubstr("needs `start=random`"));
  s = valid();
  s.scheme = SchemeKind::kMoments;
  s.iterations = 2;
  EXPECT_THAT(refusal(s), HasSubstr("`iterations=2` has no meaning for `scheme=moments` without `epsilon`"));
}

TEST(Settings, WhatCanBeChosenIsAndWhatDependsOnDataIsNot) {
  Settings s = valid();
  EXPECT_EQ(chosen(s, 30, ring(18)).iterations, 50);
  s.starts = 3;
  EXPECT_EQ(chosen(s, 30, ring(18)).iterations, automatic_rounds(3));
  s = valid();
  s.scheme = SchemeKind::kHardened;
  const Settings hardened = chosen(s, 5000, ring(18));
  EXPECT_EQ(hardened.admm_x, 6);
  EXPECT_EQ(hardened.iterations, 50);
  EXPECT_EQ(hardened.local_rounds, 10);
  EXPECT_EQ(hardened.key_bits, 3072);
  EXPECT_EQ(hardened.u_bound, 8192);
  EXPECT_FALSE(hardened.mu);
  EXPECT_EQ(chosen(hardened, 5000, ring(18)), hardened);
  s.updates = nmf::Updates::kAsPrinted;
  EXPECT_EQ(chosen(s, 30, ring(18)).local_rounds, 1);
  // What a scheme does not know stays out of its file and its record.
  EXPECT_FALSE(chosen(valid(), 30, ring(18)).key_bits);
}

TEST(Settings, TheRecordHasWhatTheSchemeKnows) {
  const auto names = [](const Settings& settings) {
    std::set<std::string> out;
    for (const auto& [name, text] : recorded_parameters(settings)) out.insert(name);
    return out;
  };
  Settings s = valid();
  EXPECT_TRUE(names(s).contains("iterations"));
  EXPECT_FALSE(names(s).contains("key_bits"));
  EXPECT_FALSE(names(s).contains("epsilon"));
  EXPECT_FALSE(names(s).contains("max_seconds")) << "a resumed run may have another";
  s.epsilon = 1;
  EXPECT_TRUE(names(s).contains("epsilon"));
  s = valid();
  s.scheme = SchemeKind::kHardened;
  EXPECT_TRUE(names(s).contains("key_bits"));
  EXPECT_FALSE(names(s).contains("starts"));
}

TEST(Settings, TheDigestOfARunKnowsEverySettingThatMembersAgreeOn) {
  const Graph graph = ring(5);
  std::set<Digest> seen = {RunSettings().digest(graph)};
  std::size_t changes = 1;
  for (const Setting& setting : settings_table()) {
    if (setting.section.empty()) continue;
    RunSettings run;
    setting.set(run.said, other_value(setting));
    seen.insert(run.digest(graph));
    ++changes;
  }
  EXPECT_EQ(seen.size(), changes);
}

TEST(Settings, KeysAreForSchemesBetweenNeighbours) {
  Settings s = valid();
  EXPECT_FALSE(key_options(s)) << "masked sums are what a run has that says nothing";
  s.scheme = SchemeKind::kHardened;
  s.key_bits = 2048;
  s.key_profile = crypto::KeyProfile::kFast;
  const auto keys = key_options(s);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->bits, 2048U);
  EXPECT_EQ(keys->profile, crypto::KeyProfile::kFast);
  s.scheme = SchemeKind::kAsPrinted;
  EXPECT_TRUE(key_options(s));
  s.cipher = CipherKind::kNone;
  EXPECT_FALSE(key_options(s));
}

}  // namespace
}  // namespace ppdnmf::protocol
