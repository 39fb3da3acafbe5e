#include <ppdnmf/audit/attacks/a3_bare_power.h>

#include <string>
#include <unordered_map>

#include <ppdnmf/audit/attacks/big_number.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/paillier.h>

namespace ppdnmf::audit {
namespace {

BigNumber number_of(ByteSpan bytes) {
  return BigNumber(BN_lebin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
}

std::string bytes_of(const BIGNUM* number, int size) {
  std::string out(static_cast<std::size_t>(size), '\0');
  PPDNMF_CHECK(BN_bn2lebinpad(number, reinterpret_cast<unsigned char*>(out.data()), size) == size);
  return out;
}

}  // namespace

std::optional<std::int64_t> exponent_of(ByteSpan question, ByteSpan answer, ByteSpan n, int bits) {
  const BigNumberContext context(BN_CTX_new());
  const BigNumber modulus = number_of(n);
  const auto size = static_cast<int>(n.size());
  BigNumber base = number_of(question);
  BigNumber goal = number_of(answer);
  PPDNMF_CHECK(BN_nnmod(base.get(), base.get(), modulus.get(), context.get()) == 1);
  PPDNMF_CHECK(BN_nnmod(goal.get(), goal.get(), modulus.get(), context.get()) == 1);
  const std::int64_t width = std::int64_t{1} << ((bits + 1) / 2);
  // base^0 ... base^(width - 1), then goal, goal / base^width, goal / base^(2 width), ...
  std::unordered_map<std::string, std::int64_t> baby;
  BigNumber power(BN_new());
  BN_one(power.get());
  for (std::int64_t k = 0; k < width; ++k) {
    baby.emplace(bytes_of(power.get(), size), k);
    BN_mod_mul(power.get(), power.get(), base.get(), modulus.get(), context.get());
  }
  const BigNumber giant(BN_mod_inverse(nullptr, power.get(), modulus.get(), context.get()));
  if (!giant) return std::nullopt;
  for (std::int64_t k = 0; k < width; ++k) {
    if (const auto found = baby.find(bytes_of(goal.get(), size)); found != baby.end()) return k * width + found->second;
    BN_mod_mul(goal.get(), goal.get(), giant.get(), modulus.get(), context.get());
  }
  return std::nullopt;
}

Bytes bare_power(ByteSpan question, ByteSpan n, std::int64_t weight) {
  const BigNumberContext context(BN_CTX_new());
  const BigNumber modulus = number_of(n);
  BigNumber squared(BN_new());
  BN_sqr(squared.get(), modulus.get(), context.get());
  const BigNumber base = number_of(question);
  BigNumber exponent(BN_new());
  BN_set_word(exponent.get(), static_cast<BN_ULONG>(weight));
  BigNumber out(BN_new());
  PPDNMF_CHECK(BN_mod_exp(out.get(), base.get(), exponent.get(), squared.get(), context.get()) == 1);
  Bytes bytes(2 * n.size());
  PPDNMF_CHECK(BN_bn2lebinpad(out.get(), bytes.data(), static_cast<int>(bytes.size())) ==
               static_cast<int>(bytes.size()));
  return bytes;
}

namespace {

// Whether the exponent of an answer was found: of a broken replier, or of the program's own.
Result<Trial> exponent_trial(bool broken, std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'k');
  PPDNMF_TRY(const crypto::PrivateKey key, crypto::PrivateKey::generate(small_keys(), stream));
  const Bytes encoded = key.public_key().encode();
  const ByteSpan n = ByteSpan(encoded).subspan(4);
  SerialExecutor serial;
  const crypto::OwnEncryptor own(key, stream);
  const crypto::Plaintexts zero(key.public_key(), 1);
  PPDNMF_TRY(const crypto::SendableCiphertexts question, own.encrypt(zero, stream, serial));
  constexpr int kBits = 24;
  const auto secret = static_cast<std::int64_t>(1 + stream.below((std::uint64_t{1} << kBits) - 1));
  Bytes answer = bare_power(question.bytes(), n, secret);
  if (!broken) {
    const crypto::PeerEncryptor peer(key.public_key(), stream);
    PPDNMF_TRY(const crypto::Ciphertexts asked,
               crypto::Ciphertexts::decode(key.public_key(), question.bytes(), 1, serial));
    PPDNMF_TRY(const crypto::Weight weight, crypto::Weight::create(static_cast<std::uint64_t>(secret), kBits));
    PPDNMF_TRY(const crypto::SendableCiphertexts reply, peer.reply(asked, weight, zero, stream, serial));
    answer = reply.bytes();
  }
  return Trial{exponent_of(question.bytes(), answer, n, kBits) == secret ? 1.0 : 0.0, 0};
}

}  // namespace

void plan_bare_powers(Plan& plan) {
  const char* exponent = "share of weights found as exponents";
  plan.add(Plan::row("A3", "broken replier", "anybody who sees question and answer", exponent, Measure::kShare, false),
           plan.seeds(20, 3), [](std::uint64_t seed) { return exponent_trial(true, seed); });
  plan.add(Plan::row("A3", "hardened", "anybody who sees question and answer", exponent, Measure::kShare, true),
           plan.seeds(100, 3), [](std::uint64_t seed) { return exponent_trial(false, seed); });
}

}  // namespace ppdnmf::audit
