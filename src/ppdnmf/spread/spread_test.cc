#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/test_folder.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/far_executor.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/spread/loading.h>
#include <ppdnmf/spread/spread_executor.h>
#include <ppdnmf/spread/test_team.h>

namespace ppdnmf::spread {
namespace {

constexpr Index kRows = 128;
constexpr Index kColumns = 8400;  // eight leaves of 16 or 17 units, the last one shorter
constexpr Index kRank = 3;

// Counts, so that every sum's last bits matter only where products are added; `zeros` of them are zero.
Matrix counts(double zeros) {
  Stream stream(Seed::from_number(5), 'T');
  Matrix Z(kRows, kColumns);
  for (Index t = 0; t < Z.size(); ++t) {
    const double value = 10 * stream.uniform() + 0.1;
    Z.data()[t] = stream.uniform() < zeros ? 0 : value;
  }
  return Z;
}

class Spread : public io::FolderTest {
 protected:
  // The columns of Z in a file that a team reads.
  data::SharedColumns spread(TestTeam& team, const Matrix& Z) {
    const std::filesystem::path file = folder_ / "Z.npy";
    EXPECT_TRUE(io::write_npy(file, Z));
    auto loaded = load(team.crew(), {file.string()}, false);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded->table.far;
  }
};

struct Factors {
  Matrix X, Y;
  double error = 0;
  friend bool operator==(const Factors& a, const Factors& b) { return a.X == b.X && a.Y == b.Y && a.error == b.error; }
};

Factors factorize(const data::SharedColumns& columns, const nmf::FactorizeOptions& options, Executor& executor) {
  auto run = nmf::Factorization::create(columns, options, Seed::from_number(3), executor);
  EXPECT_TRUE(run) << run.error().message;
  while (!run->done()) EXPECT_TRUE(run->step());
  return {run->X(), run->Y(), run->relative_error()};
}

nmf::FactorizeOptions short_run() {
  nmf::FactorizeOptions options;
  options.rank = kRank;
  options.iterations = 7;
  options.tolerance = 0;
  return options;
}

// Of one process, and of one to five, on one machine and on several.
void expect_same_factors(const Matrix& Z, const nmf::FactorizeOptions& options,
                         const std::function<data::SharedColumns(TestTeam&)>& spread,
                         const std::function<data::SharedColumns(data::SharedColumns)>& changed) {
  const Factors one = factorize(changed(data::view(Z)), options, serial_executor());
  for (const int processes : {1, 2, 3, 4, 5}) {
    for (const bool one_machine : {false, true}) {
      TestTeam team(processes, processes == 2 ? 2 : 1, "1", one_machine);
      EXPECT_TRUE(factorize(changed(spread(team)), options, team.executor()) == one)
          << processes << " processes" << (one_machine ? " of one machine" : "");
    }
  }
}

data::SharedColumns as_they_are(data::SharedColumns columns) { return columns; }

TEST_F(Spread, AnyNumberOfProcessesHasTheBytesOfOne) {
  for (const double zeros : {0.3, 0.95}) {
    const Matrix Z = counts(zeros);
    expect_same_factors(
        Z, short_run(), [&](TestTeam& team) { return spread(team, Z); }, as_they_are);
  }
}

TEST_F(Spread, SoItHasUnderThePoissonLossAndWithPenaltiesAndStarts) {
  const Matrix Z = counts(0.5);
  const auto of_team = [&](TestTeam& team) { return spread(team, Z); };
  nmf::FactorizeOptions options = short_run();
  options.loss = nmf::LossKind::kPoisson;
  expect_same_factors(Z, options, of_team, as_they_are);
  options = short_run();
  options.penalties = {0, 0.1, 0.2, 0};
  options.starts = 2;
  expect_same_factors(Z, options, of_team, as_they_are);
}

TEST_F(Spread, SoItHasOfColumnsThatWereNormalisedOrCapped) {
  const Matrix Z = counts(0.5);
  const auto of_team = [&](TestTeam& team) { return spread(team, Z); };
  expect_same_factors(Z, short_run(), of_team, [](data::SharedColumns columns) {
    return data::unit_columns(std::move(columns), data::ColumnNorm::kL2);
  });
  expect_same_factors(Z, short_run(), of_team, [](data::SharedColumns columns) {
    const double cap = *data::cap_of({&columns, 1}, 0.5);
    return data::capped_columns(std::move(columns), cap);
  });
}

TEST_F(Spread, WhatIsAsLongAsXDoesNotTravelInsideAMachine) {
  constexpr Index kTall = 4200;
  const Matrix Z = counts(0.5).reshaped(kTall, kRows * kColumns / kTall);
  const std::size_t of_X = kTall * kRank * sizeof(double);
  const auto longest = [&](bool one_machine) {
    TestTeam team(3, 1, "1", one_machine);
    const auto columns = spread(team, Z);
    auto run = nmf::Factorization::create(columns, short_run(), Seed::from_number(3), team.executor());
    EXPECT_TRUE(run) << run.error().message;
    while (!run->done()) EXPECT_TRUE(run->step());
    return team.longest_message();
  };
  EXPECT_GE(longest(false), of_X);
  EXPECT_LT(longest(true), of_X / 4);
}

// Tall enough that processes share its rows in X steps.
TEST_F(Spread, RowsOfXAreTheSameWhoeverDescendsThem) {
  constexpr Index kTall = 3 * nmf::kRowsTogether + 100;
  constexpr Index kOfX = 40;
  Stream stream(Seed::from_number(8), 'T');
  const auto draw = [&](Index rows, Index columns) {
    Matrix out(rows, columns);
    for (Index t = 0; t < out.size(); ++t) out.data()[t] = stream.uniform();
    return out;
  };
  const Matrix Y = draw(kOfX, 90);
  const Matrix S = draw(kTall, 90) * Y.transpose();
  const Matrix T = Y * Y.transpose();
  const Matrix X = draw(kTall, kOfX);
  Matrix wanted = X;
  nmf::descend_rows_here({T, S, 100, 1e-2, 1}, wanted, serial_executor());
  for (const int processes : {2, 3, 5}) {
    TestTeam team(processes);
    SpreadExecutor executor(team.executor(), team.crew());
    Matrix found = X;
    EXPECT_TRUE(executor.descend_rows({T, S, 100, 1e-2, 1}, found)) << "it was not worth the way";
    EXPECT_TRUE(found == wanted) << processes << " processes";
    EXPECT_TRUE(found.col(0) == X.col(0));
  }
}

TEST_F(Spread, MoreProcessesThanLeavesAreNoMistake) {
  const Matrix Z = counts(0.2).leftCols(100);
  expect_same_factors(
      Z, short_run(), [&](TestTeam& team) { return spread(team, Z); }, as_they_are);
}

TEST_F(Spread, AStateThatWasSavedByThreeIsGoneOnWithByTwoAndByOne) {
  const Matrix Z = counts(0.4);
  const Factors whole = factorize(data::view(Z), short_run(), serial_executor());
  Bytes state;
  {
    TestTeam team(3);
    auto run = nmf::Factorization::create(spread(team, Z), short_run(), Seed::from_number(3), team.executor());
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(run->step());
    state = run->save();
  }
  auto one = nmf::Factorization::create(data::view(Z), short_run(), Seed::from_number(3));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(one->step());
  EXPECT_TRUE(state == one->save()) << "the state is that of one process";
  TestTeam team(2);
  auto run = nmf::Factorization::create(spread(team, Z), short_run(), Seed::from_number(3), team.executor());
  ASSERT_TRUE(run->load(state));
  while (!run->done()) EXPECT_TRUE(run->step());
  EXPECT_TRUE(run->X() == whole.X && run->Y() == whole.Y);
  auto damaged = nmf::Factorization::create(spread(team, Z), short_run(), Seed::from_number(3), team.executor());
  state.resize(state.size() - 8);
  EXPECT_FALSE(damaged->load(state));
}

TEST_F(Spread, WhatPrivateRunsAskIsTheSame) {
  const Matrix Z = counts(0.4);
  const data::SharedColumns unit = data::unit_columns(data::view(Z), data::ColumnNorm::kL2);
  const Matrix X = Matrix::Identity(kRows, kRank);
  const nmf::Bounds bounds{1, 1, 0x1p-20};
  nmf::Holder one(unit);
  one.begin(kRank, 1);
  const nmf::BoundedMoments bounded = one.bounded_answer(X, bounds);
  const nmf::BoundedMoments again = one.bounded_answer_in(X, X, bounds);
  for (const int processes : {1, 3}) {
    TestTeam team(processes);
    const data::SharedColumns columns = data::unit_columns(spread(team, Z), data::ColumnNorm::kL2);
    const auto holder = nmf::make_holder(columns, team.executor(), nmf::loss_of({}));
    holder->begin(kRank, 1);
    EXPECT_EQ(holder->squared_norm(), one.squared_norm());
    const nmf::BoundedMoments there = holder->bounded_answer(X, bounds);
    EXPECT_EQ(there.values, bounded.values);
    EXPECT_EQ(there.squared_error, bounded.squared_error);
    EXPECT_EQ(there.touched, bounded.touched);
    EXPECT_EQ(there.least_weight, bounded.least_weight);
    EXPECT_EQ(holder->bounded_answer_in(X, X, bounds).values, again.values);
    EXPECT_EQ(holder->rounded_second_moments(10).values, one.rounded_second_moments(10).values);
    EXPECT_TRUE(holder->second_moments() == one.second_moments());
    EXPECT_TRUE(holder->Y() == one.Y());
    EXPECT_TRUE(holder->again()->count() == kColumns);
  }
}

TEST_F(Spread, SumsAndErrorsAreTheSameAndColumnsCanBeLent) {
  const Matrix Z = counts(0.4);
  const data::SharedColumns here = data::view(Z);
  const Matrix X = Z.leftCols(kRank);
  TestTeam team(3);
  const data::SharedColumns there = spread(team, Z);
  EXPECT_EQ(data::entry_sum(*there), data::entry_sum(*here));
  EXPECT_EQ(data::squared_norm(*there), data::squared_norm(*here));
  EXPECT_EQ(data::row_totals(*there, 2), data::row_totals(*here, 2));
  EXPECT_EQ(data::column_totals(*there), data::column_totals(*here));
  EXPECT_EQ(nmf::best_error(X, *there), nmf::best_error(X, *here));
  EXPECT_TRUE(data::check_factorizable({&there, 1}, kRank));
  EXPECT_TRUE(data::dense_of(*there) == Z);
  Matrix Y = Matrix::Ones(kRank, kColumns);
  Matrix same = Y;
  data::unit_columns(there, data::ColumnNorm::kL1)->restore_units(Y);
  data::unit_columns(here, data::ColumnNorm::kL1)->restore_units(same);
  EXPECT_TRUE(Y == same);
}

TEST_F(Spread, TheDigestIsOfTheColumnsAndNotOfWhoHasThem) {
  const Matrix Z = counts(0.4);
  std::optional<Digest> first;
  for (const int processes : {1, 2, 3}) {
    TestTeam team(processes);
    const Digest digest = data::as_far(*spread(team, Z))->far_digest();
    EXPECT_EQ(digest, first.value_or(digest));
    first = digest;
  }
  Matrix other = Z;
  other(5, 700) += 1;
  TestTeam team(2);
  EXPECT_NE(data::as_far(*spread(team, other))->far_digest(), *first);
}

TEST_F(Spread, PartsOfAMatrixInFilesAreTheMatrix) {
  const Matrix Z = counts(0.4);
  Index first = 0;
  for (int part = 1; part <= 11; ++part) {  // no border of files is one of leaves
    const Index end = kColumns * part / 11;
    EXPECT_TRUE(io::write_npy(folder_ / ("part-" + std::to_string(part) + ".npy"), Z.middleCols(first, end - first)));
    first = end;
  }
  TestTeam team(3);
  const auto loaded = load(team.crew(), {(folder_ / "part-*.npy").string()}, false);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->file_columns.size(), 11U);
  EXPECT_TRUE(data::dense_of(*loaded->table.view()) == Z);
}

TEST_F(Spread, BadFilesAreASentenceThatSaysWhere) {
  Matrix Z = counts(0.4);
  TestTeam team(3);
  const auto message = [&](const std::vector<std::string>& files) {
    std::vector<std::string> paths;
    paths.reserve(files.size());
    for (const std::string& file : files) paths.push_back((folder_ / file).string());
    const auto loaded = load(team.crew(), paths, false);
    return loaded ? std::string() : loaded.error().message;
  };
  EXPECT_TRUE(io::write_npy(folder_ / "a.npy", Z));
  EXPECT_TRUE(io::write_npy(folder_ / "b.npy", Z.topRows(7)));
  EXPECT_THAT(message({"a.npy", "b.npy"}), ::testing::HasSubstr("128 rows and"));
  EXPECT_THAT(message({"none-*.npy"}), ::testing::HasSubstr("no such file"));
  Z(3, 6000) = -1;
  EXPECT_TRUE(io::write_npy(folder_ / "c.npy", Z));
  EXPECT_THAT(message({"c.npy"}), ::testing::HasSubstr("from column 5249 on: 1 entry is negative, the first at row 4, "
                                                       "column 753"));
  EXPECT_EQ(message({"a.npy"}), "") << "processes go on after a failure";
}

TEST_F(Spread, ProcessesOfTwoVersionsDoNotWorkTogether) {
  TestTeam same(2);
  EXPECT_TRUE(same.crew().greet());
  TestTeam other(2, 1, "2");
  const Status greeted = other.crew().greet();
  ASSERT_FALSE(greeted);
  EXPECT_THAT(greeted.error().message, ::testing::HasSubstr("process 1 is ppdnmf 2"));
}

}  // namespace
}  // namespace ppdnmf::spread
