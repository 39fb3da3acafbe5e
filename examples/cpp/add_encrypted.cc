// Adds two vectors that stay encrypted: whoever adds has the public key only.
// usage: add_encrypted
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/paillier.h>

namespace {

using namespace ppdnmf;

// A secret that nobody can guess: every stream of random numbers comes from one.
Seed fresh_seed() {
  std::random_device entropy;
  std::array<std::uint8_t, Seed::kBytes> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(entropy());
  return Seed::from_bytes(bytes);
}

// Encrypted for the key's owner, as bytes that may travel.
Result<Bytes> encrypt(const crypto::PublicKey& key, const crypto::Packing& packing,
                      const std::vector<std::int64_t>& values, Stream& randomness, Executor& executor) {
  PPDNMF_TRY(const crypto::Plaintexts packed, packing.pack(values, key));
  const crypto::PeerEncryptor encryptor(key, randomness);
  PPDNMF_TRY(const crypto::SendableCiphertexts hidden, encryptor.encrypt(packed, randomness, executor));
  return hidden.bytes();
}

Result<std::vector<std::int64_t>> add_two_vectors(const std::vector<std::int64_t>& a,
                                                  const std::vector<std::int64_t>& b) {
  SerialExecutor executor;
  const Seed seed = fresh_seed();
  Stream keys(seed, 1);
  Stream randomness(seed, 2);
  PPDNMF_TRY(const crypto::PrivateKey key, crypto::PrivateKey::generate({.bits = 2048}, keys));
  PPDNMF_TRY(const crypto::Packing packing, crypto::Packing::create(2048, 64));
  const crypto::PublicKey& open = key.public_key();
  PPDNMF_TRY(const Bytes from_a, encrypt(open, packing, a, randomness, executor));
  PPDNMF_TRY(const Bytes from_b, encrypt(open, packing, b, randomness, executor));

  const std::size_t count = packing.plaintexts_for(a.size());
  PPDNMF_TRY(const auto hidden_a, crypto::Ciphertexts::decode(open, from_a, count, executor));
  PPDNMF_TRY(const auto hidden_b, crypto::Ciphertexts::decode(open, from_b, count, executor));
  PPDNMF_TRY(const auto hidden_sum, crypto::add(hidden_a, hidden_b, executor));

  PPDNMF_TRY(const crypto::Plaintexts sum, crypto::decrypt(key, hidden_sum, executor));
  return packing.unpack(sum, a.size());
}

}  // namespace

int main() {
  const std::vector<std::int64_t> a{1, -20, 300};
  const std::vector<std::int64_t> b{4000, 50, -6};
  const auto sum = add_two_vectors(a, b);
  if (!sum) {
    std::fprintf(stderr, "%s\n", sum.error().message.c_str());
    return 1;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::printf("%lld + %lld = %lld\n", static_cast<long long>(a[i]), static_cast<long long>(b[i]),
                static_cast<long long>((*sum)[i]));
    if ((*sum)[i] != a[i] + b[i]) return 1;
  }
}
