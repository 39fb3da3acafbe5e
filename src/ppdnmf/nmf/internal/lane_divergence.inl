// The kernels of lane_functions.h for the Kullback-Leibler divergence. Included by lane_kernels.inl alone.

// Eight sums become one, always in this order.
inline double add_lanes(const Vector* sum) {
  double lane[kLanes];
  PPDNMF_UNROLL for (long p = 0; p < kPieces; ++p) store(lane + p * kWidth, sum[p]);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

void combine(long rank, long count, const double* P, long stride, const double* y, double* r) {
  for (long i = 0; i < count; i += kLanes) {
    Vector sum[kPieces] = {};
    for (long k = 0; k < rank; ++k) {
      const double* const column = P + k * stride + i;
      PPDNMF_UNROLL for (long p = 0; p < kPieces; ++p) sum[p] += load(column + p * kWidth) * y[k];
    }
    PPDNMF_UNROLL for (long p = 0; p < kPieces; ++p) store(r + i + p * kWidth, sum[p]);
  }
}

// Of two columns: additions need not wait for each other, and w is loaded once.
template <long kColumns>
inline void correlate_part(long count, const double* P, long stride, const double* w, double* q) {
  Vector sum[kColumns][kPieces] = {};
  for (long i = 0; i < count; i += kLanes) {
    PPDNMF_UNROLL for (long p = 0; p < kPieces; ++p) {
      const Vector weight = load(w + i + p * kWidth);
      PPDNMF_UNROLL for (long j = 0; j < kColumns; ++j) sum[j][p] += load(P + j * stride + i + p * kWidth) * weight;
    }
  }
  for (long j = 0; j < kColumns; ++j) q[j] = add_lanes(sum[j]);
}

void correlate(long rank, long count, const double* P, long stride, const double* w, double* q) {
  long k = 0;
  for (; k + 2 <= rank; k += 2) correlate_part<2>(count, P + k * stride, stride, w, q + k);
  if (k < rank) correlate_part<1>(count, P + k * stride, stride, w, q + k);
}

void ratios(long count, const double* z, const double* r, double* once, double* twice) {
  for (long i = 0; i < count; i += kWidth) {
    const Vector below = load(r + i);
    const Vector ratio = load(z + i) / below;
    store(once + i, ratio);
    store(twice + i, ratio / below);
  }
}

// The natural logarithm of positive normal numbers, as fdlibm has it: below one unit in the last place off, and the same
// bits wherever additions, multiplications and divisions are.
inline Vector logarithm(Vector x) {
  constexpr long long kOne = 0x3ff0000000000000;
  constexpr long long kRootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr long long kTwoTo52 = 0x4330000000000000;
  Mask bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits += kOne - kRootOfHalf;
  const Mask exponent_bits = (bits >> 52) | kTwoTo52;
  const Mask part_bits = (bits & 0x000fffffffffffff) + kRootOfHalf;
  Vector exponent;
  Vector part;  // from the root of 1/2 to that of 2
  __builtin_memcpy(&exponent, &exponent_bits, sizeof exponent);
  __builtin_memcpy(&part, &part_bits, sizeof part);
  exponent = exponent - 0x1p52 - 1023.0;
  const Vector f = part - 1.0;
  const Vector s = f / (f + 2.0);
  const Vector z = s * s;
  const Vector w = z * z;
  const Vector even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const Vector odd = z * (6.666666666666735130e-01 +
                          w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const Vector half = 0.5 * f * f;
  return exponent * 6.93147180369123816490e-01 -
         ((half - (s * (half + (even + odd)) + exponent * 1.90821492927058770002e-10)) - f);
}

double divergence(long count, const double* z, const double* r) {
  Vector sum[kPieces] = {};
  for (long i = 0; i < count; i += kLanes) {
    PPDNMF_UNROLL for (long p = 0; p < kPieces; ++p) {
      const Vector value = load(z + i + p * kWidth);
      const Vector ratio = value / load(r + i + p * kWidth);
      const Vector safe = value > 0 ? ratio : Vector{} + 1.0;
      sum[p] += value * logarithm(safe) - value;
    }
  }
  return add_lanes(sum);
}

void coordinates(const CoordinateSweep& c, double* r, double* y) {
  for (long k = 0; k < c.rank; ++k) {
    const double* const x = c.P + k * c.stride;
    Vector first[kPieces] = {};
    Vector second[kPieces] = {};
    for (long i = 0; i < c.count; i += kLanes) {
      PPDNMF_UNROLL for (long p = 0; p < kPieces; ++p) {
        const Vector part = load(x + i + p * kWidth) / load(r + i + p * kWidth);
        const Vector weighed = load(c.z + i + p * kWidth) * part;
        first[p] += weighed;
        second[p] += weighed * part;
      }
    }
    const double q = add_lanes(first);
    double h = add_lanes(second);
    const double old = y[k];
    double s = c.s[k];
    if (c.square != nullptr) {
      s += c.square[k] * old;
      h += c.square[k];
    }
    double next = h > 0 && s > 0 ? old + (q - s) * q / (s * h) : old;
    const double least = c.keep * old > c.least[k] ? c.keep * old : c.least[k];
    next = next > least ? next : least;
    const double change = next - old;
    y[k] = next;
    if (change == 0) continue;
    for (long i = 0; i < c.count; i += kWidth) store(r + i, load(r + i) + load(x + i) * change);
  }
}

void bounded(const BoundedProblem& b, double* g, double* d) {
  double enough = 0;
  for (int n = 0; n < b.sweeps; ++n) {
    double moved = 0;
    for (long k = 0; k < b.size; ++k) {
      const double* const H_k = b.H + k * b.groups * kLanes;
      const double diagonal = H_k[k];
      double next = d[k];
      if (diagonal > 0) {
        next -= g[k] / diagonal;
      } else if (g[k] > 0) {
        next = b.least[k];
      }
      next = next > b.least[k] ? next : b.least[k];
      const double change = next - d[k];
      if (change == 0) continue;
      d[k] = next;
      moved += diagonal * change * change;
      for (long i = 0; i < b.groups * kLanes; i += kWidth) store(g + i, load(g + i) + load(H_k + i) * change);
    }
    if (n == 0) enough = moved * b.part;
    if (moved <= enough) return;
  }
}
