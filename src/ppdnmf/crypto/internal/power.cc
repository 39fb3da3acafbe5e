#include <ppdnmf/crypto/internal/power.h>

#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::crypto::internal {
namespace {

// The window that makes squares, products and table work together cheapest for an exponent of this length.
std::size_t window_for(std::size_t bits) {
  if (bits <= 48) return 2;
  if (bits <= 96) return 3;
  if (bits <= 320) return 4;
  return 5;
}

}  // namespace

std::uint64_t bits_at(std::span<const std::uint64_t> words, std::size_t at, std::size_t count) {
  const std::size_t word = at / 64;
  const std::size_t shift = at % 64;
  std::uint64_t value = word < words.size() ? words[word] >> shift : 0;
  if (shift + count > 64 && word + 1 < words.size()) value |= words[word + 1] << (64 - shift);
  return value & ((std::uint64_t{1} << count) - 1);
}

void power(const SquareRing& ring, std::uint64_t* out, const std::uint64_t* base, const SecretExponent& exponent) {
  PPDNMF_CHECK(exponent.bits > 0 && exponent.words.size() * 64 >= exponent.bits);
  const std::size_t window = window_for(exponent.bits);
  const std::size_t entries = std::size_t{1} << window;
  const std::size_t size = ring.words();
  SecretWords table(entries * size);
  ring.copy(table.data(), ring.one());
  ring.copy(table.data() + size, base);
  for (std::size_t e = 2; e < entries; ++e) {
    if (e % 2 == 0) {
      ring.square(table.data() + e * size, table.data() + e / 2 * size);
    } else {
      ring.multiply(table.data() + e * size, table.data() + (e - 1) * size, base);
    }
  }
  SecretWords chosen = ring.make_group();
  const std::size_t windows = (exponent.bits + window - 1) / window;
  ring.select_group(out, table.data(), entries, bits_at(exponent.words, (windows - 1) * window, window));
  for (std::size_t w = windows - 1; w-- > 0;) {
    for (std::size_t i = 0; i < window; ++i) ring.square(out, out);
    ring.select_group(chosen.data(), table.data(), entries, bits_at(exponent.words, w * window, window));
    ring.multiply(out, out, chosen.data());
  }
}

FixedBase::FixedBase(const SquareRing& ring, const Integer& base, std::size_t exponent_bits, std::size_t teeth)
    : ring_(ring),
      exponent_bits_(exponent_bits),
      teeth_(teeth),
      columns_((exponent_bits + teeth - 1) / teeth),
      table_count_((columns_ + kSpacing - 1) / kSpacing) {
  PPDNMF_CHECK(exponent_bits > 0 && teeth >= 4 && teeth <= 10);
  const std::size_t entries = std::size_t{1} << teeth;
  tables_ = SecretWords(table_count_ * ring.table_words(entries));
  // One chain of squares passes every base^(2^(i columns + j spacing)); tooth i of table j is that power.
  std::vector<Integer> powers(table_count_ * teeth);
  SecretWords chain = ring.make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) ring.load_value(chain.data(), lane, base);
  ring.enter(chain.data());
  for (std::size_t bit = 0; bit < columns_ * teeth; ++bit) {
    const std::size_t column = bit % columns_;
    if (column % kSpacing == 0) {
      powers[column / kSpacing * teeth + bit / columns_] = ring.store_value(chain.data(), 0);
    }
    ring.square(chain.data(), chain.data());
  }
  for (std::size_t j = 0; j < table_count_; ++j) fill_table(j, std::span(powers).subspan(j * teeth, teeth));
}

// Entry e of a table is the product of powers[i] over the bits i of e; `powers` are values in Montgomery form.
void FixedBase::fill_table(std::size_t table, std::span<const Integer> powers) {
  const std::size_t entries = std::size_t{1} << teeth_;
  const std::size_t size = ring_.words();
  std::uint64_t* to = tables_.data() + table * ring_.table_words(entries);
  SecretWords groups(entries / kLanes * size);
  // Entries 0..7 are in the lanes of the first group: tooth i multiplies the lanes whose number has bit i.
  ring_.copy(groups.data(), ring_.one());
  SecretWords factor = ring_.make_group();
  for (std::size_t i = 0; i < 3; ++i) {
    const Integer one = ring_.store_value(ring_.one(), 0);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      ring_.load_value(factor.data(), lane, ((lane >> i) & 1) != 0 ? powers[i] : one);
    }
    ring_.multiply(groups.data(), groups.data(), factor.data());
  }
  for (std::size_t i = 3; i < teeth_; ++i) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) ring_.load_value(factor.data(), lane, powers[i]);
    const std::size_t have = (std::size_t{1} << i) / kLanes;
    for (std::size_t g = 0; g < have; ++g) {
      ring_.multiply(groups.data() + (have + g) * size, groups.data() + g * size, factor.data());
    }
  }
  for (std::size_t g = 0; g < entries / kLanes; ++g) {
    ring_.put_entries(to, entries, g * kLanes, groups.data() + g * size);
  }
}

void FixedBase::find_indices(std::span<const std::uint64_t> exponents, std::size_t column,
                             std::span<LaneIndex> out) const {
  for (std::size_t i = 0; i < out.size() * kLanes; ++i) {
    const auto exponent = exponents.subspan(i * exponent_words(), exponent_words());
    std::uint64_t index = 0;
    for (std::size_t tooth = 0; tooth < teeth_; ++tooth) {
      index |= bits_at(exponent, tooth * columns_ + column, 1) << tooth;
    }
    out[i / kLanes].lane[i % kLanes] = index;
  }
}

void FixedBase::power(std::uint64_t* out, std::span<const std::uint64_t> exponents) const {
  const std::size_t groups = exponents.size() / (kLanes * exponent_words());
  PPDNMF_CHECK(groups > 0 && exponents.size() == groups * kLanes * exponent_words());
  const std::size_t entries = std::size_t{1} << teeth_;
  const std::size_t size = ring_.words();
  SecretWords chosen(groups * size);
  std::vector<LaneIndex> index(groups);
  bool started = false;
  for (std::size_t k = kSpacing; k-- > 0;) {
    for (std::size_t g = 0; started && g < groups; ++g) ring_.square(out + g * size, out + g * size);
    for (std::size_t j = 0; j < table_count_; ++j) {
      const std::size_t column = j * kSpacing + k;
      if (column >= columns_) continue;
      find_indices(exponents, column, index);
      const std::uint64_t* table = tables_.data() + j * ring_.table_words(entries);
      ring_.select_shared(started ? chosen.data() : out, table, entries, index);
      for (std::size_t g = 0; started && g < groups; ++g) {
        ring_.multiply(out + g * size, out + g * size, chosen.data() + g * size);
      }
      started = true;
    }
  }
  wipe(index.data(), index.size() * sizeof(LaneIndex));
}

}  // namespace ppdnmf::crypto::internal
