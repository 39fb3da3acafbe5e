#include <ppdnmf/protocol/words.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <ppdnmf/base/parts.h>

namespace ppdnmf::protocol {
namespace {

constexpr double kQuantum = 0x1p-64;
constexpr double kMax = 0x1p62;  // 2^126 quanta
constexpr int kWideFractionBits = 640;
constexpr std::size_t kPart = std::size_t{1} << 14;  // words that a thread converts at a time
constexpr int kWideBits = 64;  // of each wide word: sums over up to 2^62 agents do not wrap around

// A whole number below 2^127, which doubles with such exponents are; faster than the compiler's conversion, which
// expects any double.
Word to_word(double whole) {
  constexpr int kFractionBits = 52;
  constexpr int kBias = 1023;
  const auto bits = std::bit_cast<std::uint64_t>(whole);
  const int shift = static_cast<int>((bits >> kFractionBits) & 0x7FFU) - kBias - kFractionBits;
  if (shift < -kFractionBits) return 0;
  const std::uint64_t digits = (bits & ((std::uint64_t{1} << kFractionBits) - 1)) | (std::uint64_t{1} << kFractionBits);
  const Word size = shift < 0 ? Word{digits >> -shift} : Word{digits} << shift;
  return whole < 0 ? -size : size;
}

// The first of these that is not below the bound, or their number.
std::size_t convert(std::span<const double> values, double bound, Word* words) {
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (!(std::abs(values[t]) < bound)) return t;
    // Multiplying by a power of two is exact, and so is the conversion of a whole number.
    words[t] = to_word(std::round(values[t] / kQuantum));
  }
  return values.size();
}

}  // namespace

Result<Words> to_words(std::span<const double> values, std::uint32_t agents, Executor& executor) {
  const double bound = kMax / agents;
  Words words(values.size());
  std::vector<std::size_t> ends((values.size() + kPart - 1) / kPart);
  for_each_part(executor, values.size(), kPart, [&](std::size_t i, std::size_t first, std::size_t count) {
    ends[i] = first + convert(values.subspan(first, count), bound, words.data() + first);
  });
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t t = ends[i];
    if (t == std::min((i + 1) * kPart, values.size())) continue;
    return error(ErrorCode::kNumeric,
                 "number {} of a sum is {:g}, but a sum over {} agents takes numbers below {:g} only: the data have "
                 "entries that are too large beside the others",
                 t, values[t], agents, bound);
  }
  return words;
}

double from_word(Word word) { return static_cast<double>(static_cast<Int128>(word)) * kQuantum; }

std::vector<double> from_words(std::span<const Word> words, Executor& executor) {
  std::vector<double> values(words.size());
  for_each_part(executor, words.size(), kPart, [&](std::size_t, std::size_t first, std::size_t count) {
    std::transform(words.begin() + first, words.begin() + first + count, values.begin() + first, from_word);
  });
  return values;
}

Words to_wide_words(double value) {
  PPDNMF_CHECK(value >= 0 && value < 0x1p600);
  constexpr int kMantissaBits = 53;
  Words words(kWideWords);
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &exponent), kMantissaBits));
  const int shift = exponent - kMantissaBits + kWideFractionBits;
  if (mantissa == 0 || shift <= -kMantissaBits) return words;
  const Word bits = shift < 0 ? Word{mantissa >> -shift} : Word{mantissa} << (shift % kWideBits);
  const auto low = static_cast<std::size_t>(std::max(shift, 0) / kWideBits);
  words[low] = static_cast<std::uint64_t>(bits);
  words[low + 1] = bits >> kWideBits;
  return words;
}

double from_wide_words(std::span<const Word> words) {
  PPDNMF_CHECK(words.size() == kWideWords);
  double value = 0;
  for (std::size_t t = kWideWords; t-- > 0;) {
    value += std::ldexp(static_cast<double>(words[t]), kWideBits * static_cast<int>(t) - kWideFractionBits);
  }
  return value;
}

Bytes to_bytes(std::span<const Word> words) {
  Bytes bytes(words.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

ByteSpan bytes_of(std::span<const Word> words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()};
}

void add_words(ByteSpan bytes, std::span<Word> words) {
  PPDNMF_CHECK(bytes.size() == words.size_bytes());
  for (std::size_t t = 0; t < words.size(); ++t) {
    Word word = 0;
    std::memcpy(&word, bytes.data() + t * sizeof word, sizeof word);
    words[t] += word;
  }
}

Words words_of(ByteSpan bytes) {
  PPDNMF_CHECK(bytes.size() % sizeof(Word) == 0);
  Words words(bytes.size() / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace ppdnmf::protocol
