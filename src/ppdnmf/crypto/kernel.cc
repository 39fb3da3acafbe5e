#include <ppdnmf/crypto/kernel.h>

#include <cstdlib>

#include <ppdnmf/crypto/internal/ifma_lanes.h>

namespace ppdnmf::crypto {

bool ifma_available() {
#if defined(__x86_64__)
  return internal::ifma_functions() != nullptr && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512ifma") != 0;
#else
  return false;
#endif
}

Result<Kernel> choose_kernel(Kernel wanted) {
  if (wanted == Kernel::kAutomatic) {
    const char* setting = std::getenv("PPDNMF_KERNEL");
    const std::string_view name = setting == nullptr ? "" : setting;
    if (name == "gmp") return Kernel::kGmp;
    if (name == "ifma") return choose_kernel(Kernel::kIfma);
    if (!name.empty()) return error(ErrorCode::kUsage, "PPDNMF_KERNEL={}: must be gmp or ifma", name);
    return ifma_available() ? Kernel::kIfma : Kernel::kGmp;
  }
  if (wanted == Kernel::kIfma && !ifma_available()) {
    return error(ErrorCode::kUsage, "the ifma kernel needs a processor (and a build) with AVX-512 IFMA; use gmp");
  }
  return wanted;
}

std::string_view kernel_name(Kernel kernel) {
  switch (kernel) {
    case Kernel::kGmp:
      return "gmp";
    case Kernel::kIfma:
      return "ifma";
    case Kernel::kAutomatic:
      break;
  }
  return "automatic";
}

}  // namespace ppdnmf::crypto
