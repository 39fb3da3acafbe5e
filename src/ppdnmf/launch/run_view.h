// One view of a run from the lines of all its agents: the history that `simulate` keeps, as far as lines tell it.
#ifndef PPDNMF_LAUNCH_RUN_VIEW_H_
#define PPDNMF_LAUNCH_RUN_VIEW_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/site/progress_line.h>

namespace ppdnmf::launch {

class RunView {
 public:
  // ||Z_i||^2 of each agent's columns.
  explicit RunView(std::vector<double> squared_norms, nmf::LossKind loss = nmf::LossKind::kSquares,
                   bool penalised = false);

  // A line of this agent, `seconds` after the start. Whether an iteration is now complete: every agent has reported
  // it, and history() has a row more. Errors after closing replace those of the last row. Disagreement stays
  // unmeasured.
  bool take(std::size_t agent, const site::ProgressLine& line, double seconds);

  [[nodiscard]] const std::vector<report::HistoryRow>& history() const { return history_; }
  // That every agent has completed.
  [[nodiscard]] std::uint64_t rounds() const;
  [[nodiscard]] std::uint64_t bytes() const;                           // sent by all so far
  [[nodiscard]] double common_error() const { return common_error_; }  // of the last row
  // Why the run ended: the first reason that is not "neighbour"; empty before the end.
  [[nodiscard]] const std::string& because() const { return because_; }

 private:
  struct Reported {
    double error = 0;
    double common = 0;
    double loss = 0;
    std::int64_t rounds = 0;
    std::uint64_t bytes = 0;
  };
  using ByAgent = std::map<std::size_t, Reported>;
  void set_errors(report::HistoryRow& row, const ByAgent& reports);

  std::vector<double> squared_norms_;
  nmf::LossKind loss_;
  bool penalised_;
  std::vector<site::ProgressLine> last_;  // of each agent
  std::map<std::int64_t, ByAgent> pending_;
  ByAgent closed_;
  std::vector<report::HistoryRow> history_;
  double common_error_ = report::kNotMeasured;
  std::string because_;
};

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_RUN_VIEW_H_
