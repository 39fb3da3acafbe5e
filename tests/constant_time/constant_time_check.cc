// Computes powers with exponents that memcheck is told are undefined. Run by run.sh.
//   gmp              the GMP kernel, and a whole decryption
//   lanes            the lane kernel over plain words: valgrind 3.19 does not know AVX-512, so the same templates are
//                    instantiated with an emulated vector, which has the same branches and addresses
//   leaking_address  a table lookup by a secret index      } on purpose
//   leaking_branch   a square-and-multiply loop            }
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "crypto/internal/decryption.h"
#include "crypto/internal/key_data.h"
#include "crypto/internal/power.h"
#include "crypto/internal/scalar_lanes.h"
#include "crypto/paillier.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define PPDNMF_HAS_MEMCHECK 1
#else
#define PPDNMF_HAS_MEMCHECK 0
#define VALGRIND_MAKE_MEM_UNDEFINED(data, size) static_cast<void>(0)
#define VALGRIND_MAKE_MEM_DEFINED(data, size) static_cast<void>(0)
#define RUNNING_ON_VALGRIND 0
#endif

namespace ppdnmf::internal {
namespace {

constexpr int kSkipped = 77;

void poison(SecretWords& words) {
  static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(words.data(), words.size() * sizeof(std::uint64_t)));
}

void reveal(SecretWords& words) {
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(words.data(), words.size() * sizeof(std::uint64_t)));
}

Integer odd_number(std::size_t bits, Stream& stream) {
  Integer n = Integer::random_bits(bits, stream);
  mpz_setbit(n.raw(), bits - 1);
  mpz_setbit(n.raw(), 0);
  return n;
}

// The halves of every lane; store is part of what is checked.
void store_all(const SquareRing& ring, const SecretWords& group, SecretWords& out) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::uint64_t* low = out.data() + 2 * lane * ring.half_words();
    ring.store(group.data(), lane, low, low + ring.half_words());
  }
}

bool equals(const SquareRing& ring, const SecretWords& halves, std::size_t lane, const Integer& expected) {
  const auto low = halves.span().subspan(2 * lane * ring.half_words(), ring.half_words());
  const auto high = halves.span().subspan((2 * lane + 1) * ring.half_words(), ring.half_words());
  return Integer::from_words(low) + ring.root() * Integer::from_words(high) == expected;
}

Integer expected_power(const Integer& base, std::span<const std::uint64_t> exponent, const Integer& modulus) {
  Integer out;
  mpz_powm(out.raw(), base.raw(), Integer::from_words(exponent).raw(), modulus.raw());
  return out;
}

// One secret exponent for all lanes: weights (24 bits), subgroup orders (225), p - 1 (512).
bool windowed_power(const SquareRing& ring, std::size_t bits, Stream& stream) {
  SecretWords exponent((bits + 63) / 64);
  Integer::random_bits(bits, stream).to_words(exponent.span());
  const Integer base = Integer::random_below(ring.modulus(), stream);
  const Integer expected = expected_power(base, exponent.span(), ring.modulus());
  SecretWords group = ring.make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) ring.load_value(group.data(), lane, base);
  ring.enter(group.data());
  poison(exponent);
  power(ring, group.data(), group.data(), {exponent.span(), bits});
  ring.leave(group.data());
  SecretWords halves(2 * kLanes * ring.half_words());
  store_all(ring, group, halves);
  reveal(halves);
  return equals(ring, halves, 0, expected) && equals(ring, halves, 7, expected);
}

// The randomness r of fixed-base powers, another one in every lane.
bool fixed_base_power(const SquareRing& ring, std::size_t bits, std::size_t teeth, Stream& stream) {
  const Integer base = Integer::random_below(ring.modulus(), stream);
  const FixedBase fixed(ring, base, bits, teeth);
  const std::size_t groups = 5;  // four together and one alone
  const std::size_t words = fixed.exponent_words();
  SecretWords exponents(groups * kLanes * words);
  for (std::size_t i = 0; i < groups * kLanes; ++i) {
    Integer::random_bits(bits, stream).to_words(exponents.span().subspan(i * words, words));
  }
  const Integer expected = expected_power(base, exponents.span().first(words), ring.modulus());
  const Integer last = expected_power(base, exponents.span().last(words), ring.modulus());
  SecretWords out(groups * ring.words());
  poison(exponents);
  fixed.power(out.data(), exponents.span());
  bool right = true;
  for (const std::size_t g : {std::size_t{0}, groups - 1}) {
    SecretWords group = ring.make_group();
    ring.copy(group.data(), out.data() + g * ring.words());
    ring.leave(group.data());
    SecretWords halves(2 * kLanes * ring.half_words());
    store_all(ring, group, halves);
    reveal(halves);
    right = right && (g == 0 ? equals(ring, halves, 0, expected) : equals(ring, halves, 7, last));
  }
  return right;
}

// A whole decryption with the exponents p - 1 (or 2 P) and the factors 1 / (e q) undefined, and every plaintext with
// them.
bool whole_decryption(KeyProfile profile, Stream& stream) {
  const KeyOptions options{.bits = 512, .profile = profile, .test_only = true, .kernel = Kernel::kGmp};
  const PrivateKey key = PrivateKey::generate(options, stream).value();
  SerialExecutor one;
  Plaintexts m(key.public_key(), 3);
  for (std::size_t i = 0; i < m.size(); ++i) m.residue(i)[i] = 12345 + i;
  const PeerEncryptor peer(key.public_key(), stream);
  const Bytes bytes = peer.encrypt(m, stream, one)->bytes();
  const Ciphertexts c = Ciphertexts::decode(key.public_key(), bytes, m.size(), one).value();
  const PrivateKeyData& data = *key.data();
  const SecretWords* secrets[] = {&data.p.exponent, &data.p.factor, &data.q.exponent, &data.q.factor};
  // Marking memory changes nothing in it.
  for (const SecretWords* secret : secrets) poison(const_cast<SecretWords&>(*secret));
  auto [out, foreign] = decrypt_unseen(data, c, one);
  for (const SecretWords* secret : secrets) reveal(const_cast<SecretWords&>(*secret));
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
    const Integer n = odd_number(bits, stream);
    const auto ring = lanes ? SquareRing::create_from(n, scalar_functions()) : SquareRing::create(n, Kernel::kGmp);
    for (const std::size_t exponent_bits : {24U, 90U, 225U})
      right = windowed_power(*ring, exponent_bits, stream) && right;
    right = fixed_base_power(*ring, 100, 7, stream) && right;
  }
  const auto ring = lanes ? SquareRing::create_from(odd_number(512, stream), scalar_functions())
                          : SquareRing::create(odd_number(2048, stream), Kernel::kGmp);
  right = windowed_power(*ring, 512, stream) && right;
  right = fixed_base_power(*ring, 130, 8, stream) && right;
  if (lanes) return right;
  return whole_decryption(KeyProfile::kStandard, stream) && whole_decryption(KeyProfile::kFast, stream) && right;
}

volatile std::uint64_t sink = 0;

void leak(bool by_branch) {
  SecretWords secret(1);
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
}  // namespace ppdnmf::internal

int main(int argc, char** argv) { return argc == 2 ? ppdnmf::internal::run(argv[1]) : 2; }
