#include "encrypted.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/negate.h>

namespace ppdnmf::python {
namespace {

constexpr std::size_t kBatch = 64;  // ciphertexts: a fraction of a second each way at 4096 bits
constexpr std::uint8_t kAnyPurpose = 1;

// Calls piece(first, count) for each batch of `total` ciphertexts until one fails or the caller has given up.
template <typename Piece>
Status in_batches(std::size_t total, Monitor& monitor, const Piece& piece) {
  for (std::size_t first = 0; first < total && !monitor.given_up(); first += kBatch) {
    PPDNMF_TRY_STATUS(piece(first, std::min(kBatch, total - first)));
  }
  return {};
}

std::shared_ptr<Encrypted> like(const Encrypted& a) {
  auto out = std::make_shared<Encrypted>();
  out->owner = a.owner;
  out->count = a.count;
  out->slot_bits = a.slot_bits;
  return out;
}

template <typename Encryptor>
Result<std::shared_ptr<Encrypted>> encrypt_with(const Encryptor& encryptor, const std::shared_ptr<PublicSide>& owner,
                                                const std::vector<std::int64_t>& values, std::size_t slot_bits,
                                                Monitor& monitor) {
  const crypto::PublicKey& key = owner->key();
  PPDNMF_TRY(const crypto::Packing packing, crypto::Packing::create(key.bits(), slot_bits));
  auto out = std::make_shared<Encrypted>();
  out->owner = owner;
  out->count = values.size();
  out->slot_bits = slot_bits;
  SerialExecutor executor;
  Stream randomness = fresh_stream();
  PPDNMF_TRY_STATUS(
      in_batches(packing.plaintexts_for(values.size()), monitor, [&](std::size_t first, std::size_t count) -> Status {
        const std::size_t begin = first * packing.slots();
        const std::size_t size = std::min(count * packing.slots(), values.size() - begin);
        PPDNMF_TRY(const crypto::Plaintexts plain, packing.pack(std::span(values).subspan(begin, size), key));
        PPDNMF_TRY(const crypto::SendableCiphertexts sendable, encryptor.encrypt(plain, randomness, executor));
        PPDNMF_TRY(crypto::Ciphertexts batch, crypto::Ciphertexts::decode(key, sendable.bytes(), count, executor));
        out->batches.push_back(std::move(batch));
        out->fresh.insert(out->fresh.end(), sendable.bytes().begin(), sendable.bytes().end());
        return {};
      }));
  return out;
}

}  // namespace

Stream fresh_stream() {
  std::array<std::uint8_t, Seed::kBytes> bytes{};
  PPDNMF_CHECK(getentropy(bytes.data(), bytes.size()) == 0);
  Stream stream(Seed::from_bytes(bytes), kAnyPurpose);
  crypto::wipe(bytes.data(), bytes.size());
  return stream;
}

const crypto::PeerEncryptor& PublicSide::encryptor() const {
  std::call_once(once_, [&] {
    Stream base = fresh_stream();
    encryptor_.emplace(key_, base);
  });
  return *encryptor_;
}

const crypto::OwnEncryptor& PrivateSide::encryptor() const {
  std::call_once(once_, [&] {
    Stream base = fresh_stream();
    encryptor_.emplace(key_, base);
  });
  return *encryptor_;
}

Result<std::shared_ptr<Encrypted>> encrypt_for_peer(const std::shared_ptr<PublicSide>& owner,
                                                    const std::vector<std::int64_t>& values, std::size_t slot_bits,
                                                    Monitor& monitor) {
  return encrypt_with(owner->encryptor(), owner, values, slot_bits, monitor);
}

Result<std::shared_ptr<Encrypted>> encrypt_own(const PrivateSide& owner, const std::vector<std::int64_t>& values,
                                               std::size_t slot_bits, Monitor& monitor) {
  return encrypt_with(owner.encryptor(), owner.public_side(), values, slot_bits, monitor);
}

Result<std::vector<std::int64_t>> decrypt_all(const PrivateSide& owner, const Encrypted& encrypted, Monitor& monitor) {
  if (!owner.key().public_key().same_as(encrypted.owner->key())) {
    return error(ErrorCode::kUsage, "the numbers were encrypted for another key");
  }
  PPDNMF_TRY(const crypto::Packing packing,
             crypto::Packing::create(owner.key().public_key().bits(), encrypted.slot_bits));
  std::vector<std::int64_t> values;
  values.reserve(encrypted.count);
  SerialExecutor executor;
  for (const crypto::Ciphertexts& batch : encrypted.batches) {
    if (monitor.given_up()) break;
    const std::size_t size = std::min(batch.size() * packing.slots(), encrypted.count - values.size());
    PPDNMF_TRY(const crypto::Plaintexts plain, crypto::decrypt(owner.key(), batch, executor));
    PPDNMF_TRY(const std::vector<std::int64_t> part, packing.unpack(plain, size));
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

Result<std::shared_ptr<Encrypted>> add_encrypted(const Encrypted& a, const Encrypted& b) {
  if (!a.owner->key().same_as(b.owner->key())) {
    return error(ErrorCode::kUsage, "numbers that were encrypted for different keys cannot be added");
  }
  if (a.count != b.count || a.slot_bits != b.slot_bits) {
    return error(ErrorCode::kUsage, "{} numbers in slots of {} bits cannot be added to {} in slots of {}", a.count,
                 a.slot_bits, b.count, b.slot_bits);
  }
  auto out = like(a);
  SerialExecutor executor;
  for (std::size_t i = 0; i < a.batches.size(); ++i) {
    PPDNMF_TRY(crypto::Ciphertexts total, crypto::add(a.batches[i], b.batches[i], executor));
    out->batches.push_back(std::move(total));
  }
  return out;
}

Result<std::shared_ptr<Encrypted>> multiply_encrypted(const Encrypted& a, std::uint64_t factor, Monitor& monitor) {
  // The factor is public here, so its length is, too.
  std::size_t bits = 1;
  while ((factor >> bits) != 0) ++bits;
  PPDNMF_TRY(const crypto::Weight weight, crypto::Weight::create(factor, bits));
  auto out = like(a);
  SerialExecutor executor;
  for (const crypto::Ciphertexts& batch : a.batches) {
    if (monitor.given_up()) break;
    out->batches.push_back(crypto::multiply(batch, weight, executor));
  }
  return out;
}

std::shared_ptr<Encrypted> negate_encrypted(const Encrypted& a) {
  auto out = like(a);
  for (const crypto::Ciphertexts& batch : a.batches) out->batches.push_back(crypto::negate(batch));
  return out;
}

Result<Bytes> sendable_bytes(const Encrypted& a, Monitor& monitor) {
  if (!a.fresh.empty()) return a.fresh;
  Bytes out;
  SerialExecutor executor;
  Stream randomness = fresh_stream();
  for (const crypto::Ciphertexts& batch : a.batches) {
    if (monitor.given_up()) break;
    PPDNMF_TRY(const crypto::SendableCiphertexts sendable,
               a.owner->encryptor().rerandomise(batch, randomness, executor));
    out.insert(out.end(), sendable.bytes().begin(), sendable.bytes().end());
  }
  return out;
}

Result<std::shared_ptr<Encrypted>> from_bytes(const std::shared_ptr<PublicSide>& owner, const Bytes& bytes,
                                              std::size_t count, std::size_t slot_bits, Monitor& monitor) {
  const crypto::PublicKey& key = owner->key();
  PPDNMF_TRY(const crypto::Packing packing, crypto::Packing::create(key.bits(), slot_bits));
  const std::size_t each = key.ciphertext_bytes();
  const std::size_t total = packing.plaintexts_for(count);
  if (bytes.size() / each != total || bytes.size() % each != 0) {
    return error(ErrorCode::kPeer, "{} bytes are not {} numbers in slots of {} bits", bytes.size(), count, slot_bits);
  }
  auto out = std::make_shared<Encrypted>();
  out->owner = owner;
  out->count = count;
  out->slot_bits = slot_bits;
  SerialExecutor executor;
  PPDNMF_TRY_STATUS(in_batches(total, monitor, [&](std::size_t first, std::size_t size) -> Status {
    PPDNMF_TRY(crypto::Ciphertexts batch,
               crypto::Ciphertexts::decode(key, ByteSpan(bytes).subspan(first * each, size * each), size, executor));
    out->batches.push_back(std::move(batch));
    return {};
  }));
  return out;
}

}  // namespace ppdnmf::python
