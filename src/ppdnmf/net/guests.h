// Who is at the door of a listener: connections that have said nothing yet, those that speak and have not shown who
// they are, and those of neighbours. Says who has to go when there are too many. Pure: connections are numbers here.
//
// A stranger costs nothing to be, so strangers never keep a newcomer out: somebody who waits makes room for it. Who
// that is depends on addresses, so that a flood from one pushes out its own connections and not a neighbour's. Whoever
// means it speaks at once and is known a moment later.
#ifndef PPDNMF_NET_GUESTS_H_
#define PPDNMF_NET_GUESTS_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ppdnmf::net {

struct GuestLimits {
  std::size_t strangers = 64;                // at a time, from everywhere; at least 1
  std::size_t per_address = 16;              // of these; at least 1
  std::size_t per_peer = 4;                  // connections of one neighbour; at least 1
  std::chrono::milliseconds silence{5'000};  // who has said nothing for so long goes
};

// For a process that may open `descriptors` more files and has so many neighbours. A stranger that speaks takes two.
[[nodiscard]] GuestLimits guest_limits(std::size_t descriptors, std::size_t peers, std::chrono::milliseconds silence);

class Guests {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Number = std::uint64_t;

  explicit Guests(const GuestLimits& limits) : limits_(limits) {}

  // Somebody who has to go, and is no guest any more.
  struct Leaver {
    Number number = 0;
    std::string address;
  };
  // A new connection from this address and port; `leaver` makes room for it.
  struct Admission {
    Number number = 0;
    std::optional<Leaver> leaver;
  };
  [[nodiscard]] Admission admit(std::string address, std::uint16_t port, Time now);
  void spoke(Number guest);
  // The connection from there is this neighbour's. Gives the neighbour's oldest, which has to go, if it has too many.
  [[nodiscard]] std::optional<Leaver> recognise(const std::string& address, std::uint16_t port, std::size_t peer);
  void left(Number guest) { guests_.erase(guest); }
  // Who has been silent for too long.
  [[nodiscard]] std::vector<Leaver> overdue(Time now);
  // The stranger that came first: for a process without descriptors.
  [[nodiscard]] std::optional<Leaver> oldest_stranger();
  [[nodiscard]] bool speaks(Number guest) const { return guests_.at(guest).stage != Stage::kSilent; }
  [[nodiscard]] std::size_t size() const { return guests_.size(); }

 private:
  enum class Stage : std::uint8_t { kSilent, kSpeaking, kKnown };
  struct Guest {
    std::string address;
    std::uint16_t port = 0;
    Time since;
    Stage stage = Stage::kSilent;
    std::size_t peer = 0;  // if known
  };
  [[nodiscard]] std::optional<Leaver> make_room(const std::string& address);
  [[nodiscard]] std::optional<Leaver> take_oldest(const std::string& address);
  [[nodiscard]] Leaver take_out(std::map<Number, Guest>::iterator guest);

  GuestLimits limits_;
  std::map<Number, Guest> guests_;  // the oldest first
  Number next_ = 1;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_GUESTS_H_
