#include "nmf/products.h"

#include <Eigen/Core>
#include <cstddef>

namespace ppdnmf {

void fix_product_blocking() {
  static const bool fixed = [] {
    constexpr std::ptrdiff_t kLevel1 = 32 * 1024;
    constexpr std::ptrdiff_t kLevel2 = 512 * 1024;
    constexpr std::ptrdiff_t kLevel3 = 4 * 1024 * 1024;
    Eigen::setCpuCacheSizes(kLevel1, kLevel2, kLevel3);
    return true;
  }();
  (void)fixed;
}

}  // namespace ppdnmf
