#ifndef PPDNMF_APPS_PLAN_H_
#define PPDNMF_APPS_PLAN_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/run/inputs.h>
#include "apps/ppdnmf/network_options.h"

namespace ppdnmf::app {

// What follows from the options before anything is computed.
struct Plan {
  std::vector<Index> columns;  // of each agent
  protocol::Graph graph;
  protocol::RunSettings settings;

  // If nothing ends the run early.
  [[nodiscard]] std::uint64_t exchanges() const;
};

// Fails with kUsage or kInvalidData. Also chooses the instructions to compute with.
[[nodiscard]] Result<Plan> make_plan(const run::FactorOptions& factor, const run::NetworkOptions& network, const run::Inputs& inputs);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_PLAN_H_
