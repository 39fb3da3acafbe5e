// The two kernels against each other through whole operations: the same ciphertexts to the bit, at moduli n^2 of 1024
// to 6144 bits and batches of 1, 7, 8, 9 and 64, over more than 1,000 inputs each.
#include <gtest/gtest.h>

#include <vector>

#include "crypto/ciphertext.h"
#include "crypto/internal/encryption.h"
#include "crypto/internal/test_numbers.h"
#include "crypto/test_keys.h"
#include "host/thread_pool.h"

namespace ppdnmf::internal {
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
      .product = bytes_of(add(a, b, executor)),
      .square = bytes_of(multiply(a, Weight::create(2, 2).value(), executor)),
      .power = bytes_of(multiply(b, weight, executor)),
      .fixed_base = base.make({.addend = &plain}, count, exponents, executor),
      .reply = base.make({.query = &a, .weight = &weight, .addend = &plain}, count, exponents, executor),
  };
}

class KernelsTest : public testing::TestWithParam<std::size_t> {};

TEST_P(KernelsTest, AgreeToTheBit) {
  if (!ifma_available()) GTEST_SKIP() << "this processor has no AVX-512 IFMA";
  const std::size_t bits = GetParam();
  ThreadPool two(2);
  Stream stream(Seed::from_number(bits), 5);
  const PublicKey gmp = testing_keys::key(bits, KeyProfile::kFast, Kernel::kGmp).public_key();
  const PublicKey ifma = testing_keys::key(bits, KeyProfile::kFast, Kernel::kIfma).public_key();
  ASSERT_EQ(gmp.encode(), ifma.encode());
  const PeerBase gmp_base(gmp, gmp.data().h);
  const PeerBase ifma_base(ifma, ifma.data().h);
  std::size_t inputs = 0;
  while (inputs < 1000) {
    for (const std::size_t count : {1U, 7U, 8U, 9U, 64U}) {
      const Batch batch = draw(gmp, count, stream);
      ASSERT_TRUE(compute(gmp, gmp_base, batch, two) == compute(ifma, ifma_base, batch, two)) << count;
      inputs += count;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(KeyBits, KernelsTest, testing::Values(512, 768, 1024, 1536, 2048, 3072));

}  // namespace
}  // namespace ppdnmf::internal
