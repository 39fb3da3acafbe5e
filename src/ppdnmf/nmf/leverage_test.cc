#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/nmf/leverage.h>

namespace ppdnmf::nmf {
namespace {

Matrix made(Index rows, Index columns, Index rank, double noise) {
  Stream stream(Seed::from_number(4), 'z');
  const auto draw = [&](Index r, Index c) {
    Matrix out(r, c);
    for (Index t = 0; t < out.size(); ++t) out.data()[t] = stream.uniform();
    return out;
  };
  const Matrix X = draw(rows, rank);
  const Matrix Y = draw(rank, columns);
  return X * Y + noise * draw(rows, columns);
}

// By the right singular vectors.
Eigen::VectorXd written_out(const Matrix& Z, Index directions) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Z, Eigen::ComputeThinV);
  return svd.matrixV().leftCols(directions).rowwise().squaredNorm();
}

double largest_difference(const std::vector<double>& parts, const Eigen::VectorXd& wanted) {
  return (Eigen::Map<const Eigen::VectorXd>(parts.data(), static_cast<Index>(parts.size())) - wanted)
      .cwiseAbs()
      .maxCoeff();
}

TEST(Leverage, IsTheSquareOfTheRightSingularVectors) {
  const Matrix Z = made(12, 40, 3, 0.3);
  for (const Index directions : {1, 3, 5, 12})
    EXPECT_LT(largest_difference(leverages(*data::view(Z), directions), written_out(Z, directions)), 1e-9);
}

TEST(Leverage, OfManyRowsIsFoundToAHundredth) {
  const Matrix Z = made(300, 60, 4, 0.3);
  EXPECT_LT(largest_difference(leverages(*data::view(Z), 4), written_out(Z, 4)), 0.01);
}

TEST(Leverage, IsOneForAColumnLikeNoOtherHoweverSmallItIs) {
  Matrix Z = made(12, 40, 2, 0);
  Z.topRows(2).setZero();
  Z.col(7).setZero();
  Z(0, 7) = 0.1 * Z.col(8).norm();
  const std::vector<double> parts = leverages(*data::view(Z), 3);
  EXPECT_NEAR(parts[7], 1, 1e-9);
  EXPECT_LT(parts[8], 0.5);
  EXPECT_LT(leverages(*data::view(Z), 2)[7], 1e-9) << "no component is left for it";
}

// Never said of columns of which one leads, wherever it lies; and said where they are much alike.
TEST(Leverage, SomeColumnsShowThatNoneOfManyLeads) {
  for (const Index rows : {20, 300}) {
    const Matrix Z = made(rows, 4500, 2, 0.3);
    EXPECT_TRUE(surely_none_leads(*data::view(Z), 3, 0.5));
    const data::Nonzeros nonzeros = data::nonzeros_of(*data::view(Z));
    EXPECT_TRUE(surely_none_leads(*data::view(nonzeros), 3, 0.5));
    EXPECT_FALSE(surely_none_leads(*data::view(Z, {0, 4000}), 3, 0.5)) << "few columns";
    for (const Index place : {0, 1000, 4499}) {
      Matrix with = Z;
      with.col(place).setZero();
      with(7, place) = 1.5 * Z.row(7).norm();
      ASSERT_GT(leverages(*data::view(with), 3)[static_cast<std::size_t>(place)], 0.5);
      EXPECT_FALSE(surely_none_leads(*data::view(with), 3, 0.5)) << place;
    }
    const Matrix exact = made(rows, 4500, 2, 0);
    EXPECT_FALSE(surely_none_leads(*data::view(exact), 3, 0.5)) << "any column might have the third direction";
  }
}

// Weyl: more columns make no direction lead that did not, and take nothing away from those that do.
TEST(Leverage, IsNotRaisedByWhatOthersHave) {
  const Matrix Z = made(12, 40, 3, 0.3);
  Matrix all(12, 100);
  all << Z, made(12, 100, 5, 0.1).rightCols(60);
  const std::vector<double> own = leverages(*data::view(Z), 4);
  const std::vector<double> among = leverages(*data::view(all), 4);
  EXPECT_LT(*std::max_element(among.begin(), among.begin() + 40), *std::max_element(own.begin(), own.end()));
}

TEST(Leverage, OfNonzeroEntriesHasTheSameBytes) {
  for (const Index rows : {20, 280}) {
    Matrix Z = made(rows, 50, 3, 0.3);
    for (Index t = 0; t < Z.size(); t += 3) Z.data()[t] = 0;
    const data::SharedColumns dense = data::view(Z);
    EXPECT_EQ(leverages(*dense, 4), leverages(*data::own(data::nonzeros_of(*dense)), 4));
  }
}

TEST(Leverage, OfNothingIsNothing) {
  EXPECT_EQ(leverages(*data::own(Matrix::Zero(3, 2)), 2), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace ppdnmf::nmf
