#include <ppdnmf/relay/relay.h>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <ppdnmf/net/gate.h>
#include <ppdnmf/net/listening.h>
#include <ppdnmf/net/relayed.h>
#include <ppdnmf/relay/internal/chronicle.h>
#include <ppdnmf/relay/internal/session.h>
#include <ppdnmf/relay/meetings.h>

namespace ppdnmf::relay {
namespace {

using net::LetterKind;
using net::Link;
using Number = Meetings::Number;
using Stage = Session::Stage;

constexpr std::chrono::milliseconds kRound{200};
constexpr std::chrono::milliseconds kShortRound{20};  // while the bound on bytes holds somebody up
constexpr std::size_t kHandshakes = 8;                // steps of TLS's beginning before bytes move on
constexpr std::size_t kMostAnswers = 64;              // bytes of letters that a member has not read yet
constexpr std::size_t kMoreAsking = 8;                // connections on which a member has not asked yet
constexpr std::size_t kReserved = 64;                 // descriptors for whatever else the process opens

net::GuestLimits limits_of(const protocol::Graph& graph, std::chrono::milliseconds silent) {
  const std::size_t members = Meetings::most(graph);
  net::GuestLimits limits = net::guest_limits(net::descriptors_left(), members / 2, silent);
  limits.per_peer = members;  // who meets whom is bounded by Meetings
  return limits;
}

}  // namespace

class Relay::Core {
 public:
  Core(const RelayConfig& config, std::unique_ptr<net::Gate> gate, std::function<void(const std::string&)> log)
      : config_(config),
        members_(config.consortium->content().members),
        side_(net::TlsSide::server(*config.identity, net::kRelayProtocol)),
        chronicle_(log, config.times.between_complaints),
        who_meets_(std::move(log), config.times.between_complaints),
        meetings_(config.consortium->graph()),
        most_((std::max(net::descriptors_left(), 2 * kReserved) - kReserved) / 2),
        gate_(std::move(gate)) {
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      by_certificate_.emplace(members_[i].identity.certificate(), AgentId{i});
      by_key_.emplace(net::key_of(members_[i].identity), AgentId{i});
    }
    net::Gate::Hooks hooks{[this](int connection) { take(connection); },
                           [this](std::string what) { note(std::move(what)); }, "this relay", "member"};
    gate_->start(limits_of(config.consortium->graph(), config.times.silent), config.times.between_complaints,
                 std::move(hooks));
  }
  ~Core() { gate_->stop(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  Core(Core&&) = delete;
  Core& operator=(Core&&) = delete;

  [[nodiscard]] std::uint16_t port() const { return gate_->port(); }

  void run(const std::function<bool()>& interrupted) {
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    refilled_at_ = Clock::now();
    while (!interrupted()) turn();
    // One that was held back, by a member that had gone, would end the process now.
    const timespec at_once{};
    while (sigtimedwait(&pipe, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

 private:
  // On the gate's thread.
  void take(int connection) {
    const std::lock_guard lock(mutex_);
    arrived_.emplace_back(connection);
    eventfd_write(wake_.get(), 1);
  }
  void note(std::string what) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(what));
  }

  void turn() {
    refill();
    wait();
    take_arrivals();
    std::size_t handshakes = 0;
    for (const Number number : ready_) {
      const auto at = sessions_.find(number);
      if (at == sessions_.end() || at->second.stage == Stage::kMoving) continue;
      if (at->second.stage == Stage::kShaking && ++handshakes > kHandshakes) continue;
      if (!attend(number, at->second)) drop(number);
    }
    for (auto at = crossings_.begin(); at != crossings_.end();) {
      Crossing& crossing = (at++)->second;
      if (!move(crossing)) drop(crossing.first);
    }
    look_at_clock(Clock::now());
  }

  // Sleeps until something can be done; `ready_` are connections with news.
  void wait() {
    watched_.assign(1, {wake_.get(), POLLIN, 0});
    who_.assign(1, 0);
    bool at_once = false;
    for (auto& [number, session] : sessions_) {
      if (session.stage == Stage::kMoving) continue;
      watch(number, session, session.waits());
      at_once = at_once || (session.listens() && session.link.holds_bytes());
    }
    const bool open = !config_.bytes_per_second || allowance_ > 0;
    for (auto& [number, crossing] : crossings_) {
      Session& first = sessions_.at(crossing.first);
      Session& second = sessions_.at(crossing.second);
      watch(crossing.first, first, events(first.link, crossing.there, crossing.back, open));
      watch(crossing.second, second, events(second.link, crossing.back, crossing.there, open));
      at_once = at_once || (open && ((first.link.holds_bytes() && crossing.there.has_room()) ||
                                     (second.link.holds_bytes() && crossing.back.has_room())));
    }
    const auto longest = open ? kRound : kShortRound;
    (void)poll(watched_.data(), watched_.size(), at_once ? 0 : static_cast<int>(longest.count()));
    ready_.clear();
    for (std::size_t i = 1; i < watched_.size(); ++i)
      if (watched_[i].revents != 0 || sessions_.at(who_[i]).link.holds_bytes()) ready_.push_back(who_[i]);
    eventfd_t ignored = 0;
    if (watched_[0].revents != 0) (void)eventfd_read(wake_.get(), &ignored);
  }
  void watch(Number number, const Session& session, short events) {
    watched_.push_back(
        {events == 0 ? -1 : session.socket(), events, 0});  // an end that is not waited for would wake us for ever
    who_.push_back(number);
  }
  static short events(const Link& link, const net::Flow& from, const net::Flow& to, bool open) {
    return static_cast<short>((open && from.has_room() ? link.waits_to_read() : 0) |
                              (open && to.has_bytes() ? link.waits_to_write() : 0));
  }

  void take_arrivals() {
    std::vector<io::Descriptor> arrived;
    std::vector<std::string> notes;
    {
      const std::lock_guard lock(mutex_);
      arrived.swap(arrived_);
      notes.swap(notes_);
    }
    const auto now = Clock::now();
    for (const std::string& sentence : notes) chronicle_.tell(sentence, now);
    for (io::Descriptor& socket : arrived) {
      sessions_.try_emplace(next_, std::move(socket), side_, now + config_.times.asking);
      ready_.push_back(next_++);
    }
  }

  // False: it has to go.
  bool attend(Number number, Session& session) {
    if (session.stage == Stage::kShaking) {
      const Link::Progress progress = session.link.shake();
      if (progress == Link::Progress::kWait) return true;
      if (progress != Link::Progress::kDone || !recognise(session)) return false;
    }
    if (session.stage != Stage::kLeaving && !session.hear()) return false;
    while (session.stage != Stage::kLeaving && !session.gone) {
      auto letter = net::take_letter(session.heard);
      if (!letter) return false;
      if (!*letter) break;
      if (!answer(number, session, **letter)) return false;
    }
    if (!session.flush()) return false;
    if (session.stage == Stage::kLeaving) return !session.letters.empty();
    if (session.stage == Stage::kMeeting && session.gone) begin_crossing(number, session);
    return true;
  }

  bool recognise(Session& session) {
    const auto found = by_certificate_.find(session.link.certificate());
    const std::string name = net::name_of_peer(session.socket());
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    if (found == by_certificate_.end()) {
      chronicle_.tell(fmt::format("refused {}: its certificate is not a member's", name), Clock::now());
      return false;
    }
    session.member = found->second;
    const identity::PublicIdentity& identity = members_[session.member.value].identity;
    if (now < identity.valid_from() || now >= identity.valid_until()) {
      chronicle_.tell(fmt::format("refused {}: its identity is not valid today", identity.name()), Clock::now());
      return false;
    }
    gate_->recognise(name, session.member.value);
    session.stage = Stage::kAsking;
    session.deadline = Clock::now() + config_.times.asking;
    // One for each neighbour, the same again after a restart, and a few for `doctor`.
    const std::size_t most = 2 * config_.consortium->graph().neighbours(session.member).size() + kMoreAsking;
    if (const Number oldest = one_too_many(sessions_, session.member, most); oldest != 0) drop(oldest);
    return true;
  }

  // False: a letter that a member does not write then.
  bool answer(Number number, Session& session, const net::Letter& letter) {
    if (letter.kind == LetterKind::kMeet && session.stage == Stage::kAsking) {
      ask(number, session, letter);
      return true;
    }
    if (letter.kind == LetterKind::kPing && session.stage == Stage::kWaiting) {
      if (session.letters.size() >= kMostAnswers) return false;  // it asks and does not read
      session.say({LetterKind::kPong});
      session.deadline = Clock::now() + config_.times.waiting;
      return true;
    }
    if (letter.kind == LetterKind::kPing && session.stage == Stage::kMeeting) return true;  // crossed MET on the way
    if (letter.kind != LetterKind::kGo || session.stage != Stage::kMeeting) return false;
    session.gone = true;
    return true;
  }

  void refuse(Session& session, net::Refusal reason) {
    if (reason == net::Refusal::kFull || reason == net::Refusal::kTooOften)
      chronicle_.tell(fmt::format("refused {}: this relay {}", name(session.member), net::words_of(reason)),
                      Clock::now());
    net::Letter letter;
    letter.kind = LetterKind::kRefused;
    letter.reason = reason;
    session.say(letter);
    leave(session);
  }
  void leave(Session& session) {
    session.stage = Stage::kLeaving;
    session.deadline = Clock::now() + config_.times.leaving;
  }

  void ask(Number number, Session& session, const net::Letter& request) {
    const auto now = Clock::now();
    if (request.file != config_.consortium->digest()) {
      chronicle_.tell(fmt::format("{} has another consortium file", name(session.member)), now);
      return refuse(session, net::Refusal::kOtherFile);
    }
    if (meetings_.size() + 2 > most_) return refuse(session, net::Refusal::kFull);
    const auto other = by_key_.find(request.other);
    if (other == by_key_.end()) return refuse(session, net::Refusal::kNoNeighbour);
    session.other = other->second;
    const Meetings::Answer answer = meetings_.ask(number, session.member, request.role, session.other, now);
    for (const Number old : answer.replaced) replace(old);
    switch (answer.kind) {
      case LetterKind::kRefused:
        return refuse(session, answer.reason);
      case LetterKind::kThere:
        session.say({LetterKind::kThere});
        return leave(session);
      case LetterKind::kMet:
        return join(number, session, answer.partner);
      default:
        session.say({LetterKind::kWaits});
        session.stage = Stage::kWaiting;
        session.deadline = now + config_.times.waiting;
    }
  }

  // A newer connection took its place.
  void replace(Number old) {
    const auto at = sessions_.find(old);
    if (at == sessions_.end()) return;
    if (at->second.stage == Stage::kMoving || at->second.stage == Stage::kMeeting) return drop(old);
    refuse(at->second, net::Refusal::kReplaced);
    if (!at->second.flush()) drop(old);
  }

  void join(Number number, Session& session, Number partner) {
    Session& other = sessions_.at(partner);
    session.partner = partner;
    other.partner = number;
    for (Session* one : {&session, &other}) {
      one->say({LetterKind::kMet});
      one->stage = Stage::kMeeting;
      one->deadline = Clock::now() + config_.times.asking;
    }
    if (!other.flush()) other.deadline = Clock::now();  // dropped with both when the clock is looked at
    who_meets_.tell(fmt::format("{} and {} meet", name(session.member), name(session.other)), Clock::now());
  }

  void begin_crossing(Number number, Session& session) {
    Session& other = sessions_.at(session.partner);
    if (!other.gone || !other.letters.empty() || !session.letters.empty()) return;
    Crossing crossing{number, session.partner, net::Flow(std::move(session.heard)), net::Flow(std::move(other.heard)),
                      0,      Clock::now()};
    session.stage = other.stage = Stage::kMoving;
    crossings_.emplace(number, std::move(crossing));
  }

  // False: one side has ended.
  bool move(Crossing& crossing) {
    Session& first = sessions_.at(crossing.first);
    Session& second = sessions_.at(crossing.second);
    const bool open = !config_.bytes_per_second || allowance_ > 0;
    if (!open) return true;
    const std::uint64_t before = crossing.there.moved() + crossing.back.moved();
    const bool goes_on = net::move_both(crossing.there, crossing.back, first.link, second.link);
    const std::uint64_t after = crossing.there.moved() + crossing.back.moved();
    allowance_ -= static_cast<double>(after - before);
    if (after != before) crossing.moved_at = Clock::now();
    return goes_on;
  }

  void refill() {
    const auto now = Clock::now();
    const std::chrono::duration<double> since = now - std::exchange(refilled_at_, now);
    const auto rate = static_cast<double>(config_.bytes_per_second);
    allowance_ = std::min(rate, allowance_ + rate * since.count());
  }

  void look_at_clock(Clock::time_point now) {
    chronicle_.turn(now);
    who_meets_.turn(now);
    late_.clear();
    for (const auto& [number, session] : sessions_)
      if (session.stage != Stage::kMoving && now >= session.deadline) late_.push_back(number);
    for (const auto& [number, crossing] : crossings_)
      if (now >= crossing.moved_at + config_.times.idle) late_.push_back(number);
    for (const Number number : late_) drop(number);
  }

  // It is gone, and so is the one that it met.
  void drop(Number number) {
    const auto at = sessions_.find(number);
    if (at == sessions_.end()) return;
    const Number partner = at->second.partner;
    meetings_.left(number);
    for (const Number one : {number, partner}) {
      crossings_.erase(one);
      const auto found = sessions_.find(one);
      if (found == sessions_.end()) continue;
      found->second.link.finish();
      (void)shutdown(found->second.socket(), SHUT_RDWR);  // the gate holds it, too
      sessions_.erase(found);
    }
  }

  [[nodiscard]] const std::string& name(AgentId member) const { return members_[member.value].identity.name(); }

  const RelayConfig config_;
  const std::vector<consortium::Member>& members_;
  const std::shared_ptr<const net::TlsSide> side_;
  std::map<Bytes, AgentId> by_certificate_;
  std::map<Digest, AgentId> by_key_;
  Chronicle chronicle_, who_meets_;  // neither leaves lines of the other out
  Meetings meetings_;
  const std::size_t most_;  // connections of members, as far as descriptors go
  Sessions sessions_;
  std::map<Number, Crossing> crossings_;  // by its first
  Number next_ = 1;
  double allowance_ = 0;  // bytes that may pass now
  Clock::time_point refilled_at_{};
  std::vector<pollfd> watched_;
  std::vector<Number> who_, ready_, late_;

  const io::Descriptor wake_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::mutex mutex_;  // for what the gate's thread brings
  std::vector<io::Descriptor> arrived_;
  std::vector<std::string> notes_;
  std::unique_ptr<net::Gate> gate_;
};

Relay::Relay(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Relay::~Relay() = default;

Result<std::unique_ptr<Relay>> Relay::open(const RelayConfig& config, std::function<void(const std::string&)> log) {
  const auto& relay = config.consortium->content().relay;
  if (!relay) {
    return error(
        ErrorCode::kUsage,
        "the consortium file names no relay: make it with 'ppdnmf consortium new' and `relay=FILE.pub@HOST:PORT`");
  }
  if (relay->identity != config.identity->public_identity()) {
    return error(ErrorCode::kUsage, "the consortium file names {} as its relay, and this is another identity",
                 relay->identity.name());
  }
  PPDNMF_TRY(std::unique_ptr<net::Gate> gate, net::Gate::open(config.listen));
  return std::unique_ptr<Relay>(new Relay(std::make_unique<Core>(config, std::move(gate), std::move(log))));
}

std::uint16_t Relay::port() const { return core_->port(); }
void Relay::run(const std::function<bool()>& interrupted) { core_->run(interrupted); }

}  // namespace ppdnmf::relay
