// What a member and its relay say to each other, inside TLS, before bytes of the run pass: letters of fixed lengths.
//
//   member                              relay
//   MEET role, file, other     ->
//                              <-       WAITS (until the other comes)     the member asks for signs of life with
//   PING                       ->                                         PING, and takes PONG for one
//                              <-       PONG
//                              <-       MET   or REFUSED reason, THERE
//   GO                         ->       and from here on whatever the two members send each other
//
// Integers are one byte, digests are as they are. There is one spelling of every letter.
#ifndef PPDNMF_NET_MEETING_H_
#define PPDNMF_NET_MEETING_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::net {

inline constexpr std::string_view kRelayProtocol = "ppdnmf-relay/1";  // for ALPN

enum class LetterKind : std::uint8_t {
  kMeet = 1,
  kPing = 2,
  kGo = 3,
  kWaits = 17,
  kMet = 18,
  kPong = 19,
  kRefused = 20,
  kThere = 21,
};
enum class Role : std::uint8_t {
  kWaits = 0,  // for the other to come
  kDials = 1,  // and expects the other to wait
  kAsks = 2,   // only whether the other waits for it: THERE, or REFUSED with kNobody
};
enum class Refusal : std::uint8_t {
  kOtherFile = 1,    // the relay has another consortium file
  kNoNeighbour = 2,  // there is no edge between the two in it
  kTooOften = 3,     // more letters than a member needs
  kReplaced = 4,     // a newer connection of the same member took this one's place
  kNobody = 5,       // the other does not wait
  kFull = 6,         // the relay has as many connections as it can
};

struct Letter {
  LetterKind kind = LetterKind::kPing;
  Role role = Role::kWaits;              // MEET
  Digest file{};                         // MEET: the consortium file's
  Digest other{};                        // MEET: SHA-256 of the other's certificate
  Refusal reason = Refusal::kOtherFile;  // REFUSED
  friend bool operator==(const Letter&, const Letter&) = default;
};

inline constexpr std::size_t kLongestLetter = 66;

[[nodiscard]] Bytes encode(const Letter& letter);
// Takes the first letter away from the front of `bytes`; nothing if it is not whole yet. Fails with kPeer on what is
// no letter; `bytes` are then as they were.
[[nodiscard]] Result<std::optional<Letter>> take_letter(Bytes& bytes);
// What a refusal means for the member, after "the relay".
[[nodiscard]] std::string_view words_of(Refusal reason);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_MEETING_H_
