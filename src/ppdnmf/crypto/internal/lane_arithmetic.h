// Eight products at once modulo n^2, for an odd n: the arithmetic of the lane kernel, written over a vector type V of
// eight 64-bit lanes with a multiplier of 52 bits. Lane l of every vector belongs to residue l; lanes never meet.
//
// A residue x is a pair (x0, x1) with x = x0 + x1 n, each half D digits of 52 bits, least significant first, both
// halves below 2n. With R = 2^(52 D), the Montgomery product x y / R mod n^2 is
//   z0 = (x0 y0 + m n) / R                          m = -x0 y0 / n mod R
//   z1 = (x0 y1 + x1 y0 - m + m' n) / R             m' chosen so that the division is exact
// because x0 y0 = z0 R - m n. It costs 10 D^2 multiplications, a Montgomery product modulo the number n^2 with its 2D
// digits 16 D^2. The square costs 7 D^2 + D.
//
// Rows of the schoolbook product are taken five at a time (five digits of y against all digits of x), so that every
// digit loaded serves ten multiplications; sizes 1024, 1536, 2048, 3072 and 4096 all need a multiple of five digits.
// Sums stay unnormalised in 64 bits: at most 6 D terms below 2^52 meet in a position, and D <= 200.
//
// No branch and no address depends on a digit. This header is compiled with AVX-512 in one file and must therefore
// use nothing from the standard library: an inline function from here could otherwise end up in the whole program.
#ifndef PPDNMF_CRYPTO_INTERNAL_LANE_ARITHMETIC_H_
#define PPDNMF_CRYPTO_INTERNAL_LANE_ARITHMETIC_H_

#include <stddef.h>  // NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // NOLINT(modernize-deprecated-headers)

namespace ppdnmf::crypto::internal {

inline constexpr int kLaneDigitBits = 52;
inline constexpr size_t kRows = 5;
inline constexpr size_t kMaxLaneDigits = 100;

// What the arithmetic knows about n. Digits are single words here, the same for all lanes.
struct LaneModulus {
  size_t digits = 0;            // D, a multiple of kRows, 16 n <= 2^(52 D)
  const uint64_t* n = nullptr;  // D digits
  const uint64_t* c = nullptr;  // D digits of 1 + (-R mod n): turns the digits' complement of m into -m modulo n
  uint64_t minus_inverse = 0;   // -1/n mod 2^52
};

// The functions a lane kernel offers; a group is 2 D vectors, low half first.
struct ModularLanes {
  void (*multiply)(const LaneModulus& modulus, uint64_t* out, const uint64_t* x, const uint64_t* y);
  void (*square)(const LaneModulus& modulus, uint64_t* out, const uint64_t* x);
  // Lane l of group g of out = entry index[8 g + l] of a table of `entries` residues, stored as rows of `entries`
  // words, one row per digit. entries is 16, 32, ... 1024. Reads the whole table, whatever the index.
  void (*select_shared)(size_t rows, uint64_t* out, const uint64_t* table, size_t entries, const uint64_t* index,
                        size_t groups);
  // out = group number `index` of `entries` groups of `words` words each. Reads all of them.
  void (*select_group)(size_t words, uint64_t* out, const uint64_t* table, size_t entries, uint64_t index);
};

// The emulated vectors define PPDNMF_KEEP_LOOPS: unrolled, they would take a sanitizing compiler minutes.
#if defined(PPDNMF_KEEP_LOOPS)
#define PPDNMF_UNROLL
#elif defined(__clang__)
#define PPDNMF_UNROLL _Pragma("clang loop unroll(full)")
#else
#define PPDNMF_UNROLL _Pragma("GCC unroll 16")
#endif

template <typename V>
struct LaneArithmetic {
  using T = typename V::T;

  // One source of products: all digits of x against five digits of y.
  struct Source {
    const uint64_t* x;
    const uint64_t* y;
  };

  static T digit(const uint64_t* group, size_t index) { return V::load(group + 8 * index); }

  // sum[i + k] += a b[k] for k < 5: low halves first, so that no two neighbouring operations wait for each other.
  static void add_row(T* sum, T a, const T* b) {
    PPDNMF_UNROLL
    for (size_t k = 0; k < kRows; ++k) sum[k] = V::multiply_low(sum[k], a, b[k]);
    PPDNMF_UNROLL
    for (size_t k = 0; k < kRows; ++k) sum[k + 1] = V::multiply_high(sum[k + 1], a, b[k]);
  }

  // Chooses m[0..4] so that positions 0..4 of sum (ten positions) plus m n become multiples of 2^52, adds columns
  // 0..4 of m n, and carries out of the five positions.
  static void make_quotients(const LaneModulus& modulus, T* sum, T* m) {
    const T inverse = V::broadcast(&modulus.minus_inverse);
    T n[kRows];
    PPDNMF_UNROLL
    for (size_t c = 0; c < kRows; ++c) n[c] = V::broadcast(modulus.n + c);
    PPDNMF_UNROLL
    for (size_t k = 0; k < kRows; ++k) {
      m[k] = V::multiply_low(V::zero(), sum[k], inverse);
      // Position k becomes a multiple of 2^52, so its carry is known without waiting for n[0] m[k].
      sum[k + 1] = V::add(sum[k + 1], V::carry_of_cancelled(sum[k]));
      PPDNMF_UNROLL
      for (size_t c = 0; c < kRows; ++c) {
        sum[k + c + 1] = V::multiply_high(sum[k + c + 1], n[c], m[k]);
        if (c + 1 < kRows) sum[k + c + 1] = V::multiply_low(sum[k + c + 1], n[c + 1], m[k]);
      }
    }
  }

  // t = (t + [twice] sum of x * (five digits of y) + m n) / 2^260, leaving the five quotient digits in m.
  // t has D positions in use and at least six zeros after them.
  template <size_t kSources, bool kTwice>
  static void row_block(const LaneModulus& modulus, uint64_t* t, const Source* source, const T* row_digits, T* m) {
    constexpr size_t kWide = 2 * kRows;
    T sum[kWide];
    T product[kWide];
    PPDNMF_UNROLL
    for (size_t i = 0; i < kWide; ++i) sum[i] = digit(t, i);
    PPDNMF_UNROLL
    for (T& p : product) p = V::zero();
    PPDNMF_UNROLL
    for (size_t s = 0; s < kSources; ++s) {
      PPDNMF_UNROLL
      for (size_t c = 0; c < kRows; ++c) {
        add_row((kTwice ? product : sum) + c, digit(source[s].x, c), row_digits + kRows * s);
      }
    }
    if (kTwice) {
      PPDNMF_UNROLL
      for (size_t i = 0; i < kWide; ++i) sum[i] = V::add(sum[i], V::add(product[i], product[i]));
    }
    make_quotients(modulus, sum, m);
    T near[kRows + 1];
    T near_product[kRows + 1];
    begin_columns(t, sum, near, near_product);
    columns<kSources, kTwice>(modulus, t, source, row_digits, m, near, near_product, kRows, modulus.digits);
    finish_block<kTwice>(modulus, t, near, near_product);
  }

  // What columns() starts from behind the first five: the upper half of the ten positions in `sum`, the next one of t,
  // and no products yet.
  static void begin_columns(const uint64_t* t, const T* sum, T* near, T* near_product) {
    PPDNMF_UNROLL
    for (size_t i = 0; i < kRows; ++i) near[i] = sum[i + kRows];
    near[kRows] = digit(t, 2 * kRows);
    PPDNMF_UNROLL
    for (size_t i = 0; i <= kRows; ++i) near_product[i] = V::zero();
  }

  // Columns [first, last) of a row block; near[i] is position first + i.
  template <size_t kSources, bool kTwice>
  static void columns(const LaneModulus& modulus, uint64_t* t, const Source* source, const T* row_digits, const T* m,
                      T* near, T* near_product, size_t first, size_t last) {
    for (size_t j = first; j < last; ++j) {
      PPDNMF_UNROLL
      for (size_t s = 0; s < kSources; ++s) {
        add_row(kTwice ? near_product : near, digit(source[s].x, j), row_digits + kRows * s);
      }
      add_row(near, V::broadcast(modulus.n + j), m);
      T done = near[0];
      if (kTwice) done = V::add(done, V::add(near_product[0], near_product[0]));
      V::store(t + 8 * (j - kRows), done);
      PPDNMF_UNROLL
      for (size_t i = 0; i < kRows; ++i) near[i] = near[i + 1];
      near[kRows] = digit(t, j + kRows + 1);
      if (kTwice) {
        PPDNMF_UNROLL
        for (size_t i = 0; i < kRows; ++i) near_product[i] = near_product[i + 1];
        near_product[kRows] = V::zero();
      }
    }
  }

  template <bool kTwice>
  static void finish_block(const LaneModulus& modulus, uint64_t* t, const T* near, const T* near_product) {
    PPDNMF_UNROLL
    for (size_t i = 0; i < kRows; ++i) {
      T done = near[i];
      if (kTwice) done = V::add(done, V::add(near_product[i], near_product[i]));
      V::store(t + 8 * (modulus.digits - kRows + i), done);
    }
  }

  // The row block of x0 * x0: columns before the block were added by symmetry in earlier blocks, the 5 x 5 square on
  // the diagonal is added here, and columns after it count twice.
  static void square_block(const LaneModulus& modulus, uint64_t* t, const uint64_t* x, size_t row, T* m) {
    T digits[kRows];
    PPDNMF_UNROLL
    for (size_t k = 0; k < kRows; ++k) digits[k] = digit(x, row + k);
    add_diagonal(t + 8 * row, digits);

    constexpr size_t kWide = 2 * kRows;
    T sum[kWide];
    PPDNMF_UNROLL
    for (size_t i = 0; i < kWide; ++i) sum[i] = digit(t, i);
    make_quotients(modulus, sum, m);
    T near[kRows + 1];
    T near_product[kRows + 1];
    begin_columns(t, sum, near, near_product);
    const Source source{x, x};
    columns<0, false>(modulus, t, &source, digits, m, near, near_product, kRows, row + kRows);
    columns<1, true>(modulus, t, &source, digits, m, near, near_product, row + kRows, modulus.digits);
    finish_block<true>(modulus, t, near, near_product);
  }

  static void add_diagonal(uint64_t* t, const T* x) {
    constexpr size_t kWide = 2 * kRows;
    T once[kWide];
    T twice[kWide];
    PPDNMF_UNROLL
    for (size_t i = 0; i < kWide; ++i) {
      once[i] = digit(t, i);
      twice[i] = V::zero();
    }
    PPDNMF_UNROLL
    for (size_t i = 0; i < kRows; ++i) {
      once[2 * i] = V::multiply_low(once[2 * i], x[i], x[i]);
      once[2 * i + 1] = V::multiply_high(once[2 * i + 1], x[i], x[i]);
      PPDNMF_UNROLL
      for (size_t j = i + 1; j < kRows; ++j) {
        twice[i + j] = V::multiply_low(twice[i + j], x[i], x[j]);
        twice[i + j + 1] = V::multiply_high(twice[i + j + 1], x[i], x[j]);
      }
    }
    PPDNMF_UNROLL
    for (size_t i = 0; i < kWide; ++i) V::store(t + 8 * i, V::add(once[i], V::add(twice[i], twice[i])));
  }

  static constexpr size_t kScratch = 8 * (kMaxLaneDigits + 2 * kRows);

  static void clear(const LaneModulus& modulus, uint64_t* low, uint64_t* high) {
    for (size_t j = 0; j < modulus.digits; ++j) {
      V::store(low + 8 * j, V::zero());
      V::store(high + 8 * j, V::broadcast(modulus.c + j));
    }
    for (size_t j = modulus.digits; j < modulus.digits + 2 * kRows; ++j) {
      V::store(low + 8 * j, V::zero());
      V::store(high + 8 * j, V::zero());
    }
  }

  // high += the complement of m, at the five positions that the next row block of the high half divides away.
  static void subtract_quotients(uint64_t* high, const T* m) {
    PPDNMF_UNROLL
    for (size_t k = 0; k < kRows; ++k) V::store(high + 8 * k, V::add(digit(high, k), V::complement(m[k])));
  }

  // Carries both halves into digits of 52 bits; their carry chains run side by side.
  static void normalise(const LaneModulus& modulus, uint64_t* out, const uint64_t* low, const uint64_t* high) {
    T carry_low = V::zero();
    T carry_high = V::zero();
    const size_t D = modulus.digits;
    for (size_t j = 0; j < D; ++j) {
      carry_low = V::add(carry_low, digit(low, j));
      carry_high = V::add(carry_high, digit(high, j));
      V::store(out + 8 * j, V::low_digit(carry_low));
      V::store(out + 8 * (D + j), V::low_digit(carry_high));
      carry_low = V::high_part(carry_low);
      carry_high = V::high_part(carry_high);
    }
  }

  static void multiply(const LaneModulus& modulus, uint64_t* out, const uint64_t* x, const uint64_t* y) {
    alignas(64) uint64_t low[kScratch];
    alignas(64) uint64_t high[kScratch];
    const size_t D = modulus.digits;
    clear(modulus, low, high);
    const Source sources[2] = {{x, y + 8 * D}, {x + 8 * D, y}};
    for (size_t row = 0; row < D; row += kRows) {
      T rows[2 * kRows];
      T m[kRows];
      PPDNMF_UNROLL
      for (size_t k = 0; k < kRows; ++k) rows[k] = digit(y, row + k);
      const Source first{x, y};
      row_block<1, false>(modulus, low, &first, rows, m);
      subtract_quotients(high, m);
      PPDNMF_UNROLL
      for (size_t k = 0; k < kRows; ++k) {
        rows[k] = digit(sources[0].y, row + k);
        rows[kRows + k] = digit(sources[1].y, row + k);
      }
      row_block<2, false>(modulus, high, sources, rows, m);
    }
    normalise(modulus, out, low, high);
  }

  static void square(const LaneModulus& modulus, uint64_t* out, const uint64_t* x) {
    alignas(64) uint64_t low[kScratch];
    alignas(64) uint64_t high[kScratch];
    const size_t D = modulus.digits;
    clear(modulus, low, high);
    const Source cross{x, x + 8 * D};
    for (size_t row = 0; row < D; row += kRows) {
      T rows[kRows];
      T m[kRows];
      square_block(modulus, low, x, row, m);
      subtract_quotients(high, m);
      PPDNMF_UNROLL
      for (size_t k = 0; k < kRows; ++k) rows[k] = digit(cross.y, row + k);
      row_block<1, true>(modulus, high, &cross, rows, m);
    }
    normalise(modulus, out, low, high);
  }

  // kGroups lookups share every word that is loaded: the table is larger than the first caches.
  template <size_t kLevels, size_t kGroups>
  static void select_groups(size_t rows, uint64_t* out, const uint64_t* table, const uint64_t* index) {
    constexpr size_t kEntries = size_t{16} << kLevels;
    typename V::Choice choice[kGroups];
    PPDNMF_UNROLL
    for (size_t g = 0; g < kGroups; ++g) choice[g] = V::choose(V::load(index + 8 * g));
    for (size_t row = 0; row < rows; ++row) {
      T found[kGroups];
      select_tree<kLevels, kGroups>(table + kEntries * row, choice, found);
      PPDNMF_UNROLL
      for (size_t g = 0; g < kGroups; ++g) V::store(out + 8 * (rows * g + row), found[g]);
    }
  }

  // Among 16 2^kLevel words: one of the two halves' choices, by bit 4 + kLevel - 1 of the index.
  template <size_t kLevel, size_t kGroups>
  static void select_tree(const uint64_t* words, const typename V::Choice* choice, T* found) {
    if constexpr (kLevel == 0) {
      const T first = V::load(words);
      const T second = V::load(words + 8);
      PPDNMF_UNROLL
      for (size_t g = 0; g < kGroups; ++g) found[g] = V::choose_of_sixteen(choice[g], first, second);
    } else {
      T upper[kGroups];
      select_tree<kLevel - 1, kGroups>(words, choice, found);
      select_tree<kLevel - 1, kGroups>(words + (size_t{16} << (kLevel - 1)), choice, upper);
      PPDNMF_UNROLL
      for (size_t g = 0; g < kGroups; ++g) found[g] = V::choose_by_bit(choice[g], kLevel - 1, found[g], upper[g]);
    }
  }

  template <size_t kLevels>
  static void select_levels(size_t rows, uint64_t* out, const uint64_t* table, const uint64_t* index, size_t groups) {
    constexpr size_t kTogether = 4;
    size_t g = 0;
    for (; g + kTogether <= groups; g += kTogether) {
      select_groups<kLevels, kTogether>(rows, out + 8 * rows * g, table, index + 8 * g);
    }
    for (; g < groups; ++g) select_groups<kLevels, 1>(rows, out + 8 * rows * g, table, index + 8 * g);
  }

  static void select_shared(size_t rows, uint64_t* out, const uint64_t* table, size_t entries, const uint64_t* index,
                            size_t groups) {
    switch (entries) {
      case 16:
        return select_levels<0>(rows, out, table, index, groups);
      case 32:
        return select_levels<1>(rows, out, table, index, groups);
      case 64:
        return select_levels<2>(rows, out, table, index, groups);
      case 128:
        return select_levels<3>(rows, out, table, index, groups);
      case 256:
        return select_levels<4>(rows, out, table, index, groups);
      case 512:
        return select_levels<5>(rows, out, table, index, groups);
      default:
        return select_levels<6>(rows, out, table, index, groups);
    }
  }

  static void select_group(size_t words, uint64_t* out, const uint64_t* table, size_t entries, uint64_t index) {
    for (size_t w = 0; w < words; w += 8) {
      T found = V::zero();
      for (size_t e = 0; e < entries; ++e) found = V::keep_if_equal(found, V::load(table + e * words + w), e, index);
      V::store(out + w, found);
    }
  }

  static constexpr ModularLanes functions() { return {&multiply, &square, &select_shared, &select_group}; }
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_LANE_ARITHMETIC_H_
