// What is minimised: how a column's y follows from X, what columns add to the totals, and how X follows from totals.
//
// A loss knows neither how columns are kept (data/columns.h) nor who holds them (nmf/holder.h) nor who adds totals up.
// Losses have no state and may be shared between threads.
#ifndef PPDNMF_NMF_LOSS_H_
#define PPDNMF_NMF_LOSS_H_

#include <cstdint>
#include <memory>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf {

// How exactly a Y step is solved.
enum class Effort : std::uint8_t {
  kUsual,        // from where the last one ended
  kFromNothing,  // from Y = 0
  kThorough,     // as long as it takes
  kBounded,      // for bounded parts: no column may depend on how many steps others took
};

// One Y step; the same for all columns.
struct YStep {
  const Matrix& X;  // outlives what is made of it
  Effort effort = Effort::kUsual;
  double extrapolation = 0;  // of Y in S and T, as in DescentRequest
  bool moments = true;       // whether S and T are wanted
};

// A piece of a holder's columns. Data are divided by `scale`, a power of two, in everything that comes out: columns
// are lent as they are, and dividing the products instead gives the same bits.
struct Leaf {
  const data::Columns& columns;
  data::Range range;
  double scale;
  const double* constants;  // Loss::constants of the range's columns
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

class Loss {
 public:
  Loss() = default;
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  Loss(Loss&&) = delete;
  Loss& operator=(Loss&&) = delete;
  virtual ~Loss() = default;

  // One number per column of the range that no X changes, such as ||z||² of the scaled column; into out[0], out[1], ...
  virtual void constants(const data::Columns& columns, const data::Range& range, double scale, double* out) const = 0;
  [[nodiscard]] virtual std::unique_ptr<LossAtX> at(const YStep& step) const = 0;
  // Every column's part in the totals for its y, bounded and rounded for itself, and added up exactly. `basis`: if not
  // null, an orthonormal basis U, and Uᵀz stands for z.
  [[nodiscard]] virtual BoundedMoments bounded(const Leaf& leaf, const Matrix& Y, const Bounds& bounds,
                                               const Matrix* basis) const = 0;

  // X becomes the next one: the minimiser for these totals, begun at X, as far as it is worth it.
  virtual void next_X(const Moments& totals, Matrix& X, Executor& executor) const = 0;
};

// ||Z - X Y||², by coordinate descent (docs/mathematics.md).
[[nodiscard]] const Loss& squares();

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LOSS_H_
