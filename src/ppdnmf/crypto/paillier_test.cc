// The scheme as the protocol uses it.
#include <ppdnmf/crypto/paillier.h>

#include <gtest/gtest.h>

#include <bit>
#include <ostream>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/mask.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/test_keys.h>
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::crypto {
namespace {

const Bytes kRun{1};

using internal::Integer;
using testing_keys::kernels;

constexpr KeyProfile kProfiles[] = {KeyProfile::kStandard, KeyProfile::kFast};

Stream stream(std::uint8_t purpose, std::uint64_t round = 0) { return {Seed::from_number(7), purpose, 0, round}; }

std::vector<std::int64_t> values(std::size_t count, std::int64_t bound, Stream& from) {
  std::vector<std::int64_t> out(count);
  for (auto& v : out) v = static_cast<std::int64_t>(from.below(2 * static_cast<std::uint64_t>(bound) + 1)) - bound;
  return out;
}

Integer residue(const Plaintexts& plaintexts, std::size_t i) { return Integer::from_words(plaintexts.residue(i)); }

Plaintexts random_plaintexts(const PublicKey& key, std::size_t count, Stream& from) {
  Plaintexts out(key, count);
  for (std::size_t i = 0; i < count; ++i) Integer::random_below(key.data().n, from).to_words(out.residue(i));
  return out;
}

void expect_same(const Plaintexts& a, const Plaintexts& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(residue(a, i), residue(b, i)) << i;
}

// One whole hardened round around agent 0, with `degree` neighbours. Returns every message's bytes.
std::vector<Bytes> hardened_round(std::size_t bits, KeyProfile profile, Kernel kernel, Executor& executor,
                                  std::size_t degree, std::size_t entries) {
  constexpr std::size_t kWeightBits = 24;
  const PrivateKey& key = testing_keys::key(bits, profile, kernel);
  const auto peer_view = PublicKey::decode(key.public_key().encode(), testing_keys::options(bits, profile, kernel));
  EXPECT_TRUE(peer_view.has_value());
  // Wide enough for a sum over all neighbours of weight * (difference of two values of 30 bits) plus blinding.
  const std::size_t slot_bits = 30 + 1 + kWeightBits + static_cast<std::size_t>(std::bit_width(degree)) + 1;
  const Packing packing = Packing::create(bits, slot_bits).value();
  std::vector<Bytes> messages;

  Stream numbers = stream(1);
  const auto own = values(entries, 1 << 30, numbers);
  Stream base = stream(2);
  const OwnEncryptor encryptor(key, base);
  Stream randomness = stream(3);
  const SendableCiphertexts query =
      encryptor.encrypt(packing.pack(own, key.public_key()).value(), randomness, executor).value();
  messages.push_back(query.bytes());

  std::vector<IdentityKey> identities;
  std::vector<IdentityKey> ephemerals;
  for (std::size_t j = 0; j < degree; ++j) {
    Stream identity = stream(4, j);
    identities.push_back(IdentityKey::generate(identity));
    ephemerals.push_back(IdentityKey::generate(identity));
  }
  std::vector<std::int64_t> expected(entries, 0);
  std::vector<Ciphertexts> replies;
  for (std::size_t j = 0; j < degree; ++j) {
    const std::uint64_t weight = 1 + numbers.below((1 << kWeightBits) - 1);
    auto addend_values = values(entries, 1 << 30, numbers);
    for (std::size_t i = 0; i < entries; ++i) {
      addend_values[i] *= static_cast<std::int64_t>(weight);
      expected[i] += static_cast<std::int64_t>(weight) * own[i] + addend_values[i];
    }
    Stream peer_base = stream(5, j);
    const PeerEncryptor peer(*peer_view, peer_base);
    const auto received = Ciphertexts::decode(*peer_view, query.bytes(), packing.plaintexts_for(entries), executor);
    Plaintexts addend = packing.pack(addend_values, *peer_view).value();
    for (std::size_t k = 0; k < degree; ++k) {
      if (k == j) continue;
      const auto pair = PairKey::agree({identities[j], ephemerals[j]},
                                       {identities[k].public_bytes(), ephemerals[k].public_bytes()}, kRun, j < k);
      pair.value().apply(addend, {.asker = 0, .outer = 3, .iteration = 4});
    }
    Stream reply_randomness = stream(6, j);
    const SendableCiphertexts reply =
        peer.reply(received.value(), Weight::create(weight, kWeightBits).value(), addend, reply_randomness, executor)
            .value();
    messages.push_back(reply.bytes());
    replies.push_back(Ciphertexts::decode(key.public_key(), reply.bytes(), addend.size(), executor).value());
  }
  const auto sums = packing.unpack(decrypt(key, sum(replies, executor).value(), executor).value(), entries);
  EXPECT_TRUE(sums.has_value());
  EXPECT_EQ(sums.value(), expected);
  return messages;
}

TEST(Paillier, ARoundIsExactAndItsBytesDependOnTheStreamsAlone) {
  host::ThreadPool two(2);
  host::ThreadPool three(3);
  SerialExecutor one;
  for (const KeyProfile profile : kProfiles) {
    const auto reference = hardened_round(512, profile, Kernel::kGmp, one, 3, 100);
    for (const Kernel kernel : kernels()) {
      EXPECT_EQ(hardened_round(512, profile, kernel, two, 3, 100), reference);
      EXPECT_EQ(hardened_round(512, profile, kernel, three, 3, 100), reference);
    }
  }
}

TEST(Paillier, ARoundIsExactAtRealSizes) {
  host::ThreadPool two(2);
  for (const std::size_t bits : {2048U, 3072U}) {
    for (const KeyProfile profile : kProfiles) {
      const auto reference = hardened_round(bits, profile, Kernel::kGmp, two, 2, 300);
      for (const Kernel kernel : kernels()) {
        if (kernel == Kernel::kGmp) continue;
        EXPECT_EQ(hardened_round(bits, profile, kernel, two, 2, 300), reference);
      }
    }
  }
}

TEST(Paillier, EveryBatchSizeGoesThroughAndBack) {
  SerialExecutor one;
  for (const Kernel kernel : kernels()) {
    for (const KeyProfile profile : kProfiles) {
      const PrivateKey& key = testing_keys::key(768, profile, kernel);
      Stream base = stream(1);
      const OwnEncryptor own(key, base);
      const PeerEncryptor peer(key.public_key(), base);
      for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 64U}) {
        Stream from = stream(2, count);
        const Plaintexts m = random_plaintexts(key.public_key(), count, from);
        for (const SendableCiphertexts& c : {own.encrypt(m, from, one).value(), peer.encrypt(m, from, one).value()}) {
          EXPECT_EQ(c.size(), count);
          const auto decoded = Ciphertexts::decode(key.public_key(), c.bytes(), count, one);
          ASSERT_TRUE(decoded.has_value());
          expect_same(decrypt(key, *decoded, one).value(), m);
          const SendableCiphertexts again = peer.rerandomise(*decoded, from, one).value();
          EXPECT_TRUE(count == 0 || again.bytes() != c.bytes());
          expect_same(
              decrypt(key, Ciphertexts::decode(key.public_key(), again.bytes(), count, one).value(), one).value(), m);
        }
      }
    }
  }
}

// Plain decryption: L(c^lambda mod n^2) / lambda mod n, with lambda = lcm(p - 1, q - 1).
Integer plain_decrypt(const internal::PrivateKeyData& key, const Integer& c) {
  const Integer n = key.parts.p * key.parts.q;
  Integer lambda;
  mpz_lcm(lambda.raw(), (key.parts.p - Integer(1)).raw(), (key.parts.q - Integer(1)).raw());
  Integer power;
  mpz_powm(power.raw(), c.raw(), lambda.raw(), (n * n).raw());
  return mod((power - Integer(1)) / n * inverse(lambda, n), n);
}

struct DecryptionSize {
  std::size_t bits;
  std::size_t count;  // of ciphertexts in each profile
};

// The name of the test that ctest shows.
void PrintTo(const DecryptionSize& size, std::ostream* out) { *out << size.bits; }

class DecryptionTest : public testing::TestWithParam<DecryptionSize> {};

TEST_P(DecryptionTest, ByCrtAndSubgroupEqualsPlainDecryption) {
  const auto [bits, count] = GetParam();
  host::ThreadPool two(2);
  for (const KeyProfile profile : kProfiles) {
    const PrivateKey& maker = testing_keys::key(bits, profile, Kernel::kGmp);
    const PublicKey& public_key = maker.public_key();
    Stream from = stream(1);
    const PeerEncryptor peer(public_key, from);
    Plaintexts m = random_plaintexts(public_key, count, from);
    // The edges: 0, 1, n - 1, n / 2 and its neighbours.
    const Integer& n = public_key.data().n;
    const Integer half = n / Integer(2);
    const Integer edges[] = {Integer(0), Integer(1), n - Integer(1), half - Integer(1), half, half + Integer(1)};
    for (std::size_t i = 0; i < std::size(edges); ++i) edges[i].to_words(m.residue(i));
    const Bytes bytes = peer.encrypt(m, from, two)->bytes();
    // Plain decryption is most of the time: once for all kernels, whose keys are the same.
    const std::size_t each = public_key.ciphertext_bytes();
    std::vector<Integer> plain(count);
    two.for_each(count, [&](std::size_t i) {
      plain[i] = plain_decrypt(*maker.data(), Integer::from_bytes(ByteSpan(bytes).subspan(i * each, each)));
    });
    for (const Kernel kernel : kernels()) {
      const PrivateKey& key = testing_keys::key(bits, profile, kernel);
      ASSERT_EQ(key.public_key().encode(), public_key.encode());
      const Plaintexts out =
          decrypt(key, Ciphertexts::decode(key.public_key(), bytes, count, two).value(), two).value();
      expect_same(out, m);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(residue(out, i), plain[i]) << i;
    }
  }
}

// Two profiles: 2,000 ciphertexts at 512 and at 1024 bits, 1,000 at 2048, 200 at 3072, each on every kernel.
INSTANTIATE_TEST_SUITE_P(KeyBits, DecryptionTest,
                         testing::Values(DecryptionSize{512, 1000}, DecryptionSize{1024, 1000},
                                         DecryptionSize{2048, 500}, DecryptionSize{3072, 100}),
                         [](const auto& instance) { return std::to_string(instance.param.bits); });

TEST(Paillier, DecryptsWhatIsNotOfItsOwnForm) {
  // In the standard profile every unit modulo n^2 has a decryption, whatever randomness made it.
  SerialExecutor one;
  const PrivateKey& key = testing_keys::key(512, KeyProfile::kStandard, Kernel::kGmp);
  const std::size_t each = key.public_key().ciphertext_bytes();
  Stream from = stream(9);
  Bytes bytes(64 * each);
  std::vector<Integer> c;
  for (std::size_t i = 0; i < 64; ++i) {
    c.push_back(Integer::random_below(key.public_key().data().ring->modulus(), from));
    c.back().to_bytes(std::span(bytes).subspan(i * each, each));
  }
  const Plaintexts out = decrypt(key, Ciphertexts::decode(key.public_key(), bytes, 64, one).value(), one).value();
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(residue(out, i), plain_decrypt(*key.data(), c[i]));
}

TEST(Paillier, FastKeysSayWhichCiphertextWasNotMadeWithTheirBase) {
  SerialExecutor one;
  for (const Kernel kernel : kernels()) {
    const PrivateKey& key = testing_keys::key(512, KeyProfile::kFast, kernel);
    const internal::KeyParts& parts = key.data()->parts;
    const Integer& n = key.public_key().data().n;
    const std::size_t each = key.public_key().ciphertext_bytes();
    Stream from = stream(8);
    constexpr std::size_t kCount = 11;
    const Bytes good = PeerEncryptor(key.public_key(), from)
                           .encrypt(random_plaintexts(key.public_key(), kCount, from), from, one)
                           ->bytes();
    const auto with = [&](std::size_t at, const Integer& randomness) {
      // The textbook's (1 + n m) r^n.
      Integer c;
      mpz_powm(c.raw(), randomness.raw(), n.raw(), (n * n).raw());
      c = mod(c * (Integer(1) + n * Integer(77)), n * n);
      Bytes bytes = good;
      c.to_bytes(std::span(bytes).subspan(at * each, each));
      return decrypt(key, Ciphertexts::decode(key.public_key(), bytes, kCount, one).value(), one);
    };
    // Good modulo q and foreign modulo p, and the other way round.
    const Integer mixed_p = mod(parts.h + parts.q * Integer(3), n);
    const Integer mixed_q = mod(parts.h + parts.p * Integer(3), n);
    for (const std::size_t at : {0U, 7U, 8U, 10U}) {
      for (const Integer& randomness : {Integer::random_below(n, from), mixed_p, mixed_q}) {
        const auto refused = with(at, randomness);
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, ErrorCode::kPeer);
        EXPECT_EQ(refused.error().message.rfind(fmt::format("ciphertext {} was not made with the h", at), 0), 0U);
      }
      for (const Integer& randomness : {Integer(1), parts.h, n - Integer(1)}) {
        EXPECT_EQ(residue(with(at, randomness).value(), at), Integer(77));
      }
    }
  }
}

TEST(Paillier, HomomorphismsOverRandomInputs) {
  host::ThreadPool two(2);
  for (const Kernel kernel : kernels()) {
    const PrivateKey& key = testing_keys::key(512, KeyProfile::kStandard, kernel);
    const Integer& n = key.public_key().data().n;
    Stream from = stream(1);
    const OwnEncryptor own(key, from);
    constexpr std::size_t kCount = 1001;
    const Plaintexts a = random_plaintexts(key.public_key(), kCount, from);
    const Plaintexts b = random_plaintexts(key.public_key(), kCount, from);
    const auto encrypted = [&](const Plaintexts& m) {
      return Ciphertexts::decode(key.public_key(), own.encrypt(m, from, two)->bytes(), kCount, two).value();
    };
    const Ciphertexts ca = encrypted(a);
    const Plaintexts added = decrypt(key, add(ca, encrypted(b), two).value(), two).value();
    for (std::size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(residue(added, i), mod(residue(a, i) + residue(b, i), n));
    }
    for (const auto& [weight, bits] :
         {std::pair<std::uint64_t, std::size_t>{1, 1}, {1, 24}, {65535, 16}, {12345678, 24}, {(1ULL << 62) - 1, 62}}) {
      const Plaintexts times = decrypt(key, multiply(ca, Weight::create(weight, bits).value(), two), two).value();
      for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(residue(times, i), mod(residue(a, i) * Integer(weight), n));
    }
  }
}

TEST(Paillier, AsPrintedReplyIsThePapers) {
  SerialExecutor one;
  for (const Kernel kernel : kernels()) {
    const PrivateKey& key = testing_keys::key(512, KeyProfile::kStandard, kernel);
    const Packing packing = Packing::create(512, 60).value();
    Stream from = stream(1);
    const PeerEncryptor peer(key.public_key(), from);
    const OwnEncryptor own(key, from);
    const std::vector<std::int64_t> ui{5, -7, 0};
    const std::vector<std::int64_t> uj{-3, 100, 4};
    const auto query = own.encrypt(packing.pack(ui, key.public_key()).value(), from, one).value();
    const auto reply = peer.as_printed_reply(Ciphertexts::decode(key.public_key(), query.bytes(), 1, one).value(),
                                             Weight::create(1001, 24).value(),
                                             packing.pack(uj, key.public_key()).value(), peer.draw(1, from, one), one)
                           .value();
    const auto decoded = Ciphertexts::decode(key.public_key(), reply.bytes_that_are_not_private(), 1, one);
    EXPECT_EQ(packing.unpack(decrypt(key, *decoded, one).value(), 3).value(),
              (std::vector<std::int64_t>{2002, 93093, 4004}));
  }
}

TEST(Paillier, FactorsDrawnBeforehandGiveTheSameBytes) {
  SerialExecutor one;
  for (const Kernel kernel : kernels()) {
    for (const KeyProfile profile : {KeyProfile::kStandard, KeyProfile::kFast}) {
      const PrivateKey& key = testing_keys::key(512, profile, kernel);
      Stream base = stream(1);
      const PeerEncryptor peer(key.public_key(), base);
      const OwnEncryptor own(key, base);
      Plaintexts m(key.public_key(), 35);
      for (std::size_t t = 0; t < m.size(); ++t) m.residue(t)[0] = t;
      const Weight weight = Weight::create(77, 24).value();
      Stream first = stream(2);
      Stream second = stream(2);
      RandomFactors own_factors = own.draw(m.size(), second, one);
      RandomFactors peer_factors = peer.draw(m.size(), second, one);
      const Bytes query = own.encrypt(m, first, one)->bytes();
      const Ciphertexts question = Ciphertexts::decode(key.public_key(), query, m.size(), one).value();
      const Bytes reply = peer.reply(question, weight, m, first, one)->bytes();
      EXPECT_EQ(own.encrypt(m, std::move(own_factors), one)->bytes(), query);
      EXPECT_EQ(peer.reply(question, weight, m, std::move(peer_factors), one)->bytes(), reply);
    }
  }
}

}  // namespace
}  // namespace ppdnmf::crypto
