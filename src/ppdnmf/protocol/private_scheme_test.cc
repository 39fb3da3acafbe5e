#include <ppdnmf/protocol/private_scheme.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/protocol/test_mu.h>

namespace ppdnmf::protocol {
namespace {

constexpr std::uint32_t kAgents = 3;
constexpr std::uint32_t kHonest = 2;
constexpr Index kRows = 6;
constexpr Index kRank = 2;
constexpr int kRounds = 5;

// A plan whose account says mu = sqrt(2 rho) = 1, or a little less.
privacy::NoisePlan plan_of_mu_one() {
  constexpr double kDelta = 1e-3;
  privacy::PlanRequest request{{privacy::epsilon_of(privacy::Cost{0.5, 0}, kDelta) * 0.999, kDelta},
                               kRows,
                               kRank,
                               kRounds,
                               kAgents,
                               kHonest,
                               100,
                               32};
  const auto plan = privacy::plan_noise(request);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

RunSettings settings_of(const privacy::NoisePlan& plan) {
  RunSettings s;
  s.rows = kRows;
  s.rank = kRank;
  s.scheme = SchemeKind::kSum;
  s.iterations = plan.rounds;
  s.privacy = PrivacySettings{{1, 1e-3}, nmf::ColumnNorm::kL2, plan};
  return s;
}

Matrix columns_of(std::uint32_t agent) {
  Stream stream = nmf::test_stream(100 + agent);
  return nmf::random_matrix(stream, kRows, 5, 0, 0.3);
}

// So long that it is weighed down to the bound in every round.
Matrix worst_column() {
  Stream stream = nmf::test_stream(7);
  return 1000 * nmf::random_matrix(stream, kRows, 1);
}

std::unique_ptr<nmf::Holder> begun(const Matrix& Z) {
  auto columns = nmf::dense_holder(Z);
  columns->begin(kRank, 1);
  return columns;
}

struct Party {
  Party(const RunSettings& settings, const Matrix& X0, const Matrix& Z, Seed own)
      : secret(std::move(own)), columns(begun(Z)), scheme(settings, kAgents, X0, *columns, secret) {}
  Seed secret;
  std::unique_ptr<nmf::Holder> columns;
  PrivateScheme scheme;
};

// What somebody sees in a run who knows all columns but one, and what the last agent adds: the distance of the totals
// from what they would be without that column, along the way the column would move them, in standard deviations of the
// noise that the account counts.
double distance_seen(const privacy::NoisePlan& plan, const privacy::NoisePlan& believed, std::uint64_t seed,
                     bool present) {
  const RunSettings settings = settings_of(plan);
  Stream stream = nmf::test_stream(1);
  const Matrix X0 = nmf::random_matrix(stream, kRows, kRank);
  const nmf::Bounds bounds{plan.bound, plan.t_weight, plan.unit};
  std::vector<std::unique_ptr<Party>> parties;
  std::vector<std::unique_ptr<nmf::Holder>> known;
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    Matrix Z = columns_of(i);
    known.push_back(begun(Z));
    if (i == 0 && present) {
      Z.conservativeResize(Eigen::NoChange, Z.cols() + 1);
      Z.rightCols(1) = worst_column();
    }
    parties.push_back(std::make_unique<Party>(settings, X0, Z, Seed::from_number(seed).derive(1, i)));
  }
  const auto worst = begun(worst_column());
  Outbox out{RunId{}};
  std::vector<Result<Ask>> asks;
  asks.reserve(parties.size());
  for (auto& party : parties) asks.push_back(party->scheme.begin({}, out));
  double along = 0;
  double squares = 0;
  for (std::uint64_t n = 0; n < static_cast<std::uint64_t>(plan.rounds); ++n) {
    const Matrix X = parties[0]->scheme.X();
    std::vector<double> totals(static_cast<std::size_t>(plan.entries));
    const Digest before{static_cast<std::uint8_t>(n)};
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      std::vector<double> values = std::get<SumOf>(*asks[i]).values;
      parties[i]->scheme.add_noise(values, before);
      for (std::size_t t = 0; t < totals.size(); ++t) totals[t] += values[t];
    }
    std::vector<double> left = totals;
    const std::vector<double> told = noise_share(plan, parties[kAgents - 1]->secret, before, n);
    for (std::size_t t = 0; t < left.size(); ++t) left[t] -= told[t];
    for (auto& columns : known) {
      const nmf::BoundedMoments part = columns->bounded_answer(X, bounds);
      for (std::size_t t = 0; t < left.size(); ++t) left[t] -= part.values[t];
    }
    const std::vector<double> way = worst->bounded_answer(X, bounds).values;
    along += std::inner_product(left.begin(), left.end(), way.begin(), 0.0);
    squares += std::inner_product(way.begin(), way.end(), way.begin(), 0.0);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(n + 1)), plan.bound, 1e-4);  // the worst there is
    asks.clear();
    for (auto& party : parties) asks.push_back(party->scheme.absorb(totals, false, out));
  }
  for (auto& ask : asks) EXPECT_TRUE(std::holds_alternative<Ended>(*ask));
  return along / (std::sqrt(squares) * privacy::noise_of(believed, kHonest));
}

double lower_bound_on_mu(const privacy::NoisePlan& plan, const privacy::NoisePlan& believed) {
  return least_mu([&](std::uint64_t seed, bool present) { return distance_seen(plan, believed, seed, present); });
}

TEST(PrivateScheme, TheWorstColumnShowsNoMoreThanTheAccountSays) {
  const privacy::NoisePlan plan = plan_of_mu_one();
  const double mu = std::sqrt(2 * plan.rho);
  EXPECT_NEAR(mu, 1, 0.01);
  const double bound = lower_bound_on_mu(plan, plan);
  EXPECT_LT(bound, mu);
  EXPECT_GT(bound, 0.6 * mu);  // the account is not far above it either
  // The test can fail: half the noise.
  privacy::NoisePlan half = plan;
  half.share_variance /= 4;
  EXPECT_GT(lower_bound_on_mu(half, plan), mu);
}

TEST(PrivateScheme, WithAllButTheHonestSilentTheNoiseIsTheAccounts) {
  const privacy::NoisePlan plan = plan_of_mu_one();
  double squares = 0;
  constexpr int kRuns = 400;
  for (std::uint64_t n = 0; n < kRuns; ++n) {
    const double seen = distance_seen(plan, plan, n, false);
    squares += seen * seen;
  }
  EXPECT_NEAR(squares / kRuns, 1, 5 * std::sqrt(2.0 / kRuns));
}

TEST(PrivateScheme, EveryRoundHasItsOwnNoiseAndTheSameAgainWhenAsked) {
  const privacy::NoisePlan plan = plan_of_mu_one();
  const Seed secret = Seed::from_number(1);
  const Seed other = Seed::from_number(2);
  const Digest told{1};
  EXPECT_EQ(noise_share(plan, secret, told, 3), noise_share(plan, secret, told, 3));
  EXPECT_NE(noise_share(plan, secret, told, 3), noise_share(plan, secret, told, 4));
  EXPECT_NE(noise_share(plan, secret, told, 3), noise_share(plan, other, told, 3));
  EXPECT_NE(noise_share(plan, secret, told, 3), noise_share(plan, secret, Digest{2}, 3));
  EXPECT_EQ(noise_share(plan, secret, told, 0).size(), static_cast<std::size_t>(plan.entries));
}

}  // namespace
}  // namespace ppdnmf::protocol
