#include <ppdnmf/site/session.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <utility>

#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/site/internal/injection.h>
#include <ppdnmf/site/internal/today.h>

namespace ppdnmf::site {
namespace {

using std::chrono::milliseconds;

// Streams lose nothing, and both ends ask for what they miss on every new one (member/participant.h). All is asked for
// again after a message did not fit into a queue; else only in case of a mistake, ever more rarely, since a whole query
// travels again for every neighbour that only computes.
constexpr milliseconds kTickAfterLoss{1'000};
constexpr milliseconds kFirstTick{30'000};
constexpr milliseconds kLongestTick{3'600'000};
constexpr milliseconds kLook{200};  // for Ctrl-C
constexpr milliseconds kDiskPause{2'000};
// Of one neighbour; a hostile one must not fill the log.
constexpr int kMaxComplaints = 10;
// Of one neighbour's ended connections so many lines are written, and then one a minute: it could end one in a loop.
constexpr int kMaxSilences = 20;
constexpr auto kBetweenSilences = std::chrono::minutes(1);

Digest fresh_salt() {
  Digest salt{};
  const crypto::SecretBytes bytes = identity::draw_entropy(salt.size());
  std::copy(bytes.span().begin(), bytes.span().end(), salt.begin());
  return salt;
}

}  // namespace

Session::Session(const DaemonConfig& config, const DaemonListener& listener, SessionParts parts)
    : config_(config),
      listener_(listener),
      parts_(std::move(parts)),
      participant_(*parts_.participant),
      transport_(*parts_.transport),
      log_(*parts_.log),
      witness_(*parts_.witness),
      next_tick_(began_ + kFirstTick),
      tick_(kFirstTick) {}

double Session::seconds() const {
  return log_.seconds_before() + std::chrono::duration<double>(Clock::now() - began_).count();
}

Status Session::run() {
  Status outcome = take_part();
  if (auto signed_ = witness_.ended(outcome ? "the run has ended" : ending_words(outcome.error().code)); !signed_)
    listener_.log(signed_.error().message);
  if (!outcome && outcome.error().code != ErrorCode::kInterrupted) {
    failed_ = !impatient_;
    problem_ = outcome.error().message;
    problem_at_ = today();
    show(true);
  }
  return outcome;
}

Status Session::take_part() {
  if (participant_.leaving()) leave_at_ = Clock::now() + config_.linger;
  PPDNMF_TRY_STATUS(put_on_record([&] { return witness_.began(); }));
  PPDNMF_TRY_STATUS(step(member::Begun{fresh_salt()}));
  if (parts_.before_first_message && !participant_.leaving()) PPDNMF_TRY_STATUS(parts_.before_first_message());
  show(true);
  while (!participant_.done() && !(leave_at_ && Clock::now() >= *leave_at_)) {
    // Whatever waits comes first; then work for later; then sleep.
    std::optional<net::NetEvent> event = transport_.next(Clock::now());
    if (!event && !participant_.prepare()) event = transport_.next(next_deadline());
    if (event) PPDNMF_TRY_STATUS(handle(*std::move(event)));
    PPDNMF_TRY_STATUS(on_time());
    show(false);
  }
  return leave();
}

// What is left on the disk is the only state, and it has no secret.
Status Session::leave() {
  // Goodbyes first: a saved farewell says that they were said.
  (void)transport_.flush(Clock::now() + std::chrono::seconds(2));
  PPDNMF_TRY_STATUS(save(participant_.save_farewell().span(), Keep::kAlone));
  inject(SessionPoint::kFarewell);
  show(true);
  return {};
}

Session::Clock::time_point Session::next_deadline() const {
  Clock::time_point deadline = std::min(next_tick_, Clock::now() + kLook);
  if (leave_at_) deadline = std::min(deadline, *leave_at_);
  return deadline;
}

Status Session::on_time() {
  if (listener_.interrupted()) {
    if (!participant_.leaving()) {
      return error(ErrorCode::kInterrupted, "interrupted; the same command continues the run");
    }
    PPDNMF_TRY_STATUS(leave());
    return error(ErrorCode::kInterrupted,
                 "interrupted; the results are complete, and the same command serves neighbours that missed the end");
  }
  if (parts_.max_seconds > 0 && seconds() > parts_.max_seconds && !std::exchange(stopping_, true)) {
    PPDNMF_TRY_STATUS(step(protocol::StopRequested{}));
  }
  PPDNMF_TRY_STATUS(check_patience());
  if (Clock::now() < next_tick_) return {};
  set_tick(std::min(2 * tick_, kLongestTick));
  return step(protocol::Ticked{});
}

void Session::set_tick(milliseconds wait) {
  tick_ = wait;
  next_tick_ = Clock::now() + wait;
}

Status Session::check_patience() {
  if (config_.max_wait.count() == 0 || participant_.leaving() || Clock::now() - last_progress_ < config_.max_wait) {
    return {};
  }
  impatient_ = true;
  std::vector<std::string> names;
  bool heard = false;
  for (const AgentId id : participant_.waiting_for()) {
    names.push_back(name(id));
    heard = heard || babblers_.contains(id);
  }
  return error(ErrorCode::kPeer, "nothing{2} came from {1} for {0} seconds; the same command continues the run",
               config_.max_wait.count(), fmt::join(names, ", "), heard ? " that this run waits for" : "");
}

// --- the network ----------------------------------------------------------------------------------------------------

Status Session::handle(net::NetEvent event) {
  if (const auto* connected = std::get_if<net::Connected>(&event)) {
    log_.connected(connected->peer, today());
    on_their_way_.clear(connected->peer);
    set_tick(kFirstTick);
    return step(member::Met{connected->peer});
  }
  auto* arrived = std::get_if<net::Arrived>(&event);
  if (arrived == nullptr) {
    fell_silent(event);
    return {};
  }
  auto envelope = wire::decode(arrived->message);
  if (!envelope) {
    hang_up(arrived->peer, "it sent what is no message: " + envelope.error().message);
    return {};
  }
  Bytes().swap(arrived->message);
  Witness::Seen seen;
  if (const auto* letter = std::get_if<wire::Letter>(&*envelope)) {
    seen = witness_.look_at(arrived->peer, *letter);
    if (!seen.vouched) {
      hang_up(arrived->peer, "it sent a part or total that it has not signed");
      return {};
    }
    PPDNMF_TRY_STATUS(put_on_record([&] { return witness_.arrived(arrived->peer, *letter, seen); }));
  }
  // A neighbour that only talks does not make this agent more patient.
  const std::uint64_t before = participant_.progress();
  babblers_.insert(arrived->peer);
  PPDNMF_TRY_STATUS(step(member::Heard{arrived->peer, *std::move(envelope)}));
  if (participant_.progress() == before) return {};
  PPDNMF_TRY_STATUS(put_on_record([&] { return witness_.took(seen); }));
  last_progress_ = Clock::now();
  babblers_.clear();
  set_tick(tick_);
  return {};
}

void Session::fell_silent(const net::NetEvent& event) {
  std::string sentence;
  if (const auto* gone = std::get_if<net::Disconnected>(&event)) {
    log_.disconnected(gone->peer, today());
    if (participant_.leaving() || !is_news(gone->peer)) return;
    sentence = fmt::format("{}: the connection ended: {}", name(gone->peer), gone->why);
  } else if (const auto* unreachable = std::get_if<net::Unreachable>(&event)) {
    sentence = fmt::format("{}: not reached: {}", name(unreachable->peer), unreachable->why);
  } else if (const auto* refused = std::get_if<net::Refused>(&event)) {
    sentence = fmt::format("refused {}: {}", refused->who, refused->why);
    (void)witness_.refused(std::nullopt, "not let in");  // who and why may tell of this site's network
  } else if (const auto* troubled = std::get_if<net::Troubled>(&event)) {
    sentence = troubled->what;
  }
  problem_ = sentence;
  problem_at_ = today();
  listener_.log(sentence);
}

bool Session::is_news(AgentId peer) {
  Silence& silence = silences_[peer];
  const auto now = Clock::now();
  if (silence.lines >= kMaxSilences && now - silence.last < kBetweenSilences) return false;
  ++silence.lines;
  silence.last = now;
  return true;
}

void Session::hang_up(AgentId peer, const std::string& why) {
  (void)witness_.refused(peer, why);
  complain(peer, why);
  transport_.disconnect(peer, why);
}

void Session::complain(AgentId about, const std::string& what) {
  int& count = complaints_[about];
  if (++count > kMaxComplaints) return;
  problem_ = fmt::format("{}: {}", name(about), what);
  problem_at_ = today();
  listener_.log(count < kMaxComplaints ? problem_ : problem_ + "; no more is said about this neighbour");
}

Status Session::post(const member::Post& post) {
  if (!transport_.busy(post.to)) on_their_way_.clear(post.to);
  const auto* message = std::get_if<protocol::Message>(&post.content);
  // A neighbour that asks again and again cannot make this agent queue anything twice.
  if (post.again && message != nullptr && on_their_way_.contains(post.to, *message)) return {};
  Bytes signature;
  if (message != nullptr) {
    PPDNMF_TRY_STATUS(put_on_record([&]() -> Status {
      PPDNMF_TRY(signature, witness_.leaves(post.to, *message));
      return {};
    }));
  }
  inject(SessionPoint::kSending);
  Bytes bytes = std::visit(
      [&](const auto& content) {
        if constexpr (std::is_same_v<std::decay_t<decltype(content)>, protocol::Message>) {
          return wire::encode_letter(parts_.journal->number(), content, signature);
        } else {
          return wire::encode(content);
        }
      },
      post.content);
  const net::Transport::Sent sent = transport_.send(post.to, std::move(bytes));
  if (sent == net::Transport::Sent::kQueued) {
    if (message != nullptr) on_their_way_.add(post.to, *message);
    return {};
  }
  if (std::holds_alternative<wire::Goodbye>(post.content)) participant_.unsaid(post.to);
  if (sent == net::Transport::Sent::kFull) set_tick(kTickAfterLoss);
  return {};
}

// --- the machine ----------------------------------------------------------------------------------------------------

Status Session::step(const member::MemberEvent& event) {
  member::MemberStep step = participant_.step(event);
  inject(SessionPoint::kStepped);
  return carry_out(std::move(step));
}

Status Session::carry_out(member::MemberStep step) {
  if (!step.posts.empty() || step.end) PPDNMF_TRY_STATUS(config_.data.unchanged());
  PPDNMF_TRY_STATUS(put_on_record([&] { return witness_.stepped(); }));
  for (const protocol::Report& report : step.reports) {
    if (&report != &step.reports.front()) show(false);  // every report is a line of its own
    count_traffic();
    log_.note(report, seconds(), log_.bytes_sent());
  }
  if (step.state) {
    PPDNMF_TRY_STATUS(save(step.state->span(), Keep::kAlso));
    step.state.reset();
  }
  for (member::Post& out : step.posts) {
    inject(out);
    PPDNMF_TRY_STATUS(post(out));
    out = {};  // what has left need not be kept
  }
  for (const member::HangUp& hang : step.hang_ups) hang_up(hang.peer, with_names(hang.why, parts_.names));
  for (const protocol::Complaint& complaint : step.complaints) {
    (void)witness_.refused(complaint.about, complaint.what);
    complain(complaint.about, with_names(complaint.what, parts_.names));
  }
  if (!step.end) return {};
  if (const auto* finished = std::get_if<protocol::Finish>(&*step.end)) return finish(finished->because);
  (void)transport_.flush(Clock::now() + std::chrono::seconds(5));
  const Error& failure = std::get<protocol::Fail>(*step.end).error;
  return error(failure.code, "{}", with_names(failure.message, parts_.names));
}

Status Session::save(ByteSpan state, Keep keep) {
  count_traffic();
  for (;;) {
    ByteWriter out;
    log_.save(out, seconds());
    out.put_bytes(state);
    Bytes content = out.take();
    Status saved = keep == Keep::kAlone ? parts_.journal->save_alone(content) : parts_.journal->save(content);
    crypto::wipe(content.data(), content.size());
    if (saved) {
      participant_.saved(parts_.journal->number());
      inject(SessionPoint::kSaved);
      return {};
    }
    PPDNMF_TRY_STATUS(pause(saved.error()));
  }
}

Status Session::finish(const std::string& because) {
  because_ = because;
  count_traffic();
  for (;;) {
    Status written = parts_.write_results(because);
    if (written) break;
    PPDNMF_TRY_STATUS(pause(written.error()));
  }
  inject(SessionPoint::kKept);
  leave_at_ = Clock::now() + config_.linger;
  return step(member::Kept{});
}

// The disk does not take it. Nothing is sent meanwhile.
Status Session::pause(const Error& error) {
  if (error.code != ErrorCode::kFile) return tl::unexpected(error);
  const std::string sentence = error.message + "; nothing is sent until that works";
  if (problem_ != sentence) listener_.log(sentence);
  problem_ = sentence;
  problem_at_ = today();
  show(true);
  for (const auto end = Clock::now() + kDiskPause; Clock::now() < end;) {
    if (listener_.interrupted()) {
      return ppdnmf::error(ErrorCode::kInterrupted, "interrupted; the same command continues the run");
    }
    std::this_thread::sleep_for(kLook / 4);
  }
  return {};
}

Status Session::put_on_record(const std::function<Status()>& write) {
  for (;;) {
    auto written = write();
    if (written) return {};
    PPDNMF_TRY_STATUS(pause(written.error()));
  }
}

void Session::count_traffic() {
  for (const AgentId id : parts_.neighbours) log_.count(id, transport_.traffic(id));
}

}  // namespace ppdnmf::site
