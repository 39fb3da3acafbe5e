// The kernels of lane_functions.h for registers of PPDNMF_LANE_WIDTH doubles. Included by one file per instruction set,
// and by nothing else. Everything is in an unnamed namespace and nothing of the standard library is used: a function
// that two of these files shared could end up in the program as the copy of the wrong instruction set.
#include <ppdnmf/nmf/internal/lane_functions.h>

#if defined(__clang__)
#define PPDNMF_UNROLL _Pragma("unroll")
#else
#define PPDNMF_UNROLL _Pragma("GCC unroll 8")
#endif

namespace ppdnmf::nmf::internal {
namespace {

constexpr long kWidth = PPDNMF_LANE_WIDTH;
constexpr long kPieces = kLanes / kWidth;  // registers for eight lanes
using Vector = double __attribute__((vector_size(kWidth * sizeof(double))));
using Mask = long long __attribute__((vector_size(kWidth * sizeof(double))));

inline Vector load(const double* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

inline void store(double* to, Vector v) { __builtin_memcpy(to, &v, sizeof v); }

// kRegisters of A's rows, beginning at row `first`, times kColumns columns.
template <long kRegisters, long kColumns>
inline void tile_part(long first, long depth, const double* A, long group_stride, const double* const* b, double* C,
                      long column_stride) {
  Vector sum[kRegisters][kColumns];
  const double* a[kRegisters];
  PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) {
    const long row = first + r * kWidth;
    a[r] = A + row / kLanes * group_stride + row % kLanes;
    PPDNMF_UNROLL for (long j = 0; j < kColumns; ++j) sum[r][j] = load(C + j * column_stride + row);
  }
  for (long d = 0; d < depth; ++d) {
    Vector left[kRegisters];
    PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) left[r] = load(a[r] + kLanes * d);
    PPDNMF_UNROLL for (long j = 0; j < kColumns; ++j) {
      const double right = b[j][d];
      PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) sum[r][j] += left[r] * right;
    }
  }
  PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) {
    PPDNMF_UNROLL for (long j = 0; j < kColumns; ++j) store(C + j * column_stride + first + r * kWidth, sum[r][j]);
  }
}

#if PPDNMF_LANE_WIDTH == 8
void tile(long groups, long depth, const double* A, long group_stride, const double* const* b, double* C,
          long column_stride) {
  if (groups == 1) tile_part<1, kTileColumns>(0, depth, A, group_stride, b, C, column_stride);
  if (groups == 2) tile_part<2, kTileColumns>(0, depth, A, group_stride, b, C, column_stride);
  if (groups == 3) tile_part<3, kTileColumns>(0, depth, A, group_stride, b, C, column_stride);
  if (groups == 4) tile_part<4, kTileColumns>(0, depth, A, group_stride, b, C, column_stride);
}
#else
// Sixteen registers, narrower ones: two of them times six columns.
void tile(long groups, long depth, const double* A, long group_stride, const double* const* b, double* C,
          long column_stride) {
  for (long first = 0; first < groups * kLanes; first += 2 * kWidth)
    tile_part<2, kTileColumns>(first, depth, A, group_stride, b, C, column_stride);
}
#endif

// kRegisters of A's rows, beginning at row `first`.
template <long kRegisters>
inline void gather_part(long first, long count, const int* at, long begin, const double* b, const double* A,
                        long group_stride, double* C) {
  Vector sum[kRegisters];
  const double* a[kRegisters];
  PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) {
    const long row = first + r * kWidth;
    a[r] = A + row / kLanes * group_stride + row % kLanes;
    sum[r] = load(C + row);
  }
  for (long i = 0; i < count; ++i) {
    PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) sum[r] += load(a[r] + kLanes * (at[i] - begin)) * b[i];
  }
  PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) store(C + first + r * kWidth, sum[r]);
}

void gather(long groups, long count, const int* at, long begin, const double* b, const double* A, long group_stride,
            double* C) {
  const long rows = groups * kLanes;
  for (long first = 0; first < rows; first += 4 * kWidth) {
    const long registers = (rows - first) / kWidth;
    if (registers == 1) gather_part<1>(first, count, at, begin, b, A, group_stride, C);
    if (registers == 2) gather_part<2>(first, count, at, begin, b, A, group_stride, C);
    if (registers == 3) gather_part<3>(first, count, at, begin, b, A, group_stride, C);
    if (registers >= 4) gather_part<4>(first, count, at, begin, b, A, group_stride, C);
  }
}

// Where columns of a product with a transposed one begin: column d stands at C + step (d - first), its groups
// group_stride apart.
struct Columns {
  double* C;
  long group_stride, step, first;
};

template <long kRegisters>
inline void scatter_part(long first, long count, const int* at, const double* b, const double* a, long a_stride,
                         const Columns& to) {
  Vector left[kRegisters];
  double* c[kRegisters];
  PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) {
    const long row = first + r * kWidth;
    left[r] = load(a + row / kLanes * a_stride + row % kLanes);
    c[r] = to.C + row / kLanes * to.group_stride + row % kLanes;
  }
  for (long i = 0; i < count; ++i) {
    const long place = to.step * (at[i] - to.first);
    PPDNMF_UNROLL for (long r = 0; r < kRegisters; ++r) store(c[r] + place, load(c[r] + place) + left[r] * b[i]);
  }
}

inline void scatter_to(long groups, long count, const int* at, const double* b, const double* a, long a_stride,
                       const Columns& to) {
  const long rows = groups * kLanes;
  for (long first = 0; first < rows; first += 4 * kWidth) {
    const long registers = (rows - first) / kWidth;
    if (registers == 1) scatter_part<1>(first, count, at, b, a, a_stride, to);
    if (registers == 2) scatter_part<2>(first, count, at, b, a, a_stride, to);
    if (registers == 3) scatter_part<3>(first, count, at, b, a, a_stride, to);
    if (registers >= 4) scatter_part<4>(first, count, at, b, a, a_stride, to);
  }
}

void scatter(long groups, long count, const int* at, const double* b, const double* a, long a_stride, double* C,
             long group_stride) {
  scatter_to(groups, count, at, b, a, a_stride, {C, group_stride, kLanes, 0});
}

void spread(long groups, long count, const int* at, long first, const double* b, const double* a, double* C) {
  scatter_to(groups, count, at, b, a, kLanes, {C, kLanes, groups * kLanes, first});
}

void join(long count, const double* b, double unit, double* a) {
  for (long i = 0; i < count; i += kWidth) store(a + i, load(a + i) * unit + load(b + i) * unit);
}

// So many registers of columns go through a descent together: T's numbers are loaded once for all of them.
constexpr long kAtOnce = 2;

// T_k x. Four sums of every fourth term, so that additions need not wait for each other.
inline void row_times(const double* T_k, long padded, const double* x, Vector* result) {
  Vector sum[kAtOnce][kPartialSums] = {};
  for (long j = 0; j < padded; j += kPartialSums) {
    PPDNMF_UNROLL for (long q = 0; q < kPartialSums; ++q) {
      const double t = T_k[j + q];
      PPDNMF_UNROLL for (long p = 0; p < kAtOnce; ++p) sum[p][q] += load(x + (j + q) * kBlock + p * kWidth) * t;
    }
  }
  PPDNMF_UNROLL for (long p = 0; p < kAtOnce; ++p) result[p] = (sum[p][0] + sum[p][1]) + (sum[p][2] + sum[p][3]);
}

inline bool any(const Mask* active) {
  for (long p = 0; p < kAtOnce; ++p) {
    for (long i = 0; i < kWidth; ++i) {
      if (active[p][i] != 0) return true;
    }
  }
  return false;
}

inline void sweep(const LaneProblem& problem, const double* s, double* x, const Mask* active, Vector* change) {
  for (long k = 0; k < problem.size; ++k) {
    const double inverse = problem.inverse[k];
    if (inverse == 0) continue;
    const double* T_k = problem.T + k * problem.padded;
    const double diagonal = T_k[k];
    Vector product[kAtOnce];
    row_times(T_k, problem.padded, x, product);
    PPDNMF_UNROLL for (long p = 0; p < kAtOnce; ++p) {
      const long at = k * kBlock + p * kWidth;
      const Vector old = load(x + at);
      Vector next = old + (load(s + at) - product[p]) * inverse;
      next = next > 0 ? next : Vector{};
      next = active[p] != 0 ? next : old;
      const Vector moved = next - old;
      change[p] += moved * moved * diagonal;
      store(x + at, next);
    }
  }
}

void descend(const LaneProblem& problem, const double* s, double* x, int sweeps, double part) {
  for (long first = 0; first < kBlock; first += kAtOnce * kWidth) {
    Mask active[kAtOnce];
    Vector enough[kAtOnce] = {};
    for (long p = 0; p < kAtOnce; ++p) active[p] = Vector{} == Vector{};
    for (int n = 0; n < sweeps && any(active); ++n) {
      Vector change[kAtOnce] = {};
      sweep(problem, s + first, x + first, active, change);
      for (long p = 0; p < kAtOnce; ++p) {
        if (n == 0) enough[p] = change[p] * part;
        active[p] &= change[p] > enough[p];
      }
    }
  }
}

void quadratic(const LaneProblem& problem, const double* s, const double* x, double* values) {
  for (long first = 0; first < kBlock; first += kAtOnce * kWidth) {
    Vector sum[kAtOnce] = {};
    for (long k = 0; k < problem.size; ++k) {
      Vector product[kAtOnce];
      row_times(problem.T + k * problem.padded, problem.padded, x + first, product);
      for (long p = 0; p < kAtOnce; ++p) {
        const long at = k * kBlock + first + p * kWidth;
        sum[p] += load(x + at) * (product[p] - 2 * load(s + at));
      }
    }
    for (long p = 0; p < kAtOnce; ++p) store(values + first + p * kWidth, sum[p]);
  }
}

double residual(long rows, long rank, const double* X, const double* y, const double* z) {
  double squares[kLanes] = {};
  long row = 0;
  for (; row + kLanes <= rows; row += kLanes) {
    Vector left[kPieces];
    for (long p = 0; p < kPieces; ++p) left[p] = load(z + row + p * kWidth);
    for (long k = 0; k < rank; ++k) {
      for (long p = 0; p < kPieces; ++p) left[p] -= load(X + k * rows + row + p * kWidth) * y[k];
    }
    for (long p = 0; p < kPieces; ++p) store(squares + p * kWidth, load(squares + p * kWidth) + left[p] * left[p]);
  }
  for (long lane = 0; row < rows; ++row, ++lane) {
    double left = z[row];
    for (long k = 0; k < rank; ++k) left -= X[k * rows + row] * y[k];
    squares[lane] += left * left;
  }
  double sum = 0;
  for (const double square : squares) sum += square;
  return sum;
}

#include <ppdnmf/nmf/internal/lane_divergence.inl>

constexpr ColumnLanes kFunctions{tile,     gather,  scatter,   spread, join,       descend,     quadratic,
                                 residual, combine, correlate, ratios, divergence, coordinates, bounded};

}  // namespace
}  // namespace ppdnmf::nmf::internal
