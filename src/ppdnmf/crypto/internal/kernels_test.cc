// The two kernels against each other, to the bit, at moduli n^2 of 1024 to 6144 bits, each operation over more than
// 1,000 random and carry-heavy inputs:
//   products, squares, powers with a weight, fixed-base powers with the exponents of either profile (short ones, and
//   ones half as long as n) and whole replies, in batches of 1, 7, 8, 9 and 64;
//   powers with secret exponents half as long as n and as long as n, in groups of eight.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/internal/encryption.h>
#include <ppdnmf/crypto/internal/test_numbers.h>
#include <ppdnmf/crypto/test_keys.h>
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::crypto::internal {
namespace {

Bytes bytes_of(const Ciphertexts& c) {
  const SquareRing& ring = *c.key().data().ring;
  const std::size_t each = c.key().ciphertext_bytes();
  Bytes out(c.size() * each);
  SecretWords group = ring.make_group();
  for (std::size_t t = 0; t < c.size(); ++t) {
    ring.copy(group.data(), c.group(t / kLanes));
    ring.leave(group.data());
    ring.store_value(group.data(), t % kLanes).to_bytes(std::span(out).subspan(t * each, each));
  }
  return out;
}

// What one batch gives on one kernel.
struct Outputs {
  Bytes sum, product, square, power, fixed_base, reply;
  bool operator==(const Outputs&) const = default;
};

struct Batch {
  Bytes a, b;                     // ciphertexts
  std::vector<Integer> plain, r;  // plaintexts, exponents
  std::uint64_t weight = 1;
};

Batch draw(const PublicKey& key, std::size_t count, Stream& stream) {
  const std::size_t each = key.ciphertext_bytes();
  Batch batch;
  batch.a.resize(count * each);
  batch.b.resize(count * each);
  for (std::size_t t = 0; t < count; ++t) {
    for (Bytes* bytes : {&batch.a, &batch.b}) {
      Integer c = awkward_below(key.data().ring->modulus(), stream);
      if (!(gcd(c, key.data().n) == Integer(1))) c = Integer(1);
      c.to_bytes(std::span(*bytes).subspan(t * each, each));
    }
    batch.plain.push_back(awkward_below(key.data().n, stream));
    batch.r.push_back(awkward_below(power_of_two(key.exponent_bits()), stream));
  }
  batch.weight = 1 + stream.below((1U << 24) - 1);
  return batch;
}

Outputs compute(const PublicKey& key, const PeerBase& base, const Batch& batch, Executor& executor) {
  const std::size_t count = batch.r.size();
  const Ciphertexts a = Ciphertexts::decode(key, batch.a, count, executor).value();
  const Ciphertexts b = Ciphertexts::decode(key, batch.b, count, executor).value();
  const Weight weight = Weight::create(batch.weight, 24).value();
  Plaintexts plain(key, count);
  const std::size_t words = base.fixed_base().exponent_words();
  SecretWords exponents((count + kLanes - 1) / kLanes * kLanes * words);
  for (std::size_t t = 0; t < count; ++t) {
    batch.plain[t].to_words(plain.residue(t));
    batch.r[t].to_words(exponents.span().subspan(t * words, words));
  }
  return {
      .sum = bytes_of(a),
      .product = bytes_of(add(a, b, executor).value()),
      .square = bytes_of(multiply(a, Weight::create(2, 2).value(), executor)),
      .power = bytes_of(multiply(b, weight, executor)),
      .fixed_base = base.make({.addend = &plain}, count, exponents, executor),
      .reply = base.make({.query = &a, .weight = &weight, .addend = &plain}, count, exponents, executor),
  };
}

class KernelsTest : public testing::TestWithParam<std::tuple<std::size_t, KeyProfile>> {
 protected:
  void SetUp() override {
    if (!ifma_available()) GTEST_SKIP() << "this processor has no AVX-512 IFMA";
  }
};

TEST_P(KernelsTest, AgreeToTheBit) {
  const auto [bits, profile] = GetParam();
  host::ThreadPool two(2);
  Stream stream(Seed::from_number(bits), 5);
  const PublicKey gmp = testing_keys::key(bits, profile, Kernel::kGmp).public_key();
  const PublicKey ifma = testing_keys::key(bits, profile, Kernel::kIfma).public_key();
  ASSERT_EQ(gmp.encode(), ifma.encode());
  const Integer h = choose_base(gmp, stream);
  const PeerBase gmp_base(gmp, h);
  const PeerBase ifma_base(ifma, h);
  std::size_t inputs = 0;
  while (inputs < 1000) {
    for (const std::size_t count : {1U, 7U, 8U, 9U, 64U}) {
      const Batch batch = draw(gmp, count, stream);
      ASSERT_TRUE(compute(gmp, gmp_base, batch, two) == compute(ifma, ifma_base, batch, two)) << count;
      inputs += count;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(KeyBits, KernelsTest,
                         testing::Combine(testing::Values(512, 768, 1024, 1536, 2048, 3072),
                                          testing::Values(KeyProfile::kFast, KeyProfile::kStandard)),
                         [](const auto& instance) {
                           const bool fast = std::get<1>(instance.param) == KeyProfile::kFast;
                           return std::to_string(std::get<0>(instance.param)) + (fast ? "Fast" : "Standard");
                         });

// The exponents at the edges first, then others.
Integer draw_exponent(std::size_t number, std::size_t bits, Stream& stream) {
  switch (number) {
    case 0:
      return power_of_two(bits) - Integer(1);
    case 1:
      return power_of_two(bits - 1);
    case 2:
      return Integer(0);
    case 3:
      return Integer(1);
    default:
      return awkward_below(power_of_two(bits), stream);
  }
}

std::vector<Integer> powers(const SquareRing& ring, const std::vector<Integer>& bases, const SecretExponent& exponent) {
  SecretWords base = ring.make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) ring.load_value(base.data(), lane, bases[lane]);
  ring.enter(base.data());
  SecretWords out = ring.make_group();
  power(ring, out.data(), base.data(), exponent);
  ring.leave(out.data());
  std::vector<Integer> values;
  for (std::size_t lane = 0; lane < kLanes; ++lane) values.push_back(ring.store_value(out.data(), lane));
  return values;
}

class KernelPowersTest : public testing::TestWithParam<std::size_t> {};

// An input is a base, which is a lane, and the exponent of its group. The long exponents are fewer for their time.
TEST_P(KernelPowersTest, AgreeToTheBitWithLongSecretExponents) {
  if (!ifma_available()) GTEST_SKIP() << "this processor has no AVX-512 IFMA";
  const std::size_t key_bits = GetParam();
  Stream stream(Seed::from_number(key_bits), 6);
  const Integer n = testing_keys::key(key_bits, KeyProfile::kStandard, Kernel::kGmp).public_key().data().n;
  const auto gmp = SquareRing::create(n, Kernel::kGmp);
  const auto ifma = SquareRing::create(n, Kernel::kIfma);
  std::size_t inputs = 0;
  for (const auto& [bits, groups] : {std::pair<std::size_t, std::size_t>{key_bits / 2, 104}, {key_bits, 24}}) {
    for (std::size_t number = 0; number < groups; ++number) {
      SecretWords exponent((bits + 63) / 64);
      draw_exponent(number, bits, stream).to_words(exponent.span());
      std::vector<Integer> bases;
      for (std::size_t lane = 0; lane < kLanes; ++lane) bases.push_back(awkward_below(gmp->modulus(), stream));
      ASSERT_TRUE(powers(*gmp, bases, {exponent.span(), bits}) == powers(*ifma, bases, {exponent.span(), bits}))
          << "exponent " << number << " of " << bits << " bits";
      inputs += kLanes;
    }
  }
  EXPECT_GE(inputs, 1000U);
}

INSTANTIATE_TEST_SUITE_P(KeyBits, KernelPowersTest, testing::Values(512, 768, 1024, 1536, 2048, 3072),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace ppdnmf::crypto::internal
