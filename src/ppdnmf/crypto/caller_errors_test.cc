// What a caller of the public headers can get wrong comes back as a sentence; the process goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;
using testing::HasSubstr;

template <typename T>
void expect_refused(const Result<T>& result, const char* sentence, ErrorCode code = ErrorCode::kUsage) {
  ASSERT_FALSE(result.has_value()) << sentence;
  EXPECT_EQ(result.error().code, code) << result.error().message;
  EXPECT_THAT(result.error().message, HasSubstr(sentence));
}

class CallerErrors : public testing::Test {
 protected:
  [[nodiscard]] static Ciphertexts ones(const PublicKey& key, std::size_t count) {
    Bytes bytes(count * key.ciphertext_bytes());
    for (std::size_t t = 0; t < count; ++t) bytes[t * key.ciphertext_bytes()] = 1;
    SerialExecutor executor;
    return Ciphertexts::decode(key, bytes, count, executor).value();
  }

  const PrivateKey& key_ = testing_keys::key(512, KeyProfile::kStandard, Kernel::kGmp);
  const PrivateKey& other_ = testing_keys::key(512, KeyProfile::kStandard, Kernel::kGmp, 1);
  const PublicKey& pub_ = key_.public_key();
  SerialExecutor one_;
  Stream stream_{Seed::from_number(21), 1};
  PeerEncryptor peer_{pub_, stream_};
  OwnEncryptor own_{key_, stream_};
  Weight weight_ = Weight::create(5, 24).value();
};

TEST_F(CallerErrors, CiphertextsOfDifferentKeysOrLengthsAreNotAdded) {
  const Ciphertexts c = ones(pub_, 3);
  expect_refused(add(c, ones(other_.public_key(), 3), one_), "different keys");
  expect_refused(add(c, ones(pub_, 2), one_), "different lengths, 3 and 2");
  expect_refused(sum({}, one_), "no ciphertexts");
  std::vector<Ciphertexts> terms;
  terms.push_back(ones(pub_, 3));
  terms.push_back(ones(pub_, 4));
  expect_refused(sum(terms, one_), "different lengths, 3 and 4");
  terms.back() = ones(other_.public_key(), 3);
  expect_refused(sum(terms, one_), "different keys");
}

TEST_F(CallerErrors, GroupsOfDifferentKernelsAreNotMixed) {
  if (!ifma_available()) GTEST_SKIP() << "one kernel only";
  const PublicKey& lanes = testing_keys::key(512, KeyProfile::kStandard, Kernel::kIfma).public_key();
  ASSERT_TRUE(lanes.same_as(pub_));
  const Ciphertexts c = ones(lanes, 1);
  expect_refused(add(ones(pub_, 1), c, one_), "different kernels");
  expect_refused(peer_.rerandomise(c, stream_, one_), "different kernels");
  expect_refused(peer_.reply(c, weight_, Plaintexts(pub_, 1), stream_, one_), "different kernels");
  // Decryption takes either: it leaves the ciphertexts' kernel first.
  EXPECT_EQ(Integer::from_words(decrypt(key_, c, one_).value().residue(0)), Integer(0));
}

TEST_F(CallerErrors, EncryptorsRefuseWhatBelongsToAnotherKey) {
  const Plaintexts strange(other_.public_key(), 1);
  const Plaintexts m(pub_, 1);
  const Ciphertexts c = ones(pub_, 1);
  const Ciphertexts strange_c = ones(other_.public_key(), 1);
  expect_refused(own_.encrypt(strange, stream_, one_), "different keys");
  expect_refused(peer_.encrypt(strange, stream_, one_), "different keys");
  expect_refused(peer_.rerandomise(strange_c, stream_, one_), "different keys");
  expect_refused(peer_.reply(strange_c, weight_, m, stream_, one_), "different keys");
  expect_refused(peer_.reply(c, weight_, strange, stream_, one_), "different keys");
  expect_refused(peer_.reply(c, weight_, Plaintexts(pub_, 2), stream_, one_), "different lengths, 1 and 2");
  expect_refused(peer_.as_printed_reply(c, weight_, strange, peer_.draw(1, stream_, one_), one_), "different keys");
  expect_refused(decrypt(key_, strange_c, one_), "different keys");
}

TEST_F(CallerErrors, PlaintextsOfNAndAboveAreRefused) {
  const Integer& n = pub_.data().n;
  for (const Integer& value : {n, n + Integer(1), internal::power_of_two(512) - Integer(1)}) {
    Plaintexts m(pub_, 3);
    value.to_words(m.residue(1));
    expect_refused(own_.encrypt(m, stream_, one_), "plaintext 1 is not below");
    expect_refused(own_.encrypt(m, own_.draw(3, stream_, one_), one_), "plaintext 1 is not below");
    expect_refused(peer_.encrypt(m, stream_, one_), "plaintext 1 is not below");
    expect_refused(peer_.reply(ones(pub_, 3), weight_, m, stream_, one_), "plaintext 1 is not below");
    Plaintexts sum(pub_, 1);
    SecretWords words(8);
    value.to_words(words.span());
    expect_refused(sum.add(0, words.span()), "not below");
    expect_refused(sum.subtract(0, words.span()), "not below");
    EXPECT_EQ(Integer::from_words(sum.residue(0)), Integer(0));
  }
  Plaintexts largest(pub_, 1);
  (n - Integer(1)).to_words(largest.residue(0));
  EXPECT_TRUE(peer_.encrypt(largest, stream_, one_).has_value());
}

TEST_F(CallerErrors, ResiduesHaveTheKeysLengthAndAPlace) {
  Plaintexts m(pub_, 2);
  const std::vector<std::uint64_t> words(9);
  expect_refused(m.add(0, words), "9 words");
  expect_refused(m.subtract(0, std::span(words).first(7)), "7 words");
  expect_refused(m.add(2, std::span(words).first(8)), "no plaintext 2 among 2");
  EXPECT_TRUE(m.add(1, std::span(words).first(8)).has_value());
}

TEST_F(CallerErrors, FactorsHideOneBatchOfTheirOwnEncryptor) {
  const OwnEncryptor other(key_, stream_);
  const Plaintexts m(pub_, 3);
  RandomFactors factors = own_.draw(3, stream_, one_);
  expect_refused(other.encrypt(m, own_.draw(3, stream_, one_), one_), "another encryptor");
  expect_refused(own_.encrypt(m, own_.draw(2, stream_, one_), one_), "different lengths, 2 and 3");
  EXPECT_TRUE(own_.encrypt(m, std::move(factors), one_).has_value());
  // NOLINTNEXTLINE(bugprone-use-after-move,clang-analyzer-cplusplus.Move): using it again is what is tested
  expect_refused(own_.encrypt(m, std::move(factors), one_), "used before");
}

TEST_F(CallerErrors, ARefusalDrawsNothing) {
  Stream a(Seed::from_number(22), 1);
  Stream b(Seed::from_number(22), 1);
  expect_refused(peer_.reply(ones(pub_, 1), weight_, Plaintexts(pub_, 2), a, one_), "lengths");
  expect_refused(peer_.encrypt(Plaintexts(other_.public_key(), 1), a, one_), "keys");
  expect_refused(own_.encrypt(Plaintexts(other_.public_key(), 1), a, one_), "keys");
  EXPECT_EQ(a.next(), b.next());
}

TEST_F(CallerErrors, PackingFitsOneSizeOfKeys) {
  expect_refused(Packing::create(100, 20), "100 bits");
  expect_refused(Packing::create(512, 65), "65 bits");
  const Packing packing = Packing::create(768, 60).value();
  const std::vector<std::int64_t> entries{1, 2, 3};
  expect_refused(packing.pack(entries, pub_), "keys of 768 bits was used with one of 512");
  expect_refused(packing.unpack(Plaintexts(pub_, 1), 3), "keys of 768 bits was used with one of 512");
  const Packing fitting = Packing::create(512, 60).value();
  expect_refused(fitting.unpack(Plaintexts(pub_, 2), 3), "3 entries are in 1 plaintexts of 8 slots, not in 2");
}

TEST_F(CallerErrors, WeightsHaveAtMostSixtyTwoBits) {
  constexpr auto kNumeric = ErrorCode::kNumeric;
  expect_refused(Weight::create(0, 24), "positive and have at most 24 bits", kNumeric);
  expect_refused(Weight::create(1 << 24, 24), "at most 24 bits", kNumeric);
  expect_refused(Weight::create(1, 0), "at most 0 bits", kNumeric);
  expect_refused(Weight::create(1, 63), "a weight of 63 bits: at most 62", kNumeric);
  expect_refused(Weight::create(1, 64), "a weight of 64 bits: at most 62", kNumeric);
  expect_refused(Weight::create(std::uint64_t{1} << 62, 62), "at most 62 bits", kNumeric);
  EXPECT_TRUE(Weight::create((1 << 24) - 1, 24).has_value());
  EXPECT_TRUE(Weight::create((std::uint64_t{1} << 62) - 1, 62).has_value());
  EXPECT_EQ(Weight::kMaxBits, 62U);
}

TEST_F(CallerErrors, KeySizesThatAreNotAllowedAreNamed) {
  expect_refused(PrivateKey::generate({.bits = 1024}, stream_), "a key of 1024 bits");
  expect_refused(PublicKey::decode(pub_.encode(), {.bits = 512}), "a key of 512 bits");
}

}  // namespace
}  // namespace ppdnmf::crypto
