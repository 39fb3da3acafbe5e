// Real numbers as 128-bit words, so that sums are exact and depend on no order.
//
// A number v is the word round(v 2^64) modulo 2^128; a word above 2^127 stands for a negative number. Sums over N
// agents do not wrap around as long as every agent keeps N |v| 2^64 < 2^126.
#ifndef PPDNMF_PROTOCOL_WORDS_H_
#define PPDNMF_PROTOCOL_WORDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/int128.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::protocol {

using Word = UInt128;
using Words = std::vector<Word>;

// round(v 2^64) for every value, halves away from zero. Fails with kNumeric, naming the number and the bound, if one is
// not finite or agents * |v| * 2^64 >= 2^126. The executor lends its threads for long ones.
[[nodiscard]] Result<Words> to_words(std::span<const double> values, std::uint32_t agents,
                                     Executor& executor = serial_executor());
// The nearest double to the number that a word stands for.
[[nodiscard]] double from_word(Word word);
[[nodiscard]] std::vector<double> from_words(std::span<const Word> words, Executor& executor = serial_executor());

// A nonnegative number of any size up to 2^600, exactly but for what is below 2^-640, spread over kWideWords words of
// 64 bits each: for the one sum that is taken before anybody knows how large the numbers are.
inline constexpr std::size_t kWideWords = 20;
[[nodiscard]] Words to_wide_words(double value);
// Of a sum of such words over agents; words.size() == kWideWords (checked).
[[nodiscard]] double from_wide_words(std::span<const Word> words);

// Little-endian, 16 bytes each.
[[nodiscard]] Bytes to_bytes(std::span<const Word> words);
[[nodiscard]] ByteSpan bytes_of(std::span<const Word> words);  // the same where they lie
// Adds the words of these bytes to others, without a copy; bytes.size() is 16 words.size() (checked).
void add_words(ByteSpan bytes, std::span<Word> words);
// bytes.size() is a multiple of 16 (checked).
[[nodiscard]] Words words_of(ByteSpan bytes);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_WORDS_H_
