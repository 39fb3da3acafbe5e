// The same factorisation on one machine: no network, no encryption. The baseline that a network is measured against.
#ifndef PPDNMF_NMF_FACTORIZE_H_
#define PPDNMF_NMF_FACTORIZE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/random.h"
#include "base/result.h"
#include "nmf/left_factor.h"
#include "nmf/matrix.h"
#include "nmf/measures.h"
#include "nmf/right_factor.h"
#include "nmf/start.h"

namespace ppdnmf {

struct FactorizeOptions {
  Index rank = 1;
  Start start = Start::kRandom;
  int bcd = 500;             // at most so many BCD iterations
  int admm_x = 5;            // ADMM iterations per X step
  int admm_y = 5;            // and per Y step
  double tolerance = 1e-5;   // stop when 10 BCD iterations lower the error by less than this part of it; 0: never
  std::optional<double> mu;  // automatic when empty; in units of the data
  std::optional<double> eta;
  bool y_first = true;  // a Y step before the first X step
};

// One run, an iteration at a time: whoever drives it decides when to report, save or give up. Deterministic.
class Factorization {
 public:
  // Z: nonnegative, finite, not empty, its maximum as in nmf/matrix.h; 1 <= rank <= min(rows, columns). Fails with
  // kInvalidData or kUsage otherwise.
  [[nodiscard]] static Result<Factorization> create(Matrix Z, const FactorizeOptions& options, const Seed& seed);

  // One BCD iteration. Fails with kNumeric if a number is not finite any more.
  [[nodiscard]] Status step();
  [[nodiscard]] bool done() const { return !stopped_because_.empty(); }
  // "tolerance" or "iterations"; empty while not done.
  [[nodiscard]] const std::string& stopped_because() const { return stopped_because_; }

  [[nodiscard]] int iterations() const { return n_; }
  [[nodiscard]] const Matrix& X() const { return left_.X(); }
  [[nodiscard]] Matrix Y() const { return scale_ * right_.Y(); }  // in units of the data: Z ~ X Y
  [[nodiscard]] double relative_error() const;

  // The state after the last step; `load` into a Factorization made with the same arguments continues to the same
  // bytes.
  [[nodiscard]] Bytes save() const;
  [[nodiscard]] Status load(ByteSpan saved);

 private:
  Factorization(Matrix Z, double scale, const FactorizeOptions& options, const Matrix& X0);

  Matrix Z_;  // divided by scale_
  double scale_;
  FactorizeOptions options_;
  LeftFactor left_;
  RightFactor right_;
  int n_ = 0;
  LocalFit fit_;
  double earlier_error_ = 0;  // at the last multiple of the stopping window
  std::string stopped_because_;
};

// What `create` asks of the data and the rank; the network's entry asks the same.
[[nodiscard]] Status check_factorizable(const Matrix& Z, Index rank);

}  // namespace ppdnmf

#endif  // PPDNMF_NMF_FACTORIZE_H_
