#include <ppdnmf/audit/attacks/a3_bare_power.h>

#include <openssl/bn.h>

#include <memory>
#include <string>
#include <unordered_map>

#include <ppdnmf/base/result.h>

namespace ppdnmf::audit {
namespace {

struct Free {
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(BN_CTX* context) const { BN_CTX_free(context); }
};
using Number = std::unique_ptr<BIGNUM, Free>;
using Context = std::unique_ptr<BN_CTX, Free>;

Number number_of(ByteSpan bytes) { return Number(BN_lebin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr)); }

std::string name_of(const BIGNUM* number, int size) {
  std::string out(static_cast<std::size_t>(size), '\0');
  PPDNMF_CHECK(BN_bn2lebinpad(number, reinterpret_cast<unsigned char*>(out.data()), size) == size);
  return out;
}

}  // namespace

std::optional<std::int64_t> exponent_of(ByteSpan question, ByteSpan answer, ByteSpan n, int bits) {
  const Context context(BN_CTX_new());
  const Number modulus = number_of(n);
  const auto size = static_cast<int>(n.size());
  Number base = number_of(question);
  Number goal = number_of(answer);
  PPDNMF_CHECK(BN_nnmod(base.get(), base.get(), modulus.get(), context.get()) == 1);
  PPDNMF_CHECK(BN_nnmod(goal.get(), goal.get(), modulus.get(), context.get()) == 1);
  const std::int64_t width = std::int64_t{1} << ((bits + 1) / 2);
  // base^0 ... base^(width - 1), then goal, goal / base^width, goal / base^(2 width), ...
  std::unordered_map<std::string, std::int64_t> baby;
  Number power(BN_new());
  BN_one(power.get());
  for (std::int64_t k = 0; k < width; ++k) {
    baby.emplace(name_of(power.get(), size), k);
    BN_mod_mul(power.get(), power.get(), base.get(), modulus.get(), context.get());
  }
  const Number giant(BN_mod_inverse(nullptr, power.get(), modulus.get(), context.get()));
  if (!giant) return std::nullopt;
  for (std::int64_t k = 0; k < width; ++k) {
    if (const auto found = baby.find(name_of(goal.get(), size)); found != baby.end()) return k * width + found->second;
    BN_mod_mul(goal.get(), goal.get(), giant.get(), modulus.get(), context.get());
  }
  return std::nullopt;
}

Bytes bare_power(ByteSpan question, ByteSpan n, std::int64_t weight) {
  const Context context(BN_CTX_new());
  const Number modulus = number_of(n);
  Number squared(BN_new());
  BN_sqr(squared.get(), modulus.get(), context.get());
  const Number base = number_of(question);
  Number exponent(BN_new());
  BN_set_word(exponent.get(), static_cast<BN_ULONG>(weight));
  Number out(BN_new());
  PPDNMF_CHECK(BN_mod_exp(out.get(), base.get(), exponent.get(), squared.get(), context.get()) == 1);
  Bytes bytes(2 * n.size());
  PPDNMF_CHECK(BN_bn2lebinpad(out.get(), bytes.data(), static_cast<int>(bytes.size())) ==
               static_cast<int>(bytes.size()));
  return bytes;
}

}  // namespace ppdnmf::audit
