// One member of one real run as a pure state machine: what stands between an Agent and a network of processes.
//
// To the Agent it adds what a simulation does not need: introductions, the roll call from which the run's digest
// follows, the refusal to go on from an old copy of the state, farewells, and an end that the neighbours hear of. No
// socket, clock, file or entropy inside: the driver (site/daemon.h) brings them.
//
// Rollback. Every letter carries its sender's save number, and every introduction the highest that was seen of the
// receiver. A participant that was loaded says nothing but its introduction until every neighbour has introduced
// itself, and fails if one of them has seen a number beyond its own: the folder was restored from an old copy, and to
// go on would mean to answer twice under one mask.
//
// Asking again. A stream loses nothing while it stands. Both ends ask for what they miss when they have introduced
// themselves on a new one, and what comes before this agent may speak is kept; so a run goes on without any Ticked, if
// the driver queues what it is given. Ticked asks everybody again, for a driver that had to leave something out.
#ifndef PPDNMF_MEMBER_PARTICIPANT_H_
#define PPDNMF_MEMBER_PARTICIPANT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/secret.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/wire/envelope.h>

namespace ppdnmf::member {

// Everything that an agent of this run depends on, once the roll call is over.
struct RunStart {
  RunId run{};
  Digest digest{};  // the public start follows from it
  std::shared_ptr<const std::vector<crypto::IdentityBytes>> nonces;
  Seed secret;                    // this agent's, of this run
  crypto::IdentityKey ephemeral;  // whose public bytes are its nonce
};

struct ParticipantConfig {
  Digest consortium{};
  AgentId self;
  std::uint32_t agents = 1;
  std::vector<AgentId> neighbours;  // in rising order
  protocol::TreePlace place;
  std::shared_ptr<const std::vector<crypto::IdentityBytes>> members;  // everybody's X25519 identities
  // Runs that are to be thrown away only: run and secrets follow from this number, as in a simulation.
  std::optional<std::uint64_t> throw_away_seed;
  std::function<std::unique_ptr<protocol::Agent>(RunStart)> make_agent;
};

// What can happen, besides Ticked and StopRequested. The transport has authenticated the peer.
struct Begun {  // first of all, in every process
  Digest salt{};
};
struct Met {  // a new stream to this neighbour
  AgentId peer;
};
struct Heard {
  AgentId from;
  wire::Envelope envelope;
};
struct Kept {};  // the results of a finished run are on the disk
using MemberEvent = std::variant<Begun, Met, Heard, protocol::Ticked, protocol::StopRequested, Kept>;

struct Post {
  AgentId to;
  std::variant<wire::Introduction, protocol::Message, wire::Goodbye, wire::Abort>
      content;  // a message becomes a Letter with the last save's number
  // As Send::again: not needed if the same message is on its way on this stream.
  bool again = false;
};
struct HangUp {  // the neighbour did what it must not; the sentence is for both sides
  AgentId peer;
  std::string why;
};

// The outcome of one event, as an Agent's Step. The state must be durable, and its number told by `saved`, before any
// post leaves.
struct MemberStep {
  std::optional<crypto::SecretBytes> state;
  std::vector<Post> posts;  // in this order
  std::vector<HangUp> hang_ups;
  std::vector<protocol::Report> reports;
  std::vector<protocol::Complaint> complaints;
  std::optional<protocol::End> end;

  [[nodiscard]] bool empty() const {
    return !state && posts.empty() && hang_ups.empty() && reports.empty() && complaints.empty() && !end;
  }
};

class Participant {
 public:
  // `secret` was drawn for this run alone (a run that is thrown away has its own).
  Participant(ParticipantConfig config, Seed secret);

  // Total: legal in every state; peers' input never throws. A step that fails carries no state and posts only Aborts.
  [[nodiscard]] MemberStep step(const MemberEvent& event);
  bool prepare() { return agent_ && !started_waits() && agent_->prepare(); }

  // The driver has made the last state durable under this number.
  void saved(std::uint64_t number) { saves_ = number; }
  // What is left to keep when the results are written and nobody needs more of this agent than its last answers: a
  // state without any secret.
  [[nodiscard]] crypto::SecretBytes save_farewell() const;
  // Into a participant made with the same config and any secret; `number` is that of the save. Fails with kInvalidData,
  // and then it must be thrown away.
  [[nodiscard]] Status load(ByteSpan saved, std::uint64_t number);

  // All neighbours have said goodbye and were told this agent's: the process may end. After a crash nobody knows who
  // was told, so it is said again; a loaded farewell says that it was.
  [[nodiscard]] bool done() const {
    const std::size_t all = config_.neighbours.size();
    return phase_ == Phase::kLeaving && goodbyes_.size() == all && told_.size() == all;
  }
  // The driver could not send this neighbour the Goodbye that it was asked to.
  void unsaid(AgentId to) { told_.erase(to); }
  // Its results are written; loaded or not.
  [[nodiscard]] bool leaving() const { return phase_ == Phase::kLeaving; }
  // Whose message it cannot go on without; after the results are written, whose goodbye is missing.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;
  // Counts what brings the run further: another part of it begins, or fewer neighbours are waited for than ever in this
  // part. Nothing that a neighbour says twice, or that nobody needs, changes it.
  [[nodiscard]] std::uint64_t progress() const { return progress_; }
  // Some neighbour must be met before anything goes on.
  [[nodiscard]] bool connecting() const {
    return started_waits() || phase_ == Phase::kNew || phase_ == Phase::kCalling;
  }
  // This member's own in the roll call. Public; of this run alone, and the same after a load.
  [[nodiscard]] const crypto::IdentityBytes& nonce() const { return nonce_; }
  // Everybody's, once the roll call is over; empty before, and after a farewell was loaded.
  [[nodiscard]] const std::vector<crypto::IdentityBytes>& nonces() const { return nonces_; }
  // Null before the roll call is over and after a farewell.
  [[nodiscard]] const protocol::Agent* agent() const { return agent_.get(); }
  [[nodiscard]] const std::optional<Digest>& digest() const { return digest_; }

 private:
  enum class Phase : std::uint8_t { kNew, kCalling, kRunning, kLeaving, kFailed };

  void on(const Begun& event);
  void on(const Met& event);
  void on(const Heard& event);
  void on(const protocol::Ticked& event);
  void on(const protocol::StopRequested& event);
  void on(const Kept& event);
  void hear(AgentId from, const wire::Introduction& introduction);
  void hear(AgentId from, const wire::Letter& letter);
  void hear(AgentId from, const wire::Goodbye& goodbye);
  void hear(AgentId from, const wire::Abort& abort);

  [[nodiscard]] bool started_waits() const { return !unconfirmed_.empty(); }
  void note_progress();
  void start();
  // Everybody, or one neighbour.
  void ask_again(std::optional<AgentId> only = std::nullopt);
  void hold(AgentId from, const wire::Letter& letter);
  void advance_call();
  [[nodiscard]] Status begin_run(std::vector<crypto::IdentityBytes> nonces);
  [[nodiscard]] Status check_list(const std::vector<crypto::IdentityBytes>& nonces) const;
  void hang_up_on_strange_processes();
  [[nodiscard]] bool began_anew(AgentId from, const crypto::IdentityBytes& nonce) const;
  void note_nonce(AgentId from, const crypto::IdentityBytes& nonce);
  [[nodiscard]] std::string from_parent() const;
  void hear_run(AgentId from, const protocol::Message& message);
  void turn_away(AgentId from);
  [[nodiscard]] Error not_the_last_state(AgentId witness, std::uint64_t seen) const;
  void start_agent();
  void step_agent(const protocol::Event& event);
  void carry_over(protocol::Step step);
  void carry_over(protocol::Outbox& outbox);  // of the roll call
  void send_farewell(AgentId to);
  void say_goodbye(AgentId to);
  // `place`: where in the run, for the case that others are to blame.
  void fail(Error error, protocol::Reason place);
  void give_up(Error error, const wire::Abort& abort);
  [[nodiscard]] std::optional<std::size_t> find(AgentId id) const;
  [[nodiscard]] crypto::SecretBytes write(bool farewell, ByteSpan agent_state) const;
  void save_shown(ByteWriter& out) const;
  void load_shown(ByteReader& in);

  ParticipantConfig config_;
  Seed secret_;
  crypto::IdentityBytes nonce_{};
  RunId call_run_;
  protocol::RollCall call_;
  std::unique_ptr<protocol::Agent> agent_;

  Phase phase_ = Phase::kNew;
  Digest salt_{};
  bool loaded_ = false;
  bool stop_wished_ = false;  // before there was an agent that could be told
  std::uint64_t saves_ = 0;
  std::vector<std::uint64_t> seen_;  // of every neighbour
  std::set<AgentId> introduced_;     // on the present stream
  // The nonces that each neighbour showed in the roll call, the present one last; one of them is in the list.
  std::map<AgentId, std::vector<crypto::IdentityBytes>> shown_;
  std::set<AgentId> called_;                    // neighbours of whom something was taken in the roll call
  std::set<AgentId> unconfirmed_;               // after a load: who has not told what it saw of this agent
  std::set<AgentId> goodbyes_;                  // of neighbours
  std::set<AgentId> told_;                      // neighbours that this agent has said goodbye to
  std::vector<crypto::IdentityBytes> nonces_;   // everybody's, after the roll call
  std::optional<Digest> digest_;                // of the run
  std::map<AgentId, protocol::Message> early_;  // greetings of neighbours that are one step ahead, one each
  std::vector<Heard> held_;  // letters that came before this agent may speak, one of each kind and neighbour
  std::vector<protocol::Send> answers_;  // after a farewell was loaded: what neighbours may still ask for

  std::uint64_t progress_ = 0;
  struct Part {  // of a run
    Phase phase = Phase::kNew;
    bool waits_to_start = false;
    std::uint64_t moves = 0;
    friend bool operator==(const Part&, const Part&) = default;
  };
  Part part_;
  std::size_t fewest_ = 0;  // neighbours waited for in it

  // Of the step under way.
  MemberStep out_;
  bool saves_now_ = false;  // it must carry the state
  Bytes agent_state_;       // as the agent's last step carried it, if one did
};

}  // namespace ppdnmf::member

#endif  // PPDNMF_MEMBER_PARTICIPANT_H_
