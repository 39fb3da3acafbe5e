// The hardened scheme in real numbers, as an attacker simulates it: the same updates (nmf/admm_x_step.h and the
// rest), without rounding, so that small changes of the data have small effects.
//
// The coalition's own agents are not simulated: what they said is known. What the others said follows from their
// columns and from what else they keep to themselves: where weights are common, the start of each; where they are
// secret, how each weight was rounded.
#ifndef PPDNMF_AUDIT_MODEL_NETWORK_MODEL_H_
#define PPDNMF_AUDIT_MODEL_NETWORK_MODEL_H_

#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

// Everything unknown to the coalition, as one list of parameters: the others' scaled columns, agent by agent, column by
// column; then what else is hidden, between -1 and 1:
//   private starts   the start of agent j is X0 (1 + start_spread r), entry by entry; all r of an agent, agent by agent
//   secret weights   the offset of each weight in integer units, iteration by iteration, agent by agent
class NetworkModel {
 public:
  // `columns[i]`: how many agent i has (the coalition's are not looked at). The first `rounds` of the run, which the
  // view has. The view outlives the model.
  NetworkModel(const AttackerView& view, std::vector<Index> columns, int rounds);

  // What the coalition would have seen: member by member, round by round, the weighted mean of its neighbours' U
  // (rows * rank numbers) and the sum of their secret weights (else 0) in millions. Pure.
  [[nodiscard]] Vector simulate(const Vector& parameters) const;
  // What it did see, and how far rounding and blinding can have moved it.
  [[nodiscard]] Vector observed() const;
  [[nodiscard]] Vector deviation() const;

  [[nodiscard]] const std::vector<AgentId>& others() const { return others_; }
  [[nodiscard]] Index column_parameters() const { return column_parameters_; }
  [[nodiscard]] Index parameters() const { return column_parameters_ + hidden_; }
  // Inverse variance of a hidden parameter, which is uniform.
  [[nodiscard]] double hidden_precision() const;

 private:
  struct Honest;
  // What an agent said in one round: its multiplier of differences (the edge's factor comes on top) and its U.
  struct Said {
    double weight = 0;
    Matrix U;
  };

  [[nodiscard]] std::vector<Honest> begin(const Vector& parameters) const;
  [[nodiscard]] std::vector<Said> said(const std::vector<Honest>& honest, protocol::Round round) const;
  void pull(std::vector<Honest>& honest, const std::vector<Said>& said, protocol::Round round) const;
  void observe(const std::vector<Said>& said, Index at, Vector& seen) const;
  [[nodiscard]] double common_weight(protocol::Round round) const { return weights_[round.iteration - 1]; }

  const AttackerView& view_;
  std::vector<Index> columns_;
  int rounds_;
  std::vector<AgentId> others_;
  std::vector<double> weights_;  // common ones, real, by iteration
  Index column_parameters_ = 0;
  Index hidden_ = 0;
};

// Forward differences, all parameters of a model.
[[nodiscard]] Matrix forward_differences(const NetworkModel& model, const Vector& parameters, const Vector& at);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_NETWORK_MODEL_H_
