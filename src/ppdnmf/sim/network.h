// A network that loses, repeats, delays and reorders messages, the same way for the same seed.
#ifndef PPDNMF_SIM_NETWORK_H_
#define PPDNMF_SIM_NETWORK_H_

#include <cstdint>
#include <map>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::sim {

struct Faults {
  double loss = 0;              // probability that a message is lost
  double duplicate = 0;         // that it arrives twice
  std::uint32_t max_delay = 1;  // it arrives after 1 to max_delay units of time, so that later ones overtake it
  double crash = 0;             // probability that an agent is killed after a step and restarted from what it saved
  [[nodiscard]] bool any() const { return loss > 0 || duplicate > 0 || max_delay > 1 || crash > 0; }
};

struct Delivery {
  AgentId from, to;
  protocol::Message message;
};

// Messages on their way. Time is counted in units; nothing here is a clock.
class Network {
 public:
  Network(const Faults& faults, const Seed& seed);

  void send(std::uint64_t now, AgentId from, AgentId to, protocol::Message message);
  // What arrives at time `now`, in the order in which it was sent. Everything due earlier must have been taken.
  [[nodiscard]] std::vector<Delivery> arrivals(std::uint64_t now);
  [[nodiscard]] bool idle() const { return in_flight_.empty(); }

 private:
  void put(std::uint64_t now, Delivery delivery);  // on its way, unless it is lost

  Faults faults_;
  Stream stream_;
  std::map<std::uint64_t, std::vector<Delivery>> in_flight_;
};

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_NETWORK_H_
