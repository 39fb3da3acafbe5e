// The member's side of a relay: what a connection through it takes before bytes of the run pass.
//
// A relay forwards bytes between two members that can only dial out. Each of them opens a connection to it, with
// TLS 1.3 in which both show their identities, and says whom it wants to meet (meeting.h). What they send each other
// afterwards is TLS between the two of them, inside: the relay sees sizes and times.
#ifndef PPDNMF_NET_RELAYED_H_
#define PPDNMF_NET_RELAYED_H_

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <ppdnmf/net/link.h>
#include <ppdnmf/net/meeting.h>
#include <ppdnmf/net/proxy.h>

namespace ppdnmf::net {

struct RelayPlace {
  identity::Address address;
  identity::PublicIdentity identity;
  Digest file{};  // of the consortium file that relay and members have
};
// "the relay at relay.example:7443"
[[nodiscard]] std::string name_of(const RelayPlace& relay);
// What a relay knows a member by.
[[nodiscard]] Digest key_of(const identity::PublicIdentity& member);

// A connection with its socket.
struct OpenLink {
  io::Descriptor socket;
  Link link;
  Bytes first;  // came already, and is the first to be read
};

enum class RelayStep : std::uint8_t { kConnecting, kTls, kCertificate, kDone };
struct ReachedRelay {
  RelayStep step = RelayStep::kConnecting;  // the one that failed, or kDone
  Status outcome;                           // fails with kPeer; the sentence begins with the relay
  Bytes certificate;                        // of whoever answered, from kCertificate on
  std::optional<OpenLink> link;             // when done
};
// Connects, through the proxy if there is one, and shows whom `side` shows. `stop` as for wait_for().
[[nodiscard]] ReachedRelay reach_relay(const RelayPlace& relay, const std::optional<Proxy>& proxy,
                                       const std::shared_ptr<const TlsSide>& side, Deadline deadline, int stop);

struct MeetingTimes {
  Deadline deadline;                                    // the other has come by then; max(): waits for ever
  std::chrono::milliseconds keepalive{20'000};          // the relay is asked for a sign of life so often,
  std::chrono::milliseconds keepalive_timeout{10'000};  // which must come within this
};
// Says whom we want to meet, as one who waits or dials; `waits` is called when the relay has said that the other is not
// there yet, and may be empty. Afterwards bytes pass. Fails with kPeer; a refusal of the relay as words_of() says it.
[[nodiscard]] Status meet(OpenLink& link, const RelayPlace& relay, Role role, const Digest& other,
                          const MeetingTimes& times, int stop, const std::function<void()>& waits);

// Whether the other waits for us there. Fails with kPeer, as meet() does.
[[nodiscard]] Result<bool> waits_there(OpenLink& link, const RelayPlace& relay, const Digest& other, Deadline deadline);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_RELAYED_H_
