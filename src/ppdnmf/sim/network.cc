#include <ppdnmf/sim/network.h>

#include <utility>

namespace ppdnmf::sim {
namespace {

constexpr std::uint8_t kFaultStream = 'N';

}  // namespace

Network::Network(const Faults& faults, const Seed& seed) : faults_(faults), stream_(seed, kFaultStream) {}

void Network::send(std::uint64_t now, AgentId from, AgentId to, protocol::Message message) {
  if (stream_.uniform() < faults_.duplicate) put(now, {from, to, message});
  put(now, {from, to, std::move(message)});
}

void Network::put(std::uint64_t now, Delivery delivery) {
  const bool lost = stream_.uniform() < faults_.loss;
  const std::uint64_t delay = 1 + stream_.below(faults_.max_delay);
  if (!lost) in_flight_[now + delay].push_back(std::move(delivery));
}

std::vector<Delivery> Network::arrivals(std::uint64_t now) {
  const auto found = in_flight_.find(now);
  if (found == in_flight_.end()) return {};
  std::vector<Delivery> deliveries = std::move(found->second);
  in_flight_.erase(found);
  return deliveries;
}

}  // namespace ppdnmf::sim
