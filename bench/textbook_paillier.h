// Paillier as textbooks print it, on GMP's ordinary functions: what the benchmarks compare with.
#ifndef PPDNMF_BENCH_TEXTBOOK_PAILLIER_H_
#define PPDNMF_BENCH_TEXTBOOK_PAILLIER_H_

#include <gmp.h>

#include <cstdint>

#include "base/random.h"
#include "crypto/internal/key_data.h"

namespace ppdnmf {

using internal::Integer;

// g = n + 1, r^n mod n^2, decryption by CRT with the exponents p - 1 and q - 1.
class Textbook {
 public:
  explicit Textbook(const PrivateKey& key)
      : n_(key.public_key().data().n), square_(n_ * n_), p_(key.data()->parts.p), q_(key.data()->parts.q) {}

  [[nodiscard]] Integer encrypt(const Integer& m, Stream& stream) const {
    Integer c;
    const Integer r = Integer::random_below(n_, stream);
    mpz_powm(c.raw(), r.raw(), n_.raw(), square_.raw());
    return mod(c * (Integer(1) + n_ * m), square_);
  }
  [[nodiscard]] Integer add(const Integer& a, const Integer& b) const {
    Integer out;
    mpz_mul(out.raw(), a.raw(), b.raw());
    mpz_mod(out.raw(), out.raw(), square_.raw());
    return out;
  }
  [[nodiscard]] Integer multiply(const Integer& a, std::uint64_t weight) const {
    Integer out;
    mpz_powm_ui(out.raw(), a.raw(), weight, square_.raw());
    return out;
  }
  [[nodiscard]] Integer decrypt(const Integer& c) const {
    const Integer a = half(c, p_, p_square_, factor_p_);
    const Integer b = half(c, q_, q_square_, factor_q_);
    return b + q_ * mod((a - b) * inverse_, p_);
  }
  [[nodiscard]] const Integer& n() const { return n_; }

 private:
  [[nodiscard]] static Integer factor(const Integer& p, const Integer& q) {
    return inverse(mod((p - Integer(1)) * q, p), p);
  }
  [[nodiscard]] static Integer half(const Integer& c, const Integer& p, const Integer& square, const Integer& factor) {
    Integer power;
    mpz_powm(power.raw(), mod(c, square).raw(), (p - Integer(1)).raw(), square.raw());
    return mod((power - Integer(1)) / p * factor, p);
  }

  Integer n_, square_, p_, q_;
  Integer p_square_ = p_ * p_;
  Integer q_square_ = q_ * q_;
  Integer factor_p_ = factor(p_, q_);
  Integer factor_q_ = factor(q_, p_);
  Integer inverse_ = internal::inverse(q_, p_);
};

}  // namespace ppdnmf

#endif  // PPDNMF_BENCH_TEXTBOOK_PAILLIER_H_
