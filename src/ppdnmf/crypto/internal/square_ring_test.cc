// Both kernels against plain GMP integers, on random and carry-heavy residues.
#include <ppdnmf/crypto/internal/square_ring.h>

#include <gtest/gtest.h>

#include <vector>

#include <ppdnmf/crypto/internal/power.h>
#include <ppdnmf/crypto/internal/scalar_lanes.h>
#include <ppdnmf/crypto/internal/test_numbers.h>

namespace ppdnmf::crypto::internal {
namespace {

// Odd roots of an exact length: random, of the form 2^b - small, 2^(b-1) + small.
Integer root(std::size_t bits, Stream& stream) {
  Integer n = Integer::random_bits(bits, stream);
  switch (stream.below(4)) {
    case 0:
      n = power_of_two(bits) - Integer(1 + 2 * stream.below(50));
      break;
    case 1:
      n = power_of_two(bits - 1) + Integer(1 + 2 * stream.below(50));
      break;
    default:
      break;
  }
  mpz_setbit(n.raw(), bits - 1);
  mpz_setbit(n.raw(), 0);
  return n;
}

struct Rings {
  std::vector<std::unique_ptr<const SquareRing>> rings;
  explicit Rings(const Integer& n) {
    rings.push_back(SquareRing::create(n, Kernel::kGmp));
    rings.push_back(SquareRing::create_from(n, scalar_functions()));
    if (ifma_available()) rings.push_back(SquareRing::create(n, Kernel::kIfma));
  }
};

Integer expected_power(const Integer& base, const Integer& exponent, const Integer& modulus) {
  Integer out;
  mpz_powm(out.raw(), base.raw(), exponent.raw(), modulus.raw());
  return out;
}

// Loads `values` into the first lanes in Montgomery form; the others get 1.
SecretWords group_of(const SquareRing& ring, const std::vector<Integer>& values) {
  SecretWords group = ring.make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ring.load_value(group.data(), lane, lane < values.size() ? values[lane] : Integer(1));
  }
  ring.enter(group.data());
  return group;
}

void expect_lanes(const SquareRing& ring, SecretWords group, const std::vector<Integer>& expected) {
  ring.leave(group.data());
  for (std::size_t lane = 0; lane < expected.size(); ++lane) {
    EXPECT_EQ(ring.store_value(group.data(), lane), expected[lane]) << "lane " << lane;
  }
}

class SquareRingTest : public testing::TestWithParam<std::size_t> {};

TEST_P(SquareRingTest, ProductsAndSquaresAreExact) {
  Stream stream(Seed::from_number(GetParam()), 1);
  for (int moduli = 0; moduli < 4; ++moduli) {
    const Rings rings(root(GetParam(), stream));
    const Integer& m = rings.rings.front()->modulus();
    for (int round = 0; round < 36; ++round) {  // 4 * 36 * 8 > 1000 inputs
      std::vector<Integer> x(kLanes);
      std::vector<Integer> y(kLanes);
      std::vector<Integer> product(kLanes);
      std::vector<Integer> square(kLanes);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        x[lane] = awkward_below(m, stream);
        y[lane] = awkward_below(m, stream);
        product[lane] = mod(x[lane] * y[lane], m);
        square[lane] = mod(x[lane] * x[lane], m);
      }
      for (const auto& ring : rings.rings) {
        SecretWords out = ring->make_group();
        const SecretWords gx = group_of(*ring, x);
        const SecretWords gy = group_of(*ring, y);
        ring->multiply(out.data(), gx.data(), gy.data());
        expect_lanes(*ring, std::move(out), product);
        SecretWords squared = group_of(*ring, x);
        ring->square(squared.data(), squared.data());  // in place
        expect_lanes(*ring, std::move(squared), square);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Roots, SquareRingTest,
                         testing::Values(64, 224, 512, 513, 768, 1000, 1024, 1536, 2048, 3072, 4096));

class PowerTest : public testing::TestWithParam<std::size_t> {};

TEST_P(PowerTest, WindowedPowersAreExact) {
  Stream stream(Seed::from_number(GetParam()), 2);
  const Rings rings(root(GetParam(), stream));
  const Integer& m = rings.rings.front()->modulus();
  for (const std::size_t bits : {1U, 2U, 16U, 24U, 33U, 64U, 65U, 96U, 130U, 225U, 400U}) {
    const Integer e = Integer::random_bits(bits, stream);
    SecretWords words((bits + 63) / 64);
    e.to_words(words.span());
    std::vector<Integer> x(kLanes);
    std::vector<Integer> expected(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      x[lane] = awkward_below(m, stream);
      expected[lane] = expected_power(x[lane], e, m);
    }
    for (const auto& ring : rings.rings) {
      SecretWords group = group_of(*ring, x);
      power(*ring, group.data(), group.data(), {words.span(), bits});
      expect_lanes(*ring, std::move(group), expected);
    }
  }
}

TEST_P(PowerTest, FixedBasePowersAreExact) {
  Stream stream(Seed::from_number(GetParam()), 3);
  const Rings rings(root(GetParam(), stream));
  const Integer& m = rings.rings.front()->modulus();
  for (const auto& [bits, teeth] : {std::pair<std::size_t, std::size_t>{1, 4}, {63, 4}, {130, 5}, {225, 7}, {256, 8}}) {
    const Integer base = awkward_below(m, stream);
    const std::size_t words = (bits + 63) / 64;
    SecretWords exponents(kLanes * words);
    std::vector<Integer> expected(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Integer e =
          lane == 0 ? power_of_two(bits) - Integer(1) : (lane == 1 ? Integer(0) : Integer::random_bits(bits, stream));
      e.to_words(exponents.span().subspan(lane * words, words));
      expected[lane] = expected_power(base, e, m);
    }
    for (const auto& ring : rings.rings) {
      const FixedBase fixed(*ring, base, bits, teeth);
      SecretWords out = ring->make_group();
      fixed.power(out.data(), exponents.span());
      expect_lanes(*ring, std::move(out), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Roots, PowerTest, testing::Values(64, 512, 1024, 1536, 2048));

}  // namespace
}  // namespace ppdnmf::crypto::internal
