// One holder's own columns Z_i and their coordinates Y_i: everything that is ever done with them.
//
// No other room reaches into Z. So columns may be kept in any way, and what leaves a holder is what stands here.
// Not safe to share between threads.
#ifndef PPDNMF_NMF_COLUMNS_H_
#define PPDNMF_NMF_COLUMNS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

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

// How a column's part in totals is bounded and rounded, for sums that noise is added to (docs/privacy.md). Public.
struct Bounds {
  double bound = 0;     // C: the largest norm of (z yᵀ, t_weight upper(y yᵀ)) of one column
  double t_weight = 1;  // how much T counts beside S
  double unit = 0;      // a power of two: every entry of every column's part is rounded to a multiple of it
};

struct BoundedMoments {
  // S column after column, then t_weight times the upper triangle of T, column after column; multiples of the unit.
  std::vector<double> values;
  Index touched = 0;  // columns that were weighed down to the bound, and the smallest weight: nobody else's business
  double least_weight = 1;
  double squared_error = 0;  // ||Z - X Y||²: nobody else's business either
};

// How every column is divided by its own length before everything else.
enum class ColumnNorm : std::uint8_t { kL1, kL2 };

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
  // The same Y step, then every column's part, bounded and rounded for itself, and added up exactly. The part of a
  // column depends on that column and the X's of all such steps alone. X has columns of length one or zero.
  // count() * bound / unit < 2^52 (checked).
  [[nodiscard]] virtual BoundedMoments bounded_answer(const Matrix& X, const Bounds& bounds) = 0;
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
// The same, every column divided by its sum (kL1) or its Euclidean length (kL2), so that |z| <= 1; columns of zeros
// stay. Y comes in units of the data all the same.
[[nodiscard]] std::unique_ptr<Columns> unit_columns(Matrix Z, ColumnNorm norm);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_COLUMNS_H_
