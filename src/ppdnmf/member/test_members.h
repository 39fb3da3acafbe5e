// A whole run of participants in memory for tests, with streams that break and processes that die.
#ifndef PPDNMF_MEMBER_TEST_MEMBERS_H_
#define PPDNMF_MEMBER_TEST_MEMBERS_H_

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/member/agent_maker.h>
#include <ppdnmf/member/participant.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::member::testing_members {

inline constexpr Digest kConsortium = {42};

// One member: its process, what its disk holds, and what it said.
struct Site {
  std::unique_ptr<Participant> participant;
  Bytes disk;
  std::uint64_t number = 0;  // of the last save
  std::optional<std::string> finished;
  std::optional<Error> failure;
  std::vector<std::string> hung_up;
  std::vector<std::string> complaints;
  bool kept = false;
};

class Members {
 public:
  Members(const protocol::Graph& graph, const protocol::RunSettings& settings, const std::vector<Matrix>& Z,
          std::optional<std::uint64_t> seed, std::optional<crypto::KeyOptions> keys = std::nullopt,
          const std::function<Status(Index)>& accept_columns = {})
      : graph_(graph), sites(graph.agents()) {
    auto members = std::make_shared<std::vector<crypto::IdentityBytes>>();
    for (std::uint32_t i = 0; i < graph.agents(); ++i) {
      identities_.push_back(protocol::simulated_identity(seed.value_or(9), AgentId{i}));
      members->push_back(identities_.back().public_bytes());
    }
    for (std::uint32_t i = 0; i < graph.agents(); ++i) {
      parts_.push_back({kConsortium, settings, keys, graph, members, AgentId{i}, data::own(Z[i]), seed, std::nullopt,
                        accept_columns});
    }
    for (std::uint32_t i = 0; i < graph.agents(); ++i) make(i);
  }

  // A new process at site i, from its disk, with salt and secret of its own.
  void make(std::uint32_t i) {
    ++processes_;
    Site& site = sites[i];
    site.participant = std::make_unique<Participant>(participant_config(parts_[i], identities_[i], executor_),
                                                     Seed::from_number(1000 + processes_));
    if (!site.disk.empty()) {
      ASSERT_TRUE(site.participant->load(site.disk, site.number));
    }
    Digest salt{};
    salt[0] = static_cast<std::uint8_t>(processes_);
    handle(i, Begun{salt});
  }
  void kill(std::uint32_t i) {
    sites[i].participant.reset();
    for (const AgentId j : graph_.neighbours(AgentId{i})) cut(i, j.value);
  }
  void cut(std::uint32_t i, std::uint32_t j) {
    streams_.erase({i, j});
    streams_.erase({j, i});
  }
  void connect(std::uint32_t i, std::uint32_t j) {
    if (streams_.contains({i, j}) || !sites[i].participant || !sites[j].participant) return;
    streams_[{i, j}];
    streams_[{j, i}];
    handle(i, Met{AgentId{j}});
    handle(j, Met{AgentId{i}});
  }
  void connect_all() {
    for (const auto& [a, b] : graph_.edges()) connect(a, b);
  }

  [[nodiscard]] bool has_edge(std::uint32_t i, std::uint32_t j) const {
    const auto& neighbours = graph_.neighbours(AgentId{i});
    return std::find(neighbours.begin(), neighbours.end(), AgentId{j}) != neighbours.end();
  }
  [[nodiscard]] std::size_t queued(std::uint32_t from, std::uint32_t to) const {
    const auto found = streams_.find({from, to});
    return found == streams_.end() ? 0 : found->second.size();
  }

  // `survive`: how many parts of the step are carried out, its save first, before the process dies; all, if nothing.
  void handle(std::uint32_t i, const MemberEvent& event, std::optional<std::size_t> survive = std::nullopt) {
    Site& site = sites[i];
    if (!site.participant) return;
    const MemberStep step = site.participant->step(event);
    std::size_t left = survive.value_or(std::numeric_limits<std::size_t>::max());
    const auto lives = [&left] { return left > 0 && left-- > 0; };
    if (step.state && lives()) save(i, step.state->span());
    for (const Post& post : step.posts) {
      if (lives()) send(i, post);
    }
    for (const HangUp& hang : step.hang_ups) {
      if (!lives()) continue;
      site.hung_up.push_back(hang.why);
      cut(i, hang.peer.value);
    }
    for (const protocol::Complaint& complaint : step.complaints) site.complaints.push_back(complaint.what);
    if (step.end && lives()) end(i, *step.end);
    if (survive) kill(i);
  }

  // Delivers one message of a stream; false if nothing is on its way. `pick` chooses among the streams that have one.
  bool deliver(Stream& pick) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> busy;
    for (const auto& [ends, queue] : streams_) {
      if (!queue.empty()) busy.push_back(ends);
    }
    if (busy.empty()) return false;
    const auto ends = busy[pick.below(busy.size())];
    return deliver_from(ends.first, ends.second);
  }
  bool deliver_from(std::uint32_t from, std::uint32_t to) {
    const std::pair ends(from, to);
    const Bytes bytes = std::move(streams_[ends].front());
    streams_[ends].pop_front();
    auto envelope = wire::decode(bytes);
    EXPECT_TRUE(envelope) << "what participants send must be readable";
    if (envelope && std::holds_alternative<wire::Letter>(*envelope)) {
      std::uint64_t& heard = heard_of[ends.first];
      heard = std::max(heard, std::get<wire::Letter>(*envelope).save_number);
    }
    if (envelope && meddle) meddle(from, to, *envelope);
    if (envelope) handle(ends.second, Heard{AgentId{ends.first}, *std::move(envelope)}, survive_next);
    survive_next.reset();
    return true;
  }
  void tick() {
    for (std::uint32_t i = 0; i < sites.size(); ++i) handle(i, protocol::Ticked{});
  }
  // Until nothing moves any more, with a few ticks in between.
  void run(Stream& pick) {
    for (int quiet = 0; quiet < 3; ++quiet) {
      while (deliver(pick)) quiet = 0;
      tick();
    }
  }
  [[nodiscard]] bool all_done() const {
    return std::all_of(sites.begin(), sites.end(),
                       [](const Site& s) { return s.participant && s.participant->done(); });
  }

  // Every contribution to a sum that has left, by run, agent and the sum's number.
  using Partials = std::map<std::tuple<RunId, std::uint32_t, std::uint32_t>, Bytes>;
  [[nodiscard]] const Partials& partials() const { return partials_; }

  std::optional<std::size_t> survive_next;
  bool somebody_begins_anew = false;  // and says another nonce in the roll call, where nothing is masked
  // Sees everything that is delivered and may change it.
  std::function<void(std::uint32_t from, std::uint32_t to, wire::Envelope& envelope)> meddle;
  std::map<std::uint32_t, std::uint64_t> heard_of;  // the highest save number of each that anybody has heard of

 private:
  void save(std::uint32_t i, std::span<const std::uint8_t> state) {
    sites[i].disk.assign(state.begin(), state.end());
    sites[i].participant->saved(++sites[i].number);
  }

  void send(std::uint32_t i, const Post& post) {
    const auto stream = streams_.find({i, post.to.value});
    if (stream == streams_.end()) return;
    wire::Envelope envelope;
    std::visit(
        [&](const auto& content) {
          if constexpr (std::is_same_v<std::decay_t<decltype(content)>, protocol::Message>) {
            envelope = wire::Letter{sites[i].number, content};
            note(i, post.to, content);
          } else {
            envelope = content;
          }
        },
        post.content);
    stream->second.push_back(wire::encode(envelope));
  }

  void end(std::uint32_t i, const protocol::End& end) {
    Site& site = sites[i];
    if (const auto* finish = std::get_if<protocol::Finish>(&end)) {
      site.finished = finish->because;
      site.kept = true;
      handle(i, Kept{});
    } else {
      site.failure = std::get<protocol::Fail>(end).error;
    }
  }

  // No contribution to a sum and no answer ever leaves in two forms.
  void note(std::uint32_t i, AgentId to, const protocol::Message& message) {
    if (somebody_begins_anew && message.run == protocol::run_id(kConsortium)) return;
    if (const auto* partial = std::get_if<protocol::Partial>(&message.body)) {
      const auto [found, fresh] = partials_.try_emplace({message.run, i, partial->number}, partial->payload);
      EXPECT_EQ(found->second, partial->payload) << "two contributions to one sum";
    }
    if (const auto* reply = std::get_if<protocol::Reply>(&message.body)) {
      const auto [found, fresh] = replies_.try_emplace({message.run, i, to.value, reply->round}, reply->payload);
      EXPECT_EQ(found->second, reply->payload) << "two answers to one question";
    }
  }

  protocol::Graph graph_;
  SerialExecutor executor_;
  std::vector<crypto::IdentityKey> identities_;
  std::vector<AgentParts> parts_;
  std::uint64_t processes_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Bytes>> streams_;  // by sender and receiver
  Partials partials_;
  std::map<std::tuple<RunId, std::uint32_t, std::uint32_t, protocol::Round>, Bytes> replies_;

 public:
  std::vector<Site> sites;
};

}  // namespace ppdnmf::member::testing_members

#endif  // PPDNMF_MEMBER_TEST_MEMBERS_H_
