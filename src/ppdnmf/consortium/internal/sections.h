// The tables of a consortium file in which settings stand, in the order of the file.
#ifndef PPDNMF_CONSORTIUM_INTERNAL_SECTIONS_H_
#define PPDNMF_CONSORTIUM_INTERNAL_SECTIONS_H_

#include <array>
#include <string_view>

namespace ppdnmf::consortium::internal {

inline constexpr std::array<std::string_view, 4> kSections = {"data", "run", "encryption", "limits"};

}  // namespace ppdnmf::consortium::internal

#endif  // PPDNMF_CONSORTIUM_INTERNAL_SECTIONS_H_
