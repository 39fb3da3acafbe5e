// Paillier as textbooks print it, on GMP's ordinary functions: what the benchmarks compare with.
#ifndef PPDNMF_BENCH_TEXTBOOK_PAILLIER_H_
#define PPDNMF_BENCH_TEXTBOOK_PAILLIER_H_

#include <gmp.h>

#include <cstdint>

#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/internal/key_data.h>

namespace ppdnmf {

using crypto::internal::Integer;

// g = n + 1, r^n mod n^2, decryption by CRT with the exponents p - 1 and q - 1.
class Textbook {
 public:
  explicit Textbook(const crypto::PrivateKey& key)
      : n_(key.public_key().data().n), square_(n_ * n_), p_(key.data()->parts.p), q_(key.data()->parts.q) {}

  [[nodiscard]] crypto::internal::Integer encrypt(const crypto::internal::Integer& m, Stream& stream) const {
    crypto::internal::Integer c;
    const crypto::internal::Integer r = crypto::internal::Integer::random_below(n_, stream);
    mpz_powm(c.raw(), r.raw(), n_.raw(), square_.raw());
    return crypto::internal::mod(c * (crypto::internal::Integer(1) + n_ * m), square_);
  }
  [[nodiscard]] crypto::internal::Integer add(const crypto::internal::Integer& a,
                                              const crypto::internal::Integer& b) const {
    crypto::internal::Integer out;
    mpz_mul(out.raw(), a.raw(), b.raw());
    mpz_mod(out.raw(), out.raw(), square_.raw());
    return out;
  }
  [[nodiscard]] crypto::internal::Integer multiply(const crypto::internal::Integer& a, std::uint64_t weight) const {
    crypto::internal::Integer out;
    mpz_powm_ui(out.raw(), a.raw(), weight, square_.raw());
    return out;
  }
  [[nodiscard]] crypto::internal::Integer decrypt(const crypto::internal::Integer& c) const {
    const crypto::internal::Integer a = half(c, p_, p_square_, factor_p_);
    const crypto::internal::Integer b = half(c, q_, q_square_, factor_q_);
    return b + q_ * crypto::internal::mod((a - b) * inverse_, p_);
  }
  [[nodiscard]] const crypto::internal::Integer& n() const { return n_; }

 private:
  [[nodiscard]] static crypto::internal::Integer factor(const crypto::internal::Integer& p,
                                                        const crypto::internal::Integer& q) {
    return crypto::internal::inverse(crypto::internal::mod((p - crypto::internal::Integer(1)) * q, p), p);
  }
  [[nodiscard]] static crypto::internal::Integer half(const crypto::internal::Integer& c,
                                                      const crypto::internal::Integer& p,
                                                      const crypto::internal::Integer& square,
                                                      const crypto::internal::Integer& factor) {
    crypto::internal::Integer power;
    mpz_powm(power.raw(), crypto::internal::mod(c, square).raw(), (p - crypto::internal::Integer(1)).raw(),
             square.raw());
    return crypto::internal::mod((power - crypto::internal::Integer(1)) / p * factor, p);
  }

  crypto::internal::Integer n_, square_, p_, q_;
  crypto::internal::Integer p_square_ = p_ * p_;
  crypto::internal::Integer q_square_ = q_ * q_;
  crypto::internal::Integer factor_p_ = factor(p_, q_);
  crypto::internal::Integer factor_q_ = factor(q_, p_);
  crypto::internal::Integer inverse_ = crypto::internal::inverse(q_, p_);
};

}  // namespace ppdnmf

#endif  // PPDNMF_BENCH_TEXTBOOK_PAILLIER_H_
