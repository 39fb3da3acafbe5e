// Iterating by rounds with the neighbours, hardened or as printed (docs/mathematics.md, sections 3 to 7): what is
// computed, without any message.
//
//   Y step once, a sum that gives all agents one weight (hardened, automatic weights); then per iteration: X
//   updates with one round each, a Y step, a sum that measures the common error; at the end of a hardened run with
//   corrected updates, a sum that makes one X of everybody's (closing).
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_ITERATION_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_ITERATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/admm_x_step.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/neighbours/neighbour_exchange.h>
#include <ppdnmf/protocol/neighbours/weights.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/scheme.h>

namespace ppdnmf::protocol::neighbours {

// What it wants to know next.
using NeighbourAsk = std::variant<SumOf, NeighboursOf, Ended>;

class NeighbourIteration {
 public:
  // `columns`, which have begun when this does, and `secret` outlive it.
  NeighbourIteration(const RunSettings& settings, AgentId self, const std::vector<AgentId>& neighbours,
                     const Matrix& X0, nmf::Holder& columns, const Seed& secret);

  // As printed: this agent's weight in the first round towards this neighbour, by its place among them, to be
  // revealed in the greeting; else 0. And the neighbour's towards this agent, checked, as it came.
  [[nodiscard]] std::int64_t first_weight(std::size_t neighbour) const;
  void reveal_first(std::size_t neighbour, std::int64_t weight);

  // As Scheme's; and the outcome of the last NeighboursOf, with weights that were checked.
  [[nodiscard]] Result<NeighbourAsk> begin(const Opening& opening);
  [[nodiscard]] Result<NeighbourAsk> absorb(std::span<const double> totals, bool stop, Outbox& out);
  [[nodiscard]] Result<NeighbourAsk> absorb(const NeighbourSums& sums);
  void request_stop();

  [[nodiscard]] const Matrix& X() const { return phase_ == Phase::kClosed ? common_ : x_step_.X(); }
  [[nodiscard]] Matrix Y() const { return y_step_ ? y_step_->coordinates() : Matrix(); }
  [[nodiscard]] const nmf::AdmmXStep& x_step() const { return x_step_; }
  // rho_i; 0 before the first round has ended.
  [[nodiscard]] double coupling_of_last_round() const { return learned_coupling_; }
  // Rounds begun so far, and those of them that have ended.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  [[nodiscard]] std::uint64_t rounds_completed() const { return phase_ == Phase::kExchanging ? rounds_ - 1 : rounds_; }
  // The round of the next NeighboursOf if nobody proposes to stop meanwhile.
  [[nodiscard]] std::optional<Round> next_round() const;

  // As Scheme's.
  void save(ByteWriter& out) const;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening);

 private:
  enum class Phase : std::uint8_t { kNew, kWeighing, kExchanging, kMeasuring, kClosing, kClosed, kEnded };

  void take(const Opening& opening);
  [[nodiscard]] Result<NeighbourAsk> begin_iteration();
  [[nodiscard]] Result<NeighbourAsk> begin_round();
  [[nodiscard]] Result<NeighbourAsk> end_iteration();
  [[nodiscard]] Result<NeighbourAsk> after_measure(double total, bool stop, Outbox& out);
  [[nodiscard]] Result<NeighbourAsk> close(std::span<const double> totals);
  [[nodiscard]] NeighbourAsk end();
  [[nodiscard]] NeighbourAsk measure();
  [[nodiscard]] SumOf sum_of(std::vector<double> values, bool stop = false) const;
  [[nodiscard]] bool weighs() const;
  [[nodiscard]] Status take_curvature(double total);
  void pull(const NeighbourSums& sums);
  void absorb_pull(const std::vector<Int128>& pull);
  void solve_y_step(const Matrix& X);
  [[nodiscard]] double mu() const;
  [[nodiscard]] double wanted_weight() const;
  [[nodiscard]] double common_coupling() const;
  [[nodiscard]] double coupling() const;
  [[nodiscard]] double neighbourhood_difference() const;
  [[nodiscard]] bool is_satisfied() const;
  [[nodiscard]] bool is_consistent() const;
  [[nodiscard]] bool printed_scheme() const { return settings_.scheme == SchemeKind::kAsPrinted; }

  RunSettings settings_;  // with the scale, once it is known
  std::size_t neighbours_;
  std::vector<std::uint32_t> factors_;  // of the edges to them
  nmf::Holder& columns_;
  const Seed& secret_;
  nmf::AdmmXStep x_step_;
  std::optional<nmf::AdmmYStep> y_step_;  // from `begin` on
  Weights weights_;
  Opening opening_;

  Phase phase_ = Phase::kNew;
  Round round_{};
  std::uint64_t rounds_ = 0;
  std::uint32_t stop_admm_ = kNever;
  bool stop_ = false;  // this agent wants the run to end
  std::string stop_reason_ = "iterations";
  std::vector<std::int64_t> first_;     // as printed: this agent's weights in the first round
  std::vector<std::int64_t> revealed_;  // as printed: the neighbours' weights towards us in the coming round
  double curvature_ = 0;                // the agents' common one; 0 before the first sum of it
  double max_curvature_ = 0;            // what the data let the first one be
  Matrix X0_;                           // the common start, of which this agent's own is made
  double learned_weights_ = 0;   // sum over neighbours of their real weights in the last round; 0 before the first
  double learned_coupling_ = 0;  // rho_i of the last round
  double pull_norm_ = 0;         // ||S_i|| of the last round
  Matrix X_before_;              // at the end of the last iteration
  Matrix common_;                // everybody's, after closing
  nmf::Moments moments_;         // of the present Y
};

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_ITERATION_H_
