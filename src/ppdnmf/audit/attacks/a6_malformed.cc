#include <ppdnmf/audit/attacks/a6_malformed.h>

#include <algorithm>

#include <ppdnmf/audit/attacks/big_number.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/key.h>

namespace ppdnmf::audit {
namespace {

constexpr std::size_t kBits = 512;

// A number of exactly so many bits from the stream, with both ends set.
BigNumber odd_number(Stream& stream, std::size_t bits) {
  Bytes bytes(bits / 8);
  stream.fill(bytes);
  bytes.front() |= 1U;
  bytes.back() |= 0xC0U;
  return BigNumber(BN_lebin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
}

BigNumber next_prime(Stream& stream, std::size_t bits, BN_CTX* context) {
  BigNumber candidate = odd_number(stream, bits);
  while (BN_check_prime(candidate.get(), context, nullptr) != 1) BN_add_word(candidate.get(), 2);
  return candidate;
}

// The bytes of a standard key with this modulus, as PublicKey::encode writes them.
Bytes key_bytes(const BIGNUM* n, std::size_t bits) {
  Bytes out{1, static_cast<std::uint8_t>(crypto::KeyProfile::kStandard), static_cast<std::uint8_t>(bits & 0xFFU),
            static_cast<std::uint8_t>(bits >> 8U)};
  out.resize(4 + bits / 8);
  PPDNMF_CHECK(BN_bn2lebinpad(n, out.data() + 4, static_cast<int>(bits / 8)) >= 0);
  return out;
}

}  // namespace

Result<MalformedOutcome> send_malformed(std::uint64_t seed) {
  const BigNumberContext context(BN_CTX_new());
  crypto::KeyOptions options;
  options.bits = kBits;
  options.test_only = true;
  Stream stream(Seed::from_number(seed), 'b');
  PPDNMF_TRY(const crypto::PrivateKey key, crypto::PrivateKey::generate(options, stream));
  const Bytes good = key.public_key().encode();
  MalformedOutcome out;
  const auto send = [&](const BIGNUM* n, std::size_t bits = kBits) {
    ++out.sent;
    if (crypto::PublicKey::decode(key_bytes(n, bits), options)) ++out.accepted;
  };
  BigNumber even = odd_number(stream, kBits);
  BN_sub_word(even.get(), 1);
  send(even.get());
  send(odd_number(stream, kBits - 256).get(), kBits - 256);
  send(next_prime(stream, kBits, context.get()).get());
  BigNumber square(BN_new());
  BN_sqr(square.get(), next_prime(stream, kBits / 2, context.get()).get(), context.get());
  send(square.get());
  for (const BN_ULONG factor : {3U, 257U, 65'521U}) {
    // factor * (a number as long as is left), odd
    BigNumber n = odd_number(stream, kBits);
    BN_div_word(n.get(), factor);
    BN_set_bit(n.get(), 0);
    BN_mul_word(n.get(), factor);
    if (static_cast<std::size_t>(BN_num_bits(n.get())) == kBits) send(n.get());
  }
  SerialExecutor serial;
  const auto send_ciphertext = [&](const Bytes& bytes) {
    ++out.sent;
    if (crypto::Ciphertexts::decode(key.public_key(), bytes, 1, serial)) ++out.accepted;
  };
  Bytes ciphertext(key.public_key().ciphertext_bytes());
  send_ciphertext(ciphertext);  // 0
  std::copy(good.begin() + 4, good.end(), ciphertext.begin());
  send_ciphertext(ciphertext);  // n, which is not a unit
  std::fill(ciphertext.begin(), ciphertext.end(), 0xFFU);
  send_ciphertext(ciphertext);  // above n²
  send_ciphertext({});
  return out;
}

namespace {

// The share of malformed keys and ciphertexts that are accepted.
Result<Trial> malformed_trial(std::uint64_t seed) {
  PPDNMF_TRY(const MalformedOutcome outcome, send_malformed(seed));
  return Trial{outcome.accepted / static_cast<double>(outcome.sent), 0};
}

}  // namespace

void plan_malformed(Plan& plan) {
  plan.add(Plan::row("A6", "hardened", "an active neighbour", "share of malformed keys and ciphertexts accepted",
                     Measure::kShare, true),
           plan.seeds(20, 2), malformed_trial);
}

}  // namespace ppdnmf::audit
