#include <ppdnmf/crypto/ciphertext.h>

#include <atomic>

#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/power.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;
using internal::kLanes;
using internal::SquareRing;

constexpr std::size_t kNone = ~std::size_t{0};

void remember_smallest(std::atomic<std::size_t>& smallest, std::size_t index) {
  std::size_t seen = smallest.load();
  while (index < seen && !smallest.compare_exchange_weak(seen, index)) {
  }
}

// The index of the first ciphertext that is not a unit. One product and one gcd clear the whole batch; only a bad batch
// is looked at one by one.
std::size_t first_not_unit(const Ciphertexts& batch) {
  if (batch.size() == 0) return kNone;
  const SquareRing& ring = *batch.key().data().ring;
  const Integer& n = batch.key().data().n;
  SecretWords product = ring.make_group();
  ring.copy(product.data(), batch.group(0));
  for (std::size_t g = 1; g < batch.groups(); ++g) ring.multiply(product.data(), product.data(), batch.group(g));
  Integer all(1);
  for (std::size_t lane = 0; lane < kLanes; ++lane) all = mod(all * ring.store_value(product.data(), lane), n);
  if (gcd(all, n) == Integer(1)) return kNone;
  for (std::size_t t = 0; t < batch.size(); ++t) {
    if (!(gcd(ring.store_value(batch.group(t / kLanes), t % kLanes), n) == Integer(1))) return t;
  }
  return kNone;
}

Status check_terms(const Ciphertexts& a, const Ciphertexts& b) {
  PPDNMF_TRY_STATUS(internal::check_same_layout(a.key(), b.key(), "the ciphertexts of a sum"));
  return internal::check_same_size(a.size(), b.size(), "the ciphertexts of a sum");
}

}  // namespace

Ciphertexts::Ciphertexts(const PublicKey& key, std::size_t count)
    : key_(key), count_(count), words_((count + kLanes - 1) / kLanes * key.data().ring->words()) {}

std::size_t Ciphertexts::groups() const { return (count_ + kLanes - 1) / kLanes; }
std::uint64_t* Ciphertexts::group(std::size_t g) { return words_.data() + g * key_.data().ring->words(); }
const std::uint64_t* Ciphertexts::group(std::size_t g) const { return words_.data() + g * key_.data().ring->words(); }

Result<Ciphertexts> Ciphertexts::decode(const PublicKey& key, ByteSpan bytes, std::size_t count, Executor& executor) {
  const std::size_t each = key.ciphertext_bytes();
  if (count > bytes.size() / each || bytes.size() != count * each) {
    return error(ErrorCode::kPeer, "{} bytes are not {} ciphertexts of {} bytes", bytes.size(), count, each);
  }
  const SquareRing& ring = *key.data().ring;
  Ciphertexts out(key, count);
  std::atomic<std::size_t> bad{kNone};
  executor.for_each(out.groups(), [&](std::size_t g) {
    std::uint64_t* group = out.group(g);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t t = g * kLanes + lane;
      Integer value = t < count ? Integer::from_bytes(bytes.subspan(t * each, each)) : Integer(1);
      if (!(Integer(0) < value && value < ring.modulus())) {
        remember_smallest(bad, t);
        value = Integer(1);
      }
      ring.load_value(group, lane, value);
    }
    ring.enter(group);
  });
  if (bad != kNone) return error(ErrorCode::kPeer, "ciphertext {} is not between 0 and n^2", bad.load());
  if (const std::size_t t = first_not_unit(out); t != kNone) {
    return error(ErrorCode::kPeer, "ciphertext {} shares a factor with the modulus", t);
  }
  return out;
}

Result<Ciphertexts> add(const Ciphertexts& a, const Ciphertexts& b, Executor& executor) {
  PPDNMF_TRY_STATUS(check_terms(a, b));
  Ciphertexts out(a.key(), a.size());
  const SquareRing& ring = *a.key().data().ring;
  executor.for_each(out.groups(), [&](std::size_t g) { ring.multiply(out.group(g), a.group(g), b.group(g)); });
  return out;
}

Result<Ciphertexts> sum(std::span<const Ciphertexts> terms, Executor& executor) {
  if (terms.empty()) return error(ErrorCode::kUsage, "a sum of no ciphertexts has no key; give at least one batch");
  const Ciphertexts& first = terms.front();
  for (const Ciphertexts& term : terms) PPDNMF_TRY_STATUS(check_terms(first, term));
  Ciphertexts out(first.key(), first.size());
  const SquareRing& ring = *first.key().data().ring;
  executor.for_each(out.groups(), [&](std::size_t g) {
    ring.copy(out.group(g), first.group(g));
    for (const Ciphertexts& term : terms.subspan(1)) ring.multiply(out.group(g), out.group(g), term.group(g));
  });
  return out;
}

Result<Weight> Weight::create(std::uint64_t value, std::size_t bits) {
  if (bits > kMaxBits)
    return error(ErrorCode::kNumeric, "a weight of {} bits: at most {} are possible", bits, kMaxBits);
  if (value == 0 || (value >> bits) != 0) {
    return error(ErrorCode::kNumeric, "a weight must be positive and have at most {} bits", bits);
  }
  return Weight(value, bits);
}

Ciphertexts multiply(const Ciphertexts& c, const Weight& weight, Executor& executor) {
  Ciphertexts out(c.key(), c.size());
  const SquareRing& ring = *c.key().data().ring;
  const std::uint64_t value = weight.value();
  executor.for_each(out.groups(), [&](std::size_t g) {
    internal::power(ring, out.group(g), c.group(g), {{&value, 1}, weight.bits()});
  });
  return out;
}

}  // namespace ppdnmf::crypto
