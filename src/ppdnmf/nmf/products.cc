#include <ppdnmf/nmf/products.h>

#include <Eigen/Core>
#include <cstddef>

namespace ppdnmf::nmf {

void fix_product_blocking() {
  static const bool fixed = [] {
    constexpr std::ptrdiff_t kKibi = 1024;
    constexpr std::ptrdiff_t kLevel1 = 32 * kKibi;
    constexpr std::ptrdiff_t kLevel2 = 512 * kKibi;
    constexpr std::ptrdiff_t kLevel3 = 4096 * kKibi;
    Eigen::setCpuCacheSizes(kLevel1, kLevel2, kLevel3);
    return true;
  }();
  (void)fixed;
}

}  // namespace ppdnmf::nmf
