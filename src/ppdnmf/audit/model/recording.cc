#include <ppdnmf/audit/model/recording.h>

#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/neighbours/forwarding_cipher.h>
#include <ppdnmf/protocol/noise_share.h>
#include <ppdnmf/sim/assembly.h>

namespace ppdnmf::audit {
namespace {

// Passes everything on and notes what its agent put in and got out.
class OverheardCipher final : public protocol::neighbours::ForwardingCipher {
 public:
  // `curious`: opens each answer alone, too, which the protocol does not.
  OverheardCipher(std::unique_ptr<protocol::neighbours::Cipher> cipher, MemberView& member, bool curious)
      : protocol::neighbours::ForwardingCipher(std::move(cipher)), member_(member), curious_(curious) {}

  [[nodiscard]] Result<Bytes> make_query(protocol::Round round, std::span<const std::int64_t> minus_u) override {
    member_.queries.push_back({round, {minus_u.begin(), minus_u.end()}});
    return cipher().make_query(round, minus_u);
  }
  [[nodiscard]] Result<Bytes> make_reply(protocol::Round round, AgentId asker, ByteSpan query,
                                         const protocol::neighbours::ReplyTerms& terms) override {
    member_.replies.push_back({round, asker, terms.weight, {terms.u.begin(), terms.u.end()}});
    return cipher().make_reply(round, asker, query, terms);
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> open(
      protocol::Round round, std::span<const protocol::neighbours::ReceivedReply> replies) override {
    auto sum = cipher().open(round, replies);
    if (!sum) return sum;
    if (curious_ && replies.size() > 1) open_alone(round, replies);
    OpenedSum& opened = member_.opened.emplace_back(OpenedSum{round, {}, *sum});
    for (const protocol::neighbours::ReceivedReply& reply : replies) opened.of.push_back(reply.from);
    return sum;
  }

 private:
  // What a key's owner can do as well: decrypt one neighbour's answer by itself.
  void open_alone(protocol::Round round, std::span<const protocol::neighbours::ReceivedReply> replies) {
    for (const protocol::neighbours::ReceivedReply& reply : replies) {
      auto alone = cipher().open(round, {&reply, 1});
      if (alone) member_.opened_alone.push_back({round, {reply.from}, *std::move(alone)});
    }
  }

  MemberView& member_;
  bool curious_;
};

}  // namespace

// Keeps the bytes that reach each agent.
class Ear final : public sim::Recorder {
 public:
  Ear(Recording& recording, bool sealed) : recording_(recording), sealed_(sealed) {}

  void sent(std::uint64_t /*now*/, AgentId from, AgentId /*to*/, const protocol::Message& message) override {
    MemberView& member = recording_.members_[from.value];
    if (const auto* total = std::get_if<protocol::Total>(&message.body)) member.totals[total->number] = total->payload;
    if (const auto* part = std::get_if<protocol::Partial>(&message.body))
      member.contributions[part->number] = part->payload;
  }
  void received(std::uint64_t /*now*/, AgentId from, AgentId to, const protocol::Message& message) override {
    MemberView& member = recording_.members_[to.value];
    if (const auto* total = std::get_if<protocol::Total>(&message.body)) member.totals[total->number] = total->payload;
    if (sealed_) member.received.push_back({from, message});
  }

 private:
  Recording& recording_;
  bool sealed_;
};

protocol::RunSettings default_settings(protocol::SchemeKind scheme, Index rows, Index rank,
                                       const protocol::Graph& graph) {
  protocol::RunSettings s;
  s.rows = rows;
  s.rank = rank;
  s.scheme = scheme;
  s.admm_x = protocol::automatic_admm_x(graph);
  s.iterations = scheme == protocol::SchemeKind::kSum ? protocol::automatic_rounds(s.starts)
                                                      : protocol::automatic_iterations(s.admm_x);
  protocol::complete(s, graph);
  return s;
}

protocol::RunSettings printed_settings(Index rows, Index rank, const protocol::Graph& graph) {
  protocol::RunSettings s = default_settings(protocol::SchemeKind::kAsPrinted, rows, rank, graph);
  s.updates = nmf::Updates::kAsPrinted;
  s.y_first = false;
  s.local_rounds = 1;
  protocol::complete(s, graph);
  return s;
}

void remove_countermeasures(protocol::RunSettings& settings, const protocol::Graph& graph) {
  settings.weight_rule = protocol::WeightRule::kSecret;
  protocol::complete(settings, graph);
}

Recording::Recording(const AuditProblem& problem)
    : graph_(problem.graph),
      settings_(problem.settings),
      seed_(problem.seed),
      X0_(nmf::common_start(settings_.start, settings_.rows, settings_.rank, Seed::from_number(problem.seed))),
      members_(problem.Z.counts.size()) {
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].Z = problem.Z[i];
}

Result<Recording> Recording::make(const AuditProblem& problem, Executor& executor) {
  Recording recording(problem);
  Ear ear(recording, problem.keys || problem.masks || problem.deviation);
  PPDNMF_TRY(sim::SimulationConfig config,
             sim::assemble(problem.settings, problem.graph, problem.seed, {problem.keys, problem.masks}, executor));
  config.recorder = &ear;
  config.deviation = problem.deviation;
  config.make_cipher = [&recording, ciphers = std::move(config.make_cipher),
                        curious = problem.keys.has_value() || problem.unmasked](AgentId self) {
    return std::make_unique<OverheardCipher>(ciphers(self), recording.members_[self.value], curious);
  };
  for (std::uint32_t i = 0; problem.masks && i < problem.graph.agents(); ++i) {
    recording.members_[i].sum_secrets =
        std::make_shared<const protocol::SumSecrets>(config.make_sum_secrets(AgentId{i}));
  }
  PPDNMF_TRY(sim::Simulation simulation,
             sim::Simulation::create(std::move(config), problem.graph, data::split(problem.Z.all, problem.Z.counts)));
  const auto question = [&] {
    const bool enough = problem.rounds > 0 && simulation.rounds_completed() >= problem.rounds;
    return enough ? sim::Simulation::Wish::kPause : sim::Simulation::Wish::kGoOn;
  };
  PPDNMF_TRY(const bool finished, simulation.run(executor, nullptr, question));
  recording.scale_ = simulation.agent(0).data_scale().value_or(1);
  for (std::size_t i = 0; finished && i < simulation.agents(); ++i) recording.members_[i].X = simulation.agent(i).X();
  return recording;
}

AttackerView Recording::view(const std::vector<AgentId>& coalition) const {
  AttackerView view{settings_, graph_, X0_, scale_, {}, {}};
  for (int n = 1; n < settings_.starts; ++n) {
    view.later_starts.push_back(nmf::common_start(settings_.start, settings_.rows, settings_.rank,
                                                  Seed::from_number(seed_), static_cast<std::uint64_t>(n)));
  }
  if (!view.settings.data_scale) protocol::take_scale(view.settings, scale_);
  for (const AgentId agent : coalition) {
    MemberView& member = view.members.emplace(agent, members_.at(agent.value)).first->second;
    if (settings_.privacy) member.noise = noise_shares(agent);
  }
  return view;
}

std::vector<std::vector<double>> Recording::noise_shares(AgentId agent) const {
  const privacy::NoisePlan& plan = settings_.privacy->noise;
  const Seed secret = protocol::simulated_secret(seed_, agent);
  std::vector<std::vector<double>> shares;
  Digest told{};
  for (const auto& [number, total] : members_.at(agent.value).totals) {
    if (number >= protocol::kOpeningSums && shares.size() < static_cast<std::size_t>(plan.rounds))
      shares.push_back(protocol::noise_share(plan, secret, told, shares.size()));
    told = protocol::told_after(told, protocol::words_of(total), false);
  }
  return shares;
}

Matrix Recording::others(AgentId agent) const {
  Index columns = 0;
  for (const MemberView& member : members_) columns += member.Z.cols();
  Matrix all(settings_.rows, columns - members_[agent.value].Z.cols());
  Index next = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (i == agent.value) continue;
    all.middleCols(next, members_[i].Z.cols()) = members_[i].Z;
    next += members_[i].Z.cols();
  }
  return all;
}

}  // namespace ppdnmf::audit
