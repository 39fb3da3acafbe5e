// Asks a neighbour what it says about itself (TransportConfig::about) without opening a stream.
#ifndef PPDNMF_NET_INQUIRY_H_
#define PPDNMF_NET_INQUIRY_H_

#include <chrono>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

// Printable. Fails with kPeer.
// At its address if it has one, through the proxy if there is one; else at the relay, which then must be there.
[[nodiscard]] Result<std::string> inquire(const PeerConfig& peer, const identity::PrivateIdentity& self,
                                          std::chrono::milliseconds patience, const std::optional<Proxy>& proxy = {},
                                          const std::optional<RelayPlace>& relay = {});

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INQUIRY_H_
