#include <ppdnmf/launch/run_view.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::launch {

RunView::RunView(std::vector<double> squared_norms, nmf::LossKind loss, bool penalised)
    : squared_norms_(std::move(squared_norms)), loss_(loss), penalised_(penalised), last_(squared_norms_.size()) {}

bool RunView::take(std::size_t agent, const site::ProgressLine& line, double seconds) {
  const std::int64_t before = last_.at(agent).iterations;
  last_[agent] = line;
  if (!line.because.empty() && (because_.empty() || because_ == "neighbour")) because_ = line.because;
  const Reported reported{line.error, line.common, line.loss, line.rounds, line.bytes};
  if (line.closing) {
    closed_[agent] = reported;
    if (closed_.size() == last_.size() && !history_.empty()) set_errors(history_.back(), closed_);
    return false;
  }
  if (line.iterations <= before) return false;
  ByAgent& reports = pending_[line.iterations];
  reports[agent] = reported;
  if (reports.size() < last_.size()) return false;
  report::HistoryRow row;
  row.iteration = static_cast<int>(line.iterations);
  row.seconds = seconds;
  for (const auto& [who, one] : reports) {
    row.rounds = std::max(row.rounds, one.rounds);
    row.bytes += one.bytes;
  }
  set_errors(row, reports);
  history_.push_back(row);
  pending_.erase(pending_.begin(), pending_.upper_bound(line.iterations));
  return true;
}

void RunView::set_errors(report::HistoryRow& row, const ByAgent& reports) {
  std::vector<nmf::LocalFit> fits;
  for (const auto& [agent, one] : reports) {
    const double norm = squared_norms_[agent];
    fits.push_back({one.error * one.error * norm, norm});
  }
  row.nmse = nmf::nmse(fits);
  row.relative_error = nmf::relative_error(fits);
  // Errors tell the squares; another loss is what all agents know.
  row.loss =
      loss_ == nmf::LossKind::kSquares && !penalised_ ? nmf::loss_value(loss_, fits) : reports.begin()->second.loss;
  common_error_ = reports.begin()->second.common;
}

std::uint64_t RunView::rounds() const {
  std::int64_t fewest = last_.empty() ? 0 : last_.front().rounds;
  for (const site::ProgressLine& line : last_) fewest = std::min(fewest, line.rounds);
  return static_cast<std::uint64_t>(fewest);
}

std::uint64_t RunView::bytes() const {
  std::uint64_t sum = 0;
  for (const site::ProgressLine& line : last_) sum += line.bytes;
  return sum;
}

}  // namespace ppdnmf::launch
