#include <ppdnmf/sim/simulation.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/protocol/spanning_tree.h>

namespace ppdnmf::sim {
namespace {

constexpr std::uint8_t kCrashStream = 'C';

// Whether all agents have the same X, to the bit. The mean of equal numbers need not be the number.
bool same_bytes(const std::vector<const Matrix*>& X) {
  return std::all_of(X.begin(), X.end(), [&](const Matrix* X_i) { return *X_i == *X.front(); });
}

Status check_data(const std::vector<data::SharedColumns>& columns, const protocol::RunSettings& settings) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i]->count() == 0) return error(ErrorCode::kInvalidData, "agent {} has no columns", i);
    if (columns[i]->rows() != columns.front()->rows()) {
      return error(ErrorCode::kInvalidData, "agent {} has {} rows, but agent 0 has {}", i, columns[i]->rows(),
                   columns.front()->rows());
    }
  }
  return data::check_factorizable(columns, settings.rank, protocol::ranks_of(settings));
}

Digest digest_of(const Seed& seed) {
  Digest out{};
  std::copy_n(seed.reveal_secret_bytes().begin(), out.size(), out.begin());
  return out;
}

}  // namespace

Result<Simulation> Simulation::create(SimulationConfig config, protocol::Graph graph, std::vector<Matrix> Z) {
  std::vector<data::SharedColumns> columns;
  columns.reserve(Z.size());
  for (Matrix& Z_i : Z) columns.push_back(data::own(std::move(Z_i)));
  return create(std::move(config), std::move(graph), std::move(columns));
}

Result<Simulation> Simulation::create(SimulationConfig config, protocol::Graph graph,
                                      std::vector<data::SharedColumns> columns) {
  if (columns.size() != graph.agents()) {
    return error(ErrorCode::kUsage, "the graph has {} agents, but there are data for {}", graph.agents(),
                 columns.size());
  }
  PPDNMF_TRY_STATUS(check_data(columns, config.settings));
  PPDNMF_TRY_STATUS(protocol::validate(config.settings));
  if (config.settings.privacy && !config.make_sum_secrets) {
    return error(
        ErrorCode::kUsage,
        "a private run needs its masks: without them every agent's part travels with its own share of the noise "
        "only (leave out `cipher=none`)");
  }
  for (data::SharedColumns& own : columns) {
    PPDNMF_TRY(own, protocol::own_columns(std::move(own), config.settings));
  }
  return Simulation(std::move(config), std::move(graph), std::move(columns));
}

Simulation::Simulation(SimulationConfig config, protocol::Graph graph, std::vector<data::SharedColumns> columns)
    : config_(std::move(config)),
      graph_(std::move(graph)),
      digest_(config_.settings.digest(graph_)),
      places_(protocol::spanning_tree(graph_)),
      steps_(std::make_unique<SharedSteps>()),
      columns_(std::move(columns)),
      durable_(columns_.size()),
      last_heard_(columns_.size()),
      network_(config_.faults, Seed::from_number(config_.fault_seed)),
      crash_stream_(Seed::from_number(config_.fault_seed), kCrashStream),
      to_start_(columns_.size(), true) {
  for (std::size_t i = 0; i < columns_.size(); ++i) agents_.push_back(make_agent(i));
}

std::unique_ptr<protocol::Agent> Simulation::make_agent(std::size_t i) const {
  const AgentId self{static_cast<std::uint32_t>(i)};
  protocol::AgentConfig agent;
  agent.run = protocol::simulated_run_id(config_.seed);
  agent.settings = config_.settings;
  agent.settings_digest = digest_;
  agent.self = self;
  agent.agents = graph_.agents();
  agent.neighbours = graph_.neighbours(self);
  agent.place = places_[i];
  agent.common_seed = digest_of(Seed::from_number(config_.seed));
  agent.start_given = config_.X0.size() > 0;
  agent.start = [X0 = config_.X0, s = config_.settings, seed = config_.seed](int number) {
    if (X0.size() > 0) return X0;
    return protocol::start_of(s, Seed::from_number(seed), number);
  };
  agent.entering = columns_[i];
  agent.columns = std::make_unique<nmf::Holder>(columns_[i], *config_.executor, protocol::loss_of(config_.settings));
  agent.capped = [columns = columns_[i], s = config_.settings](double cap) {
    return protocol::own_columns(columns, s, cap);
  };
  if (!protocol::sums_only(config_.settings.scheme)) agent.cipher = config_.make_cipher(self);
  if (config_.make_sum_secrets) agent.masks = config_.make_sum_secrets(self);
  if (config_.around_masks) agent.around_masks = config_.around_masks;
  if (columns_.size() > 1) agent.steps = steps_.get();  // else nobody is there to share with
  agent.steps_carry_state = config_.faults.crash > 0;   // nobody else goes on from it
  return std::make_unique<protocol::Agent>(std::move(agent), config_.make_secret
                                                                 ? config_.make_secret(self)
                                                                 : protocol::simulated_secret(config_.seed, self));
}

Result<bool> Simulation::run(Executor& executor, const Observer& observer, const Question& question) {
  while (!all_finished()) {
    const Wish wish = question();
    if (wish == Wish::kPause) return false;
    std::vector<std::vector<protocol::Event>> events = collect_events();
    if (wish == Wish::kEnd && !std::exchange(ending_, true)) {
      for (auto& list : events) list.emplace_back(protocol::StopRequested{});
    }
    std::vector<std::vector<protocol::Step>> produced(agents_.size());
    executor.for_each(agents_.size(), [&](std::size_t i) {
      if (events[i].empty()) agents_[i]->prepare();
      for (const protocol::Event& event : events[i]) produced[i].push_back(agents_[i]->step(event));
    });
    for (std::size_t i = 0; i < agents_.size(); ++i) carry_out(i, std::move(produced[i]));
    if (failure_) return tl::unexpected(*failure_);
    complete_history(observer);
    ++now_;
  }
  return true;
}

std::vector<std::vector<protocol::Event>> Simulation::collect_events() {
  std::vector<std::vector<protocol::Event>> events(agents_.size());
  const bool silence = network_.idle();
  for (Delivery& delivery : network_.arrivals(now_)) {
    if (config_.recorder != nullptr) config_.recorder->received(now_, delivery.from, delivery.to, delivery.message);
    events[delivery.to.value].emplace_back(protocol::Received{delivery.from, std::move(delivery.message)});
  }
  const std::uint64_t patience = 4 * std::uint64_t{config_.faults.max_delay} + 4;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (to_start_[i]) {
      events[i].insert(events[i].begin(), protocol::Started{});
      to_start_[i] = false;
    }
    if (!events[i].empty()) {
      last_heard_[i] = now_;
    } else if (silence || now_ - last_heard_[i] >= patience) {
      events[i].emplace_back(protocol::Ticked{});
      last_heard_[i] = now_;
    }
  }
  return events;
}

// An agent that crashes does so between two of its saves and messages, or after all of them.
void Simulation::carry_out(std::size_t i, std::vector<protocol::Step> steps) {
  std::size_t left = 0;
  for (const protocol::Step& step : steps) left += step.sends.size() + (step.state ? 1 : 0);
  const bool crashes = config_.faults.crash > 0 && left > 0 && crash_stream_.uniform() < config_.faults.crash;
  if (crashes) left = crash_stream_.below(left + 1);
  const AgentId self{static_cast<std::uint32_t>(i)};
  for (protocol::Step& step : steps) {
    note(i, step);  // the simulation sees what an agent reports even if the agent does not live to say it
    if (step.state && left > 0) {
      durable_[i] = *std::move(step.state);
      --left;
    }
    for (protocol::Send& send : step.sends) {
      if (left == 0) break;
      dispatch(self, std::move(send));
      --left;
    }
  }
  if (crashes) crash(i);
}

void Simulation::dispatch(AgentId self, protocol::Send send) {
  std::vector<protocol::Message> messages;
  if (config_.deviation) {
    messages = config_.deviation(self, send.to, send.message);
  } else {
    messages.push_back(std::move(send.message));
  }
  for (protocol::Message& message : messages) {
    bytes_sent_ += protocol::content_size(message);
    if (config_.recorder != nullptr) config_.recorder->sent(now_, self, send.to, message);
    network_.send(now_, self, send.to, std::move(message));
  }
}

void Simulation::note(std::size_t i, protocol::Step& step) {
  for (protocol::Report& report : step.reports) {
    const std::uint32_t iteration = report.iteration;
    if (report.closing) {
      closed_.try_emplace(i, std::move(report));
    } else if (iteration > history_.size()) {
      ended_[iteration].try_emplace(i, std::move(report));
    }
  }
  if (const auto* finish = step.finish(); finish != nullptr && finish->because != "neighbour") {
    stopped_because_ = finish->because;
  }
  for (const protocol::Complaint& complaint : step.complaints) {
    complaints_.push_back(fmt::format("agent {} about agent {}: {}", i, complaint.about.value, complaint.what));
  }
  if (const Error* failure = step.failure(); failure != nullptr && !failure_) failure_ = *failure;
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
    for (const auto& [agent, report] : first->second) X.push_back(&report.X);
    HistoryEntry entry;
    entry.iteration = first->first;
    entry.rounds = first->second.begin()->second.rounds;
    entry.bytes = bytes_sent_;
    entry.disagreement = same_bytes(X) ? 0 : nmf::disagreement(X, nmf::mean_factor(X));
    set_errors(entry, first->second);
    history_.push_back(entry);
    if (config_.factor_observer) config_.factor_observer(entry.iteration, X);
    ended_.erase(first);
    if (observer) observer(entry);
  }
  if (closed_.size() == agents_.size()) set_errors(history_.back(), closed_);
}

void Simulation::set_errors(HistoryEntry& entry, const ByAgent& reports) const {
  std::vector<nmf::LocalFit> fits;
  for (const auto& [agent, report] : reports) fits.push_back(report.fit);
  entry.nmse = nmf::nmse(fits);
  entry.relative_error = nmf::relative_error(fits);
  const double scale = agents_.front()->data_scale().value_or(1);
  const nmf::LossKind loss = config_.settings.loss;
  const nmf::LocalFit& common = reports.begin()->second.common;
  entry.loss = nmf::scaled_loss(loss, nmf::loss_value(loss, fits) + common.penalty, scale);
  entry.common_error = nmf::relative_error({&common, 1});
}

bool Simulation::all_finished() const {
  return std::all_of(agents_.begin(), agents_.end(), [](const auto& agent) { return agent->finished(); });
}

std::uint64_t Simulation::rounds_begun() const {
  std::uint64_t fewest = agents_.front()->rounds();
  for (const auto& agent : agents_) fewest = std::min(fewest, agent->rounds());
  return fewest;
}

std::uint64_t Simulation::rounds_completed() const {
  std::uint64_t fewest = agents_.front()->rounds_completed();
  for (const auto& agent : agents_) fewest = std::min(fewest, agent->rounds_completed());
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
    out.put(e.rounds);
    for (const double value : {e.nmse, e.relative_error, e.loss, e.common_error, e.disagreement}) out.put(value);
    out.put(e.bytes);
  }
  out.put<std::uint64_t>(ended_.size());
  for (const auto& [iteration, by_agent] : ended_) {
    out.put(iteration);
    put(out, by_agent);
  }
  put(out, closed_);
  for (const auto& agent : agents_) out.put_bytes(agent->save());
  return out.take();
}

void Simulation::put(ByteWriter& out, const ByAgent& reports) const {
  out.put<std::uint64_t>(reports.size());
  for (const auto& [agent, report] : reports) {
    out.put<std::uint64_t>(agent);
    out.put(report.rounds);
    for (const nmf::LocalFit& fit : {report.fit, report.common}) {
      out.put(fit.squared_error);
      out.put(fit.squared_norm);
      out.put(fit.divergence);
      out.put(fit.penalty);
    }
    out.put<std::int64_t>(report.X.cols());
    out.put_array(report.X.data(), static_cast<std::size_t>(report.X.size()));
  }
}

void Simulation::get(ByteReader& in, ByAgent& reports) const {
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t k = 0; k < count && in.left() > 0; ++k) {
    protocol::Report& report = reports[in.get<std::uint64_t>()];
    report.rounds = in.get<std::uint64_t>();
    for (nmf::LocalFit* fit : {&report.fit, &report.common}) {
      fit->squared_error = in.get<double>();
      fit->squared_norm = in.get<double>();
      fit->divergence = in.get<double>();
      fit->penalty = in.get<double>();
    }
    report.X.resize(config_.settings.rows, std::clamp<Index>(in.get<std::int64_t>(), 0, config_.settings.rank));
    in.get_array(report.X.data(), static_cast<std::size_t>(report.X.size()));
  }
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
    e.iteration = static_cast<std::uint32_t>(n + 1);
    e.rounds = in.get<std::uint64_t>();
    for (double* value : {&e.nmse, &e.relative_error, &e.loss, &e.common_error, &e.disagreement})
      *value = in.get<double>();
    e.bytes = in.get<std::uint64_t>();
  }
  const auto iterations = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < iterations && in.left() > 0; ++n) {
    const auto iteration = in.get<std::uint32_t>();
    get(in, ended_[iteration]);
  }
  get(in, closed_);
  for (const auto& agent : agents_) {
    const Bytes state = in.get_bytes();
    PPDNMF_TRY_STATUS(agent->load(state));
  }
  return in.status();
}

}  // namespace ppdnmf::sim
