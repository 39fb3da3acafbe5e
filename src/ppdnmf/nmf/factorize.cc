#include <ppdnmf/nmf/factorize.h>

#include <algorithm>
#include <limits>
#include <utility>

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

Status check_factorizable(const Matrix& Z, Index rank) {
  if (Z.size() == 0)
    return error(ErrorCode::kInvalidData, "there is nothing to factorise: {} x {}", Z.rows(), Z.cols());
  // One walk over the data decides whether there is anything to complain of.
  bool fit = true;
  double largest = 0;
  for (const double* z = Z.data(); z != Z.data() + Z.size(); ++z) {
    fit = fit && *z >= 0 && *z <= std::numeric_limits<double>::max();
    largest = std::max(largest, *z);
  }
  if (!fit && !Z.allFinite()) {
    return error(ErrorCode::kInvalidData, "the data hold a value that is not a finite number");
  }
  if (!fit) return error(ErrorCode::kInvalidData, "the data hold a negative value");
  if (largest <= 0) return error(ErrorCode::kInvalidData, "all entries are zero: there is nothing to factorise");
  if (largest < kSmallestMaximum || largest > kLargestMaximum) {
    return error(ErrorCode::kInvalidData, "the largest entry is {:g}: choose a unit in which it is from {:g} to {:g}",
                 largest, kSmallestMaximum, kLargestMaximum);
  }
  if (rank < 1) return error(ErrorCode::kUsage, "the rank must be at least 1, not {}", rank);
  if (rank > std::min(Z.rows(), Z.cols())) {
    return error(ErrorCode::kUsage, "rank {} is larger than the data allow: {} rows and {} columns give at most {}",
                 rank, Z.rows(), Z.cols(), std::min(Z.rows(), Z.cols()));
  }
  return {};
}

Result<Factorization> Factorization::create(Matrix Z, const FactorizeOptions& options, const Seed& seed) {
  PPDNMF_TRY_STATUS(check_factorizable(Z, options.rank));
  PPDNMF_CHECK(options.bcd >= 1);
  PPDNMF_TRY_STATUS(check_start(options, Z.rows()));
  const double scale = data_scale(Z.mean());
  if (options.solver == Solver::kAdmm) return Factorization(internal::admm_run(std::move(Z), scale, options, seed));
  PPDNMF_TRY_STATUS(choose_lanes(Lanes::kAutomatic));
  return Factorization(internal::fast_run(std::move(Z), scale, options, seed));
}

Factorization::Factorization(std::unique_ptr<internal::SolverRun> run) : run_(std::move(run)) {}
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

double Factorization::relative_error() const {
  const LocalFit fit = run_->fit();
  return ppdnmf::nmf::relative_error({&fit, 1});
}

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
