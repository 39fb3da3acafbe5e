// Computes powers with exponents that memcheck is told are undefined. Run by run.sh.
//   gmp              the GMP kernel, and a whole decryption
//   lanes            the lane kernel over plain words: valgrind 3.19 does not know AVX-512, so the same templates are
//                    instantiated with an emulated vector, which has the same branches and addresses
//   leaking_address  a table lookup by a secret index      } on purpose
//   leaking_branch   a square-and-multiply loop            }
#include <algorithm>
#include <cstdio>
#include <cstring>

#include <ppdnmf/crypto/internal/decryption.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/power.h>
#include <ppdnmf/crypto/internal/scalar_lanes.h>
#include <ppdnmf/crypto/paillier.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define PPDNMF_HAS_MEMCHECK 1
#else
#define PPDNMF_HAS_MEMCHECK 0
#define VALGRIND_MAKE_MEM_UNDEFINED(data, size) static_cast<void>(0)
#define VALGRIND_MAKE_MEM_DEFINED(data, size) static_cast<void>(0)
#define RUNNING_ON_VALGRIND 0
#endif

namespace ppdnmf::crypto::internal {
namespace {

constexpr int kSkipped = 77;

void poison(crypto::SecretWords& words) {
  static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(words.data(), words.size() * sizeof(std::uint64_t)));
}

void reveal(crypto::SecretWords& words) {
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(words.data(), words.size() * sizeof(std::uint64_t)));
}

crypto::internal::Integer odd_number(std::size_t bits, Stream& stream) {
  crypto::internal::Integer n = crypto::internal::Integer::random_bits(bits, stream);
  mpz_setbit(n.raw(), bits - 1);
  mpz_setbit(n.raw(), 0);
  return n;
}

// The halves of every lane; store is part of what is checked.
void store_all(const crypto::internal::SquareRing& ring, const crypto::SecretWords& group, crypto::SecretWords& out) {
  for (std::size_t lane = 0; lane < crypto::internal::kLanes; ++lane) {
    std::uint64_t* low = out.data() + 2 * lane * ring.half_words();
    ring.store(group.data(), lane, low, low + ring.half_words());
  }
}

bool equals(const crypto::internal::SquareRing& ring, const crypto::SecretWords& halves, std::size_t lane,
            const crypto::internal::Integer& expected) {
  const auto low = halves.span().subspan(2 * lane * ring.half_words(), ring.half_words());
  const auto high = halves.span().subspan((2 * lane + 1) * ring.half_words(), ring.half_words());
  return crypto::internal::Integer::from_words(low) + ring.root() * crypto::internal::Integer::from_words(high) ==
         expected;
}

crypto::internal::Integer expected_power(const crypto::internal::Integer& base, std::span<const std::uint64_t> exponent,
                                         const crypto::internal::Integer& modulus) {
  crypto::internal::Integer out;
  mpz_powm(out.raw(), base.raw(), crypto::internal::Integer::from_words(exponent).raw(), modulus.raw());
  return out;
}

// One secret exponent for all lanes: weights (24 bits), subgroup orders (225), p - 1 (512).
bool windowed_power(const crypto::internal::SquareRing& ring, std::size_t bits, Stream& stream) {
  crypto::SecretWords exponent((bits + 63) / 64);
  crypto::internal::Integer::random_bits(bits, stream).to_words(exponent.span());
  const crypto::internal::Integer base = crypto::internal::Integer::random_below(ring.modulus(), stream);
  const crypto::internal::Integer expected = expected_power(base, exponent.span(), ring.modulus());
  crypto::SecretWords group = ring.make_group();
  for (std::size_t lane = 0; lane < crypto::internal::kLanes; ++lane) ring.load_value(group.data(), lane, base);
  ring.enter(group.data());
  poison(exponent);
  crypto::internal::power(ring, group.data(), group.data(), {exponent.span(), bits});
  ring.leave(group.data());
  crypto::SecretWords halves(2 * crypto::internal::kLanes * ring.half_words());
  store_all(ring, group, halves);
  reveal(halves);
  return equals(ring, halves, 0, expected) && equals(ring, halves, 7, expected);
}

// The randomness r of fixed-base powers, another one in every lane.
bool fixed_base_power(const crypto::internal::SquareRing& ring, std::size_t bits, std::size_t teeth, Stream& stream) {
  const crypto::internal::Integer base = crypto::internal::Integer::random_below(ring.modulus(), stream);
  const crypto::internal::FixedBase fixed(ring, base, bits, teeth);
  const std::size_t groups = 5;  // four together and one alone
  const std::size_t words = fixed.exponent_words();
  crypto::SecretWords exponents(groups * crypto::internal::kLanes * words);
  for (std::size_t i = 0; i < groups * crypto::internal::kLanes; ++i) {
    crypto::internal::Integer::random_bits(bits, stream).to_words(exponents.span().subspan(i * words, words));
  }
  const crypto::internal::Integer expected = expected_power(base, exponents.span().first(words), ring.modulus());
  const crypto::internal::Integer last = expected_power(base, exponents.span().last(words), ring.modulus());
  crypto::SecretWords out(groups * ring.words());
  poison(exponents);
  fixed.power(out.data(), exponents.span());
  bool right = true;
  for (const std::size_t g : {std::size_t{0}, groups - 1}) {
    crypto::SecretWords group = ring.make_group();
    ring.copy(group.data(), out.data() + g * ring.words());
    ring.leave(group.data());
    crypto::SecretWords halves(2 * crypto::internal::kLanes * ring.half_words());
    store_all(ring, group, halves);
    reveal(halves);
    right = right && (g == 0 ? equals(ring, halves, 0, expected) : equals(ring, halves, 7, last));
  }
  return right;
}

// A whole decryption with the exponents p - 1 (or 2 P) and the factors 1 / (e q) undefined, and every plaintext with
// them.
bool whole_decryption(crypto::KeyProfile profile, Stream& stream) {
  const crypto::KeyOptions options{.bits = 512, .profile = profile, .test_only = true, .kernel = crypto::Kernel::kGmp};
  const crypto::PrivateKey key = crypto::PrivateKey::generate(options, stream).value();
  SerialExecutor one;
  crypto::Plaintexts m(key.public_key(), 3);
  for (std::size_t i = 0; i < m.size(); ++i) m.residue(i)[i] = 12345 + i;
  const crypto::PeerEncryptor peer(key.public_key(), stream);
  const Bytes bytes = peer.encrypt(m, stream, one)->bytes();
  const crypto::Ciphertexts c = crypto::Ciphertexts::decode(key.public_key(), bytes, m.size(), one).value();
  const crypto::internal::PrivateKeyData& data = *key.data();
  const crypto::SecretWords* secrets[] = {&data.p.exponent, &data.p.factor, &data.q.exponent, &data.q.factor};
  // Marking memory changes nothing in it.
  for (const crypto::SecretWords* secret : secrets) poison(const_cast<crypto::SecretWords&>(*secret));
  auto [out, foreign] = crypto::internal::decrypt_unseen(data, c, one);
  for (const crypto::SecretWords* secret : secrets) reveal(const_cast<crypto::SecretWords&>(*secret));
  reveal(foreign);
  bool right = true;
  for (std::size_t i = 0; i < m.size(); ++i) {
    right = right && foreign.data()[i] == 0;
    static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(out.residue(i).data(), out.residue(i).size_bytes()));
    right = right && std::ranges::equal(out.residue(i), m.residue(i));
  }
  return right;
}

bool check(bool lanes) {
  Stream stream(Seed::from_number(1), 1);
  bool right = true;
  for (const std::size_t bits : {512U, 1024U}) {
    const crypto::internal::Integer n = odd_number(bits, stream);
    const auto ring = lanes ? crypto::internal::SquareRing::create_from(n, crypto::internal::scalar_functions())
                            : crypto::internal::SquareRing::create(n, crypto::Kernel::kGmp);
    for (const std::size_t exponent_bits : {24U, 90U, 225U})
      right = windowed_power(*ring, exponent_bits, stream) && right;
    right = fixed_base_power(*ring, 100, 7, stream) && right;
  }
  const auto ring =
      lanes ? crypto::internal::SquareRing::create_from(odd_number(512, stream), crypto::internal::scalar_functions())
            : crypto::internal::SquareRing::create(odd_number(2048, stream), crypto::Kernel::kGmp);
  right = windowed_power(*ring, 512, stream) && right;
  right = fixed_base_power(*ring, 130, 8, stream) && right;
  if (lanes) return right;
  return whole_decryption(crypto::KeyProfile::kStandard, stream) &&
         whole_decryption(crypto::KeyProfile::kFast, stream) && right;
}

volatile std::uint64_t sink = 0;

void leak(bool by_branch) {
  crypto::SecretWords secret(1);
  secret.data()[0] = 5;
  poison(secret);
  volatile std::uint64_t table[16] = {};
  if (by_branch) {
    std::uint64_t product = 1;
    for (int bit = 63; bit >= 0; --bit) {
      product *= product;
      if (((secret.data()[0] >> bit) & 1) != 0) sink = product *= 3;
    }
  } else {
    sink = table[secret.data()[0] % 16];
  }
}

int run(const char* name) {
  if (PPDNMF_HAS_MEMCHECK == 0 || RUNNING_ON_VALGRIND == 0) {
    std::puts("skipped: not built with valgrind's header, or not run by valgrind");
    return kSkipped;
  }
  if (std::strcmp(name, "gmp") == 0) return check(false) ? 0 : 1;
  if (std::strcmp(name, "lanes") == 0) return check(true) ? 0 : 1;
  leak(std::strcmp(name, "leaking_branch") == 0);
  return 0;
}

}  // namespace
}  // namespace ppdnmf::crypto::internal

int main(int argc, char** argv) { return argc == 2 ? ppdnmf::crypto::internal::run(argv[1]) : 2; }
