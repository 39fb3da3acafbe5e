// Keys and encrypted integers as Python holds them. Numbers are packed, many in one ciphertext (crypto/packing.h).
#ifndef PPDNMF_PYTHON_ENCRYPTED_H_
#define PPDNMF_PYTHON_ENCRYPTED_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "background.h"
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/paillier.h>

namespace ppdnmf::python {

// Somebody's public key with the tables for encrypting, which are made when they are first needed. Thread-safe.
class PublicSide {
 public:
  explicit PublicSide(crypto::PublicKey key) : key_(std::move(key)) {}
  [[nodiscard]] const crypto::PublicKey& key() const { return key_; }
  [[nodiscard]] const crypto::PeerEncryptor& encryptor() const;

 private:
  crypto::PublicKey key_;
  mutable std::once_flag once_;
  mutable std::optional<crypto::PeerEncryptor> encryptor_;
};

// Nothing of it can be printed, copied or pickled; what Python gets of the secret, it asks for by name.
class PrivateSide {
 public:
  explicit PrivateSide(crypto::PrivateKey key)
      : key_(std::move(key)), public_side_(std::make_shared<PublicSide>(key_.public_key())) {}
  [[nodiscard]] const crypto::PrivateKey& key() const { return key_; }
  [[nodiscard]] const std::shared_ptr<PublicSide>& public_side() const { return public_side_; }
  [[nodiscard]] const crypto::OwnEncryptor& encryptor() const;

 private:
  crypto::PrivateKey key_;
  std::shared_ptr<PublicSide> public_side_;
  mutable std::once_flag once_;
  mutable std::optional<crypto::OwnEncryptor> encryptor_;
};

// `count` signed numbers in slots of slot_bits bits. In batches, so that long work can be left in between.
struct Encrypted {
  std::shared_ptr<PublicSide> owner;
  std::size_t count = 0;
  std::size_t slot_bits = 0;
  std::vector<crypto::Ciphertexts> batches;
  Bytes fresh;  // the same as bytes, if they come straight from an encryption: only such bytes may be sent
};

// Seeded by the operating system; another one each time.
[[nodiscard]] Stream fresh_stream();

// All of these run without the interpreter's lock and may be left by Ctrl-C; `monitor` says so. The executor's threads
// are the caller's one.
[[nodiscard]] Result<std::shared_ptr<Encrypted>> encrypt_for_peer(const std::shared_ptr<PublicSide>& owner,
                                                                  const std::vector<std::int64_t>& values,
                                                                  std::size_t slot_bits, Monitor& monitor);
[[nodiscard]] Result<std::shared_ptr<Encrypted>> encrypt_own(const PrivateSide& owner,
                                                             const std::vector<std::int64_t>& values,
                                                             std::size_t slot_bits, Monitor& monitor);
[[nodiscard]] Result<std::vector<std::int64_t>> decrypt_all(const PrivateSide& owner, const Encrypted& encrypted,
                                                            Monitor& monitor);
[[nodiscard]] Result<std::shared_ptr<Encrypted>> add_encrypted(const Encrypted& a, const Encrypted& b);
// factor >= 1.
[[nodiscard]] Result<std::shared_ptr<Encrypted>> multiply_encrypted(const Encrypted& a, std::uint64_t factor,
                                                                    Monitor& monitor);
[[nodiscard]] std::shared_ptr<Encrypted> negate_encrypted(const Encrypted& a);
// Bytes that may be sent: with fresh randomness, unless they come straight from an encryption.
[[nodiscard]] Result<Bytes> sendable_bytes(const Encrypted& a, Monitor& monitor);
// Fails with kPeer unless the bytes are as many ciphertexts under the key as `count` numbers need.
[[nodiscard]] Result<std::shared_ptr<Encrypted>> from_bytes(const std::shared_ptr<PublicSide>& owner,
                                                            const Bytes& bytes, std::size_t count,
                                                            std::size_t slot_bits, Monitor& monitor);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_ENCRYPTED_H_
