// Which modular arithmetic to use. Both kernels give the same residues to the bit.
#ifndef PPDNMF_CRYPTO_KERNEL_H_
#define PPDNMF_CRYPTO_KERNEL_H_

#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::crypto {

enum class Kernel {
  kAutomatic,  // what PPDNMF_KERNEL=gmp|ifma says, else the fastest that this processor can run
  kGmp,        // GMP's mpn functions; everywhere
  kIfma,       // eight residues at a time with AVX-512 IFMA
};

// kGmp or kIfma. Fails with kUsage if kIfma is asked for, by argument or environment, where the processor or the build
// lacks it, or if PPDNMF_KERNEL says something else.
[[nodiscard]] Result<Kernel> choose_kernel(Kernel wanted);
[[nodiscard]] bool ifma_available();
[[nodiscard]] std::string_view kernel_name(Kernel kernel);

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_KERNEL_H_
