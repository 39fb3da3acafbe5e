// The compiler's 128-bit integers under names that -Wpedantic accepts.
#ifndef PPDNMF_BASE_INT128_H_
#define PPDNMF_BASE_INT128_H_

namespace ppdnmf {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_INT128_H_
