// A network of agents in one process: the same Agent that a daemon runs, with a seeded network in place of sockets.
//
// Time advances in units. In each, every agent handles what arrived for it; agents are independent of each other within
// a unit and are stepped on the executor's threads, while everything they send is handed to the network in agent order:
// results do not depend on the number of threads.
#ifndef PPDNMF_SIM_SIMULATION_H_
#define PPDNMF_SIM_SIMULATION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/sim/ciphers.h>
#include <ppdnmf/sim/network.h>
#include <ppdnmf/sim/shared_steps.h>
#include <ppdnmf/sim/transcript.h>

namespace ppdnmf::sim {

// All agents' state at the end of one iteration, in numbers.
struct HistoryEntry {
  std::uint32_t iteration = 0;
  std::uint64_t rounds = 0;
  double nmse = 0;
  double relative_error = 0;  // as the simulation sees it, from every agent's own error
  double loss = 0;            // in units of the data
  double common_error = 0;    // the same as the agents see it, from a sum over all of them
  double disagreement = 0;
  std::uint64_t bytes = 0;  // sent by all agents until the last of them ended this iteration
};

struct SimulationConfig {
  protocol::RunSettings settings;  // completed and validated
  std::uint64_t seed = 1;
  std::function<Seed(AgentId)> make_secret;  // empty: simulated_secret of the seed, which protects nothing
  Faults faults;
  std::uint64_t fault_seed = 0;
  CipherFactory make_cipher;                                       // not called by schemes that know sums only
  SumSecretsFactory make_sum_secrets;                              // empty: sums without masks
  std::function<void(const std::function<void()>&)> around_masks;  // empty, or AgentConfig's; called from any thread
  Recorder* recorder = nullptr;                                    // not owned
  // Lends its threads to agents that work on their columns; not owned, outlives the simulation.
  Executor* executor = &serial_executor();
  // Called with every agent's X at the end of each iteration that all have ended, before the observer of `run`.
  std::function<void(std::uint32_t iteration, std::span<const Matrix* const> X)> factor_observer;
  // Audits and tests: what leaves instead of this message, for agents that do not keep to the protocol.
  std::function<std::vector<protocol::Message>(AgentId from, AgentId to, const protocol::Message& message)> deviation;
  // Tests only: another common start.
  Matrix X0;
};

class Simulation {
 public:
  // columns[i] are agent i's: checked as data::check_factorizable does, over all of them; every agent has at least one.
  [[nodiscard]] static Result<Simulation> create(SimulationConfig config, protocol::Graph graph,
                                                 std::vector<data::SharedColumns> columns);
  // The same for matrices that the simulation owns from then on.
  [[nodiscard]] static Result<Simulation> create(SimulationConfig config, protocol::Graph graph, std::vector<Matrix> Z);

  // Called after every iteration that all agents have ended.
  using Observer = std::function<void(const HistoryEntry&)>;
  // Asked between units of time. kPause: return at once, the run can go on. kEnd: have the agents agree to end.
  enum class Wish : std::uint8_t { kGoOn, kPause, kEnd };
  using Question = std::function<Wish()>;

  // Runs until every agent has finished, or until `question` says kPause. Fails with the first failing agent's error.
  // Returns whether the run is finished.
  [[nodiscard]] Result<bool> run(Executor& executor, const Observer& observer, const Question& question);

  // The last entry is what the run ended with: the errors of a closed run are those after closing, its disagreement is
  // that before.
  [[nodiscard]] const std::vector<HistoryEntry>& history() const { return history_; }
  [[nodiscard]] const protocol::Agent& agent(std::size_t i) const { return *agents_[i]; }
  [[nodiscard]] const protocol::RunSettings& settings() const { return config_.settings; }
  [[nodiscard]] std::size_t agents() const { return agents_.size(); }
  // Rounds that every agent has begun, and those that every agent has completed.
  [[nodiscard]] std::uint64_t rounds_begun() const;
  [[nodiscard]] std::uint64_t rounds_completed() const;
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }
  [[nodiscard]] const std::string& stopped_because() const { return stopped_because_; }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  [[nodiscard]] std::uint64_t crashes() const { return crashes_; }

  // Everything that a later process needs to go on to the same bytes: the agents' saved states and the history. What
  // was on its way is lost, and the agents ask for it again. Holds the agents' secrets.
  [[nodiscard]] Bytes save() const;
  [[nodiscard]] Status load(ByteSpan saved);

 private:
  Simulation(SimulationConfig config, protocol::Graph graph, std::vector<data::SharedColumns> columns);

  // What agents reported at the end of an iteration that others have not ended yet.
  using ByAgent = std::map<std::size_t, protocol::Report>;

  [[nodiscard]] std::unique_ptr<protocol::Agent> make_agent(std::size_t i) const;
  [[nodiscard]] std::vector<std::vector<protocol::Event>> collect_events();
  void carry_out(std::size_t i, std::vector<protocol::Step> steps);
  void dispatch(AgentId self, protocol::Send send);
  void note(std::size_t i, protocol::Step& step);
  void complete_history(const Observer& observer);
  void set_errors(HistoryEntry& entry, const ByAgent& reports) const;
  void put(ByteWriter& out, const ByAgent& reports) const;
  void get(ByteReader& in, ByAgent& reports) const;
  void crash(std::size_t i);
  [[nodiscard]] bool all_finished() const;

  SimulationConfig config_;
  protocol::Graph graph_;
  Digest digest_{};
  std::vector<protocol::TreePlace> places_;
  std::unique_ptr<SharedSteps> steps_;
  std::vector<data::SharedColumns> columns_;
  std::vector<std::unique_ptr<protocol::Agent>> agents_;
  std::vector<Bytes> durable_;  // each agent's last saved state; only when agents may crash
  std::vector<std::uint64_t> last_heard_;
  Network network_;
  Stream crash_stream_;
  std::uint64_t now_ = 0;
  std::vector<bool> to_start_;
  bool ending_ = false;

  std::map<std::uint32_t, ByAgent> ended_;  // by iteration
  ByAgent closed_;                          // after closing
  std::vector<HistoryEntry> history_;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t crashes_ = 0;
  std::string stopped_because_;
  std::vector<std::string> complaints_;
  std::optional<Error> failure_;
};

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_SIMULATION_H_
