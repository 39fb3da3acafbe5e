#include <ppdnmf/crypto/negate.h>

#include <gtest/gtest.h>

#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

constexpr std::size_t kKeyBits = 512;
constexpr std::size_t kSlotBits = 40;

// One number in each ciphertext, for `count` ciphertexts.
std::vector<std::int64_t> numbers(std::size_t count, const Packing& packing) {
  std::vector<std::int64_t> out(count * packing.slots());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int64_t>(i * i) - 100;
  return out;
}

TEST(Negate, GivesTheOppositeOfEveryEntryForAnyCountAndKernel) {
  SerialExecutor executor;
  const Packing packing = Packing::create(kKeyBits, kSlotBits).value();
  for (const Kernel kernel : testing_keys::kernels()) {
    const PrivateKey& key = testing_keys::key(kKeyBits, KeyProfile::kStandard, kernel);
    Stream base(Seed::from_number(1), 1);
    Stream randomness(Seed::from_number(1), 2);
    const OwnEncryptor encryptor(key, base);
    for (const std::size_t count : {1, 7, 8, 9, 25}) {
      const std::vector<std::int64_t> given = numbers(count, packing);
      const auto sent = encryptor.encrypt(packing.pack(given, key.public_key()).value(), randomness, executor).value();
      const auto c = Ciphertexts::decode(key.public_key(), sent.bytes(), count, executor).value();
      const auto opened = packing.unpack(decrypt(key, negate(c), executor).value(), given.size()).value();
      for (std::size_t i = 0; i < given.size(); ++i) ASSERT_EQ(opened[i], -given[i]) << count << " " << i;
    }
  }
}

TEST(Negate, OfNothingIsNothing) {
  const PublicKey key = testing_keys::key(kKeyBits, KeyProfile::kStandard, Kernel::kGmp).public_key();
  EXPECT_EQ(negate(Ciphertexts(key, 0)).size(), 0U);
}

}  // namespace
}  // namespace ppdnmf::crypto
