// Everything that an agent of one run is made from.
#ifndef PPDNMF_PROTOCOL_AGENT_CONFIG_H_
#define PPDNMF_PROTOCOL_AGENT_CONFIG_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/sum_masks.h>
#include <ppdnmf/protocol/sum_scheme.h>

namespace ppdnmf::protocol {

struct AgentConfig {
  RunId run{};
  RunSettings settings;
  Digest settings_digest{};
  AgentId self;
  std::uint32_t agents = 1;                    // of the whole run
  std::vector<AgentId> neighbours;             // in rising order
  TreePlace place;                             // in the graph's spanning tree
  std::function<Matrix(int)> start;            // the common X0 of start 0, 1, ...
  Digest common_seed{};                        // everybody's, where the number of components is looked for
  bool start_given = false;                    // that of start 0 is one that somebody wants, not random numbers
  std::unique_ptr<nmf::Holder> columns;        // this agent's own
  data::SharedColumns entering;                // what `columns` was made of, if rows may be dropped; else may be null
  std::unique_ptr<neighbours::Cipher> cipher;  // schemes between neighbours only, and there always
  std::optional<SumSecrets> masks;             // of the sums; without them words travel as they are
  CommonSteps* steps = nullptr;                // not owned; see SumScheme
  // Asked once, when the number of everybody's columns is known and nothing else of the data has left: whether this
  // agent goes on (protocol/column_minimum.h). Empty: always. Not asked in a private run, which opens no such number.
  std::function<Status(Index columns)> accept_columns;
  // Runs with a cap: this agent's columns as they enter the run once the cap is known (protocol/own_columns.h), or why
  // it does not go on. Until then `columns` has them as they are.
  std::function<Result<data::SharedColumns>(double cap)> capped;
  // Runs the work that it is given, which is all work with masks: for whoever wants to know how long that takes.
  std::function<void(const std::function<void()>&)> around_masks = [](const auto& work) { work(); };
  // False: steps carry no state, for a driver that never starts an agent from one and should not pay for writing it.
  bool steps_carry_state = true;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_AGENT_CONFIG_H_
