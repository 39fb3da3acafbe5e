// The bytes that travel, written down: numbers are little-endian. Made by Python's int.to_bytes(size, "little").
#include <gtest/gtest.h>

#include <string_view>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;

constexpr std::string_view kHeader = "01010002";  // version 1, standard profile, 512 bits
constexpr std::string_view kP = "032eea9dc824b30f917daece9550c2cca3e76bbf3a825cc4e2112851368fdbc5";
constexpr std::string_view kQ = "274e94aff3e7415cf85bc4ba1e01e911241773ff30995d213784470d89ad2ad2";
constexpr std::string_view kN =
    "75ec6d0f5d7dff586bb3e006a28ac35aa1c2eef3824b626ce3dc6da41c99b92f"
    "0394eb09e14d43f8165261ce40afe1a779db41d937e1ccc282f4065a9f176fa2";
// n as people write it, the most significant digit first.
constexpr const char* kNumber =
    "a26f179f5a06f482c2cce137d941db79a7e1af40ce615216f8434de109eb9403"
    "2fb9991ca46ddce36c624b82f3eec2a15ac38aa206e0b36b58ff7d5d0f6dec75";
// (1 + 7 n) 5^n mod n^2.
constexpr std::string_view kC =
    "e22ab69a50b5edcd6661dc8315876d6e9d09fcecd7a4f63a9a777d2eda08814e88fc4125a9809bbb0769dfae9bf844315dbfc9452beff581"
    "36e57d68682321d24290e521f76a978c5a11154023c72309e84a686319a30df5df13b1f0859566edb20d5d7d28f8ebc701d3001792104fd4"
    "4ba2eff17f2cba7fe4ea95f55d8cb94d";

Bytes from_hex(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
  Bytes out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<std::uint8_t>(16 * digit(hex[i]) + digit(hex[i + 1])));
  }
  return out;
}

Bytes joined(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all += part;
  return from_hex(all);
}

const KeyOptions kOptions = testing_keys::options(512, KeyProfile::kStandard, Kernel::kGmp);

TEST(ByteOrder, PublicKeysAreLittleEndian) {
  const Bytes bytes = joined({kHeader, kN});
  const PublicKey key = PublicKey::decode(bytes, kOptions).value();
  Integer n;
  mpz_set_str(n.raw(), kNumber, 16);
  EXPECT_EQ(key.data().n, n);
  EXPECT_EQ(key.encode(), bytes);
}

TEST(ByteOrder, PrivateKeysAreLittleEndian) {
  const Bytes bytes = joined({kHeader, kP, kQ});
  const PrivateKey key = PrivateKey::decode_secret(bytes, kOptions).value();
  EXPECT_EQ(key.public_key().encode(), joined({kHeader, kN}));
  const SecretBytes again = key.encode_secret();
  EXPECT_EQ(Bytes(again.span().begin(), again.span().end()), bytes);
}

TEST(ByteOrder, CiphertextsAndWordsOfPlaintextsAreLittleEndian) {
  SerialExecutor one;
  const PrivateKey key = PrivateKey::decode_secret(joined({kHeader, kP, kQ}), kOptions).value();
  const Ciphertexts c = Ciphertexts::decode(key.public_key(), from_hex(kC), 1, one).value();
  const Plaintexts m = decrypt(key, c, one).value();
  EXPECT_EQ(m.residue(0)[0], 7U);
  for (const std::uint64_t word : m.residue(0).subspan(1)) EXPECT_EQ(word, 0U);
}

}  // namespace
}  // namespace ppdnmf::crypto
