// A14 and A15 on counts from a file: what a curious agent finds in a run of the scheme sum with exact totals, as it is
// and with `crowd=blank` and `crowd=drop`. usage: crowd_attacks FILE.npy RANK [AGENTS]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/attacks/a15_dominant_column.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/nmf/leverage.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::audit {
namespace {

Matrix nonzero_columns(const Matrix& Z) {
  Matrix out(Z.rows(), Z.cols());
  Index next = 0;
  for (Index m = 0; m < Z.cols(); ++m) {
    if (Z.col(m).maxCoeff() > 0) out.col(next++) = Z.col(m);
  }
  return out.leftCols(next);
}

void attack(AuditProblem problem, protocol::CrowdKind crowd) {
  constexpr Index kMaxBehind = 3;
  problem.settings.crowd = crowd;
  const auto run = record(problem);
  if (!run) return fmt::print("  {}\n", run.error().message);
  const AttackerView view = run->view(kAttacker);
  const Matrix others = run->others(kAttacker);
  const Eigen::VectorXd guess = Matrix(problem.Z[0]).rowwise().mean();
  for (Index l = 0; l < others.rows(); ++l) {
    const Index behind = (others.row(l).array() > 0).count();
    if (behind < 1 || behind > kMaxBehind) continue;
    Index first = 0;
    others.row(l).maxCoeff(&first);
    const Eigen::VectorXd claim = column_behind_row(view, l);
    const double guessed = shape_error(others.col(first), guess);
    fmt::print("  A14 row {:3}, {} behind it: error {:.1e}, best guess {:.2f}\n", l + 1, behind,
               claim.size() > 0 ? shape_error(others.col(first), claim) : guessed, guessed);
  }
  const auto told = [&](const char* which, Index column, double part) {
    const auto trial = shape_trial(problem, problem.Z.counts[0] + column);
    if (!trial) return fmt::print("  {}\n", trial.error().message);
    fmt::print(
        "  A15 {}, {:.2f} of it: error {:.2f}; mean of one's own columns {:.2f}, best guess without the column "
        "{:.2f}\n",
        which, part, trial->value, shape_error(others.col(column), guess), trial->baseline);
  };
  Index largest = 0;
  const double part = others.colwise().squaredNorm().maxCoeff(&largest) / others.squaredNorm();
  told("largest of the squared norm", largest, part);
  const std::vector<double> parts = nmf::leverages(*data::view(others), problem.settings.rank);
  const auto leads = std::max_element(parts.begin(), parts.end());
  told("largest of a leading direction", leads - parts.begin(), *leads);
}

int run_on(const char* file, Index rank, std::uint32_t agents) {
  const auto table = io::read_npy(file);
  if (!table) return fmt::print(stderr, "{}\n", table.error().message), 1;
  const Matrix Z = nonzero_columns(table->values);
  AuditSetup setup{kSum, "ring", agents, Z.cols() / agents, Z.cols() / agents, Z.rows(), rank, true, false};
  AuditProblem problem = problem_of(setup, 1);
  problem.Z.all = Z.leftCols(setup.each * agents);
  fmt::print("{} rows, {} columns, {} agents, rank {}, {} rounds\n", Z.rows(), problem.Z.all.cols(), agents, rank,
             problem.settings.iterations);
  fmt::print("as it is:\n");
  attack(problem, protocol::CrowdKind::kOff);
  fmt::print("crowd=blank:\n");
  attack(problem, protocol::CrowdKind::kBlank);
  fmt::print("crowd=drop:\n");
  attack(problem, protocol::CrowdKind::kDrop);
  return 0;
}

}  // namespace
}  // namespace ppdnmf::audit

int main(int count, char** arguments) {
  if (count < 3) return fmt::print(stderr, "usage: crowd_attacks FILE.npy RANK [AGENTS]\n"), 3;
  constexpr std::uint32_t kAgents = 4;
  return ppdnmf::audit::run_on(arguments[1], std::atoi(arguments[2]),
                               count > 3 ? static_cast<std::uint32_t>(std::atoi(arguments[3])) : kAgents);
}
