#include <ppdnmf/net/guests.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::net {
namespace {

// For the journal, the results and whatever else the process opens.
constexpr std::size_t kReserved = 64;
constexpr std::size_t kPerAddress = 16;
constexpr std::size_t kMaxForPeers = 48;
constexpr std::size_t kAddresses = 4;  // so many full addresses are let in at a time

}  // namespace

GuestLimits guest_limits(std::size_t descriptors, std::size_t peers, std::chrono::milliseconds silence) {
  GuestLimits limits;
  limits.silence = silence;
  // Neighbours behind one router, or all on this machine, come from one address and may come together.
  limits.per_address = kPerAddress + std::min(2 * peers, kMaxForPeers);
  limits.strangers = kAddresses * limits.per_address;
  const std::size_t taken = kReserved + 4 * peers;
  const std::size_t room = descriptors > taken ? (descriptors - taken) / 2 : 0;
  limits.strangers = std::clamp<std::size_t>(room, 4, limits.strangers);
  limits.per_address = std::min(limits.per_address, std::max<std::size_t>(2, limits.strangers / 2));
  return limits;
}

Guests::Admission Guests::admit(std::string address, std::uint16_t port, Time now) {
  Admission out;
  out.leaver = make_room(address);
  out.number = next_++;
  guests_.emplace(out.number, Guest{std::move(address), port, now});
  return out;
}

// Room for one more stranger from this address: of its own if it has its share, else of the address that has most.
std::optional<Guests::Leaver> Guests::make_room(const std::string& address) {
  std::map<std::string, std::size_t> counts;
  std::size_t strangers = 0;
  for (const auto& [number, guest] : guests_) {
    if (guest.stage == Stage::kKnown) continue;
    ++counts[guest.address];
    ++strangers;
  }
  if (counts[address] >= limits_.per_address) return take_oldest(address);
  if (strangers < limits_.strangers) return std::nullopt;
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return take_oldest(most->first);
}

// The oldest that is silent; if all of them speak, the oldest.
std::optional<Guests::Leaver> Guests::take_oldest(const std::string& address) {
  for (const Stage stage : {Stage::kSilent, Stage::kSpeaking}) {
    const auto found = std::find_if(guests_.begin(), guests_.end(), [&](const auto& one) {
      return one.second.address == address && one.second.stage == stage;
    });
    if (found != guests_.end()) return take_out(found);
  }
  return std::nullopt;
}

Guests::Leaver Guests::take_out(std::map<Number, Guest>::iterator guest) {
  Leaver out{guest->first, std::move(guest->second.address)};
  guests_.erase(guest);
  return out;
}

void Guests::spoke(Number guest) {
  const auto found = guests_.find(guest);
  if (found != guests_.end() && found->second.stage == Stage::kSilent) found->second.stage = Stage::kSpeaking;
}

std::optional<Guests::Leaver> Guests::recognise(const std::string& address, std::uint16_t port, std::size_t peer) {
  const auto found = std::find_if(guests_.rbegin(), guests_.rend(), [&](const auto& one) {
    return one.second.port == port && one.second.address == address;
  });
  if (found == guests_.rend()) return std::nullopt;
  found->second.stage = Stage::kKnown;
  found->second.peer = peer;
  std::vector<Number> of_peer;
  for (const auto& [number, guest] : guests_) {
    if (guest.stage == Stage::kKnown && guest.peer == peer) of_peer.push_back(number);
  }
  if (of_peer.size() <= limits_.per_peer) return std::nullopt;
  return take_out(guests_.find(of_peer.front()));
}

std::vector<Guests::Leaver> Guests::overdue(Time now) {
  std::vector<Leaver> out;
  for (auto at = guests_.begin(); at != guests_.end();) {
    const auto guest = at++;
    if (guest->second.stage == Stage::kSilent && now - guest->second.since >= limits_.silence) {
      out.push_back(take_out(guest));
    }
  }
  return out;
}

std::optional<Guests::Leaver> Guests::oldest_stranger() {
  const auto found =
      std::find_if(guests_.begin(), guests_.end(), [](const auto& one) { return one.second.stage != Stage::kKnown; });
  if (found == guests_.end()) return std::nullopt;
  return take_out(found);
}

}  // namespace ppdnmf::net
