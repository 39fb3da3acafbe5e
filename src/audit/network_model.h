// The hardened exchange in real numbers, as an attacker simulates it: the same updates (nmf/left_factor.h and the
// rest), without rounding, so that small changes of the data have small effects.
//
// The coalition's own agents are not simulated: what they said is known. What the others said follows from their
// columns and, since weights are rounded, from one small offset per agent and BCD iteration.
#ifndef PPDNMF_AUDIT_NETWORK_MODEL_H_
#define PPDNMF_AUDIT_NETWORK_MODEL_H_

#include <vector>

#include "audit/least_squares.h"
#include "audit/view.h"

namespace ppdnmf {

// Everything unknown to the coalition, as one list of parameters:
//   the others' scaled columns, agent by agent, column by column; then the offsets of their weights, in integer units,
//   BCD iteration by BCD iteration, agent by agent.
class NetworkModel {
 public:
  // `columns[i]`: how many agent i has (the coalition's are not looked at). The first `exchanges` of the run.
  NetworkModel(const AttackerView& view, std::vector<Index> columns, int exchanges);

  // What the coalition would have seen: member by member, exchange by exchange, the weighted mean of its neighbours' U
  // (rows * rank numbers) and the sum of their integer weights over `kWeightUnit`. Pure.
  [[nodiscard]] Vector simulate(const Vector& parameters) const;
  // What it did see, and how far rounding and blinding can have moved it.
  [[nodiscard]] Vector observed() const;
  [[nodiscard]] Vector deviation() const;

  [[nodiscard]] const std::vector<AgentId>& others() const { return others_; }
  [[nodiscard]] Index column_parameters() const { return column_parameters_; }
  [[nodiscard]] Index parameters() const { return column_parameters_ + offsets_; }
  [[nodiscard]] int bcd_iterations() const;

 private:
  struct Honest;
  void observe(const std::vector<Honest>& honest, Round round, Index at, Vector& seen) const;

  const AttackerView& view_;
  std::vector<Index> columns_;
  int exchanges_;
  std::vector<AgentId> others_;
  std::vector<Index> place_;  // of an agent in others_; -1: in the coalition
  Index column_parameters_ = 0;
  Index offsets_ = 0;
};

// Forward differences, all parameters of a model.
[[nodiscard]] Matrix forward_differences(const NetworkModel& model, const Vector& parameters, const Vector& at);

}  // namespace ppdnmf

#endif  // PPDNMF_AUDIT_NETWORK_MODEL_H_
