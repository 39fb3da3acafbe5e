// What logs say of the messages between members: digests that tell nothing to whoever was not in the run, and the
// text that a sender signs.
#ifndef PPDNMF_LOGBOOK_LETTERS_H_
#define PPDNMF_LOGBOOK_LETTERS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/crypto/mask.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::logbook {

// What only members of one run know: it follows from all nonces of the roll call, which travel between members and are
// written nowhere else. Without it, whoever has a log could try out what a short total may have been.
[[nodiscard]] Digest salt_of(std::span<const crypto::IdentityBytes> nonces);
// A digest as logs have it.
[[nodiscard]] Digest salted(const Digest& salt, const Digest& content);

// A message's name among those of its kind: the number of a sum, a round's number(), 0 for a Hello.
[[nodiscard]] std::uint64_t number_of(const protocol::Message& message);
// SHA-256 of what it says: the run, the kind and every field but Hello's `again`, which says nothing new.
[[nodiscard]] Digest content_digest(const protocol::Message& message);

// Of a message: "hello", "query", "reply", "part", "total".
[[nodiscard]] std::string_view kind_of(const protocol::Message& message);
// Whether senders sign this kind: parts and totals, on which everybody's result rests.
[[nodiscard]] bool is_signed(std::string_view kind);
// "total 3", "query 2.1", "hello": for sentences.
[[nodiscard]] std::string name_of(std::string_view kind, std::uint64_t number);

struct Statement {
  Digest consortium{};
  Digest run{};  // zeros: a message of the roll call
  std::string_view from, to;
  std::string_view kind;
  std::uint64_t number = 0;
  Digest digest{};  // salted
};
// The bytes that the sender's signature is on.
[[nodiscard]] Bytes text_of(const Statement& statement);

}  // namespace ppdnmf::logbook

#endif  // PPDNMF_LOGBOOK_LETTERS_H_
