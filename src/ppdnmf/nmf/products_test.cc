#include <ppdnmf/nmf/products.h>

#include <gtest/gtest.h>

#include <cstring>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

TEST(Products, CacheSizesAreTheFixedOnes) {
  fix_product_blocking();
  EXPECT_EQ(Eigen::l1CacheSize(), 32 * 1024);
  EXPECT_EQ(Eigen::l2CacheSize(), 512 * 1024);
  EXPECT_EQ(Eigen::l3CacheSize(), 4 * 1024 * 1024);
}

// Another block size rounds differently: the sizes are worth fixing.
TEST(Products, BitsDependOnTheBlocking) {
  fix_product_blocking();
  Stream stream = test_stream(1);
  const Matrix a = random_matrix(stream, 40, 3000);
  const Matrix b = random_matrix(stream, 3000, 40);
  const Matrix fixed = a * b;
  constexpr std::ptrdiff_t kKibi = 1024;
  Eigen::setCpuCacheSizes(8 * kKibi, 64 * kKibi, 128 * kKibi);
  const Matrix other = a * b;
  Eigen::setCpuCacheSizes(32 * kKibi, 512 * kKibi, 4096 * kKibi);
  const Matrix again = a * b;
  EXPECT_FALSE(fixed == other);
  EXPECT_TRUE(fixed == again);
  EXPECT_LE((fixed - other).norm(), 1e-12 * fixed.norm());
}

}  // namespace
}  // namespace ppdnmf::nmf
