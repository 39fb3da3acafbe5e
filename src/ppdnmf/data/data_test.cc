#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/data/unit.h>

namespace ppdnmf::data {
namespace {

Matrix random_matrix(std::uint64_t seed, Index rows, Index columns, double zeros = 0) {
  Stream stream(Seed::from_number(seed), 'T');
  Matrix m(rows, columns);
  for (Index t = 0; t < m.size(); ++t) {
    const double value = stream.uniform();
    m.data()[t] = stream.uniform() < zeros ? 0 : value;
  }
  return m;
}

// All columns, lent `step` at a time.
Matrix written_out(const Columns& columns, Index step) {
  Matrix out(columns.rows(), columns.count());
  Scratch scratch;
  std::vector<double> space;
  for (Index first = 0; first < columns.count(); first += step) {
    const Range range{first, std::min(step, columns.count() - first)};
    const Block block = columns.lend(range, scratch);
    EXPECT_EQ(block.rows, columns.rows());
    EXPECT_EQ(block.count, range.count);
    for (Index m = 0; m < range.count; ++m)
      out.col(first + m) = Eigen::Map<const Eigen::VectorXd>(dense_column(block, m, space), block.rows);
  }
  return out;
}

TEST(Dense, AViewLendsWhatLiesThereWithoutCopying) {
  const Matrix Z = random_matrix(1, 5, 20);
  const SharedColumns part = view(Z, {3, 11});
  EXPECT_EQ(part->rows(), 5);
  EXPECT_EQ(part->count(), 11);
  Scratch scratch;
  EXPECT_EQ(part->lend({2, 4}, scratch).values, Z.data() + Index{5} * 5);
  EXPECT_TRUE(scratch.values.empty());
  EXPECT_TRUE(written_out(*part, 4) == Z.middleCols(3, 11));
  EXPECT_TRUE(written_out(*own(Z), 7) == Z);
  const std::vector<SharedColumns> parts = split(Z, {1, 12, 7});
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_TRUE(written_out(*parts[1], 5) == Z.middleCols(1, 12));
}

TEST(Nonzeros, AreTheSameColumnsWhereTheyAreFew) {
  const Matrix Z = random_matrix(2, 40, 30, 0.9);
  const SharedColumns dense = view(Z);
  const SharedColumns sparse = without_zeros(dense);
  ASSERT_NE(sparse, dense);
  for (const Index step : {1, 7, 30}) EXPECT_TRUE(written_out(*sparse, step) == Z);
  Scratch scratch;
  const Block block = sparse->lend({4, 9}, scratch);
  EXPECT_FALSE(block.dense());
  EXPECT_EQ(block.entries_before(9), static_cast<std::size_t>((Z.middleCols(4, 9).array() != 0).count()));
  const Matrix many = random_matrix(3, 40, 30, 0.5);
  const SharedColumns stays = view(many);
  EXPECT_EQ(without_zeros(stays), stays);
}

TEST(UnitColumns, HaveLengthOneAndGiveUnitsBack) {
  for (const double zeros : {0.3, 0.9}) {
    Matrix Z = 1000 * random_matrix(4, 25, 30, zeros);
    Z.col(4).setZero();
    Z.col(5) *= 1e200;  // its square is not a number
    for (const ColumnNorm norm : {ColumnNorm::kL1, ColumnNorm::kL2}) {
      const SharedColumns unit = unit_columns(view(Z), norm);
      const Matrix lent = written_out(*unit, 7);
      for (Index m = 0; m < 30; ++m) {
        const double length = norm == ColumnNorm::kL1 ? lent.col(m).sum() : lent.col(m).norm();
        EXPECT_NEAR(length, Z.col(m).maxCoeff() > 0 ? 1 : 0, 1e-12);
      }
      Matrix Y = lent.topRows(3);
      unit->restore_units(Y);
      EXPECT_LT(
          (Y.array() / Z.topRows(3).array().max(1e-300) - (Z.topRows(3).array() > 0).cast<double>()).abs().maxCoeff(),
          1e-12);
      EXPECT_TRUE(written_out(*without_zeros(unit), 4) == lent);
      EXPECT_TRUE(written_out(*unit_columns(without_zeros(view(Z)), norm), 3) == lent);
    }
  }
}

// Whose columns stand where in a larger matrix must not matter: a member of a real run has a matrix of its own.
TEST(UnitColumns, DoNotDependOnWhereTheyLie) {
  for (const Index rows : {1, 2, 3, 7, 33}) {
    const Matrix Z = random_matrix(5, rows, 40);
    for (const ColumnNorm norm : {ColumnNorm::kL1, ColumnNorm::kL2}) {
      const Matrix part = written_out(*unit_columns(view(Z, {3, 20}), norm), 6);
      EXPECT_TRUE(part == written_out(*unit_columns(own(Z.middleCols(3, 20)), norm), 20)) << rows;
      // The order of their sums is that of Eigen's vectors.
      Matrix wanted = Z.middleCols(3, 20);
      for (Index m = 0; m < 20; ++m) {
        const Eigen::VectorXd z = wanted.col(m) / wanted.col(m).maxCoeff();
        wanted.col(m) = z / (norm == ColumnNorm::kL1 ? z.sum() : z.norm());
      }
      EXPECT_TRUE(part == wanted) << rows;
      // Nor may it matter how many come before: a private run's account says that one column more adds its own part.
      for (const Index before : {0, 2}) {
        const Matrix later = written_out(*unit_columns(own(Z.middleCols(before, 23 - before)), norm), 5);
        EXPECT_TRUE(part == later.rightCols(20)) << rows << " " << before;
      }
    }
  }
}

TEST(Leaves, FollowFromTheShapeAlone) {
  for (const auto& [rows, count, number] : {std::tuple<Index, Index, std::size_t>{361, 243, 1},
                                            {361, 2429, 4},
                                            {20000, 500, 8},
                                            {20000, 64, 1},
                                            {20000, 65, 2},
                                            {16384, 8192, 16},
                                            {1, 1, 1},
                                            {5, 0, 1},
                                            {1, 1 << 20, 8}}) {
    const std::vector<Range> parts = leaves(rows, count);
    EXPECT_EQ(parts.size(), number) << rows << " x " << count;
    Index first = 0;
    for (const Range& part : parts) {
      EXPECT_EQ(part.first, first);
      EXPECT_TRUE(part.first % kLeafUnit == 0 && (part.count > 0 || count == 0));
      first += part.count;
    }
    EXPECT_EQ(first, count);
  }
}

TEST(Leaves, AreAddedUpInOneOrder) {
  const auto joined = add_up(std::vector<std::string>{"a", "b", "c", "d"},
                             [](std::string& a, const std::string& b) { a = "(" + a + "+" + b + ")"; });
  EXPECT_EQ(joined, "((a+b)+(c+d))");
  EXPECT_EQ(add_up(std::vector<int>{7}, [](int& a, int b) { a += b; }), 7);
}

// The order that sums of one leaf always had.
TEST(Sums, AreEigensToTheBit) {
  for (const auto& [rows, count] :
       {std::pair<Index, Index>{1, 1}, {1, 2}, {3, 1}, {2, 2}, {7, 9}, {31, 33}, {700, 150}}) {
    const Matrix Z = random_matrix(6, rows, count, 0.85);
    ASSERT_EQ(leaves(rows, count).size(), 1U);
    EXPECT_EQ(entry_sum(*view(Z)), Z.sum()) << rows << " x " << count;
    EXPECT_EQ(squared_norm(*view(Z)), Z.squaredNorm());
    EXPECT_EQ(entry_sum(*without_zeros(view(Z))), Z.sum());
  }
  const Matrix large = random_matrix(7, 2000, 600);
  EXPECT_NEAR(entry_sum(*view(large)), large.sum(), 1e-13 * large.sum());
}

TEST(CheckFactorizable, LooksAtAllHolders) {
  const Matrix good = random_matrix(8, 6, 5);
  const auto refusal = [&](Matrix Z, Index rank) {
    const std::vector<SharedColumns> holders{view(good), own(std::move(Z))};
    const Status status = check_factorizable(holders, rank);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(refusal(good, 6), "");
  EXPECT_EQ(refusal(good, 7), "rank 7 is larger than the data allow: 6 rows and 10 columns give at most 6");
  EXPECT_EQ(refusal(good, 0), "the rank must be at least 1, not 0");
  Matrix bad = good;
  bad(2, 3) = -1;
  EXPECT_EQ(refusal(bad, 2), "the data hold a negative value");
  bad(0, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(bad, 2), "the data hold a value that is not a finite number");
  bad = good;
  bad(1, 1) = 1e141;
  EXPECT_NE(refusal(bad, 2).find("choose a unit"), std::string::npos);
  const Matrix nothing = Matrix::Zero(4, 3);
  const SharedColumns zeros = view(nothing);
  EXPECT_EQ(check_factorizable({&zeros, 1}, 1).error().message, "all entries are zero: there is nothing to factorise");
}

TEST(Leaves, AreMoreThanSixteenForShapesOfManyMachinesAlone) {
  EXPECT_EQ(leaves(1000, 100000).size(), 16U);
  EXPECT_EQ(leaves(Index{1} << 15, (Index{1} << 14) - 1).size(), 16U);
  EXPECT_EQ(leaves(Index{1} << 15, Index{1} << 14).size(), 32U);
  EXPECT_EQ(leaves(96, 10'000'000).size(), 32U);
  EXPECT_EQ(leaves(30'000, 10'000'000).size(), 256U);
  EXPECT_EQ(leaves(10'000'000, 600).size(), 8U);  // ten units
}

// Sums of doubles depend on their order: equal ones were added in the same.
TEST(Leaves, BranchesOfAnyCutAddUpToTheTreeToTheBit) {
  const auto add = [](double& a, double b) { a += b; };
  Stream stream(Seed::from_number(11), 'T');
  for (const std::size_t count : {1U, 2U, 8U, 16U}) {
    std::vector<double> leaves(count);
    for (double& leaf : leaves) leaf = stream.uniform();
    const double whole = add_up(leaves, add);
    for (std::size_t cut = 0; cut <= count; ++cut) {
      for (std::size_t second = cut; second <= count; ++second) {
        std::vector<Branch> branches;
        for (const auto& [first, end] : {std::pair{std::size_t{0}, cut}, {cut, second}, {second, count}}) {
          for (const Branch& branch : branches_of(first, end - first)) branches.push_back(branch);
        }
        std::vector<double> parts;
        for (const Branch& branch : branches) {
          const auto from = leaves.begin() + static_cast<std::ptrdiff_t>(branch.first);
          parts.push_back(add_up(std::vector<double>(from, from + static_cast<std::ptrdiff_t>(branch.count)), add));
        }
        EXPECT_EQ(add_up_branches(branches, parts, add), whole) << count << " leaves, cut at " << cut << ", " << second;
      }
    }
  }
}

}  // namespace
}  // namespace ppdnmf::data
