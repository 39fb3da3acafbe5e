// Asks a neighbour what it says about itself (TransportConfig::about) without opening a stream.
#ifndef PPDNMF_NET_INTERNAL_INQUIRY_H_
#define PPDNMF_NET_INTERNAL_INQUIRY_H_

#include <chrono>
#include <string>

#include "base/result.h"
#include "consortium/address.h"
#include "identity/private_identity.h"

namespace ppdnmf::net {

// Printable. Fails with kPeer.
[[nodiscard]] Result<std::string> inquire(const Address& address, const PrivateIdentity& self,
                                          const PublicIdentity& peer, std::chrono::milliseconds patience);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_INQUIRY_H_
