#include <ppdnmf/experiment/trial.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/experiment/agents.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::experiment {
namespace {

constexpr double kNotMeasuredHere = std::numeric_limits<double>::quiet_NaN();

double worst_error(std::span<const Matrix* const> X, const Matrix& Z) {
  // Agents that agree have nearly the same coordinates: the mean's are a good guess for all.
  const Matrix guess = nmf::nonnegative_least_squares(nmf::mean_factor(X), Z);
  double worst = 0;
  for (const Matrix* X_i : X) {
    if (X_i != X.front() && *X_i == *X.front()) continue;  // after masked sums all agents have one X
    worst = std::max(worst, nmf::best_error(*X_i, Z, guess));
  }
  return worst;
}

Matrix reconstruct(const Matrix& X, const Matrix& column) { return X * nmf::nonnegative_least_squares(X, column); }

void keep_pictures(const Matrix& Z, const Matrix& first_X, const Matrix& first_y, const Matrix& last_X,
                   const Matrix& last_y, TrialOutcome& outcome) {
  outcome.basis = first_X;
  outcome.pictures.resize(Z.rows(), 4);
  outcome.pictures.col(0) = first_X * first_y;
  outcome.pictures.col(1) = last_X * last_y;
  outcome.pictures.col(2) = reconstruct(last_X, Z.leftCols(1));
  outcome.pictures.col(3) = reconstruct(first_X, Z.rightCols(1));
}

// The agents' shares of the centre's error, so that the paper's mean of local errors is defined for it, too.
std::vector<nmf::LocalFit> local_fits(const TrialProblem& problem, const Matrix& X, const Matrix& Y) {
  std::vector<nmf::LocalFit> fits;
  Index first = 0;
  for (const Index count : problem.columns) {
    const auto Z_i = problem.Z.middleCols(first, count);
    fits.push_back({(Z_i - X * Y.middleCols(first, count)).squaredNorm(), Z_i.squaredNorm()});
    first += count;
  }
  return fits;
}

Result<std::optional<TrialOutcome>> run_centralised(const TrialProblem& problem, const StopQuestion& stop) {
  const nmf::FactorizeOptions options = centralised_options(problem.paper, problem.rank);
  PPDNMF_TRY(nmf::Factorization run,
             nmf::Factorization::create(data::view(problem.Z), options, Seed::from_number(problem.seed)));
  TrialOutcome outcome;
  while (!run.done()) {
    if (stop()) return std::optional<TrialOutcome>();
    PPDNMF_TRY_STATUS(run.step());
    const std::vector<nmf::LocalFit> fits = local_fits(problem, run.X(), run.Y());
    const int iteration = run.iterations();
    const double best =
        is_measured(iteration, options.iterations) ? nmf::best_error(run.X(), problem.Z, run.Y()) : kNotMeasuredHere;
    outcome.curve.push_back({iteration, 0, nmf::nmse(fits), nmf::relative_error(fits), 0, best});
  }
  const Matrix Y = run.Y();
  if (problem.keep_pictures) keep_pictures(problem.Z, run.X(), Y.leftCols(1), run.X(), Y.rightCols(1), outcome);
  return std::optional(std::move(outcome));
}

Result<std::optional<TrialOutcome>> run_network(const TrialProblem& problem, const Variant& variant,
                                                const StopQuestion& stop) {
  PPDNMF_TRY(const Agents agents, make_agents(problem, variant));
  TrialOutcome outcome;
  double worst = kNotMeasuredHere;
  Watchers watchers;
  watchers.factors = [&](std::uint32_t iteration, std::span<const Matrix* const> X) {
    const bool measured = is_measured(static_cast<int>(iteration), agents.settings.iterations);
    worst = measured ? worst_error(X, problem.Z) : kNotMeasuredHere;
  };
  watchers.iterations = [&](const sim::HistoryEntry& e) {
    outcome.curve.push_back({static_cast<int>(e.iteration), static_cast<std::int64_t>(e.rounds), e.nmse,
                             e.relative_error, e.disagreement, worst});
  };
  PPDNMF_TRY(const std::optional<sim::Simulation> run,
             run_agents(agents, {problem.Z, problem.columns}, problem.seed, {}, watchers, stop));
  if (!run) return std::optional<TrialOutcome>();
  if (problem.keep_pictures) {
    const protocol::Agent& first = run->agent(0);
    const protocol::Agent& last = run->agent(run->agents() - 1);
    keep_pictures(problem.Z, first.X(), first.Y().leftCols(1), last.X(), last.Y().rightCols(1), outcome);
  }
  return std::optional(std::move(outcome));
}

void put_matrix(ByteWriter& out, const Matrix& m) {
  out.put<std::int64_t>(m.rows());
  out.put<std::int64_t>(m.cols());
  out.put_array(m.data(), static_cast<std::size_t>(m.size()));
}

Result<Matrix> get_matrix(ByteReader& in) {
  const auto rows = in.get<std::int64_t>();
  const auto columns = in.get<std::int64_t>();
  const auto entries = static_cast<std::int64_t>(in.left() / sizeof(double));
  if (rows < 0 || columns < 0 || (columns > 0 && rows > entries / columns)) {
    return error(ErrorCode::kInvalidData, "a matrix of {} x {} is larger than its file", rows, columns);
  }
  Matrix m(rows, columns);
  in.get_array(m.data(), static_cast<std::size_t>(m.size()));
  return m;
}

}  // namespace

bool is_measured(int iteration, int last) {
  if (iteration == last) return true;
  int scale = 1;
  while (iteration >= 10 * scale) scale *= 10;
  const int tenths = iteration * 10 / scale;  // 10 to 99
  const bool exact = tenths * scale == iteration * 10;
  return exact && (tenths == 10 || tenths == 15 || tenths == 20 || tenths == 30 || tenths == 50 || tenths == 70);
}

Result<std::optional<TrialOutcome>> run_trial(const TrialProblem& problem, const Variant& variant,
                                              const StopQuestion& stop) {
  return variant.kind == Kind::kCentralised ? run_centralised(problem, stop) : run_network(problem, variant, stop);
}

Bytes encode(const TrialOutcome& outcome) {
  ByteWriter out;
  out.put<std::uint64_t>(outcome.curve.size());
  for (const CurvePoint& p : outcome.curve) {
    out.put<std::int32_t>(p.iteration);
    out.put(p.rounds);
    for (const double value : {p.nmse, p.relative_error, p.disagreement, p.worst_agent_error}) out.put(value);
  }
  put_matrix(out, outcome.basis);
  put_matrix(out, outcome.pictures);
  return out.take();
}

Result<TrialOutcome> decode_trial(ByteSpan bytes) {
  ByteReader in(bytes);
  TrialOutcome outcome;
  const auto points = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < points && in.left() > 0; ++n) {
    CurvePoint& p = outcome.curve.emplace_back();
    p.iteration = in.get<std::int32_t>();
    p.rounds = in.get<std::int64_t>();
    for (double* value : {&p.nmse, &p.relative_error, &p.disagreement, &p.worst_agent_error}) *value = in.get<double>();
  }
  PPDNMF_TRY(outcome.basis, get_matrix(in));
  PPDNMF_TRY(outcome.pictures, get_matrix(in));
  PPDNMF_TRY_STATUS(in.status());
  if (outcome.curve.size() != points || outcome.curve.empty())
    return error(ErrorCode::kInvalidData, "it holds no curve");
  return outcome;
}

}  // namespace ppdnmf::experiment
