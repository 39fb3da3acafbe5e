#include <ppdnmf/crypto/packing.h>

namespace ppdnmf::crypto {
namespace {

// The `bits` bits from bit `at` on.
std::uint64_t get_bits(std::span<const std::uint64_t> words, std::size_t at, std::size_t bits) {
  const std::size_t word = at / 64;
  const std::size_t shift = at % 64;
  std::uint64_t value = words[word] >> shift;
  if (shift + bits > 64) value |= words[word + 1] << (64 - shift);
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

// Writes `value` < 2^bits where zeros are.
void put_bits(std::span<std::uint64_t> words, std::size_t at, std::size_t bits, std::uint64_t value) {
  const std::size_t word = at / 64;
  const std::size_t shift = at % 64;
  words[word] |= value << shift;
  if (shift + bits > 64) words[word + 1] |= value >> (64 - shift);
}

}  // namespace

Result<Packing> Packing::create(std::size_t key_bits, std::size_t slot_bits) {
  if (slot_bits < 2 || slot_bits > 64) {
    return error(ErrorCode::kUsage, "a slot of {} bits: must have 2 to 64; change the bounds of values and weights",
                 slot_bits);
  }
  if (key_bits < 128 || key_bits % 64 != 0) {
    return error(ErrorCode::kUsage, "packing for a key of {} bits: must be a multiple of 64, at least 128", key_bits);
  }
  return Packing(key_bits, slot_bits);
}

Packing::Packing(std::size_t key_bits, std::size_t slot_bits)
    : key_bits_(key_bits), slot_bits_(slot_bits), slots_((key_bits - 2) / slot_bits), bias_(key_bits / 64) {
  for (std::size_t k = 0; k < slots_; ++k) {
    put_bits(bias_, k * slot_bits_, slot_bits_, std::uint64_t{1} << (slot_bits_ - 1));
  }
}

Status Packing::check_bits(const PublicKey& key) const {
  if (key.bits() == key_bits_) return {};
  return error(ErrorCode::kUsage, "packing for keys of {} bits was used with one of {}", key_bits_, key.bits());
}

Result<Plaintexts> Packing::pack(std::span<const std::int64_t> entries, const PublicKey& key) const {
  PPDNMF_TRY_STATUS(check_bits(key));
  const auto half = std::uint64_t{1} << (slot_bits_ - 1);
  Plaintexts out(key, plaintexts_for(entries.size()));
  for (std::size_t t = 0; t < out.size(); ++t) {
    const auto residue = out.residue(t);
    for (std::size_t k = 0; k < slots_; ++k) {
      const std::size_t i = t * slots_ + k;
      // v + 2^(w - 1) is in [1, 2^w) exactly if |v| < 2^(w - 1); unsigned, so that no v overflows.
      const std::uint64_t biased = half + static_cast<std::uint64_t>(i < entries.size() ? entries[i] : 0);
      if (biased == 0 || (slot_bits_ < 64 && (biased >> (slot_bits_ % 64)) != 0)) {
        return error(ErrorCode::kNumeric,
                     "entry {} does not fit a slot of {} bits; raise the bound of values or weights", i, slot_bits_);
      }
      put_bits(residue, k * slot_bits_, slot_bits_, biased);
    }
    PPDNMF_TRY_STATUS(out.subtract(t, bias_));
  }
  return out;
}

Result<std::vector<std::int64_t>> Packing::unpack(const Plaintexts& plaintexts, std::size_t count) const {
  PPDNMF_TRY_STATUS(check_bits(plaintexts.key()));
  if (plaintexts.size() != plaintexts_for(count)) {
    return error(ErrorCode::kUsage, "{} entries are in {} plaintexts of {} slots, not in {}", count,
                 plaintexts_for(count), slots_, plaintexts.size());
  }
  const auto half = std::uint64_t{1} << (slot_bits_ - 1);
  const std::size_t used = slots_ * slot_bits_;
  std::vector<std::int64_t> out;
  out.reserve(count);
  Plaintexts biased(plaintexts.key(), 1);
  for (std::size_t t = 0; t < plaintexts.size(); ++t) {
    const auto residue = biased.residue(0);
    std::copy(bias_.begin(), bias_.end(), residue.begin());
    PPDNMF_TRY_STATUS(biased.add(0, plaintexts.residue(t)));
    std::uint64_t above = 0;
    for (std::size_t bit = used; bit < key_bits_; ++bit) above |= get_bits(residue, bit, 1);
    if (above != 0) return error(ErrorCode::kPeer, "plaintext {} is not a packed vector", t);
    for (std::size_t k = 0; k < slots_; ++k) {
      const std::uint64_t slot = get_bits(residue, k * slot_bits_, slot_bits_);
      if (slot == 0) return error(ErrorCode::kPeer, "slot {} of plaintext {} is out of its bound", k, t);
      if (out.size() < count) out.push_back(static_cast<std::int64_t>(slot - half));
    }
  }
  return out;
}

}  // namespace ppdnmf::crypto
