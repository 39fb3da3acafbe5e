#include <ppdnmf/net/relayed.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::net {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kSilent =
    "says nothing after TLS was set up: it hangs, and whoever runs it has to start it again";

Status shake(Link& link, Deadline deadline, int stop) {
  for (;;) {
    switch (link.shake()) {
      case Link::Progress::kDone:
        return {};
      case Link::Progress::kClosed:
        return error(ErrorCode::kPeer, "closed the connection while TLS began: what listens there is not a relay");
      case Link::Progress::kRefused:
        return error(ErrorCode::kPeer, "does not speak TLS 1.3 as a relay does ({})", link.why());
      case Link::Progress::kWait:
        if (wait_for(link.socket(), link.waits_to_read(), deadline, stop) != Waited::kReady)
          return error(ErrorCode::kPeer,
                       "took the connection and says nothing: what listens there is not a relay, or it hangs");
    }
  }
}

// Whoever is refused for its certificate hears so when it reads for the first time.
std::string words_for_end(const Link& link) {
  if (link.why().empty())
    return "closed the connection: it was ended, has another consortium file, or its clock is far off";
  return fmt::format("broke the connection off ({})", link.why());
}

Status say(Link& link, const Letter& letter, Deadline deadline, int stop) {
  const Bytes bytes = encode(letter);
  std::size_t said = 0;
  while (said < bytes.size()) {
    std::size_t written = 0;
    const auto progress = link.write(ByteSpan(bytes).subspan(said), written);
    said += written;
    if (progress == Link::Progress::kDone) continue;
    if (progress != Link::Progress::kWait) return error(ErrorCode::kPeer, "{}", words_for_end(link));
    if (wait_for(link.socket(), link.waits_to_write(), deadline, stop) != Waited::kReady)
      return error(ErrorCode::kPeer, "takes nothing: it hangs, and whoever runs it has to start it again");
  }
  return {};
}

// The next letter; nothing at the deadline.
Result<std::optional<Letter>> hear(OpenLink& open, Deadline deadline, int stop) {
  for (;;) {
    PPDNMF_TRY(std::optional<Letter> letter, take_letter(open.first));
    if (letter) return letter;
    const std::size_t before = open.first.size();
    open.first.resize(before + kLongestLetter);
    std::size_t got = 0;
    const auto progress = open.link.read(std::span(open.first).subspan(before), got);
    open.first.resize(before + got);
    if (progress == Link::Progress::kDone) continue;
    if (progress != Link::Progress::kWait) return error(ErrorCode::kPeer, "{}", words_for_end(open.link));
    switch (wait_for(open.socket.get(), open.link.waits_to_read(), deadline, stop)) {
      case Waited::kReady:
        break;
      case Waited::kTooLate:
        return std::nullopt;
      case Waited::kStopped:
        return error(ErrorCode::kPeer, "is left: this agent ends");
    }
  }
}

class Meeting {
 public:
  Meeting(OpenLink& open, Role role, const MeetingTimes& times, int stop, const std::function<void()>& waits)
      : open_(open), role_(role), times_(times), stop_(stop), waits_(waits) {}

  Status run(const Letter& request) {
    PPDNMF_TRY_STATUS(say(open_.link, request, soon(), stop_));
    for (;;) {
      const Deadline next = asked_ ? *asked_ + times_.keepalive_timeout : Clock::now() + times_.keepalive;
      PPDNMF_TRY(const auto letter, hear(open_, std::min(next, times_.deadline), stop_));
      if (!letter) {
        PPDNMF_TRY_STATUS(late());
        continue;
      }
      PPDNMF_TRY(const bool done, take(*letter));
      if (done) return {};
    }
  }

  [[nodiscard]] std::optional<Refusal> refused() const { return refused_; }

 private:
  [[nodiscard]] Deadline soon() const { return Clock::now() + times_.keepalive_timeout; }

  // Nothing came: the time is over, or a sign of life is due.
  Status late() {
    if (Clock::now() >= times_.deadline)
      return error(ErrorCode::kPeer, "{}", heard_ ? words_of(Refusal::kNobody) : kSilent);
    if (asked_) return error(ErrorCode::kPeer, "does not answer any more");
    asked_ = Clock::now();
    ++unanswered_;
    return say(open_.link, {LetterKind::kPing}, soon(), stop_);
  }

  // Whether that was the last letter. Nothing may come more often than it has a reason to, or a relay that never stops
  // talking would never be left.
  Result<bool> take(const Letter& letter) {
    asked_.reset();
    switch (letter.kind) {
      case LetterKind::kWaits:
        if (std::exchange(heard_, true)) break;
        if (waits_) waits_();
        return false;
      case LetterKind::kPong:
        if (unanswered_ == 0) break;
        --unanswered_;
        return false;
      case LetterKind::kRefused:
        refused_ = letter.reason;
        return error(ErrorCode::kPeer, "{}", words_of(letter.reason));
      case LetterKind::kThere:
        if (role_ == Role::kAsks) return true;
        break;
      case LetterKind::kMet:
        if (role_ == Role::kAsks) break;
        PPDNMF_TRY_STATUS(say(open_.link, {LetterKind::kGo}, soon(), stop_));
        return true;
      default:
        break;
    }
    return error(ErrorCode::kPeer, "says what a relay does not say now");
  }

  OpenLink& open_;
  Role role_;
  const MeetingTimes& times_;
  int stop_;
  const std::function<void()>& waits_;
  std::optional<Deadline> asked_;  // for a sign of life, then
  std::size_t unanswered_ = 0;     // PINGs
  bool heard_ = false;             // WAITS
  std::optional<Refusal> refused_;
};

Letter request_of(const RelayPlace& relay, Role role, const Digest& other) {
  Letter request;
  request.kind = LetterKind::kMeet;
  request.role = role;
  request.file = relay.file;
  request.other = other;
  return request;
}

}  // namespace

std::string name_of(const RelayPlace& relay) { return "the relay at " + identity::text_of(relay.address); }

Digest key_of(const identity::PublicIdentity& member) { return sha256(member.certificate()); }

ReachedRelay reach_relay(const RelayPlace& relay, const std::optional<Proxy>& proxy,
                         const std::shared_ptr<const TlsSide>& side, Deadline deadline, int stop) {
  ReachedRelay out;
  const auto fail = [&](RelayStep step, const std::string& why) {
    out.step = step;
    out.outcome = error(ErrorCode::kPeer, "{} {}", name_of(relay), why);
  };
  auto socket = connect_by(relay.address, proxy, deadline, stop);
  if (!socket) {
    out.outcome = at(name_of(relay), std::move(socket).error());
    return out;
  }
  Link link(socket->get(), side);
  if (auto shaken = shake(link, deadline, stop); !shaken) {
    fail(RelayStep::kTls, shaken.error().message);
    return out;
  }
  out.certificate = link.certificate();
  if (out.certificate != relay.identity.certificate()) {
    fail(RelayStep::kCertificate, "has another certificate than the consortium file says");
    return out;
  }
  out.step = RelayStep::kDone;
  out.link.emplace(OpenLink{*std::move(socket), std::move(link), {}});
  return out;
}

Result<bool> waits_there(OpenLink& link, const RelayPlace& relay, const Digest& other, Deadline deadline) {
  const std::function<void()> nothing;
  const MeetingTimes times{deadline};
  Meeting meeting(link, Role::kAsks, times, -1, nothing);
  const Status asked = meeting.run(request_of(relay, Role::kAsks, other));
  if (asked) return true;
  if (meeting.refused() == Refusal::kNobody) return false;
  return error(ErrorCode::kPeer, "{} {}", name_of(relay), asked.error().message);
}

Status meet(OpenLink& link, const RelayPlace& relay, Role role, const Digest& other, const MeetingTimes& times,
            int stop, const std::function<void()>& waits) {
  auto met = Meeting(link, role, times, stop, waits).run(request_of(relay, role, other));
  if (!met) return error(ErrorCode::kPeer, "{} {}", name_of(relay), met.error().message);
  return {};
}

}  // namespace ppdnmf::net
