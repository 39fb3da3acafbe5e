// One holder's own columns Z_i and their coordinates Y_i: everything that is ever done with them.
//
// No other room reaches into Z. So columns may be kept in any way, and what leaves a holder is what stands here.
// Not safe to share between threads.
#ifndef PPDNMF_NMF_COLUMNS_H_
#define PPDNMF_NMF_COLUMNS_H_

#include <memory>

#include "base/bytes.h"
#include "nmf/matrix.h"

namespace ppdnmf {

// What an X step needs to know of data. Sums over columns, so those of several holders add up.
struct Moments {
  Matrix S;                  // Z Yᵀ, rows x rank
  Matrix T;                  // Y Yᵀ, rank x rank, symmetric
  double squared_error = 0;  // ||Z - X Y||² of the last Y step's X and Y
};

// What an iteration of the descent asks of every holder of columns (nmf/descent.h).
struct DescentRequest {
  Matrix X;                   // solve Y for this X
  bool restart = false;       // begin with Y = 0: a new start
  bool take_back = false;     // the last answer's Y was not accepted: begin with the one before
  double extrapolation = 0;   // b, 0 to 1: S and T are those of max(Y + b (Y - Y_before), 0)
  bool measure_only = false;  // nobody looks at S and T: they may be left zero
  bool thorough = false;      // with restart: as many sweeps as it takes, since this X's error is known already
};

class Columns {
 public:
  Columns() = default;
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  Columns(Columns&&) = delete;
  Columns& operator=(Columns&&) = delete;
  virtual ~Columns() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index count() const = 0;
  [[nodiscard]] virtual double entry_sum() const = 0;  // in units of the data

  // Once, before everything below: data are divided by `scale`, a power of two, and rank is that of X.
  virtual void begin(Index rank, double scale) = 0;
  [[nodiscard]] virtual double squared_norm() const = 0;  // ||Z||²

  // The Y step of the descent: argmin over Y >= 0 of ||Z - X Y||, column by column, from where the last one ended; then
  // the moments. A column's y depends on that column and the requests alone, never on other columns.
  [[nodiscard]] virtual Moments answer(const DescentRequest& request) = 0;
  // The end of a descent: Y is the last answer's if it was accepted, else the one before. Should the descent go on
  // after all, its next request is one that takes back if the last answer was not accepted.
  virtual void settle(bool accepted) = 0;

  // The Y step of the paper, equations (12) to (14): `iterations` ADMM iterations with penalty eta, warm-started.
  virtual void solve_admm(const Matrix& X, double eta, int iterations) = 0;
  // S and T of the present Y, and the squared error of the last solve_admm; Y = 0 before the first.
  [[nodiscard]] virtual Moments moments() const = 0;

  [[nodiscard]] virtual Matrix Y() const = 0;  // rank x count, in units of the data
  [[nodiscard]] virtual bool all_finite() const = 0;
  // Whether every number is one that Y steps can have led to; false after loading damaged bytes.
  [[nodiscard]] virtual bool in_range() const = 0;

  // Y and what the next Y step starts from; `load` goes into Columns made from the same data after the same `begin`.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
};

// Dense columns, in units of the data: nonnegative and finite (unchecked).
[[nodiscard]] std::unique_ptr<Columns> dense_columns(Matrix Z);

}  // namespace ppdnmf

#endif  // PPDNMF_NMF_COLUMNS_H_
