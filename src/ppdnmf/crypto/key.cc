#include <ppdnmf/crypto/key.h>

#include <array>

#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/prime.h>

namespace ppdnmf::crypto {
namespace {

using internal::gcd;
using internal::Integer;
using internal::KeyParts;
using internal::mod;
using internal::PrimePart;
using internal::secret_power;

constexpr std::uint8_t kPrimesPurpose = 0x70;

SecretWords words_of(const Integer& value, std::size_t size) {
  SecretWords out(size);
  value.to_words(out.span());
  return out;
}

PrimePart make_part(const KeyOptions& options, const Integer& prime, const Integer& other, const Integer& subgroup) {
  const std::size_t words = options.bits / 128;
  const bool fast = options.profile == KeyProfile::kFast;
  const Integer exponent = fast ? subgroup + subgroup : prime - Integer(1);
  PrimePart part;
  part.prime = internal::SecretModulus(prime);
  part.square = internal::SecretModulus(prime * prime);
  part.other = words_of(mod(other, prime), words);
  part.ring = internal::SquareRing::create(prime, options.kernel);
  part.exponent_bits = fast ? short_exponent_bits(options.bits) / 2 + 1 : options.bits / 2;
  part.exponent = words_of(exponent, (part.exponent_bits + 63) / 64);
  part.factor = words_of(inverse(mod(exponent * other, prime), prime), words);
  return part;
}

// y random, h = -y^(2 p' q') mod n: its order is 2 P Q.
Integer subgroup_generator(const KeyParts& parts, Stream& stream) {
  const Integer n = parts.p * parts.q;
  const Integer two(2);
  const Integer cofactor =
      two * ((parts.p - Integer(1)) / (two * parts.subgroup_p)) * ((parts.q - Integer(1)) / (two * parts.subgroup_q));
  for (;;) {
    const Integer y = Integer::random_below(n, stream);
    if (!(gcd(y, n) == Integer(1))) continue;
    const Integer root = secret_power(y, cofactor, n);
    // The orders of root modulo p and q divide the primes P and Q: they are P and Q unless root is 1 there.
    if (mod(root, parts.p) == Integer(1) || mod(root, parts.q) == Integer(1)) continue;
    return n - root;
  }
}

// The stream of primes for a key of this size and profile: two keys from equal streams share no draw unless they are
// the same key.
Stream stream_for(const KeyOptions& options, Stream& stream) {
  SecretBytes drawn(Seed::kBytes);
  stream.fill(drawn.span());
  const Seed seed = Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(drawn.data(), Seed::kBytes));
  return {seed, kPrimesPurpose, static_cast<std::uint32_t>(options.profile), options.bits};
}

KeyParts draw_parts(const KeyOptions& options, Stream& stream) {
  const std::size_t half = options.bits / 2;
  for (;;) {
    KeyParts parts;
    if (options.profile == KeyProfile::kFast) {
      const std::size_t subgroup_bits = short_exponent_bits(options.bits) / 2;
      parts.subgroup_p = internal::random_prime(subgroup_bits, stream);
      parts.subgroup_q = internal::random_prime(subgroup_bits, stream);
      parts.p = internal::random_prime_above(parts.subgroup_p, half, stream);
      parts.q = internal::random_prime_above(parts.subgroup_q, half, stream);
    } else {
      parts.p = internal::random_prime(half, stream);
      parts.q = internal::random_prime(half, stream);
    }
    if (parts.p == parts.q || !(gcd(parts.p - Integer(1), parts.q - Integer(1)) == Integer(2))) continue;
    if (options.profile == KeyProfile::kFast) {
      const Integer cofactor_p = (parts.p - Integer(1)) / parts.subgroup_p;
      const Integer cofactor_q = (parts.q - Integer(1)) / parts.subgroup_q;
      const Integer orders = parts.subgroup_p * parts.subgroup_q;
      if (!(gcd(orders, cofactor_p * cofactor_q) == Integer(1))) continue;
      parts.h = subgroup_generator(parts, stream);
    }
    return parts;
  }
}

}  // namespace

Status check(const KeyOptions& options) {
  const std::size_t least = options.test_only ? 512 : 2048;
  if (options.bits < least || options.bits > 4096 || options.bits % 256 != 0) {
    return error(ErrorCode::kUsage, "a key of {} bits: must be a multiple of 256 from {} to 4096", options.bits, least);
  }
  if (options.profile != KeyProfile::kStandard && options.profile != KeyProfile::kFast) {
    return error(ErrorCode::kUsage, "there is no key profile {}", static_cast<int>(options.profile));
  }
  PPDNMF_TRY([[maybe_unused]] const Kernel kernel, choose_kernel(options.kernel));
  return {};
}

std::size_t short_exponent_bits(std::size_t key_bits) {
  if (key_bits < 1024) return 256;
  if (key_bits < 2048) return 320;
  if (key_bits < 3072) return 448;
  return key_bits < 4096 ? 512 : 640;
}

std::size_t PublicKey::bits() const { return data_->options.bits; }
KeyProfile PublicKey::profile() const { return data_->options.profile; }
Kernel PublicKey::kernel() const { return data_->options.kernel; }

std::size_t PublicKey::exponent_bits() const {
  return profile() == KeyProfile::kFast ? short_exponent_bits(bits()) : bits() / 2;
}

bool PublicKey::same_as(const PublicKey& other) const {
  return data_ == other.data_ || (data_->n == other.data_->n && data_->h == other.data_->h);
}

Result<PrivateKey> PrivateKey::generate(const KeyOptions& options, Stream& stream) {
  PPDNMF_TRY(const KeyOptions wanted, internal::resolved(options));
  Stream primes = stream_for(wanted, stream);
  return internal::make_private_key(wanted, draw_parts(wanted, primes));
}

PrivateKey::~PrivateKey() = default;

const PublicKey& PrivateKey::public_key() const { return data_->public_key; }

Result<KeyOptions> internal::resolved(KeyOptions options) {
  PPDNMF_TRY_STATUS(check(options));
  PPDNMF_TRY(options.kernel, choose_kernel(options.kernel));
  return options;
}

Status internal::check_same_key(const PublicKey& a, const PublicKey& b, std::string_view what) {
  if (a.same_as(b)) return {};
  return error(ErrorCode::kUsage, "{} belong to different keys; use what was made with one key", what);
}

Status internal::check_same_layout(const PublicKey& a, const PublicKey& b, std::string_view what) {
  PPDNMF_TRY_STATUS(check_same_key(a, b, what));
  if (a.kernel() == b.kernel()) return {};
  return error(ErrorCode::kUsage, "{} belong to one key on different kernels; decode both with one kernel", what);
}

Status internal::check_same_size(std::size_t a, std::size_t b, std::string_view what) {
  if (a == b) return {};
  return error(ErrorCode::kUsage, "{} have different lengths, {} and {}", what, a, b);
}

PublicKey internal::make_public_key(const KeyOptions& options, const Integer& n, const Integer& h) {
  auto data = std::make_shared<PublicKeyData>();
  data->options = options;
  data->n = n;
  data->h = h;
  data->ring = SquareRing::create(n, options.kernel);
  return PublicKey(std::move(data));
}

PrivateKey internal::make_private_key(const KeyOptions& options, const KeyParts& parts) {
  const std::size_t words = options.bits / 128;
  auto data = std::make_shared<PrivateKeyData>(PrivateKeyData{
      .public_key = make_public_key(options, parts.p * parts.q, parts.h),
      .parts = parts,
      .p = make_part(options, parts.p, parts.q, parts.subgroup_p),
      .q = make_part(options, parts.q, parts.p, parts.subgroup_q),
      .q_inverse = words_of(inverse(parts.q, parts.p), words),
      .q_square_inverse = words_of(inverse(parts.q * parts.q, parts.p * parts.p), 2 * words),
  });
  return PrivateKey(std::move(data));
}

}  // namespace ppdnmf::crypto
