// Keys to bytes and back. Integers are little-endian and of fixed size; every value is checked before it is used.
#include <array>

#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/prime.h>
#include <ppdnmf/crypto/key.h>

namespace ppdnmf::crypto {
namespace {

using internal::gcd;
using internal::Integer;
using internal::is_prime;
using internal::KeyParts;
using internal::mod;

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kHeader = 4;

void put_header(std::span<std::uint8_t> out, const KeyOptions& options) {
  out[0] = kVersion;
  out[1] = static_cast<std::uint8_t>(options.profile);
  out[2] = static_cast<std::uint8_t>(options.bits);
  out[3] = static_cast<std::uint8_t>(options.bits >> 8);
}

Status check_header(ByteSpan bytes, const KeyOptions& options, std::size_t size, ErrorCode code) {
  if (bytes.size() != size) return error(code, "a key has {} bytes, {} were expected", bytes.size(), size);
  if (bytes[0] != kVersion) return error(code, "a key has version {}, this program knows {}", bytes[0], kVersion);
  if (bytes[1] != static_cast<std::uint8_t>(options.profile)) {
    return error(code, "a key has profile {}, {} was agreed", bytes[1], static_cast<int>(options.profile));
  }
  const std::size_t bits = bytes[2] + (std::size_t{bytes[3]} << 8);
  if (bits != options.bits) return error(code, "a key has {} bits, {} were agreed", bits, options.bits);
  return {};
}

Status check_parts(const KeyParts& parts, const KeyOptions& options) {
  constexpr auto kBad = ErrorCode::kInvalidData;
  const Integer one(1);
  if (parts.p.bits() != options.bits / 2 || parts.q.bits() != options.bits / 2 || parts.p == parts.q) {
    return error(kBad, "a private key needs two primes of {} bits", options.bits / 2);
  }
  if (!is_prime(parts.p) || !is_prime(parts.q)) return error(kBad, "a private key's factor is not prime");
  const Integer n = parts.p * parts.q;
  if (n.bits() != options.bits) return error(kBad, "a private key's modulus has {} bits", n.bits());
  if (!(gcd(n, (parts.p - one) * (parts.q - one)) == one)) return error(kBad, "a private key's p divides q - 1");
  if (options.profile != KeyProfile::kFast) return {};
  const std::size_t subgroup_bits = short_exponent_bits(options.bits) / 2;
  for (const auto& [prime, subgroup] :
       {std::pair{&parts.p, &parts.subgroup_p}, std::pair{&parts.q, &parts.subgroup_q}}) {
    if (subgroup->bits() != subgroup_bits || !is_prime(*subgroup) ||
        mpz_divisible_p((*prime - one).raw(), subgroup->raw()) == 0) {
      return error(kBad, "a private key's subgroup order does not fit");
    }
    // Of order 2 P or P: in the subgroup, and neither 1 nor -1.
    const Integer h = mod(parts.h, *prime);
    if (!(parts.h < n) || !(internal::secret_power(h, *subgroup + *subgroup, *prime) == one) ||
        mod(h * h, *prime) == one) {
      return error(kBad, "a private key's h does not have the order of its subgroup");
    }
  }
  return {};
}

}  // namespace

Result<PublicKey> PublicKey::decode(ByteSpan bytes, const KeyOptions& options) {
  PPDNMF_TRY(const KeyOptions wanted, internal::resolved(options));
  const bool fast = options.profile == KeyProfile::kFast;
  const std::size_t size = options.bits / 8;
  PPDNMF_TRY_STATUS(check_header(bytes, options, kHeader + (fast ? 2 : 1) * size, ErrorCode::kPeer));
  const Integer n = Integer::from_bytes(bytes.subspan(kHeader, size));
  const auto search = options.test_only ? internal::FactorSearch::kQuick : internal::FactorSearch::kFull;
  PPDNMF_TRY_STATUS(internal::check_modulus(n, options.bits, search));
  const Integer h = fast ? Integer::from_bytes(bytes.subspan(kHeader + size, size)) : Integer(0);
  if (fast) PPDNMF_TRY_STATUS(internal::check_generator(h, n));
  return internal::make_public_key(wanted, n, h);
}

std::size_t PublicKey::encoded_bytes(const KeyOptions& options) {
  return kHeader + (options.profile == KeyProfile::kFast ? 2 : 1) * (options.bits / 8);
}

Bytes PublicKey::encode() const {
  const std::size_t size = bits() / 8;
  const bool fast = profile() == KeyProfile::kFast;
  Bytes out(encoded_bytes(data_->options));
  put_header(out, data_->options);
  data_->n.to_bytes(std::span(out).subspan(kHeader, size));
  if (fast) data_->h.to_bytes(std::span(out).subspan(kHeader + size, size));
  return out;
}

SecretBytes PrivateKey::encode_secret() const {
  const KeyOptions& options = public_key().data().options;
  const std::size_t half = options.bits / 16;
  const bool fast = options.profile == KeyProfile::kFast;
  SecretBytes out(kHeader + (fast ? 6 : 2) * half);
  put_header(out.span(), options);
  data_->parts.p.to_bytes(out.span().subspan(kHeader, half));
  data_->parts.q.to_bytes(out.span().subspan(kHeader + half, half));
  if (fast) {
    data_->parts.subgroup_p.to_bytes(out.span().subspan(kHeader + 2 * half, half));
    data_->parts.subgroup_q.to_bytes(out.span().subspan(kHeader + 3 * half, half));
    public_key().data().h.to_bytes(out.span().subspan(kHeader + 4 * half, 2 * half));
  }
  return out;
}

Result<PrivateKey> PrivateKey::decode_secret(ByteSpan bytes, const KeyOptions& options) {
  PPDNMF_TRY(const KeyOptions wanted, internal::resolved(options));
  const bool fast = options.profile == KeyProfile::kFast;
  const std::size_t half = options.bits / 16;
  PPDNMF_TRY_STATUS(check_header(bytes, options, kHeader + (fast ? 6 : 2) * half, ErrorCode::kInvalidData));
  const auto number = [&](std::size_t at, std::size_t count) {
    return Integer::from_bytes(bytes.subspan(kHeader + at * half, count * half));
  };
  KeyParts parts;
  parts.p = number(0, 1);
  parts.q = number(1, 1);
  if (fast) {
    parts.subgroup_p = number(2, 1);
    parts.subgroup_q = number(3, 1);
    parts.h = number(4, 2);
  }
  PPDNMF_TRY_STATUS(check_parts(parts, options));
  return internal::make_private_key(wanted, parts);
}

}  // namespace ppdnmf::crypto
