#include <ppdnmf/protocol/opening_checks.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <ppdnmf/base/random.h>

namespace ppdnmf::protocol {
namespace {

constexpr Index kRows = 12;
constexpr Index kColumns = 60;
constexpr double kNoise = 2;

// Second moments of columns of length one, with noise.
Matrix honest(std::uint64_t seed, Index columns = kColumns, double noise = kNoise) {
  Stream stream(Seed::from_number(seed), 'h');
  Matrix Z(kRows, columns);
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = stream.exponential();
  for (Index m = 0; m < columns; ++m) Z.col(m).normalize();
  Matrix G = Z * Z.transpose();
  for (Index k = 0; k < kRows; ++k) {
    G(k, k) += noise * stream.normal();
    for (Index j = 0; j < k; ++j) G(j, k) = G(k, j) = G(j, k) + noise / std::numbers::sqrt2 * stream.normal();
  }
  return G;
}

OpeningFacts facts(double columns = kColumns) { return {kNoise, columns}; }

std::string refusal(const Matrix& G) {
  const Status checked = check_opening(G, facts());
  if (checked) return "";
  EXPECT_EQ(checked.error().code, ErrorCode::kPeer);
  return checked.error().message;
}

TEST(OpeningChecks, HonestOpeningsAreNeverRefused) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Matrix G = honest(seed);
    ASSERT_TRUE(check_opening(G, facts())) << seed;
    // However roughly the number of columns was stated, and however much noise is among them.
    ASSERT_TRUE(check_opening(G, facts(kColumns / kColumnsAbout))) << seed;
    ASSERT_TRUE(check_opening(G, facts(100 * kColumns))) << seed;
    ASSERT_TRUE(check_opening(honest(seed, 1), facts(1))) << seed;
  }
}

TEST(OpeningChecks, WhatNoColumnsCanGiveIsRefused) {
  EXPECT_NE(refusal(10 * honest(1, kColumns, 0)).find("trace"), std::string::npos);
  EXPECT_NE(refusal(-honest(1, kColumns, 0)).find("trace"), std::string::npos);
  Matrix G = honest(2);
  G(1, 2) = G(2, 1) = -12 * kNoise;
  EXPECT_NE(refusal(G).find("entry"), std::string::npos);
  // An X of the attacker's, and minus another one so that the trace stays.
  Eigen::VectorXd up = Eigen::VectorXd::Ones(kRows).normalized();
  Eigen::VectorXd down = Eigen::VectorXd::Zero(kRows);
  down(0) = down(1) = std::numbers::sqrt2 / 2;
  down(1) *= -1;
  const Matrix planted =
      honest(3, kColumns, 0) + 20 * kNoise * up * up.transpose() - 17 * kNoise * down * down.transpose();
  EXPECT_FALSE(check_opening(planted, facts()));
  G = honest(4);
  G(0, 0) = std::nan("");
  EXPECT_NE(refusal(G).find("not finite"), std::string::npos);
}

// The sentence travels: it must be the same whoever says it.
TEST(OpeningChecks, SentencesDependOnTheOpeningAlone) {
  const Matrix G = 10 * honest(1, kColumns, 0);
  EXPECT_EQ(refusal(G), refusal(2 * G));
}

}  // namespace
}  // namespace ppdnmf::protocol
