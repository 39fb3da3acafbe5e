// Known answers from Python integers (testdata/make_vectors.py), on every kernel.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <ppdnmf/crypto/internal/encryption.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;
using internal::PeerBase;

struct Block {
  std::string kind;
  std::map<std::string, Integer> number;
  [[nodiscard]] const Integer& operator[](const std::string& name) const { return number.at(name); }
};

std::vector<Block> read_vectors() {
  std::ifstream file(PPDNMF_CRYPTO_TESTDATA "/paillier_vectors.txt");
  std::vector<Block> blocks;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with('[')) {
      blocks.push_back({line.substr(1, line.size() - 2), {}});
    } else if (const auto at = line.find(" = "); at != std::string::npos) {
      mpz_set_str(blocks.back().number[line.substr(0, at)].raw(), line.substr(at + 3).c_str(), 16);
    }
  }
  return blocks;
}

Bytes secret_bytes(const Block& key, std::size_t bits, bool fast) {
  const std::size_t half = bits / 16;
  Bytes out(4 + (fast ? 6 : 2) * half);
  out[0] = 1;
  out[1] = fast ? 2 : 1;
  out[2] = static_cast<std::uint8_t>(bits);
  out[3] = static_cast<std::uint8_t>(bits >> 8);
  const auto put = [&](const std::string& name, std::size_t at, std::size_t size) {
    key[name].to_bytes(std::span(out).subspan(4 + at * half, size * half));
  };
  put("p", 0, 1);
  put("q", 1, 1);
  if (fast) {
    put("sub_p", 2, 1);
    put("sub_q", 3, 1);
    put("h", 4, 2);
  }
  return out;
}

Bytes bytes_of(const Integer& value, std::size_t size) {
  Bytes out(size);
  value.to_bytes(out);
  return out;
}

Integer value_of(const Ciphertexts& c) {
  const internal::SquareRing& ring = *c.key().data().ring;
  SecretWords group = ring.make_group();
  ring.copy(group.data(), c.group(0));
  ring.leave(group.data());
  return ring.store_value(group.data(), 0);
}

// Everything under one key, on one kernel.
class Checker {
 public:
  Checker(const Block& key, Kernel kernel, std::size_t bits, KeyProfile profile)
      : key_(PrivateKey::decode_secret(secret_bytes(key, bits, profile == KeyProfile::kFast),
                                       testing_keys::options(bits, profile, kernel))
                 .value()) {}

  void derivation(const Block& key) {
    const internal::PrivateKeyData& data = *key_.data();
    EXPECT_EQ(data.public_key.data().n, key["n"]);
    EXPECT_EQ(Integer::from_words(data.p.exponent.span()), key["exponent_p"]);
    EXPECT_EQ(Integer::from_words(data.q.exponent.span()), key["exponent_q"]);
    EXPECT_EQ(Integer::from_words(data.p.factor.span()), key["factor_p"]);
    EXPECT_EQ(Integer::from_words(data.q.factor.span()), key["factor_q"]);
    peer_.emplace(pub(), key["h"]);
    own_.emplace(key_.data(), key["h"]);
    EXPECT_EQ(encrypted(*peer_, Integer(0), Integer(1)), key["hn"]);
  }
  void encryption(const Block& b) {
    EXPECT_EQ(encrypted(*peer_, b["m"], b["r"]), b["c"]);
    EXPECT_EQ(encrypted(*own_, b["m"], b["r"]), b["c"]);
    EXPECT_EQ(decrypted(decoded(b["c"])), b["m"]);
  }
  void addition(const Block& b) {
    const Ciphertexts c = add(decoded(b["a"]), decoded(b["b"]), one_).value();
    EXPECT_EQ(value_of(c), b["c"]);
    EXPECT_EQ(decrypted(c), b["m"]);
  }
  void multiplication(const Block& b) {
    const std::uint64_t weight = mpz_get_ui(b["weight"].raw());
    for (const std::size_t bits : {b["weight"].bits(), std::size_t{62}}) {
      const Ciphertexts c = multiply(decoded(b["a"]), Weight::create(weight, bits).value(), one_);
      EXPECT_EQ(value_of(c), b["c"]);
      EXPECT_EQ(decrypted(c), b["m"]);
    }
  }
  void iso(const Block& b) {
    for (const std::string i : {"0", "1"}) {
      // The standard's r^n is our (h^n)^1 with h = r.
      EXPECT_EQ(encrypted(PeerBase(pub(), b["r" + i]), b["m" + i], Integer(1)), b["c" + i]);
      EXPECT_EQ(decrypted(decoded(b["c" + i])), b["m" + i]);
    }
    const Ciphertexts sum = add(decoded(b["c0"]), decoded(b["c1"]), one_).value();
    EXPECT_EQ(value_of(sum), b["sum"]);
    EXPECT_EQ(decrypted(sum), b["m0"] + b["m1"]);
    EXPECT_TRUE(PublicKey::decode(pub().encode(), testing_keys::options(2048, KeyProfile::kStandard, Kernel::kGmp)));
  }

 private:
  [[nodiscard]] const PublicKey& pub() const { return key_.public_key(); }
  [[nodiscard]] Ciphertexts decoded(const Integer& c) {
    return Ciphertexts::decode(pub(), bytes_of(c, pub().ciphertext_bytes()), 1, one_).value();
  }
  [[nodiscard]] Integer decrypted(const Ciphertexts& c) {
    return Integer::from_words(decrypt(key_, c, one_).value().residue(0));
  }
  template <typename Base>
  [[nodiscard]] Integer encrypted(const Base& base, const Integer& m, const Integer& r) {
    Plaintexts plaintexts(pub(), 1);
    m.to_words(plaintexts.residue(0));
    const std::size_t words = (pub().exponent_bits() + 63) / 64;
    SecretWords exponents(internal::kLanes * words);
    r.to_words(exponents.span().first(words));
    if constexpr (std::is_same_v<Base, PeerBase>) {
      return Integer::from_bytes(base.make({.addend = &plaintexts}, 1, exponents, one_));
    } else {
      return Integer::from_bytes(base.encrypt(plaintexts, exponents, one_));
    }
  }

  PrivateKey key_;
  SerialExecutor one_;
  std::optional<PeerBase> peer_;
  std::optional<internal::OwnBase> own_;
};

TEST(KnownAnswers, EveryVectorOnEveryKernel) {
  const std::vector<Block> blocks = read_vectors();
  ASSERT_GT(blocks.size(), 100U);
  for (const Kernel kernel : testing_keys::kernels()) {
    SCOPED_TRACE(kernel_name(kernel));
    std::optional<Checker> checker;
    for (const Block& block : blocks) {
      if (block.kind == "iso") {
        Checker(block, kernel, 2048, KeyProfile::kStandard).iso(block);
      } else if (block.kind == "key") {
        const auto bits = static_cast<std::size_t>(mpz_get_ui(block["bits"].raw()));
        checker.emplace(block, kernel, bits, static_cast<KeyProfile>(mpz_get_ui(block["profile"].raw())));
        checker->derivation(block);
      } else if (block.kind == "encrypt") {
        checker->encryption(block);
      } else if (block.kind == "add") {
        checker->addition(block);
      } else if (block.kind == "multiply") {
        checker->multiplication(block);
      } else {
        FAIL() << block.kind;
      }
    }
  }
}

}  // namespace
}  // namespace ppdnmf::crypto
