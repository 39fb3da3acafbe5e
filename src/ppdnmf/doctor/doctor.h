// Why two machines do not connect: looks at everything between this member and those of its neighbours that it dials,
// one step after the other, and says in words what it finds. Takes no part in a run: it opens no stream, so an agent
// that runs, here or there, goes on undisturbed (one that refuses us notes it in its log).
#ifndef PPDNMF_DOCTOR_DOCTOR_H_
#define PPDNMF_DOCTOR_DOCTOR_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/consortium/check.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/net/relayed.h>

namespace ppdnmf::doctor {

struct Finding {
  std::string about;  // a neighbour's name, or this member's
  // "listen": this member's address can be bound, or its own agent listens there. Of a neighbour or the relay, each
  // only if the one before is well: "name", "tcp" (or "proxy"), "tls", "relay", "consortium"; "dials us" of other
  // neighbours.
  std::string check;
  bool well = true;
  std::string sentence;
};

struct ExaminationConfig {
  const consortium::CheckedConsortium* consortium = nullptr;
  AgentId self;
  const identity::PrivateIdentity* identity = nullptr;  // self's
  std::optional<identity::Address> listen;              // nothing: as the consortium says
  std::chrono::milliseconds patience{5'000};  // with every step of every neighbour; looking up names is not bounded
  std::optional<net::Proxy> proxy{};          // as given to the agent
};

// What an agent says about itself (TransportConfig::about).
[[nodiscard]] std::string about_consortium(const Digest& digest);

// Where members meet that cannot connect to each other, if the consortium has such a place.
[[nodiscard]] std::optional<net::RelayPlace> relay_of(const consortium::CheckedConsortium& consortium);

[[nodiscard]] std::vector<Finding> examine(const ExaminationConfig& config);

// For whoever runs the relay: "listen", as above. A relay that runs takes this for a stranger's visit.
struct RelayExamination {
  const consortium::CheckedConsortium* consortium = nullptr;
  const identity::PrivateIdentity* identity = nullptr;  // the relay's of the file
  std::optional<identity::Address> listen;              // nothing: as the consortium says
  std::chrono::milliseconds patience{5'000};
};
[[nodiscard]] Finding examine_relay(const RelayExamination& config);

}  // namespace ppdnmf::doctor

#endif  // PPDNMF_DOCTOR_DOCTOR_H_
