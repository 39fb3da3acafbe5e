// One holder's columns Z_i and their coordinates Y_i under a loss: what an iteration asks, and the state it leaves.
//
// No other room reaches into Z: it is lent to Y steps of this room alone. What leaves a holder is what stands here. All
// of the executor's threads work on one holder's leaves (data/leaves.h); their number changes no byte. Not safe to
// share between threads. Where the columns lie in several processes (data/far.h), what is virtual is done by these.
#ifndef PPDNMF_NMF_HOLDER_H_
#define PPDNMF_NMF_HOLDER_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/line_vector.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf {

namespace internal {
struct Bands;
}

class Holder {
 public:
  // The columns are nonnegative and finite (unchecked). The executor outlives it.
  explicit Holder(data::SharedColumns columns, Executor& executor = serial_executor(),
                  std::shared_ptr<const Loss> loss = loss_of({}));
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  Holder(Holder&&) = delete;
  Holder& operator=(Holder&&) = delete;
  virtual ~Holder() = default;

  [[nodiscard]] Index rows() const { return columns_->rows(); }
  [[nodiscard]] Index count() const { return columns_->count(); }
  [[nodiscard]] double entry_sum() const;                    // in units of the data
  [[nodiscard]] std::vector<double> column_totals() const;   // the same
  [[nodiscard]] std::vector<double> present_counts() const;  // how many columns have each row
  // Other columns of the same shape instead; before begin() (checked).
  virtual void enter(data::SharedColumns columns);
  [[nodiscard]] const std::shared_ptr<const Loss>& loss() const { return loss_; }
  [[nodiscard]] Executor& executor() const { return executor_; }

  // Once, before everything below: data are divided by `scale`, a power of two, and rank is that of X.
  virtual void begin(Index rank, double scale);
  [[nodiscard]] double squared_norm() const { return squared_norm_; }  // ||Z||²
  // What a descent over these columns alone knows before its first round; of several holders, row totals add up.
  [[nodiscard]] Common common() const;

  // The Y step of the descent: argmin over Y >= 0 of ||Z - X Y||, column by column, from where the last one ended; then
  // the moments. A column's y depends on that column and the requests alone, never on other columns.
  [[nodiscard]] virtual Moments answer(const DescentRequest& request);
  // An answer that nobody needs any more: the next one may be made in its memory. It changes nothing else.
  virtual void take_memory(Moments&& answer) { used_S_ = std::move(answer.S); }
  // The same Y step, then every column's part, bounded and rounded for itself, and added up exactly. The part of a
  // column depends on that column and the X's of all such steps alone. X has columns of length one or zero.
  // count() * bound / unit < 2^52 (checked).
  [[nodiscard]] virtual BoundedMoments bounded_answer(const Matrix& X, const Bounds& bounds);
  // The same in a span with orthonormal basis U, rows x rank: parts are (Uᵀz yᵀ, t_weight upper(y yᵀ)).
  [[nodiscard]] virtual BoundedMoments bounded_answer_in(const Matrix& U, const Matrix& X, const Bounds& bounds);
  // What the columns add to the one opening of Z Zᵀ: every column rounded for itself to multiples of 2^-bits, a little
  // shorter if its length in such steps would exceed 2^bits, and the sum of z zᵀ in units of 2^(-2 bits). A column's
  // part has norm at most 2^(2 bits), exactly, whatever the column is. 1 <= bits <= 20, count() < 2^(53 - 2 bits)
  // (checked). Needs begin() for its scale alone.
  [[nodiscard]] virtual RoundedSecondMoments rounded_second_moments(int bits);
  // Z Zᵀ of the scaled columns as they are, rows x rows: exact runs open the sum of these. Needs begin() for its scale
  // alone. The same bytes on any number of threads.
  [[nodiscard]] virtual Matrix second_moments() const;
  // The end of a descent: Y is the last answer's if it was accepted, else the one before. Should the descent go on
  // after all, its next request is one that takes back if the last answer was not accepted.
  virtual void settle(bool accepted);
  // How long the rows of Y are meant to be from now on (DescentRequest::gauge), until the next answer.
  virtual void take_gauge(std::vector<double> gauge) { gauge_ = std::move(gauge); }

  // Another holder of the same columns under the same loss, and one of the columns as they might have come out
  // (nmf/resample.h) under a loss of the same kind; nothing has begun for either.
  [[nodiscard]] virtual std::unique_ptr<Holder> again() const;
  [[nodiscard]] std::unique_ptr<Holder> resampled(const Seed& seed, std::shared_ptr<const Loss> loss) const;

  [[nodiscard]] virtual Matrix Y() const;  // rank x count, in units of the data; empty before the first answer
  // rows x rank, in X's units: what this holder's columns have beside X (LossOptions::site_effects), nobody else's
  // business; empty without such parts.
  [[nodiscard]] const Matrix& V() const { return V_; }
  [[nodiscard]] bool all_finite() const;
  // Whether every number is one that Y steps can have led to; false after loading damaged bytes.
  [[nodiscard]] virtual bool in_range() const;

  // Y and what the next Y step starts from; `load` goes into a Holder made from the same data after the same `begin`.
  virtual void save(ByteWriter& out) const;
  virtual void load(ByteReader& in);

 protected:
  // Of some leaves of a larger holder's columns, which are these branches of the tree over all of its leaves.
  Holder(data::SharedColumns columns, std::vector<data::Range> leaves, std::vector<data::Branch> branches,
         Executor& executor, std::shared_ptr<const Loss> loss);
  // begin(), answer() and bounded_answer() before their last step, the sum over leaves or branches. bounded_answer()
  // adds up parts exactly, so that `sum` is of all of them; its squared error is left out.
  struct BoundedBranches {
    std::vector<double> squared_errors;
    BoundedMoments sum;
  };
  [[nodiscard]] std::vector<double> begin_leaves(Index rank, double scale);
  [[nodiscard]] std::vector<Moments> answer_branches(const DescentRequest& request,
                                                     const PreparedX* prepared = nullptr);
  // Whether the last answer had a use for that, which the next one then has, too.
  [[nodiscard]] bool wants_prepared() const { return wants_prepared_; }
  [[nodiscard]] BoundedBranches bounded_branches(const Matrix& X, const Bounds& bounds, const Matrix* basis);
  // Adds the upper triangle of these columns' second moments.
  void add_second_moments(Matrix& G) const;

  // What save() saves where the holder has no part of its own.
  struct Coordinates {
    Matrix Y, before;
    double extrapolation = 0;
    std::vector<double> gauge, gauge_before;
  };
  [[nodiscard]] Coordinates coordinates() const { return {Y_, before_, extrapolation_, gauge_, gauge_before_}; }
  void take_coordinates(Coordinates taken);
  // For a holder whose columns are worked on elsewhere.
  void begun(Index rank, double scale, double squared_norm);
  [[nodiscard]] const data::SharedColumns& columns() const { return columns_; }
  [[nodiscard]] Index rank() const { return rank_; }

 private:
  friend class AdmmYStep;  // works on the same columns
  [[nodiscard]] Leaf leaf(const data::Range& range) const;
  void walk_without_zeros();
  void plan_rows();
  [[nodiscard]] Matrix sum_by_rows();
  [[nodiscard]] std::optional<Matrix> products_by_rows(const Matrix& X);
  [[nodiscard]] std::unique_ptr<LossAtX> loss_at(YStep step);
  [[nodiscard]] std::vector<Moments> solve(const YStep& step, Matrix& Y);  // of every branch
  [[nodiscard]] bool has_own_part() const;
  [[nodiscard]] Moments solve_with_own_part(const DescentRequest& request, const YStep& step, Matrix& Y);
  [[nodiscard]] BoundedMoments bounded_parts(const Matrix& X, const Bounds& bounds, const Matrix* basis);

  data::SharedColumns columns_;
  data::SharedColumns walked_;  // the same, without zeros if that is faster; from the first use on
  Executor& executor_;
  std::shared_ptr<const Loss> loss_;
  std::vector<data::Range> leaves_;
  std::vector<data::Branch> branches_;  // one, but in a part of a larger holder
  Index rank_ = 0;
  double scale_ = 1;
  std::vector<double> constants_;  // the loss's, of every column
  // Of every branch, smaller ones, and what is added to them level by level; kept for their memory alone.
  std::vector<std::vector<Moments>> parts_;
  std::vector<Moments> right_parts_;
  std::shared_ptr<const internal::Bands> bands_;  // of rows, if S is added up by them (nmf/internal/row_sums.h)
  internal::LineVector ys_;                       // what S is a sum of then
  internal::LineVector room_;                     // for X as products want it, if answers come back
  Matrix used_S_;                                 // of an answer that came back
  bool wants_prepared_ = false;
  double squared_norm_ = 0;
  Matrix Y_, before_;                         // empty before the first answer
  Matrix V_, V_before_;                       // empty without parts of the holder's own
  double extrapolation_ = 0;                  // of Y_, where the next sweeps begin
  std::vector<double> gauge_, gauge_before_;  // of Y_ and before_ (DescentRequest)
};

// A holder of these columns: where they lie, if that is in several processes (nmf/far_columns.h).
[[nodiscard]] std::unique_ptr<Holder> make_holder(data::SharedColumns columns, Executor& executor,
                                                  std::shared_ptr<const Loss> loss);
// A holder of a matrix of its own, and one whose columns are divided by their lengths (data/unit.h); Y comes in units
// of the data all the same.
[[nodiscard]] std::unique_ptr<Holder> dense_holder(Matrix Z);
[[nodiscard]] std::unique_ptr<Holder> unit_holder(Matrix Z, ColumnNorm norm);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_HOLDER_H_
