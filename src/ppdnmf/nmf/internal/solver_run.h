// What Factorization asks of a solver. Not safe to share between threads.
#ifndef PPDNMF_NMF_INTERNAL_SOLVER_RUN_H_
#define PPDNMF_NMF_INTERNAL_SOLVER_RUN_H_

#include <memory>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::nmf::internal {

class SolverRun {
 public:
  SolverRun() = default;
  SolverRun(const SolverRun&) = delete;
  SolverRun& operator=(const SolverRun&) = delete;
  SolverRun(SolverRun&&) = delete;
  SolverRun& operator=(SolverRun&&) = delete;
  virtual ~SolverRun() = default;

  // The members of Factorization of the same names say what these do.
  [[nodiscard]] virtual Status step() = 0;
  [[nodiscard]] virtual Status stop(std::string because) = 0;
  [[nodiscard]] virtual const std::string& stopped_because() const = 0;
  [[nodiscard]] virtual int iterations() const = 0;
  [[nodiscard]] virtual const Matrix& X() const = 0;
  [[nodiscard]] virtual Matrix Y() const = 0;
  [[nodiscard]] virtual LocalFit fit() const = 0;
  [[nodiscard]] virtual Matrix shrink() const { return {}; }

  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
  [[nodiscard]] virtual bool in_range() const = 0;
};

// Columns in units of the data; scale: what they are divided by.
[[nodiscard]] std::unique_ptr<SolverRun> fast_run(data::SharedColumns columns, double scale,
                                                  const FactorizeOptions& options, const Seed& seed,
                                                  Executor& executor);
[[nodiscard]] std::unique_ptr<SolverRun> admm_run(data::SharedColumns columns, double scale,
                                                  const FactorizeOptions& options, const Seed& seed,
                                                  Executor& executor);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_SOLVER_RUN_H_
