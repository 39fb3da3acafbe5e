// Asks a neighbour what it says about itself (TransportConfig::about) without opening a stream.
#ifndef PPDNMF_NET_INQUIRY_H_
#define PPDNMF_NET_INQUIRY_H_

#include <chrono>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/identity/private_identity.h>

namespace ppdnmf::net {

// Printable. Fails with kPeer.
[[nodiscard]] Result<std::string> inquire(const identity::Address& address, const identity::PrivateIdentity& self,
                                          const identity::PublicIdentity& peer, std::chrono::milliseconds patience);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INQUIRY_H_
