// Forwards bytes between the members of one consortium that can only dial out (net/relayed.h has their side). Members
// show their identities, and this relay shows its own; strangers are sent away as an agent sends them away
// (net/gate.h). What passes is TLS between two members: the relay sees sizes and times.
//
// It keeps nothing that would be missed: after a restart the members come again. One thread does everything but
// accepting.
//
// Memory: at most Meetings::most() connections that asked, for each member a few that have not (twice its neighbours
// and eight), and a few dozen strangers, each with at most about 200 kB (64 KiB under way in each direction, and
// OpenSSL's own). Whoever reads slowly holds up its partner.
#ifndef PPDNMF_RELAY_RELAY_H_
#define PPDNMF_RELAY_RELAY_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <ppdnmf/consortium/check.h>
#include <ppdnmf/identity/private_identity.h>

namespace ppdnmf::relay {

// Times that tests shorten.
struct RelayTimes {
  std::chrono::milliseconds silent{5'000};    // who connects and says nothing for so long is sent away
  std::chrono::milliseconds asking{10'000};   // TLS and the request, and later both members' GO, take no longer
  std::chrono::milliseconds waiting{75'000};  // a connection that waits shows a sign of life within this
  std::chrono::milliseconds idle{150'000};    // so does one that passes bytes; members do so every 20 s
  std::chrono::milliseconds leaving{2'000};   // the last letter is taken within this
  std::chrono::milliseconds between_complaints{10'000};
};

struct RelayConfig {
  const consortium::CheckedConsortium* consortium = nullptr;
  const identity::PrivateIdentity* identity = nullptr;  // the relay's own
  identity::Address listen;                             // port 0: the system chooses
  std::uint64_t bytes_per_second = 0;                   // that pass in all; 0: as many as can
  RelayTimes times;
};

class Relay {
 public:
  // Binds. `log` gets a sentence now and then, however much happens; from run()'s thread. Fails with kUsage: the
  // address; an identity that is not the relay's of the consortium file.
  [[nodiscard]] static Result<std::unique_ptr<Relay>> open(const RelayConfig& config,
                                                           std::function<void(const std::string&)> log);
  [[nodiscard]] std::uint16_t port() const;
  // Until `interrupted`, which is asked several times a second.
  void run(const std::function<bool()>& interrupted);

  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  Relay(Relay&&) = delete;
  Relay& operator=(Relay&&) = delete;

 private:
  class Core;
  explicit Relay(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace ppdnmf::relay

#endif  // PPDNMF_RELAY_RELAY_H_
