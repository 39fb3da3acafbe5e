// Inner loops that work on numbers side by side, once per instruction set.
//
// Lanes never meet: every number is computed by the same additions and multiplications in the same order, none of them
// fused, whatever the width of a register. So all tables give the same bytes. Pure functions; safe from any thread.
//
// "Grouped" rows: rows g*8 .. g*8+7 of a matrix lie side by side, column after column; the last group is filled up
// with zeros.
#ifndef PPDNMF_NMF_INTERNAL_LANE_FUNCTIONS_H_
#define PPDNMF_NMF_INTERNAL_LANE_FUNCTIONS_H_

namespace ppdnmf::nmf::internal {

inline constexpr long kLanes = 8;        // numbers side by side in a product
inline constexpr long kBlock = 16;       // columns side by side in a descent
inline constexpr long kTileColumns = 6;  // columns of a product that `tile` works on
inline constexpr long kTileGroups = 4;   // groups of rows, at most
inline constexpr long kPartialSums = 4;  // an inner product of `descend` is four sums, of every fourth term

// A quadratic problem min x^T T x / 2 - s^T x over x >= 0, for kBlock columns s at a time.
struct LaneProblem {
  long size;              // K
  long padded;            // K rounded up to a multiple of kPartialSums
  const double* T;        // K rows of `padded` numbers, the last ones zero
  const double* inverse;  // 1 / T_kk, or 0: coordinate k stays as it is
};

// A sweep over the coordinates of one column under the Kullback-Leibler divergence (nmf/poisson.cc). P, z and r have
// `count` rows, a multiple of kLanes; rows that fill up have zeros in P and z, and ones in r.
struct CoordinateSweep {
  long rank, count;
  const double* P;  // rank columns, `stride` apart
  long stride;
  const double* z;
  const double* s;       // sums of whole columns of X, with linear penalties
  const double* least;   // of every y_k
  double keep;           // y_k falls at most to this part of itself
  const double* square;  // penalties on halves of y_k^2; null: none
};

// min d^T H d / 2 + g^T d over d >= least, for one problem; H and g are filled up with zeros to `groups` of kLanes.
struct BoundedProblem {
  long size, groups;
  const double* H;  // column after column
  const double* least;
  int sweeps;   // at most
  double part;  // ends when a sweep changes d by at most this part of the first one
};

struct ColumnLanes {
  // C(r, j) = C(r, j) + A(r, 0) b[j][0] + A(r, 1) b[j][1] + ..., left to right, for r < 8 groups and j < kTileColumns.
  // A is grouped: (r, d) stands at A[(r / 8) group_stride + 8 d + r % 8]; C(r, j) at C[j column_stride + r].
  // 1 <= groups <= kTileGroups.
  void (*tile)(long groups, long depth, const double* A, long group_stride, const double* const* b, double* C,
               long column_stride);

  // `tile` for one column that is mostly zero: C(r) = C(r) + A(r, at[0]) b[0] + A(r, at[1]) b[1] + ... The same number
  // as with the zeros written out, if A is finite and no C(r) is -0.
  // A begins with column `first`.
  void (*gather)(long groups, long count, const int* at, long first, const double* b, const double* A,
                 long group_stride, double* C);

  // One column's part of a product with a transposed one: C(r, at[0]) += a(r) b[0], C(r, at[1]) += a(r) b[1], ...;
  // no two of `at` the same. C is grouped as A is in `tile`; a(r) stands at a[(r / 8) a_stride + r % 8].
  void (*scatter)(long groups, long count, const int* at, const double* b, const double* a, long a_stride, double* C,
                  long group_stride);

  // The same where C has its columns one behind the other, 8 groups numbers each, and begins with column `first`; a has
  // its numbers side by side.
  void (*spread)(long groups, long count, const int* at, long first, const double* b, const double* a, double* C);

  // a[i] = a[i] unit + b[i] unit, for i < count, a multiple of kLanes.
  void (*join)(long count, const double* b, double unit, double* a);

  // At most `sweeps` times, for k = 0, 1, ...: x_k = max(x_k + (s_k - T_k x) / T_kk, 0). A lane stops for itself, after
  // the first sweep in which sum T_kk (change of x_k)^2 is at most `part` of the first sweep's.
  // s: size rows of kBlock numbers; x: padded rows, the last ones zero.
  void (*descend)(const LaneProblem& problem, const double* s, double* x, int sweeps, double part);

  // For every lane x^T T x - 2 s^T x.
  void (*quadratic)(const LaneProblem& problem, const double* s, const double* x, double* values);

  // ||z - X y||^2, X column after column.
  double (*residual)(long rows, long rank, const double* X, const double* y, const double* z);

  // r = P y, and q = P^T w: P, r and w as in CoordinateSweep; w is zero where P is filled up.
  void (*combine)(long rank, long count, const double* P, long stride, const double* y, double* r);
  void (*correlate)(long rank, long count, const double* P, long stride, const double* w, double* q);
  // z / r and z / r^2; count is a multiple of kLanes.
  void (*ratios)(long count, const double* z, const double* r, double* once, double* twice);
  // The sum of z log(z / r) - z over all z > 0; count is a multiple of kLanes, r > 0 where z is.
  double (*divergence)(long count, const double* z, const double* r);
  // For k = 0, 1, ...: y_k += (q - s_k) q / (s_k h), q = sum z x / r, h = sum z x^2 / r^2, and r follows;
  // with squares, s_k has square_k y_k more, and h square_k.
  void (*coordinates)(const CoordinateSweep& sweep, double* r, double* y);
  // d, from where it stands, and the gradient g there, which follows.
  void (*bounded)(const BoundedProblem& problem, double* g, double* d);
};

// Null where the build lacks the instruction set. The processor has to be asked before: nmf/lanes.h.
[[nodiscard]] const ColumnLanes* baseline_lanes();
[[nodiscard]] const ColumnLanes* avx2_lanes();
[[nodiscard]] const ColumnLanes* avx512_lanes();

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_LANE_FUNCTIONS_H_
