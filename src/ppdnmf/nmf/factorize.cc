#include <ppdnmf/nmf/factorize.h>

#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/internal/solver_run.h>
#include <ppdnmf/nmf/lanes.h>

namespace ppdnmf::nmf {
namespace {

Status check_start(const FactorizeOptions& options, Index rows) {
  const Matrix& X0 = options.X0;
  if (options.starts < 1) return error(ErrorCode::kUsage, "there must be at least 1 start, not {}", options.starts);
  const bool only_one = options.solver == Solver::kAdmm || options.start == Start::kOnes || X0.size() != 0;
  if (options.starts > 1 && only_one)
    return error(ErrorCode::kUsage, "several starts need the fast solver and a random start");
  if (options.loss == LossKind::kPoisson && options.solver == Solver::kAdmm)
    return error(ErrorCode::kUsage, "`loss=poisson` needs `solver=fast`: the paper's ADMM minimises squares only");
  if (options.solver == Solver::kAdmm && (options.known || options.penalties.any()))
    return error(ErrorCode::kUsage, "known components and penalties need `solver=fast`");
  if (options.known) PPDNMF_TRY_STATUS(check_known(*options.known, rows, options.rank));
  if (X0.size() == 0) return {};
  if (X0.rows() != rows || X0.cols() != options.rank) {
    return error(ErrorCode::kUsage, "the start is {} x {}, but must be {} x {}", X0.rows(), X0.cols(), rows,
                 options.rank);
  }
  if (!X0.allFinite() || X0.minCoeff() < 0 || X0.maxCoeff() <= 0)
    return error(ErrorCode::kUsage, "the start must be finite, nonnegative and not all zero");
  return {};
}

}  // namespace

Status check_factorizable(const Matrix& Z, Index rank, data::Ranks ranks) {
  const data::SharedColumns columns = data::view(Z);
  return data::check_factorizable({&columns, 1}, rank, ranks);
}

Result<Factorization> Factorization::create(const data::SharedColumns& columns, const FactorizeOptions& options,
                                            const Seed& seed, Executor& executor) {
  const data::Ranks ranks = options.solver == Solver::kFast ? data::Ranks::kAny : data::Ranks::kUnique;
  PPDNMF_TRY_STATUS(data::check_factorizable({&columns, 1}, options.rank, ranks));
  PPDNMF_CHECK(options.iterations >= 1);
  PPDNMF_TRY_STATUS(check_start(options, columns->rows()));
  if (options.solver == Solver::kAdmm && data::has_gaps(*columns))
    return error(ErrorCode::kUsage, "missing entries need `solver=fast`: the paper's ADMM knows complete data only");
  const double entries = data::present_entries(*columns);
  const double scale = data_scale(data::entry_sum(*columns, executor) / entries);
  if (options.solver == Solver::kAdmm)
    return Factorization(internal::admm_run(columns, scale, options, seed, executor), options.loss, scale);
  PPDNMF_TRY_STATUS(choose_lanes(Lanes::kAutomatic));
  return Factorization(internal::fast_run(columns, scale, options, seed, executor), options.loss, scale);
}

Result<Factorization> Factorization::create(Matrix Z, const FactorizeOptions& options, const Seed& seed,
                                            Executor& executor) {
  return create(data::own(std::move(Z)), options, seed, executor);
}

Factorization::Factorization(std::unique_ptr<internal::SolverRun> run, LossKind loss, double scale)
    : run_(std::move(run)), loss_(loss), scale_(scale) {}
Factorization::Factorization(Factorization&&) noexcept = default;
Factorization& Factorization::operator=(Factorization&&) noexcept = default;
Factorization::~Factorization() = default;

Status Factorization::step() {
  PPDNMF_CHECK(!done());
  return run_->step();
}

Status Factorization::stop(std::string because) {
  PPDNMF_CHECK(!done() && !because.empty());
  return run_->stop(std::move(because));
}

const std::string& Factorization::stopped_because() const { return run_->stopped_because(); }
int Factorization::iterations() const { return run_->iterations(); }
const Matrix& Factorization::X() const { return run_->X(); }
Matrix Factorization::Y() const { return run_->Y(); }
Matrix Factorization::shrink() const { return run_->shrink(); }

double Factorization::relative_error() const {
  const LocalFit fit = run_->fit();
  return ppdnmf::nmf::relative_error({&fit, 1});
}

double Factorization::penalty() const { return scaled_loss(loss_, run_->fit().penalty, scale_); }
double Factorization::divergence() const { return run_->fit().divergence * scale_; }

Bytes Factorization::save() const {
  ByteWriter out;
  run_->save(out);
  return out.take();
}

Status Factorization::load(ByteSpan saved) {
  ByteReader in(saved);
  run_->load(in);
  PPDNMF_TRY_STATUS(in.status());
  if (!run_->in_range()) return error(ErrorCode::kInvalidData, "the saved state is damaged");
  return {};
}

}  // namespace ppdnmf::nmf
