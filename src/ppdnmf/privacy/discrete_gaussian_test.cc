#include <ppdnmf/privacy/discrete_gaussian.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace ppdnmf::privacy {
namespace {

// Neighbouring integers taken together, from above the last bin's end to `end`.
struct Bin {
  std::int64_t end;
  double expected;
};

double sigma_of(const Fraction& variance) {
  return std::sqrt(static_cast<double>(variance.numerator) / static_cast<double>(variance.denominator));
}

// Bins with exact probabilities, summed integer by integer: about sixty, and beyond 2.5 sigma as many as samples allow.
std::vector<Bin> bins(const Fraction& variance, double samples) {
  constexpr double kFewest = 15;
  const double sigma = sigma_of(variance);
  const auto reach = static_cast<std::int64_t>(std::ceil(9 * sigma)) + 1;
  const auto weight = [&](std::int64_t x) {
    const auto size = static_cast<double>(x);
    return std::exp(-size * size / (2 * sigma * sigma));
  };
  double total = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) total += weight(x);
  std::vector<Bin> found;
  double sum = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    sum += weight(x) / total * samples;
    const bool tail = std::abs(static_cast<double>(x)) > 2.5 * sigma;
    if (sum < (tail ? kFewest : std::max(kFewest, samples / 60))) continue;
    found.push_back({x, sum});
    sum = 0;
  }
  found.back().expected += sum;
  found.back().end = INT64_MAX;
  return found;
}

// The value that chi-square exceeds with probability 1e-6 (Wilson and Hilferty).
double max_chi_square(double freedom) {
  constexpr double kQuantile = 4.753;
  const double part = 2 / (9 * freedom);
  return freedom * std::pow(1 - part + kQuantile * std::sqrt(part), 3);
}

TEST(DiscreteGaussian, HasItsExactProbabilities) {
  constexpr int kSamples = 200'000;
  std::uint64_t seed = 0;
  for (const Fraction& variance : {Fraction{9, 100},                       // sigma 0.3
                                   Fraction{1, 4},                         //       0.5
                                   Fraction{1, 1},                         //       1
                                   Fraction{5, 2},                         //       1.58
                                   Fraction{10'000, 101},                  //       9.95
                                   Fraction{123'456'789, 100},             //       1111
                                   Fraction{1'000'000'000'000, 1},         //       1e6
                                   Fraction{65'536'000'003'000, 65'536}})  //       31623
  {
    const Result<DiscreteGaussian> noise = DiscreteGaussian::create(variance);
    ASSERT_TRUE(noise);
    Stream stream(Seed::from_number(++seed), 'T');
    const std::vector<Bin> expected = bins(variance, kSamples);
    std::vector<double> seen(expected.size());
    for (int n = 0; n < kSamples; ++n) {
      const std::int64_t x = noise->sample(stream);
      const auto bin = std::lower_bound(expected.begin(), expected.end(), x,
                                        [](const Bin& candidate, std::int64_t value) { return candidate.end < value; });
      seen[static_cast<std::size_t>(bin - expected.begin())] += 1;
    }
    double chi_square = 0;
    for (std::size_t b = 0; b < expected.size(); ++b) {
      const double difference = seen[b] - expected[b].expected;
      chi_square += difference * difference / expected[b].expected;
    }
    EXPECT_GE(expected.size(), 3U);
    EXPECT_LT(chi_square, max_chi_square(static_cast<double>(expected.size()) - 1))
        << variance.numerator << "/" << variance.denominator << ", " << expected.size() << " bins, seed " << seed;
  }
}

TEST(DiscreteGaussian, TailsAreAsLikelyAsTheyShouldBe) {
  constexpr double kSamples = 2'000'000;
  const Result<DiscreteGaussian> noise = DiscreteGaussian::create({100, 1});
  ASSERT_TRUE(noise);
  Stream stream(Seed::from_number(3), 'T');
  std::map<int, double> beyond;
  for (int n = 0; n < static_cast<int>(kSamples); ++n) {
    const std::int64_t size = std::abs(noise->sample(stream));
    for (const int sigmas : {3, 4}) beyond[sigmas] += size > std::int64_t{10} * sigmas ? 1 : 0;
  }
  for (const int sigmas : {3, 4}) {
    double inside = 0;
    double total = 0;
    for (int x = -200; x <= 200; ++x) {
      const double weight = std::exp(-x * x / 200.0);
      total += weight;
      inside += std::abs(x) <= 10 * sigmas ? weight : 0;
    }
    const double expected = kSamples * (1 - inside / total);
    EXPECT_NEAR(beyond[sigmas], expected, 5 * std::sqrt(expected)) << sigmas << " sigma, " << expected << " expected";
    EXPECT_GT(expected, 50);
  }
}

TEST(DiscreteGaussian, TheSameStreamGivesTheSameNumbers) {
  const Result<DiscreteGaussian> noise = DiscreteGaussian::create({1'000'000, 7});
  ASSERT_TRUE(noise);
  const Seed seed = Seed::from_number(1);
  Stream one(seed, 'T', 0, 5);
  Stream same(seed, 'T', 0, 5);
  Stream other(seed, 'T', 0, 6);
  int equal = 0;
  for (int n = 0; n < 100; ++n) {
    const std::int64_t x = noise->sample(one);
    EXPECT_EQ(x, noise->sample(same));
    equal += x == noise->sample(other) ? 1 : 0;
  }
  EXPECT_LT(equal, 10);
}

TEST(DiscreteGaussian, TheWidestOneIsAsWideAsItSays) {
  const std::uint64_t variance = (std::uint64_t{1} << 56) - (std::uint64_t{1} << 30);
  const Result<DiscreteGaussian> noise = DiscreteGaussian::create({variance, 1});
  ASSERT_TRUE(noise);
  Stream stream(Seed::from_number(4), 'T');
  double sum = 0;
  constexpr int kSamples = 20'000;
  for (int n = 0; n < kSamples; ++n) {
    const double x = static_cast<double>(noise->sample(stream)) * 0x1p-28;
    sum += x * x;
  }
  EXPECT_NEAR(sum / kSamples, 1, 5 * std::sqrt(2.0 / kSamples));
}

TEST(DiscreteGaussian, RefusesVariancesThatItCannotDraw) {
  for (const Fraction& variance : {Fraction{0, 1}, Fraction{1, 0}, Fraction{std::uint64_t{1} << 57, 1},
                                   Fraction{std::uint64_t{1} << 40, std::uint64_t{1} << 60}, Fraction{UINT64_MAX, 1}}) {
    const auto refused = DiscreteGaussian::create(variance);
    ASSERT_FALSE(refused) << variance.numerator << "/" << variance.denominator;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  }
  EXPECT_TRUE(DiscreteGaussian::create({1, std::uint64_t{1} << 55}));
}

}  // namespace
}  // namespace ppdnmf::privacy
