// Two runs over nearly the same data can be subtracted: what exact runs then show, and private ones do not
// (docs/operating.md, "When a member is lost"; docs/threat_model.md).
#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenario/private_problem.h"
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::scenario {
namespace {

constexpr std::uint32_t kFirstSum = protocol::kOpeningSums;
constexpr std::uint32_t kMembers = 4;

// What everybody was told in a whole run, and by what the data were divided.
struct Opened {
  std::map<std::uint32_t, protocol::Words> totals;
  double scale = 1;

  [[nodiscard]] double columns() const { return protocol::from_word(totals.at(0).front()); }
  [[nodiscard]] double entry_sum() const { return protocol::from_wide_words(totals.at(1)); }
  [[nodiscard]] double squared_norm() const { return scale * scale * protocol::from_word(totals.at(2).front()); }
  // The upper triangle of an opening of second moments.
  [[nodiscard]] std::vector<double> moments() const {
    std::vector<double> values = protocol::from_words(totals.at(kFirstSum));
    for (double& value : values) value *= scale * scale;
    return values;
  }
};

Opened opened_by(Problem problem) {
  Told told;
  problem.config.recorder = &told;
  const sim::Simulation done = run(problem);
  return {told.totals, done.agent(0).data_scale().value_or(1)};
}

Problem exact_sum(std::uint64_t seed, std::uint32_t agents) {
  Problem problem = small_problem(seed, "ring", agents);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  return masked(std::move(problem));
}

// The run that the others make anew: with another start, other masks and other noise.
Problem without_the_last(const Problem& old, Problem anew) {
  anew.Z.assign(old.Z.begin(), old.Z.end() - 1);
  return anew;
}

std::vector<double> upper_triangle(const Matrix& G) {
  std::vector<double> out;
  for (Index k = 0; k < G.cols(); ++k) out.insert(out.end(), G.col(k).data(), G.col(k).data() + k + 1);
  return out;
}

TEST(TwoExactRuns, ShowThreeNumbersOfTheMemberThatLeft) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Problem old = exact_sum(seed, kMembers);
    const Opened before = opened_by(old);
    const Opened after = opened_by(without_the_last(old, exact_sum(seed + 100, kMembers - 1)));
    const Matrix& lost = old.Z.back();
    EXPECT_EQ(before.columns() - after.columns(), static_cast<double>(lost.cols()));
    EXPECT_NEAR(before.entry_sum() - after.entry_sum(), lost.sum(), 1e-12 * before.entry_sum());
    EXPECT_NEAR(before.squared_norm() - after.squared_norm(), lost.squaredNorm(), 1e-12 * before.squared_norm());
  }
}

TEST(TwoExactRuns, OfMomentsShowTheSecondMomentsOfTheMemberThatLeft) {
  const Problem old = moments_problem(4, "ring", kMembers, std::nullopt);
  const Opened before = opened_by(old);
  const Opened after = opened_by(without_the_last(old, moments_problem(104, "ring", kMembers - 1, std::nullopt)));
  const Matrix& lost = old.Z.back();
  const std::vector<double> own = upper_triangle(lost * lost.transpose());
  const std::vector<double> all = before.moments();
  const std::vector<double> others = after.moments();
  for (std::size_t t = 0; t < own.size(); ++t) EXPECT_NEAR(all[t] - others[t], own[t], 1e-12 * before.squared_norm());
}

TEST(TwoExactRuns, OfMomentsShowAColumnThatCameBetweenThem) {
  const Problem old = moments_problem(5, "ring", kMembers, std::nullopt);
  Problem anew = moments_problem(105, "ring", kMembers, std::nullopt);
  anew.Z = old.Z;
  const Eigen::VectorXd column = old.Z[2].col(0).reverse();
  anew.Z[1].conservativeResize(Eigen::NoChange, anew.Z[1].cols() + 1);
  anew.Z[1].rightCols(1) = column;
  const std::vector<double> before = opened_by(old).moments();
  const std::vector<double> after = opened_by(anew).moments();
  for (Index k = 0; k < column.size(); ++k) {
    const auto on_diagonal = static_cast<std::size_t>(k * (k + 3) / 2);
    EXPECT_NEAR(std::sqrt(after[on_diagonal] - before[on_diagonal]), column[k], 1e-9 * column.norm());
  }
}

// Nothing comes before the noise, and what is left of the difference has the noise of both runs.
TEST(TwoPrivateRuns, ShowNoNumberOfTheMemberThatLeft) {
  const Problem old = moments_problem(6, "ring", kMembers, 0);
  const Problem anew = without_the_last(old, moments_problem(106, "ring", kMembers - 1, 0));
  const Opened before = opened_by(old);
  const Opened after = opened_by(anew);
  for (std::uint32_t n = 0; n < kFirstSum; ++n) {
    EXPECT_TRUE(before.totals.at(n).empty());
    EXPECT_TRUE(after.totals.at(n).empty());
  }
  const auto noise_of = [](const Problem& problem, std::uint32_t agents) {
    return privacy::noise_of(*problem.config.settings.privacy->opening, agents);
  };
  const double noise = std::hypot(noise_of(old, kMembers), noise_of(anew, kMembers - 1));
  Matrix lost = old.Z.back();
  for (Index m = 0; m < lost.cols(); ++m) lost.col(m).normalize();
  const std::vector<double> own = upper_triangle(lost * lost.transpose());
  const std::vector<double> all = before.moments();
  const std::vector<double> others = after.moments();
  double squares = 0;
  std::size_t t = 0;
  for (Index k = 0; k < lost.rows(); ++k) {
    for (Index j = 0; j <= k; ++j, ++t)
      squares += (j == k ? 1 : 2) * std::pow((all[t] - others[t] - own[t]) / noise, 2);
  }
  // A chi-square number of 28 degrees of freedom: outside once in a hundred thousand draws, and the seeds are fixed.
  EXPECT_GT(squares, 6);
  EXPECT_LT(squares, 80);
}

}  // namespace
}  // namespace ppdnmf::scenario
