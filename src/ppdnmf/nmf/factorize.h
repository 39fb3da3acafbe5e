// The same factorisation on one machine: no network, no encryption. The baseline that a network is measured against.
#ifndef PPDNMF_NMF_FACTORIZE_H_
#define PPDNMF_NMF_FACTORIZE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/loss_options.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/start.h>

namespace ppdnmf::nmf {

namespace internal {
class SolverRun;
}

enum class Solver : std::uint8_t {
  kFast,  // coordinate descent with extrapolation (nmf/descent.h)
  kAdmm,  // the paper's, centralised
};

struct FactorizeOptions {
  Index rank = 1;
  Start start = Start::kRandom;
  Matrix X0;  // begin here instead, rows x rank, nonnegative and not all zero; empty: as `start` says
  Solver solver = Solver::kFast;
  LossKind loss = LossKind::kSquares;         // kPoisson: kFast only
  std::optional<Curvature> curvature;         // of kPoisson; empty: as automatic_curvature says (nmf/loss.h)
  Penalties penalties{};                      // kFast only
  std::shared_ptr<const KnownColumns> known;  // kFast only: the first columns of X, which stay; null: none
  int iterations = 500;                       // at most this many, those of all starts counted
  double tolerance = 1e-5;  // stop when 10 iterations lower the error by less than this part of it; 0: never
  int starts = 1;           // kFast: number of short starts; the best one is continued

  // kAdmm alone:
  int admm_x = 5;            // ADMM iterations per X step
  int admm_y = 5;            // and per Y step
  std::optional<double> mu;  // automatic when empty; in units of the data
  std::optional<double> eta;
  bool y_first = true;  // a Y step before the first X step
};

// One run, an iteration at a time: whoever drives it decides when to report, save or give up. Deterministic.
class Factorization {
 public:
  // The columns are as data::check_factorizable asks (data/sums.h); fails as that does, and with kUsage if X0 is not as
  // it must be, if known columns are not as check_known asks, if several starts are
  // wanted of a solver or a kind of start that has only one, or if PPDNMF_LANES (nmf/lanes.h) cannot be had. Nothing is
  // copied. All of the executor's threads work, and their number changes no byte; the executor outlives the run.
  [[nodiscard]] static Result<Factorization> create(const data::SharedColumns& columns, const FactorizeOptions& options,
                                                    const Seed& seed, Executor& executor = serial_executor());
  // The same for a matrix that the run owns from then on.
  [[nodiscard]] static Result<Factorization> create(Matrix Z, const FactorizeOptions& options, const Seed& seed,
                                                    Executor& executor = serial_executor());
  Factorization(Factorization&&) noexcept;
  Factorization& operator=(Factorization&&) noexcept;
  Factorization(const Factorization&) = delete;
  Factorization& operator=(const Factorization&) = delete;
  ~Factorization();

  // One iteration; not after done(). Fails with kNumeric if a number is not finite any more.
  [[nodiscard]] Status step();
  // Ends the run here, for a reason of the caller's: X and Y are then those to keep. Fails as step does.
  [[nodiscard]] Status stop(std::string because);
  [[nodiscard]] bool done() const { return !stopped_because().empty(); }
  // "tolerance", "iterations", or what `stop` was told; empty while not done.
  [[nodiscard]] const std::string& stopped_because() const;

  [[nodiscard]] int iterations() const;
  // With kFast the error of X and Y falls from step to step; it begins anew with each start, and when all are through
  // the best one is continued.
  [[nodiscard]] const Matrix& X() const;
  [[nodiscard]] Matrix Y() const;  // in units of the data: Z ~ X Y
  // When done: what holds back the y's of columns that lack entries (nmf/shrinkage.h); empty: nothing.
  [[nodiscard]] Matrix shrink() const;
  [[nodiscard]] double relative_error() const;
  [[nodiscard]] double divergence() const;  // of X Y from Z, in units of the data; 0 under squares
  [[nodiscard]] double penalty() const;     // of X and Y, in units of the data

  // The state after the last step; `load` into a Factorization made with the same arguments continues to the same
  // bytes.
  [[nodiscard]] Bytes save() const;
  [[nodiscard]] Status load(ByteSpan saved);

 private:
  Factorization(std::unique_ptr<internal::SolverRun> run, LossKind loss, double scale);

  std::unique_ptr<internal::SolverRun> run_;
  LossKind loss_;
  double scale_;  // what data are divided by
};

// data::check_factorizable of one matrix.
[[nodiscard]] Status check_factorizable(const Matrix& Z, Index rank, data::Ranks ranks = data::Ranks::kUnique);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_FACTORIZE_H_
