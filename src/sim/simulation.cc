#include "sim/simulation.h"

#include <algorithm>
#include <utility>

#include "nmf/factorize.h"
#include "nmf/measures.h"
#include "nmf/start.h"

namespace ppdnmf {
namespace {

constexpr std::uint8_t kCrashStream = 'C';

Status check_data(const std::vector<Matrix>& Z, const RunSettings& settings) {
  Index columns = 0;
  for (std::size_t i = 0; i < Z.size(); ++i) {
    if (Z[i].cols() == 0) return error(ErrorCode::kInvalidData, "agent {} has no columns", i);
    if (Z[i].rows() != Z.front().rows()) {
      return error(ErrorCode::kInvalidData, "agent {} has {} rows, but agent 0 has {}", i, Z[i].rows(),
                   Z.front().rows());
    }
    columns += Z[i].cols();
  }
  Matrix all(Z.front().rows(), columns);
  Index first = 0;
  for (const Matrix& Z_i : Z) {
    all.middleCols(first, Z_i.cols()) = Z_i;
    first += Z_i.cols();
  }
  return check_factorizable(all, settings.rank);
}

}  // namespace

std::vector<Matrix> split_columns(const Matrix& Z, const std::vector<Index>& columns) {
  std::vector<Matrix> parts;
  Index first = 0;
  for (const Index share : columns) {
    parts.emplace_back(Z.middleCols(first, share));
    first += share;
  }
  PPDNMF_CHECK(first == Z.cols());
  return parts;
}

Result<Simulation> Simulation::create(SimulationConfig config, Graph graph, std::vector<Matrix> Z) {
  if (Z.size() != graph.agents()) {
    return error(ErrorCode::kUsage, "the graph has {} agents, but there are data for {}", graph.agents(), Z.size());
  }
  PPDNMF_TRY_STATUS(check_data(Z, config.settings));
  PPDNMF_TRY_STATUS(validate(config.settings));
  const RunSettings& s = config.settings;
  Matrix X0 = config.X0.size() > 0 ? config.X0 : common_start(s.start, s.rows, s.rank, Seed::from_number(config.seed));
  return Simulation(std::move(config), std::move(graph), std::move(Z), std::move(X0));
}

Simulation::Simulation(SimulationConfig config, Graph graph, std::vector<Matrix> Z, Matrix X0)
    : config_(std::move(config)),
      graph_(std::move(graph)),
      digest_(config_.settings.digest(graph_)),
      Z_(std::move(Z)),
      X0_(std::move(X0)),
      durable_(Z_.size()),
      last_heard_(Z_.size()),
      network_(config_.faults, Seed::from_number(config_.fault_seed)),
      crash_stream_(Seed::from_number(config_.fault_seed), kCrashStream),
      to_start_(Z_.size(), true) {
  for (std::size_t i = 0; i < Z_.size(); ++i) agents_.push_back(make_agent(i));
}

std::unique_ptr<Agent> Simulation::make_agent(std::size_t i) const {
  const AgentId self{static_cast<std::uint32_t>(i)};
  AgentConfig agent;
  agent.run = simulated_run_id(config_.seed);
  agent.settings = config_.settings;
  agent.settings_digest = digest_;
  agent.self = self;
  agent.neighbours = graph_.neighbours(self);
  agent.X0 = X0_;
  agent.Z = Z_[i];
  agent.cipher = config_.make_cipher(self);
  if (config_.weight_table) agent.weight_table = config_.weight_table(self);
  return std::make_unique<Agent>(std::move(agent), simulated_secret(config_.seed, self));
}

Result<bool> Simulation::run(Executor& executor, const Observer& observer, const Question& question) {
  while (!all_finished()) {
    const Wish wish = question();
    if (wish == Wish::kPause) return false;
    std::vector<std::vector<Event>> events = collect_events();
    if (wish == Wish::kEnd && !std::exchange(ending_, true)) {
      for (auto& list : events) list.emplace_back(StopRequested{});
    }
    std::vector<std::vector<Action>> produced(agents_.size());
    executor.for_each(agents_.size(), [&](std::size_t i) {
      if (events[i].empty()) agents_[i]->prepare();
      for (const Event& event : events[i]) {
        std::vector<Action> actions = agents_[i]->step(event);
        std::move(actions.begin(), actions.end(), std::back_inserter(produced[i]));
      }
    });
    for (std::size_t i = 0; i < agents_.size(); ++i) carry_out(i, std::move(produced[i]));
    if (failure_) return tl::unexpected(*failure_);
    complete_history(observer);
    ++now_;
  }
  return true;
}

std::vector<std::vector<Event>> Simulation::collect_events() {
  std::vector<std::vector<Event>> events(agents_.size());
  const bool silence = network_.idle();
  for (Delivery& delivery : network_.arrivals(now_)) {
    if (config_.recorder != nullptr) config_.recorder->received(now_, delivery.from, delivery.to, delivery.message);
    events[delivery.to.value].emplace_back(Received{delivery.from, std::move(delivery.message)});
  }
  const std::uint64_t patience = 4 * std::uint64_t{config_.faults.most_delay} + 4;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (to_start_[i]) {
      events[i].insert(events[i].begin(), Started{});
      to_start_[i] = false;
    }
    if (!events[i].empty()) {
      last_heard_[i] = now_;
    } else if (silence || now_ - last_heard_[i] >= patience) {
      events[i].emplace_back(Ticked{});
      last_heard_[i] = now_;
    }
  }
  return events;
}

void Simulation::carry_out(std::size_t i, std::vector<Action> actions) {
  if (actions.empty()) return;
  const bool crashes = config_.faults.crash > 0 && crash_stream_.uniform() < config_.faults.crash;
  const std::size_t carried = crashes ? crash_stream_.below(actions.size() + 1) : actions.size();
  const AgentId self{static_cast<std::uint32_t>(i)};
  for (std::size_t a = 0; a < actions.size(); ++a) {
    note(i, actions[a]);  // the simulation sees what an agent reports even if the agent does not live to say it
    if (a >= carried) continue;
    if (std::holds_alternative<Save>(actions[a]) && config_.faults.crash > 0) durable_[i] = agents_[i]->save();
    if (auto* send = std::get_if<Send>(&actions[a])) {
      bytes_sent_ += content_size(send->message);
      if (config_.recorder != nullptr) config_.recorder->sent(now_, self, send->to, send->message);
      network_.send(now_, self, send->to, std::move(send->message));
    }
  }
  if (crashes) crash(i);
}

void Simulation::note(std::size_t i, Action& action) {
  if (auto* report = std::get_if<Report>(&action); report != nullptr && report->bcd > history_.size()) {
    ended_[report->bcd].try_emplace(i, Ended{std::move(report->X), report->fit, report->exchanges});
  }
  if (const auto* finish = std::get_if<Finish>(&action); finish != nullptr && finish->because != "neighbour") {
    stopped_because_ = finish->because;
  }
  if (const auto* complaint = std::get_if<Complain>(&action)) {
    complaints_.push_back(fmt::format("agent {} about agent {}: {}", i, complaint->about.value, complaint->what));
  }
  if (auto* fail = std::get_if<Fail>(&action); fail != nullptr && !failure_) failure_ = std::move(fail->error);
}

void Simulation::crash(std::size_t i) {
  ++crashes_;
  agents_[i] = make_agent(i);
  if (!durable_[i].empty()) {
    if (auto loaded = agents_[i]->load(durable_[i]); !loaded) failure_ = std::move(loaded).error();
  }
  to_start_[i] = true;
}

void Simulation::complete_history(const Observer& observer) {
  for (auto first = ended_.begin(); first != ended_.end() && first->second.size() == agents_.size();
       first = ended_.begin()) {
    std::vector<const Matrix*> X;
    std::vector<LocalFit> fits;
    for (const auto& [agent, ended] : first->second) {
      X.push_back(&ended.X);
      fits.push_back(ended.fit);
    }
    HistoryEntry entry;
    entry.bcd = first->first;
    entry.exchanges = first->second.begin()->second.exchanges;
    entry.nmse = nmse(fits);
    entry.relative_error = relative_error(fits);
    entry.disagreement = disagreement(X, mean_factor(X));
    entry.bytes = bytes_sent_;
    history_.push_back(entry);
    if (config_.factor_observer) config_.factor_observer(entry.bcd, X);
    ended_.erase(first);
    if (observer) observer(entry);
  }
}

bool Simulation::all_finished() const {
  return std::all_of(agents_.begin(), agents_.end(), [](const auto& agent) { return agent->finished(); });
}

std::uint64_t Simulation::exchanges_begun() const {
  std::uint64_t fewest = agents_.front()->exchanges();
  for (const auto& agent : agents_) fewest = std::min(fewest, agent->exchanges());
  return fewest;
}

std::uint64_t Simulation::exchanges_completed() const {
  std::uint64_t fewest = agents_.front()->exchanges_completed();
  for (const auto& agent : agents_) fewest = std::min(fewest, agent->exchanges_completed());
  return fewest;
}

Bytes Simulation::save() const {
  ByteWriter out;
  out.put_array(digest_.data(), digest_.size());
  out.put(bytes_sent_);
  out.put<std::uint8_t>(ending_ ? 1 : 0);
  out.put_string(stopped_because_);
  out.put<std::uint64_t>(history_.size());
  for (const HistoryEntry& e : history_) {
    out.put(e.exchanges);
    for (const double value : {e.nmse, e.relative_error, e.disagreement}) out.put(value);
    out.put(e.bytes);
  }
  out.put<std::uint64_t>(ended_.size());
  for (const auto& [bcd, by_agent] : ended_) {
    out.put(bcd);
    out.put<std::uint64_t>(by_agent.size());
    for (const auto& [agent, ended] : by_agent) {
      out.put<std::uint64_t>(agent);
      out.put(ended.exchanges);
      out.put(ended.fit.squared_error);
      out.put(ended.fit.squared_norm);
      out.put_array(ended.X.data(), static_cast<std::size_t>(ended.X.size()));
    }
  }
  for (const auto& agent : agents_) out.put_bytes(agent->save());
  return out.take();
}

Status Simulation::load(ByteSpan saved) {
  ByteReader in(saved);
  Digest digest{};
  in.get_array(digest.data(), digest.size());
  if (digest != digest_)
    return error(ErrorCode::kUsage, "the checkpoint belongs to a run with other settings or another graph");
  bytes_sent_ = in.get<std::uint64_t>();
  ending_ = in.get<std::uint8_t>() != 0;
  stopped_because_ = in.get_string();
  const auto entries = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < entries && in.left() > 0; ++n) {
    HistoryEntry& e = history_.emplace_back();
    e.bcd = static_cast<std::uint32_t>(n + 1);
    e.exchanges = in.get<std::uint64_t>();
    for (double* value : {&e.nmse, &e.relative_error, &e.disagreement}) *value = in.get<double>();
    e.bytes = in.get<std::uint64_t>();
  }
  const auto iterations = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < iterations && in.left() > 0; ++n) {
    auto& by_agent = ended_[in.get<std::uint32_t>()];
    const auto count = in.get<std::uint64_t>();
    for (std::uint64_t k = 0; k < count && in.left() > 0; ++k) {
      Ended& ended = by_agent[in.get<std::uint64_t>()];
      ended.exchanges = in.get<std::uint64_t>();
      ended.fit.squared_error = in.get<double>();
      ended.fit.squared_norm = in.get<double>();
      ended.X.resize(X0_.rows(), X0_.cols());
      in.get_array(ended.X.data(), static_cast<std::size_t>(ended.X.size()));
    }
  }
  for (const auto& agent : agents_) {
    const Bytes state = in.get_bytes();
    PPDNMF_TRY_STATUS(agent->load(state));
  }
  return in.status();
}

}  // namespace ppdnmf
