// The Y step under the Kullback-Leibler divergence on a leaf of columns, and what the columns add to the totals.
#ifndef PPDNMF_NMF_INTERNAL_DIVERGENCE_STEP_H_
#define PPDNMF_NMF_INTERNAL_DIVERGENCE_STEP_H_

#include <span>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf::internal {

// Entries of the upper triangle of a rank x rank matrix.
[[nodiscard]] constexpr Index triangle(Index rank) { return rank * (rank + 1) / 2; }

// The x > 0 that makes sum x + square x² / 2 - a log x smallest: a / sum where there is no square.
[[nodiscard]] double multiplicative(double a, double sum, double square);

// How the Y step of one request goes, with what all columns share; safe to share between threads.
struct DivergenceStep {
  DivergenceStep(const ColumnLanes& lanes, const YStep& step, Curvature curvature);

  const ColumnLanes& lanes;
  const Matrix& X;
  Effort effort;
  bool moments;
  Curvature curvature;
  Index rows, rank, groups;
  GroupedColumns grouped;
  Matrix padded;                  // X, its rows filled up with zeros to a multiple of kLanes
  std::vector<double> s;          // sums of X's columns
  Matrix gram;                    // X^T X
  Weights weights;                // of y
  std::vector<double> s_weighed;  // s with the linear weights
  double few;                     // as LossOptions::few
};

// One column after the other, by its nonzero entries: zeros are never touched, and how columns are kept changes no bit.
class DivergenceColumns {
 public:
  DivergenceColumns(const DivergenceStep& step, const Leaf& leaf);
  // As LossAtX::solve.
  void run(Matrix& Y, Moments& out);

 private:
  void take_column(const data::Block& block, Index m);
  void take_gaps(std::span<const int> missing);
  void take_entries(Index count, const int* at, const double* values);
  void pack();
  void solve(double* y);
  void begin_cold(double* y);
  [[nodiscard]] double value(const double* y);  // with r of y, and the penalties
  [[nodiscard]] double penalty(const double* y) const;
  [[nodiscard]] double squared_error(const double* y);
  void add_squares(const double* y, double& sum);
  void find_r(const double* y);
  [[nodiscard]] double charge(Index k, double y) const;
  [[nodiscard]] double charges(const double* y);
  void weigh_charges(const double* y);
  void multiply(double* y);
  void newton(double* y);
  [[nodiscard]] double descend(double* y, double before);
  void add_totals(const double* y);
  void take_totals(Moments& out) const;

  const DivergenceStep& step_;
  const Leaf& leaf_;
  double inverse_;  // 1 / scale
  // The column at work: its nonzero entries, how many, and filled up to a multiple of kLanes.
  Index count_ = 0, filled_ = 0;
  std::span<const int> missing_;       // rows that it lacks
  const double* s_weighed_ = nullptr;  // and with the weights of penalties, and what charges add to them
  const double* s_linear_ = nullptr;   // without these
  const double* s_ = nullptr;          // sums of X's columns over the rows that it has
  double sum_ = 0;                     // of the entries
  std::vector<int> at_;
  std::vector<double> z_, r_, once_, twice_;
  const double* P_ = nullptr;  // the rows of X that belong to the entries: columns, and grouped
  Index P_stride_ = 0;
  const double* A_ = nullptr;
  Index A_stride_ = 0;
  std::vector<double> P_own_, A_own_, weighed_;
  std::vector<double> has_, s_own_, s_weighed_own_, r_all_,
      ones_;  // of a column with gaps: ones where it has a row; X y
  std::vector<double> charged_, parts_;
  // Of the Newton steps.
  std::vector<double> q_, g_, d_, least_, floor_, H_, before_;
  // The leaf's totals, lanes over components.
  std::vector<double> y_, pairs_, S_, T_, common_, y_sum_;
  double divergence_ = 0, squared_error_ = 0;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_DIVERGENCE_STEP_H_
