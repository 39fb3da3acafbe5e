// The compiler's 128-bit integer under a name that -Wpedantic accepts.
#ifndef PPDNMF_BASE_INT128_H_
#define PPDNMF_BASE_INT128_H_

namespace ppdnmf {

__extension__ using Int128 = __int128;

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_INT128_H_
