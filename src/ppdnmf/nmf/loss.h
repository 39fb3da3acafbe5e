// What is minimised: how a column's y follows from X, what columns add to the totals, and how X follows from totals.
//
// A loss knows neither how columns are kept (data/columns.h) nor who holds them (nmf/holder.h) nor who adds totals up.
// Losses have no state and may be shared between threads.
#ifndef PPDNMF_NMF_LOSS_H_
#define PPDNMF_NMF_LOSS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/line_vector.h>
#include <ppdnmf/nmf/loss_options.h>
#include <ppdnmf/nmf/moments.h>
#include <ppdnmf/nmf/prepared_x.h>

namespace ppdnmf::nmf {

// How exactly a Y step is solved.
enum class Effort : std::uint8_t {
  kUsual,        // from where the last one ended
  kFromNothing,  // from Y = 0
  kThorough,     // as long as it takes
  kBounded,      // for bounded parts: no column may depend on how many steps others took
  kUnhurried,    // a few cautious sweeps, in the first rounds of a start
};

// Weights of penalties on a factor, one of each for a component; empty: none.
struct Weights {
  std::vector<double> linear;
  std::vector<double> square;  // halves of squares are weighed

  [[nodiscard]] bool any() const { return !linear.empty(); }
};

// One Y step; the same for all columns.
struct YStep {
  const Matrix& X;  // outlives what is made of it
  Effort effort = Effort::kUsual;
  double extrapolation = 0;                // of Y in S and T, as in DescentRequest
  bool moments = true;                     // whether S and T are wanted
  Weights weights{};                       // of y, in units of the scaled data
  double few = 0;                          // as LossOptions::few; the Poisson loss only
  const Matrix* added = nullptr;           // squares only: rank x rank, and y' A y is added to each column's error
  Executor& executor = serial_executor();  // for what all leaves share; outlives what is made of this
  // Squares only, where leaves leave S out: XᵀX, if leaves come with Xᵀz of their columns.
  const Matrix* gram = nullptr;
  internal::LineVector* room = nullptr;  // squares only: memory for X as products want it; outlives the same
  const PreparedX* prepared = nullptr;   // squares only: X as products want it, if somebody has made it already
  const Matrix* shrink = nullptr;        // squares only: DescentRequest::shrink
};

// A piece of a holder's columns. Data are divided by `scale`, a power of two, in everything that comes out: columns
// are lent as they are, and dividing the products instead gives the same bits.
struct Leaf {
  const data::Columns& columns;
  data::Range range;
  double scale;
  const double* constants;  // Loss::constants of the range's columns
  // Where Loss::adds_S_by_rows, whoever has all leaves may want to add up S himself. It is left empty then, and the y's
  // that it is a sum of go to `ys`: for every column of the range rank numbers, and zeros that are there already up to
  // a multiple of eight. With YStep::gram, Xᵀz in units of the data stand there before.
  bool leaves_S = false;
  double* ys = nullptr;
};

// A loss with one X: what all leaves share is made once. Leaves may be worked on at the same time, from any thread.
class LossAtX {
 public:
  LossAtX() = default;
  LossAtX(const LossAtX&) = delete;
  LossAtX& operator=(const LossAtX&) = delete;
  LossAtX(LossAtX&&) = delete;
  LossAtX& operator=(LossAtX&&) = delete;
  virtual ~LossAtX() = default;

  // The y's of the leaf's columns, and what the columns add to the totals. Y: where the step begins, replaced by the
  // solution; before: Y of the iteration before; both rank x all of the holder's columns, of which only the leaf's are
  // touched. A column's y depends on that column alone. out: replaced; the memory it has is used again.
  virtual void solve(const Leaf& leaf, Matrix& Y, const Matrix& before, Moments& out) const = 0;
};

// How a descent goes under a loss (nmf/descent.h). The extrapolation b moves up a little with every accepted step and
// down after a rejected one, which also sets a limit that recovers slowly.
struct Course {
  int plain_steps = 4;     // so many rounds of a start go without extrapolation
  int opening_rounds = 0;  // and so many with an unhurried Y step; their X is always accepted
  double first_b = 0.5;
  double raised = 1.01;  // b = raised b + added, at most the limit
  double added = 0;
  double lowered = 2.0 / 3;
  double limit_raised = 1.005;
  double limit_part = 1;  // of the rejected b: the new limit, at least least_limit
  double least_limit = 0;
  double damped = 1;    // by this much the curvature is raised after a rejected step,
  double undamped = 1;  // and lowered after an accepted one, down to what it is
  // After a rejected step the accepted X is asked for again, with no extrapolation, since S and T are those of an
  // extrapolated Y. False: Y is never extrapolated; the totals of the accepted X are remembered, and Loss::safe_X
  // follows from them.
  bool repairs = true;
  int free_rounds = 0;    // so many rounds of a start know nothing of LossOptions::few; the X of the next is accepted
  int common_rounds = 0;  // so many rounds of a start go without parts of holders' own (LossOptions::site_effects)
};

// What everybody knows of all columns before the first round.
struct Common {
  double scale = 1;                // a power of two that data are divided by
  std::vector<double> row_totals;  // of the scaled columns, if the loss wants them
  std::vector<double> present{};   // the part of the columns that have each row, above 0; empty: all have all
  double columns = 0;              // how many there are; 0: nobody says
};

// What an X step knows beside the totals.
struct XStep {
  const Common& common;
  double damping = 1;  // by this much the curvature is raised, at least 1
  Weights weights{};   // of x; filled in by Loss
};

// How a loss treats what its options say beyond its kind is settled here, once for all losses; what a loss adds itself
// are the functions that end in `of`, and those that are pure.
class Loss {
 public:
  explicit Loss(const LossOptions& options) : options_(options) {}
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  Loss(Loss&&) = delete;
  Loss& operator=(Loss&&) = delete;
  virtual ~Loss() = default;

  [[nodiscard]] const LossOptions& options() const { return options_; }
  [[nodiscard]] LossKind kind() const { return options_.kind; }

  // One number per column of the range that no X changes, such as ||z||² of the scaled column; into out[0], out[1], ...
  virtual void constants(const data::Columns& columns, const data::Range& range, double scale, double* out) const = 0;
  [[nodiscard]] virtual std::unique_ptr<LossAtX> at(const YStep& step) const = 0;
  // Every column's part in the totals for its y, bounded and rounded for itself, and added up exactly. `basis`: if not
  // null, an orthonormal basis U, and Uᵀz stands for z.
  [[nodiscard]] virtual BoundedMoments bounded(const Leaf& leaf, const Matrix& Y, const Bounds& bounds,
                                               const Matrix* basis) const = 0;

  [[nodiscard]] virtual Course course() const { return {}; }
  // Whether S is Z Yᵀ and nothing else, for columns without gaps.
  [[nodiscard]] virtual bool adds_S_by_rows() const { return false; }
  // What a descent compares, for the totals of what was asked: the squared error, or the divergence, with twice the
  // penalty, or the penalty. Not negative.
  [[nodiscard]] double value(const Moments& totals, const DescentRequest& asked, const Common& common) const;
  // The penalties' part in what is minimised, half the squared error or the divergence, of the scaled data.
  [[nodiscard]] double penalty(const Moments& totals, const DescentRequest& asked, const Common& common) const;
  // To make a column of X longer and its row of Y shorter changes no product, only penalties: a descent works on
  // factors of any length, and the gauge says how long the ones that are meant are. It is the one with the smallest
  // penalty if both factors have one; if one alone has, the other's columns of X, or rows of Y over all columns, have
  // length one. Known columns keep their length. Empty without penalties.
  [[nodiscard]] std::vector<double> gauge(const Moments& totals, const Matrix& X, const Common& common) const;
  // The gauge that belongs to an answer: what was asked with, or with X alone penalised what Y's rows came to.
  [[nodiscard]] std::vector<double> met_gauge(const Moments& totals, const DescentRequest& asked,
                                              const Common& common) const;
  [[nodiscard]] std::vector<double> first_gauge(const Matrix& X) const;  // before any totals are known
  // X or Y as they are meant.
  [[nodiscard]] static Matrix shown_X(const Matrix& X, const std::vector<double>& gauge);
  static void show_Y(const std::vector<double>& gauge, Matrix& Y);
  [[nodiscard]] static bool possible_gauge(const std::vector<double>& gauge);  // false: of damaged bytes
  // Of the Y step for such a request. A start begins without penalties but for known columns: no gauge is known yet.
  [[nodiscard]] Weights y_weights(const DescentRequest& request, double scale) const;
  // Whether the totals have the loss's shape and can be sums over columns.
  [[nodiscard]] bool plausible(const Moments& totals, Index rows, Index rank,
                               Executor& executor = serial_executor()) const;

  // Totals as numbers that are added up over holders, and back; `measure`: without S and T.
  [[nodiscard]] std::size_t words(Index rows, Index rank, bool measure = false) const;
  [[nodiscard]] std::vector<double> to_numbers(const Moments& totals, bool measure) const;
  [[nodiscard]] Moments from_numbers(std::span<const double> numbers, Index rows, Index rank, bool measure) const;

  // Where a start begins, made of numbers from 0 to 1, known columns aside; row totals: if the loss asks for them and
  // the start is not a given one.
  [[nodiscard]] virtual bool wants_row_totals() const { return false; }
  [[nodiscard]] Matrix first_X(Matrix random, std::span<const double> row_totals) const;
  // X becomes the next one: the minimiser for these totals, begun at X, as far as it is worth it. The totals are X's.
  void next_X(const Moments& totals, const XStep& step, Matrix& X, Executor& executor) const;
  // X becomes one whose value is not larger, for the same Y. Only where the course does not repair.
  void safe_X(const Moments& totals, const XStep& step, Matrix& X) const;
  // X becomes step + b (step - last), within what the loss allows an X that comes from `from`.
  void further(const Matrix& step, const Matrix& last, const Matrix& from, double b, Matrix& X,
               Executor& executor) const;

 protected:
  [[nodiscard]] Index known() const { return options_.known; }

 private:
  [[nodiscard]] Penalties scaled_penalties(double scale) const;
  [[nodiscard]] Weights x_weights(const Moments& totals, const XStep& step, const Matrix& X) const;
  // Components that penalties have ended: they add next to nothing to X Y. Their columns of X become zero and stay it,
  // and holders' rows of Y follow. Left alone, a y without an x would keep a penalty that no step takes away, and under
  // the Poisson loss x would fall for ever while y's floor rises.
  [[nodiscard]] std::vector<Index> gone(const Moments& totals, const Matrix& X) const;
  [[nodiscard]] std::size_t further_words(Index rank) const;
  [[nodiscard]] virtual double value_of(const Moments& totals) const = 0;
  [[nodiscard]] virtual bool plausible_of(const Moments& totals, Index rows, Index rank, Executor& executor) const = 0;
  [[nodiscard]] virtual std::size_t words_of(Index rows, Index rank, bool measure) const = 0;
  [[nodiscard]] virtual std::vector<double> numbers_of(const Moments& totals, bool measure) const = 0;
  [[nodiscard]] virtual Moments moments_of(std::span<const double> numbers, Index rows, Index rank,
                                           bool measure) const = 0;
  // Known columns may be changed by these four: they are put back.
  virtual void first_X_of(Matrix& random, std::span<const double> row_totals) const;
  virtual void next_X_of(const Moments& totals, const XStep& step, Matrix& X, Executor& executor) const = 0;
  virtual void safe_X_of(const Moments& totals, const XStep& step, Matrix& X) const;
  virtual void further_of(const Matrix& from, Matrix& X) const;

  LossOptions options_;
};

// The loss of these options:
// - ||Z - X Y||², by coordinate descent (docs/mathematics.md);
// - the generalised Kullback-Leibler divergence (docs/mathematics.md). S and T are, row by row:
//   S  rank x (rows + 1): x_lk sum_j z y_k / r; in the last column the sums of y
//   T  full: rank (rank + 1) / 2 x rows: x_lk x_lk' sum_j z y_k y_k' / r², k' <= k
//      scaled: rank x (rows + rank): its diagonals; then sum_j y_k y_k' / (the column's sum)
[[nodiscard]] std::shared_ptr<const Loss> loss_of(const LossOptions& options);
// Full as long as its words are not too many: ranks up to 30, and at most 2^19 words.
[[nodiscard]] Curvature automatic_curvature(Index rows, Index rank);
// Rounds that suit a run of one start.
[[nodiscard]] int usual_rounds(LossKind kind, Curvature curvature);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LOSS_H_
