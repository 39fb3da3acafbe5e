// Sockets that listen.
#ifndef PPDNMF_NET_LISTENING_H_
#define PPDNMF_NET_LISTENING_H_

#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::net {

struct Listening {
  std::vector<io::Descriptor> sockets;  // not blocking; one at least
  std::uint16_t port = 0;               // of all of them
};

// At every address of this machine that the name means; "0.0.0.0" and "::" mean all of both kinds. Port 0: the system
// chooses. Fails with kUsage and the reason: another program has the port, the address is not this machine's.
[[nodiscard]] Result<Listening> listen_at(const identity::Address& address);

// How many more files this process may open.
[[nodiscard]] std::size_t descriptors_left();

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_LISTENING_H_
