// What leaves a holder of columns in an iteration, and what it is asked for.
#ifndef PPDNMF_NMF_MOMENTS_H_
#define PPDNMF_NMF_MOMENTS_H_

#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/data/unit.h>

namespace ppdnmf::nmf {

using data::ColumnNorm;

// What an X step needs to know of data. Sums over columns, so those of several holders add up. What S and T are is the
// loss's business (nmf/loss.h); here for squares.
struct Moments {
  Matrix S;                  // Z Yᵀ, rows x rank
  Matrix T;                  // Y Yᵀ, rank x rank, symmetric
  double squared_error = 0;  // ||Z - X Y||² of the last Y step's X and Y
  double divergence = 0;     // the generalised Kullback-Leibler one, under the Poisson loss only
  Matrix Y_sums{};           // sums of y and of y², rank x 2, where Y is penalised; else empty

  Moments& operator+=(const Moments& other);
};

// The sum of the parts of a holder's leaves, as data::add_up adds them up, to the bit; a power of two of them, all of
// one shape, which are left as scratch. `used`: for its memory, which S takes.
[[nodiscard]] Moments add_up_moments(std::vector<Moments>& parts, Executor& executor, Matrix used = {});

// What an iteration of the descent asks of every holder of columns (nmf/descent.h).
struct DescentRequest {
  Matrix X;  // solve Y for this X
  // With penalties, for every component: X's column times this, and Y's row divided by it, are the factors that are
  // meant (Loss::gauge). Empty: all ones.
  std::vector<double> gauge{};
  bool restart = false;       // begin with Y = 0: a new start
  bool take_back = false;     // the last answer's Y was not accepted: begin with the one before
  double extrapolation = 0;   // b, 0 to 1: S and T are those of max(Y + b (Y - Y_before), 0)
  bool measure_only = false;  // nobody looks at S and T: they may be left zero, or out
  bool thorough = false;      // with restart: as many sweeps as it takes, since this X's error is known already
  bool unhurried = false;     // a few cautious sweeps, for the first rounds of a start (Course::opening_rounds)
  bool own_parts = false;     // V may change (LossOptions::site_effects)
  bool few = false;           // what LossOptions::few adds is minimised, too
  Matrix shrink{};            // squares only: columns that lack entries have these rows of X, too, with zeros in them
};

// How a column's part in totals is bounded and rounded, for sums that noise is added to (docs/privacy.md). Public.
struct Bounds {
  double bound = 0;  // C: the largest norm of (z yᵀ, t_weight upper(y yᵀ)) of one column, or of one person's together
  double t_weight = 1;  // how much T counts beside S
  double unit = 0;      // a power of two: every entry of every column's part is rounded to a multiple of it
};

struct BoundedMoments {
  // S column after column, then t_weight times the upper triangle of T, column after column; multiples of the unit.
  std::vector<double> values;
  Index touched = 0;  // columns that were weighed down to the bound, and the smallest weight: nobody else's business
  double least_weight = 1;
  double squared_error = 0;  // ||Z - X Y||²: nobody else's business either

  BoundedMoments& operator+=(const BoundedMoments& other);  // exact
};

// Z Zᵀ of rounded columns (Holder::rounded_second_moments). The norm that is bounded counts entries off the diagonal
// twice, as they stand twice in Z Zᵀ: noise of variance s² on the diagonal and s²/2 off it covers a part of norm 1.
struct RoundedSecondMoments {
  std::vector<double> values;  // the upper triangle, column after column; integers, and all sums of them are exact
  Index shortened = 0;         // columns that were longer than one and had to be cut: nobody else's business
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_MOMENTS_H_
