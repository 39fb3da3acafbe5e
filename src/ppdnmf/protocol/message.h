// What agents send each other. The transport adds who sent it and has authenticated that.
#ifndef PPDNMF_PROTOCOL_MESSAGE_H_
#define PPDNMF_PROTOCOL_MESSAGE_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <variant>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/ids.h>

namespace ppdnmf::protocol {

// A round: ADMM iteration `admm` (from 1) of iteration `iteration` (from 1).
struct Round {
  std::uint32_t iteration = 0;
  std::uint32_t admm = 0;
  friend auto operator<=>(const Round&, const Round&) = default;
  // A name for random streams; different rounds have different ones.
  [[nodiscard]] std::uint64_t number() const { return (std::uint64_t{iteration} << 32) | admm; }
};

inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// Opens a run.
struct Hello {
  bool again = false;       // the sender misses this neighbour's Hello and asks for it
  Digest common{};          // of the sender's settings, graph and list of nonces: they must be the same everywhere
  std::int64_t weight = 0;  // as printed only: the weight towards this neighbour in the first round, revealed
  Bytes payload;            // the scheme's: keys
  friend bool operator==(const Hello&, const Hello&) = default;
};

// -u under the sender's key, the same to all neighbours. Asks for a Reply.
struct Query {
  Round round;
  std::uint32_t stop_admm = kNever;  // the smallest proposal the sender knows: end the X step after this iteration
  Bytes payload;
  friend bool operator==(const Query&, const Query&) = default;
};

// weight * (u - u_asker) + blinding, under the asker's key.
struct Reply {
  Round round;
  std::int64_t weight = 0;  // as printed only: the weight towards the asker in the next round, revealed
  Bytes payload;
  friend bool operator==(const Reply&, const Reply&) = default;
};

// A branch's part of sum `number`: the masked words of the sender and of all below it in the tree. To the parent.
struct Partial {
  std::uint32_t number = 0;
  bool stop = false;  // somebody in the branch proposes to end the run
  Digest chain{};     // of all totals that the sender was given so far: its masks depend on it
  Bytes payload;
  friend bool operator==(const Partial&, const Partial&) = default;
};

// What sum `number` came to, from the root down to everybody.
struct Total {
  std::uint32_t number = 0;
  bool stop = false;  // somebody proposes to end the run
  Bytes payload;
  friend bool operator==(const Total&, const Total&) = default;
};

using Body = std::variant<Hello, Query, Reply, Partial, Total>;

struct Message {
  RunId run{};
  Body body;
  friend bool operator==(const Message&, const Message&) = default;
};

// The size of its content in bytes, without what a transport adds.
[[nodiscard]] std::size_t content_size(const Message& message);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_MESSAGE_H_
