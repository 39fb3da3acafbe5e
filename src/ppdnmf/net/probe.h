// The steps of a connection, each by itself and without gRPC, so that the one that fails can be named.
#ifndef PPDNMF_NET_PROBE_H_
#define PPDNMF_NET_PROBE_H_

#include <netdb.h>

#include <chrono>
#include <memory>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/link.h>

namespace ppdnmf::net {

using AddressList = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

// Fails with kPeer: the name cannot be found. `to_listen`: for bind().
[[nodiscard]] Result<AddressList> look_up(const identity::Address& address, bool to_listen);

// 0 if something could listen there, else errno's reason. Fails as look_up does.
[[nodiscard]] Result<int> try_to_listen(const identity::Address& address);

// To the first address of the list that answers. Fails with kPeer and the last reason.
[[nodiscard]] Result<io::Descriptor> connect_to(const addrinfo* list, Deadline deadline);
// What errno's reason means for whoever wants to connect; 0: no answer came in time.
[[nodiscard]] std::string words_for_connecting(int reason);

struct Handshake {
  Bytes certificate;    // of whoever answered, as DER; not checked
  Status accepted;      // whether the other side took our certificate; fails with kPeer
  bool silent = false;  // it fails because nothing came: whoever answered does not go on
};
// TLS 1.3 as a client, with the certificate of `self`, or none. Fails with kPeer: no TLS.
[[nodiscard]] Result<Handshake> shake_hands(const io::Descriptor& socket, const identity::PrivateIdentity* self,
                                            Deadline deadline);

// Who signed the certificate, printable; empty if it was signed by itself, as those of identities are.
[[nodiscard]] std::string foreign_issuer(ByteSpan certificate);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_PROBE_H_
