#include <ppdnmf/protocol/own_comparison.h>

#include <gtest/gtest.h>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::protocol {
namespace {

Matrix start_of(int number) {
  Stream stream = nmf::test_stream(50 + static_cast<std::uint64_t>(number));
  return nmf::random_matrix(stream, 10, 2);
}

TEST(OwnComparison, APlantedXStandsOut) {
  Stream stream = nmf::test_stream(1);
  const Matrix true_X = nmf::random_matrix(stream, 10, 2);
  Matrix Z = true_X * nmf::random_matrix(stream, 2, 40) + 0.05 * nmf::random_matrix(stream, 10, 40);
  const data::SharedColumns columns = data::own(std::move(Z));
  const auto honest = error_beside_own(columns, true_X, start_of);
  ASSERT_TRUE(honest);
  EXPECT_LT(*honest, 2);
  const auto planted = error_beside_own(columns, nmf::random_matrix(stream, 10, 2), start_of);
  ASSERT_TRUE(planted);
  EXPECT_GT(*planted, 4);
  EXPECT_NE(own_comparison_note(8.7).find("is 8.70 times"), std::string::npos);
}

}  // namespace
}  // namespace ppdnmf::protocol
