// The noise in the totals of whole private runs, less what dishonest agents leave out or know, against the account.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/scenario/private_problem.h"
#include <ppdnmf/protocol/private_scheme.h>
#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/protocol/spanning_tree.h>

namespace ppdnmf::scenario {
namespace {

constexpr std::uint32_t kAgents = 6;
constexpr std::uint32_t kHonest = 3;
constexpr int kRounds = 6;
constexpr std::uint32_t kFirstSum = protocol::kOpeningSums;  // of a round; those before are empty

// What everybody is told, by round.
class Opened final : public sim::Recorder {
 public:
  void sent(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/, const protocol::Message& message) override {
    const auto* total = std::get_if<protocol::Total>(&message.body);
    if (total != nullptr && !told.contains(total->number + 1)) {
      told[total->number + 1] =
          protocol::told_after(told[total->number], protocol::words_of(total->payload), total->stop);
    }
    if (total != nullptr && total->number >= kFirstSum)
      totals[total->number - kFirstSum] = protocol::words_of(total->payload);
  }
  void received(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/,
                const protocol::Message& /*message*/) override {}

  std::map<std::uint32_t, protocol::Words> totals;
  std::map<std::uint32_t, Digest> told;  // before the sum of this number
};

protocol::Words noise_words(const privacy::NoisePlan& plan, std::uint64_t seed, AgentId agent, const Digest& told,
                            std::uint64_t round) {
  return *protocol::to_words(protocol::noise_share(plan, protocol::simulated_secret(seed, agent), told, round),
                             kAgents);
}

// These agents send their parts without noise: masks are added last, so it can be taken off what leaves.
void silence(Problem& problem, Opened& opened, std::set<std::uint32_t> silent) {
  const privacy::NoisePlan plan = problem.config.settings.privacy->noise;
  const auto places = protocol::spanning_tree(problem.graph);
  for (const std::uint32_t i : silent) ASSERT_TRUE(places[i].parent) << "the root sends totals, not parts";
  problem.config.deviation = [plan, &opened, silent = std::move(silent), seed = problem.config.seed](
                                 AgentId from, AgentId /*to*/, const protocol::Message& message) {
    protocol::Message sent = message;
    auto* partial = std::get_if<protocol::Partial>(&sent.body);
    if (partial != nullptr && partial->number >= kFirstSum && silent.contains(from.value)) {
      protocol::Words words = protocol::words_of(partial->payload);
      const protocol::Words noise =
          noise_words(plan, seed, from, opened.told[partial->number], partial->number - kFirstSum);
      for (std::size_t t = 0; t < words.size(); ++t) words[t] -= noise[t];
      partial->payload = protocol::to_bytes(words);
    }
    return std::vector<protocol::Message>{std::move(sent)};
  };
}

// Squares of what is left of the totals of one run for somebody who knows all columns and what `tell` agents drew.
struct Left {
  double squares = 0;
  double numbers = 0;
};
void add_run(std::uint64_t seed, const std::set<std::uint32_t>& silent, const std::set<std::uint32_t>& tell,
             Left& left) {
  Problem problem = private_problem(seed, "star", kAgents, kRounds, 20, kHonest);
  const privacy::NoisePlan plan = problem.config.settings.privacy->noise;
  Opened opened;
  problem.config.recorder = &opened;
  problem.config.X0 = Matrix::Constant(7, 3, 1) + Matrix::Identity(7, 3);
  std::vector<Matrix> X = {nmf::NoisyDescent({kRounds, 1, 1}, problem.config.X0).X()};
  problem.config.factor_observer = [&](std::uint32_t /*iteration*/, std::span<const Matrix* const> all) {
    X.push_back(*all.front());
  };
  silence(problem, opened, silent);
  (void)run(problem);
  ASSERT_EQ(opened.totals.size(), static_cast<std::size_t>(kRounds));
  std::vector<std::unique_ptr<nmf::Holder>> columns;
  for (const Matrix& Z : problem.Z) {
    columns.push_back(nmf::unit_holder(Z, nmf::ColumnNorm::kL2));
    columns.back()->begin(3, 1);
  }
  for (std::uint32_t n = 0; n < kRounds; ++n) {
    protocol::Words& total = opened.totals[n];
    for (const auto& own : columns) {
      const protocol::Words part =
          *protocol::to_words(own->bounded_answer(X[n], {plan.bound, plan.t_weight, plan.unit}).values, kAgents);
      for (std::size_t t = 0; t < total.size(); ++t) total[t] -= part[t];
    }
    for (const std::uint32_t agent : tell) {
      const protocol::Words noise = noise_words(plan, seed, AgentId{agent}, opened.told[kFirstSum + n], n);
      for (std::size_t t = 0; t < total.size(); ++t) total[t] -= noise[t];
    }
    for (const double value : protocol::from_words(total)) {
      ASSERT_EQ(std::remainder(value, plan.unit), 0) << "more than noise is left";
      left.squares += value * value;
      left.numbers += 1;
    }
  }
}

// An agent that was set back and is told other totals than before must not answer with the noise of before: two answers
// to different questions would differ by the data alone. Here the last agent's part differs by the last bit of a word,
// which changes no X, so that all that can differ afterwards is the noise.
TEST(PrivateNoise, OtherTotalsBeforeMeanOtherNoise) {
  std::map<std::uint32_t, protocol::Words> opened[2];
  const Problem problem = private_problem(1, "star", kAgents, kRounds, 20, kHonest);
  for (const bool other : {false, true}) {
    Problem watched = problem;
    Opened recorder;
    watched.config.recorder = &recorder;
    watched.config.deviation = [other](AgentId from, AgentId /*to*/, const protocol::Message& message) {
      protocol::Message sent = message;
      auto* partial = std::get_if<protocol::Partial>(&sent.body);
      if (other && from.value == kAgents - 1 && partial != nullptr && partial->number == kFirstSum)
        partial->payload[0] ^= 1;
      return std::vector<protocol::Message>{std::move(sent)};
    };
    (void)run(watched);
    opened[other ? 1 : 0] = recorder.totals;
  }
  EXPECT_EQ(protocol::from_words(opened[0][0]), protocol::from_words(opened[1][0])) << "they lead to the same X";
  const std::vector<double> first = protocol::from_words(opened[0][1]);
  const std::vector<double> second = protocol::from_words(opened[1][1]);
  double squares = 0;
  for (std::size_t t = 0; t < first.size(); ++t) squares += (first[t] - second[t]) * (first[t] - second[t]);
  const double noise = privacy::noise_of(problem.config.settings.privacy->noise, kAgents);
  EXPECT_GT(std::sqrt(squares / static_cast<double>(first.size())), noise) << "it should be sqrt 2 of it";
}

struct Ratio {
  double value = 0;      // variance beside that of the account
  double deviation = 0;  // of the measurement
};
Ratio noise_left(const std::set<std::uint32_t>& silent, const std::set<std::uint32_t>& tell) {
  Left left;
  const std::uint64_t runs = kSanitized ? 10 : 40;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) add_run(seed, silent, tell, left);
  const auto problem = private_problem(1, "star", kAgents, kRounds, 20, kHonest);
  const double counted = privacy::noise_of(problem.config.settings.privacy->noise, kHonest);
  return {left.squares / left.numbers / (counted * counted), std::sqrt(2 / left.numbers)};
}

// In a star agent 0 is the root. Three of six may be dishonest.
TEST(PrivateNoise, WithTheAssumedNumberSilentOrColludingItStillMeetsTheAccount) {
  for (const auto& [silent, tell] : std::vector<std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>>>{
           {{3, 4, 5}, {}}, {{}, {3, 4, 5}}, {{3}, {0, 5}}}) {
    const Ratio left = noise_left(silent, tell);
    EXPECT_NEAR(left.value, 1, 5 * left.deviation) << silent.size() << " silent, " << tell.size() << " colluding";
    EXPECT_LT(left.deviation, 0.05);
  }
}

TEST(PrivateNoise, OneMoreThanAssumedIsMoreThanTheAccountAllows) {
  const Ratio less = noise_left({2, 3, 4, 5}, {});
  EXPECT_LT(less.value, 1 - 5 * less.deviation);
  const Ratio more = noise_left({}, {});
  EXPECT_GT(more.value, 1 + 5 * more.deviation);  // all honest: more than enough
}

}  // namespace
}  // namespace ppdnmf::scenario
