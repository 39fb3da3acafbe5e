// Iterating by exchanges with the neighbours, hardened or as printed (docs/mathematics.md, sections 3 to 7).
//
//   Y step once, a sum that gives all agents one weight (hardened, automatic weights); then per BCD iteration: X
//   updates with one exchange each, a Y step, a sum that measures the common error; at the end of a hardened run with
//   corrected updates, a sum that makes one X of everybody's (closing).
#ifndef PPDNMF_PROTOCOL_NEIGHBOUR_ITERATION_H_
#define PPDNMF_PROTOCOL_NEIGHBOUR_ITERATION_H_

#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/left_factor.h>
#include <ppdnmf/protocol/iteration.h>
#include <ppdnmf/protocol/settings.h>
#include <ppdnmf/protocol/weights.h>

namespace ppdnmf::protocol {

class NeighbourIteration final : public Iteration {
 public:
  // `columns` and `secret` outlive it.
  NeighbourIteration(const RunSettings& settings, AgentId self, const std::vector<AgentId>& neighbours,
                     const Matrix& X0, nmf::Holder& columns, const Seed& secret, WeightTable table);

  // As printed: the weights of the first exchange, to be revealed in the greeting; else none.
  [[nodiscard]] std::vector<std::int64_t> announce_first();

  [[nodiscard]] Result<Ask> begin(const Opening& opening, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(const NeighbourSums& sums, Outbox& out) override;
  void request_stop() override;

  [[nodiscard]] const Matrix& X() const override { return phase_ == Phase::kClosed ? common_ : left_.X(); }
  [[nodiscard]] const nmf::LeftFactor& left() const { return left_; }
  // rho_i; 0 before the first exchange has ended.
  [[nodiscard]] double coupling_of_last_exchange() const { return learned_coupling_; }
  [[nodiscard]] std::uint64_t exchanges() const override { return exchanges_; }
  [[nodiscard]] std::uint64_t exchanges_completed() const override {
    return phase_ == Phase::kExchanging ? exchanges_ - 1 : exchanges_;
  }
  [[nodiscard]] std::optional<Round> next_round() const override;

  void save(ByteWriter& out) const override;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening) override;

 private:
  enum class Phase : std::uint8_t { kNew, kWeighing, kExchanging, kMeasuring, kClosing, kClosed, kEnded };

  void take(const Opening& opening);
  [[nodiscard]] Result<Ask> begin_bcd();
  [[nodiscard]] Result<Ask> begin_exchange();
  [[nodiscard]] Result<Ask> end_bcd();
  [[nodiscard]] Result<Ask> after_measure(double total, bool stop, Outbox& out);
  [[nodiscard]] Result<Ask> close(std::span<const double> totals);
  [[nodiscard]] Ask end();
  [[nodiscard]] Ask measure();
  [[nodiscard]] bool weighs() const;
  [[nodiscard]] Status take_curvature(double total);
  void pull(const NeighbourSums& sums);
  void absorb_pull(const std::vector<Int128>& pull);
  void solve_right_factor(const Matrix& X);
  [[nodiscard]] double mu() const;
  [[nodiscard]] double wanted_weight() const;
  [[nodiscard]] double common_coupling() const;
  [[nodiscard]] double coupling() const;
  [[nodiscard]] double neighbourhood_difference() const;
  [[nodiscard]] bool is_satisfied() const;
  [[nodiscard]] bool is_consistent() const;
  [[nodiscard]] bool printed_exchange() const { return settings_.exchange == ExchangeKind::kAsPrinted; }

  RunSettings settings_;  // with the scale, once it is known
  std::size_t neighbours_;
  std::vector<std::uint32_t> factors_;  // of the edges to them
  nmf::Holder& columns_;
  const Seed& secret_;
  nmf::LeftFactor left_;
  Weights weights_;
  Opening opening_;

  Phase phase_ = Phase::kNew;
  Round round_{};
  std::uint64_t exchanges_ = 0;
  std::uint32_t stop_admm_ = kNever;
  bool stop_ = false;  // this agent wants the run to end
  std::string stop_reason_ = "iterations";
  std::vector<std::int64_t> revealed_;  // as printed: the neighbours' weights towards us in the coming exchange
  double curvature_ = 0;                // the agents' common one; 0 before the first sum of it
  double most_curvature_ = 0;           // what the data let the first one be
  double shortest_;                     // the squared norm of X0's shortest column
  double learned_weights_ = 0;   // sum over neighbours of their real weights in the last exchange; 0 before the first
  double learned_coupling_ = 0;  // rho_i of the last exchange
  double pull_norm_ = 0;         // ||S_i|| of the last exchange
  Matrix X_before_;              // at the end of the last BCD iteration
  Matrix common_;                // everybody's, after closing
  nmf::Moments moments_;              // of the present Y
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_NEIGHBOUR_ITERATION_H_
