// One connection of a member, or of somebody who has not shown yet that it is one; and two that have met.
#ifndef PPDNMF_RELAY_INTERNAL_SESSION_H_
#define PPDNMF_RELAY_INTERNAL_SESSION_H_

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/link.h>
#include <ppdnmf/net/meeting.h>
#include <ppdnmf/relay/meetings.h>

namespace ppdnmf::relay {

using Clock = std::chrono::steady_clock;

class Session {
 public:
  enum class Stage : std::uint8_t {
    kShaking,  // TLS begins
    kAsking,   // a member's, whose request is on its way
    kWaiting,  // for the other
    kMeeting,  // the other is there; GO is on its way
    kMoving,   // bytes pass; a Crossing has the links
    kLeaving,  // the last letter is on its way
  };
  Session(io::Descriptor socket, const std::shared_ptr<const net::TlsSide>& side, Clock::time_point until)
      : socket_(std::move(socket)), link(socket_.get(), side), deadline(until) {}

  [[nodiscard]] int socket() const { return socket_.get(); }
  [[nodiscard]] bool listens() const { return stage != Stage::kLeaving && !(stage == Stage::kMeeting && gone); }
  // What poll() is asked for while no Crossing has the link.
  [[nodiscard]] short waits() const {
    return static_cast<short>((listens() ? link.waits_to_read() : 0) | (letters.empty() ? 0 : link.waits_to_write()));
  }
  // Reads what came, a little at a time. False: the connection has ended.
  [[nodiscard]] bool hear() {
    const std::size_t before = heard.size();
    if (before >= kMostHeard) return true;
    heard.resize(kMostHeard);
    std::size_t got = 0;
    const auto progress = link.read(std::span(heard).subspan(before), got);
    heard.resize(before + got);
    return progress == net::Link::Progress::kDone || progress == net::Link::Progress::kWait;
  }
  void say(const net::Letter& letter) {
    const Bytes more = net::encode(letter);
    letters.insert(letters.end(), more.begin(), more.end());
  }
  // False: the connection has ended.
  [[nodiscard]] bool flush() {
    if (letters.empty()) return true;
    std::size_t written = 0;
    const auto progress = link.write(letters, written);
    letters.erase(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(written));
    return progress == net::Link::Progress::kDone || progress == net::Link::Progress::kWait;
  }

 private:
  static constexpr std::size_t kMostHeard = 4096;
  io::Descriptor socket_;

 public:
  net::Link link;
  Clock::time_point deadline;
  Stage stage = Stage::kShaking;
  AgentId member, other;
  Meetings::Number partner = 0;
  bool gone = false;  // GO came
  Bytes heard;        // letters, and after GO what is the partner's
  Bytes letters;      // to be written; a few bytes
};

using Sessions = std::map<Meetings::Number, Session>;

// Of the connections on which this member has not asked yet, the oldest, if they are more than `most`; 0: they are not.
[[nodiscard]] inline Meetings::Number one_too_many(const Sessions& sessions, AgentId member, std::size_t most) {
  std::size_t count = 0;
  Meetings::Number oldest = 0;
  for (const auto& [number, session] : sessions) {
    if (session.stage != Session::Stage::kAsking || session.member != member) continue;
    if (count++ == 0) oldest = number;
  }
  return count > most ? oldest : 0;
}

struct Crossing {
  Meetings::Number first = 0, second = 0;
  net::Flow there, back;
  std::uint64_t moved = 0;
  Clock::time_point moved_at{};
};

}  // namespace ppdnmf::relay

#endif  // PPDNMF_RELAY_INTERNAL_SESSION_H_
