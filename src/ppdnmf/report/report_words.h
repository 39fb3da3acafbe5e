// Numbers as people read them.
#ifndef PPDNMF_REPORT_REPORT_WORDS_H_
#define PPDNMF_REPORT_REPORT_WORDS_H_

#include <cstdint>
#include <string>

namespace ppdnmf::report {

// Three significant digits, "not measured" for NaN.
[[nodiscard]] std::string short_number(double x);
// 0.0012 as "0.12 %", 1.07 as "107 %".
[[nodiscard]] std::string percent(double x);
// "1.3 kB", "24 MB": powers of 1000.
[[nodiscard]] std::string byte_size(std::uint64_t bytes);
// "0.21 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string duration(double seconds);
// "two" to "twelve", digits beyond.
[[nodiscard]] std::string count_word(int count);
// 1234567 as "1 234 567".
[[nodiscard]] std::string grouped(std::int64_t number);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_REPORT_WORDS_H_
