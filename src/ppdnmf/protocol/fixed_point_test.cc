#include <ppdnmf/protocol/fixed_point.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ppdnmf::protocol {
namespace {

TEST(FixedPoint, RoundsHalvesAwayFromZeroInColumnMajorOrder) {
  Matrix U(2, 3);
  U << 0.25, 0.75, -1.25,  //
      -0.25, 0.2, 3;
  std::vector<std::int64_t> out(6);
  ASSERT_TRUE(quantise(U, 2, 4, out));
  EXPECT_EQ(out, (std::vector<std::int64_t>{1, -1, 2, 0, -3, 6}));
}

TEST(FixedPoint, TheBoundItselfFitsAndTheNextNumberDoesNot) {
  std::vector<std::int64_t> out(1);
  ASSERT_TRUE(quantise(Matrix::Constant(1, 1, 1024), 1'000'000, 1024, out));
  EXPECT_EQ(out[0], 1'024'000'000);
  ASSERT_TRUE(quantise(Matrix::Constant(1, 1, -1024), 1'000'000, 1024, out));
  EXPECT_EQ(out[0], -1'024'000'000);
  EXPECT_FALSE(quantise(Matrix::Constant(1, 1, std::nextafter(1024.0, 2000.0)), 1'000'000, 1024, out));
  EXPECT_FALSE(quantise(Matrix::Constant(1, 1, std::nextafter(-1024.0, -2000.0)), 1'000'000, 1024, out));
}

TEST(FixedPoint, TheMessageNamesEntryBoundAndOption) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {5000.0, -5000.0, 1e300, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    Matrix U = Matrix::Zero(3, 4);
    U(2, 1) = bad;
    std::vector<std::int64_t> out(12);
    const Status status = quantise(U, 10, 2048, out);
    ASSERT_FALSE(status) << bad;
    EXPECT_EQ(status.error().code, ErrorCode::kNumeric);
    for (const char* word : {"(3, 2)", "2048", "`u_bound`"}) {
      EXPECT_NE(status.error().message.find(word), std::string::npos) << status.error().message;
    }
  }
}

}  // namespace
}  // namespace ppdnmf::protocol
