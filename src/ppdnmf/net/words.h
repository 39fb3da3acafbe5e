// What gRPC says, as sentences for people.
#ifndef PPDNMF_NET_WORDS_H_
#define PPDNMF_NET_WORDS_H_

#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>

namespace ppdnmf::net {

// Printable ASCII, not too long: statuses may hold what a peer chose.
[[nodiscard]] std::string printable(std::string_view text);
// Why a handshake failed on the listening side.
[[nodiscard]] std::string words_for_handshake(std::string_view log);
// Why an attempt to dial failed.
[[nodiscard]] std::string words_for_dialling(std::string_view status);
// Why nothing can listen there: tries once more by hand, to hear the reason from the operating system.
[[nodiscard]] Error words_for_listening(const identity::Address& address);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_WORDS_H_
