#include <ppdnmf/member/participant.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::member {
namespace {

// Nonces of one neighbour that are remembered: it cannot make this agent remember more.
constexpr std::size_t kMaxShown = 8;

}  // namespace

Participant::Participant(ParticipantConfig config, Seed secret)
    : config_(std::move(config)),
      secret_(config_.throw_away_seed ? protocol::simulated_secret(*config_.throw_away_seed, config_.self)
                                      : std::move(secret)),
      nonce_(protocol::ephemeral_key(secret_).public_bytes()),
      call_run_(protocol::run_id(config_.consortium)),
      call_(config_.self, config_.agents, config_.place, nonce_, config_.consortium),
      seen_(config_.neighbours.size()) {
  PPDNMF_CHECK(config_.members->size() == config_.agents && config_.make_agent);
}

MemberStep Participant::step(const MemberEvent& event) {
  if (phase_ != Phase::kFailed) std::visit([this](const auto& e) { on(e); }, event);
  note_progress();
  // Once for all that happened: the state is that after the step.
  if (std::exchange(saves_now_, false)) out_.state = write(false, agent_state_);
  crypto::wipe(agent_state_.data(), agent_state_.size());
  if (agent_ && !agent_state_.empty()) agent_->lend(std::exchange(agent_state_, {}));
  agent_state_.clear();
  return std::exchange(out_, {});
}

void Participant::note_progress() {
  const Part part{phase_, started_waits(), agent_ ? agent_->moves() : 0};
  const std::size_t missing = waiting_for().size();
  if (part == part_ && missing >= fewest_) return;
  part_ = part;
  fewest_ = missing;
  ++progress_;
}

std::vector<AgentId> Participant::waiting_for() const {
  if (started_waits()) return {unconfirmed_.begin(), unconfirmed_.end()};
  if (phase_ == Phase::kCalling) return call_.waiting_for();
  if (phase_ == Phase::kRunning) return agent_->waiting_for();
  std::vector<AgentId> missing;
  for (const AgentId id : config_.neighbours) {
    if (phase_ == Phase::kLeaving && !goodbyes_.contains(id)) missing.push_back(id);
  }
  return missing;
}

// --- events -------------------------------------------------------------------------------------------------------

void Participant::on(const Begun& event) {
  salt_ = event.salt;
  if (phase_ == Phase::kLeaving) return;  // nothing new will be said, so nothing has to be confirmed
  if (!started_waits()) start();
}

void Participant::on(const Met& event) {
  const auto neighbour = find(event.peer);
  if (!neighbour) return;
  introduced_.erase(event.peer);
  wire::Introduction introduction;
  introduction.consortium = config_.consortium;
  introduction.nonce = nonce_;
  introduction.seen = seen_[*neighbour];
  out_.posts.push_back({event.peer, introduction});
}

void Participant::on(const Heard& event) {
  if (!find(event.from)) return;
  const bool first = std::holds_alternative<wire::Introduction>(event.envelope);
  if (first == introduced_.contains(event.from)) {
    introduced_.erase(event.from);
    out_.hang_ups.push_back({event.from, first ? "it introduced itself twice" : "it did not introduce itself first"});
    return;
  }
  std::visit([&](const auto& content) { hear(event.from, content); }, event.envelope);
}

void Participant::on(const protocol::Ticked& /*event*/) { ask_again(); }

void Participant::on(const protocol::StopRequested& event) {
  stop_wished_ = !agent_ || started_waits();
  if (!stop_wished_) step_agent(event);
}

void Participant::on(const Kept& /*event*/) {
  if (phase_ != Phase::kRunning || !agent_->finished()) return;
  phase_ = Phase::kLeaving;
  saves_now_ = true;
  for (const AgentId id : introduced_) say_goodbye(id);
}

// --- what neighbours say ------------------------------------------------------------------------------------------

void Participant::hear(AgentId from, const wire::Introduction& introduction) {
  if (introduction.consortium != config_.consortium) {
    out_.hang_ups.push_back({from,
                             "the two were given different consortium files; compare the digits that "
                             "'ppdnmf consortium check' prints"});
    return;
  }
  if (began_anew(from, introduction.nonce)) return turn_away(from);
  note_nonce(from, introduction.nonce);
  introduced_.insert(from);
  if (phase_ == Phase::kLeaving) return send_farewell(from);
  if (introduction.seen > saves_) return fail(not_the_last_state(from, introduction.seen), protocol::Reason::kGiven);
  const bool waited = started_waits();
  unconfirmed_.erase(from);
  if (started_waits()) return;
  if (waited) return start();
  ask_again(from);
}

// A process of this neighbour that does not have the state with which it is in this run. A mistake of its operator, or
// worse: the run does not end for it, since the right one may still come. To a run that is over it makes no difference.
void Participant::turn_away(AgentId from) {
  out_.hang_ups.push_back({from,
                           "it began this run anew, without the state that it is in this run with: let it continue in "
                           "the folder with that state, or begin anew everywhere, each in another folder"});
  if (phase_ != Phase::kLeaving) return;
  told_.insert(from);
  hear(from, wire::Goodbye{});
}

Error Participant::not_the_last_state(AgentId witness, std::uint64_t seen) const {
  if (!loaded_) {
    return {ErrorCode::kUsage,
            fmt::format("agent {} has messages of this run from here, but this folder is new: continue in the "
                        "folder in which it was begun, or begin anew everywhere, each in another folder",
                        witness.value)};
  }
  return {ErrorCode::kUsage,
          fmt::format("the state in this folder is an old copy: agent {} has messages from save {}, here is save {}. "
                      "Going on could give data away, so this run ends; begin anew everywhere",
                      witness.value, seen, saves_)};
}

void Participant::hear(AgentId from, const wire::Letter& letter) {
  std::uint64_t& seen = seen_[*find(from)];
  seen = std::max(seen, letter.save_number);
  if (started_waits()) return hold(from, letter);
  if (!agent_ && phase_ == Phase::kLeaving) return send_farewell(from);
  if (letter.message.run == call_run_) {
    protocol::Outbox outbox(call_run_);
    if (phase_ == Phase::kCalling) called_.insert(from);
    call_.take(from, letter.message.body, outbox);
    carry_over(outbox);
    return advance_call();
  }
  if (agent_) {
    hear_run(from, letter.message);
  } else if (std::holds_alternative<protocol::Hello>(letter.message.body)) {
    early_.insert_or_assign(from, letter.message);  // it knows the list of the roll call already
  }
}

void Participant::hear(AgentId from, const wire::Goodbye& /*goodbye*/) {
  if (goodbyes_.insert(from).second && !started_waits()) saves_now_ = true;
}

void Participant::hear(AgentId from, const wire::Abort& abort) {
  if (phase_ == Phase::kLeaving || (agent_ && agent_->finished())) return;  // this agent needs nothing more of it
  const AgentId who = abort.who.value < config_.agents ? abort.who : from;
  const std::string by = who == from ? "" : fmt::format(" (agent {} passed this on)", from.value);
  give_up(
      Error{ErrorCode::kPeer, fmt::format("agent {} gave up: {}{}", who.value, protocol::words_of(abort.reason), by)},
      {abort.reason, who});
}

// --- going on -----------------------------------------------------------------------------------------------------

// In a new run and in one that was loaded, as soon as anything new may be said.
void Participant::start() {
  if (phase_ == Phase::kNew) {
    phase_ = Phase::kCalling;
    protocol::Outbox outbox(call_run_);
    call_.begin(outbox);
    carry_over(outbox);
    return advance_call();
  }
  if (agent_) {
    start_agent();
  } else {
    ask_again();
  }
  for (const Heard& heard : std::exchange(held_, {})) hear(heard.from, std::get<wire::Letter>(heard.envelope));
}

void Participant::ask_again(std::optional<AgentId> only) {
  if (started_waits()) return;
  protocol::Step step;
  if (phase_ == Phase::kCalling) {
    protocol::Outbox outbox(call_run_);
    call_.resend(outbox);
    step = outbox.take();
  }
  if (phase_ == Phase::kRunning) step = agent_->step(protocol::Ticked{});
  if (only) std::erase_if(step.sends, [&](const protocol::Send& send) { return send.to != *only; });
  carry_over(std::move(step));
  if (phase_ != Phase::kLeaving) return;
  for (const AgentId id : introduced_) {
    if (!told_.contains(id)) say_goodbye(id);
  }
}

// The neighbour will not say it again while this stream stands. What it repeats replaces what it said.
void Participant::hold(AgentId from, const wire::Letter& letter) {
  const auto kind = [this](const protocol::Message& message) {
    return std::pair(message.run == call_run_, message.body.index());
  };
  const auto same = std::find_if(held_.begin(), held_.end(), [&](const Heard& heard) {
    return heard.from == from && kind(std::get<wire::Letter>(heard.envelope).message) == kind(letter.message);
  });
  if (same != held_.end()) held_.erase(same);
  held_.push_back(Heard{from, letter});
}

void Participant::advance_call() {
  if (phase_ != Phase::kCalling) return;
  protocol::Outbox outbox(call_run_);
  auto nonces = call_.advance(outbox);
  if (!nonces) return fail(std::move(nonces).error(), protocol::Reason::kRollCall);
  if (*nonces) {
    if (auto right = check_list(**nonces); !right) {
      return fail(std::move(right).error(), protocol::Reason::kRollCall);
    }
    if (auto begun = begin_run(*std::move(*nonces)); !begun) {
      return fail(std::move(begun).error(), protocol::Reason::kRollCall);
    }
    hang_up_on_strange_processes();  // before the list goes on: it is not for them
  }
  carry_over(outbox);
  if (!*nonces) return;
  start_agent();
  for (const auto& [from, message] : std::exchange(early_, {})) {
    if (phase_ == Phase::kRunning && introduced_.contains(from)) hear_run(from, message);
  }
}

// Its nonce is in this agent's list, so it is in no other run; if its list is another one, neither can go on.
void Participant::hear_run(AgentId from, const protocol::Message& message) {
  if (message.run == agent_->run() || !std::holds_alternative<protocol::Hello>(message.body)) {
    return step_agent(protocol::Received{from, message});
  }
  fail(Error{ErrorCode::kPeer, fmt::format("agent {} was given another list of nonces than this agent: somebody who "
                                           "passes the list on changes it{}",
                                           from.value, from_parent())},
       protocol::Reason::kRollCall);
}

// --- the list of nonces -------------------------------------------------------------------------------------------

// Whether a neighbour that shows this nonce cannot be the process that is, or will be, in the list.
bool Participant::began_anew(AgentId from, const crypto::IdentityBytes& nonce) const {
  if (!nonces_.empty()) return nonce != nonces_[from.value];
  const auto shown = shown_.find(from);
  return called_.contains(from) && shown != shown_.end() && shown->second.back() != nonce;
}

void Participant::note_nonce(AgentId from, const crypto::IdentityBytes& nonce) {
  if (!nonces_.empty()) return;
  std::vector<crypto::IdentityBytes>& shown = shown_[from];
  std::erase(shown, nonce);
  shown.push_back(nonce);
  if (shown.size() > kMaxShown) shown.erase(shown.begin());
}

std::string Participant::from_parent() const {
  if (!config_.place.parent) return "";
  return fmt::format(" (here it came from agent {})", config_.place.parent->value);
}

// Neighbours said themselves what their nonces are. Who began anew in the meantime is a case of its own, and no fault
// of those who passed the list on.
Status Participant::check_list(const std::vector<crypto::IdentityBytes>& nonces) const {
  for (const auto& [id, shown] : shown_) {
    if (std::find(shown.begin(), shown.end(), nonces[id.value]) != shown.end()) continue;
    return error(
        ErrorCode::kPeer,
        "the list of nonces{} has another nonce for agent {} than that agent shows: somebody who passes the list "
        "on changes it, or agent {} began this run anew, in another folder",
        from_parent(), id.value, id.value);
  }
  return {};
}

// Who is connected with another nonce than the list has.
void Participant::hang_up_on_strange_processes() {
  for (const auto& [id, shown] : std::exchange(shown_, {})) {
    if (!introduced_.contains(id) || shown.back() == nonces_[id.value]) continue;
    introduced_.erase(id);
    turn_away(id);
  }
  called_.clear();
}

Status Participant::begin_run(std::vector<crypto::IdentityBytes> nonces) {
  nonces_ = std::move(nonces);
  digest_ = protocol::run_digest(config_.consortium, *config_.members, nonces_);
  RunStart start{protocol::run_id(*digest_), *digest_,
                 std::make_shared<const std::vector<crypto::IdentityBytes>>(nonces_),
                 protocol::bind_secret(secret_, *digest_, config_.self), protocol::ephemeral_key(secret_)};
  if (config_.throw_away_seed) {
    start.run = protocol::simulated_run_id(*config_.throw_away_seed);
    start.secret = protocol::simulated_secret(*config_.throw_away_seed, config_.self);
  }
  agent_ = config_.make_agent(std::move(start));
  PPDNMF_CHECK(agent_ != nullptr);
  phase_ = Phase::kRunning;
  return {};
}

void Participant::start_agent() {
  step_agent(protocol::Started{salt_});
  if (std::exchange(stop_wished_, false)) step_agent(protocol::StopRequested{});
}

void Participant::step_agent(const protocol::Event& event) { carry_over(agent_->step(event)); }

void Participant::carry_over(protocol::Outbox& outbox) {
  saves_now_ = saves_now_ || outbox.saves();
  carry_over(outbox.take());
}

void Participant::carry_over(protocol::Step step) {
  std::move(step.reports.begin(), step.reports.end(), std::back_inserter(out_.reports));
  std::move(step.complaints.begin(), step.complaints.end(), std::back_inserter(out_.complaints));
  if (const auto* failed = step.end ? std::get_if<protocol::Fail>(&*step.end) : nullptr) {
    return give_up(failed->error, {failed->reason, config_.self});
  }
  if (step.state) {
    crypto::wipe(agent_state_.data(), agent_state_.size());
    agent_state_ = *std::move(step.state);
    saves_now_ = true;
  }
  for (protocol::Send& send : step.sends) {
    // Who was not introduced asks when it comes.
    if (introduced_.contains(send.to)) out_.posts.push_back({send.to, std::move(send.message), send.again});
  }
  if (step.end) out_.end = std::move(step.end);
}

// Everything that this neighbour may still miss.
void Participant::send_farewell(AgentId to) {
  for (const protocol::Send& answer : agent_ ? agent_->last_answers() : answers_) {
    if (answer.to == to) out_.posts.push_back({to, answer.message, true});
  }
  say_goodbye(to);
}

// Not as something that is said once more: behind answers that are on their way it would be left out.
void Participant::say_goodbye(AgentId to) {
  told_.insert(to);
  out_.posts.push_back({to, wire::Goodbye{}});
}

void Participant::fail(Error error, protocol::Reason place) {
  const protocol::Reason reason = protocol::reason_of(error.code, place);
  give_up(std::move(error), {reason, config_.self});
}

// The neighbours are told the place and nothing else: a sentence may say what no message of the protocol would.
void Participant::give_up(Error error, const wire::Abort& abort) {
  if (phase_ == Phase::kFailed) return;
  phase_ = Phase::kFailed;
  saves_now_ = false;
  out_.posts.clear();
  for (const AgentId id : introduced_) out_.posts.push_back({id, abort});
  out_.end = protocol::Fail{std::move(error), abort.reason};
}

std::optional<std::size_t> Participant::find(AgentId id) const {
  const auto found = std::lower_bound(config_.neighbours.begin(), config_.neighbours.end(), id);
  if (found == config_.neighbours.end() || *found != id) return std::nullopt;
  return static_cast<std::size_t>(found - config_.neighbours.begin());
}

}  // namespace ppdnmf::member
