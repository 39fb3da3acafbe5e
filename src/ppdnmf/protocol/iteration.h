// What a kind of exchange asks of the network in each iteration, and what it does with the answer.
//
// The agent (protocol/agent.h) does what all kinds share: greetings, sums, asking again, saving, ending. An iteration
// never sees a message; it gets numbers and says what it wants to know next.
#ifndef PPDNMF_PROTOCOL_ITERATION_H_
#define PPDNMF_PROTOCOL_ITERATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/protocol/action.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::protocol {

// The sum of these numbers over all agents.
struct SumOf {
  std::vector<double> values;
  bool stop = false;               // this agent proposes to end the run
  const Matrix* common = nullptr;  // what followed from the totals so far, the same at everybody, or nothing: the
                                   // next masks hang on it
};

// One exchange with the neighbours (docs/protocol.md, section 4).
struct NeighboursOf {
  Round round;
  std::uint32_t stop_admm = kNever;
  std::vector<std::int64_t> u;             // with the slot of secret weights, if there are any
  std::vector<std::int64_t> weights;       // what the difference to each neighbour is multiplied with in the answer
  std::vector<std::int64_t> next_weights;  // as printed: of the next exchange, which are revealed
};

// The end of the run.
struct Ended {
  std::string because;
};

using Ask = std::variant<SumOf, NeighboursOf, Ended>;

// What all agents know after the opening.
struct Opening {
  double scale = 1;         // data are divided by it
  double squared_norm = 0;  // of everybody's scaled data
  std::uint32_t agents = 1;
  std::vector<std::int64_t> first_weights;  // as printed: the neighbours' towards this agent in the first exchange;
                                            // checked, as all weights below
};

// What an exchange with the neighbours gave.
struct NeighbourSums {
  std::vector<std::vector<std::int64_t>> sums;  // hardened: one, over all neighbours; as printed: each neighbour's
  std::vector<std::int64_t> next_weights;       // as printed: the neighbours' towards this agent in the next exchange
  std::uint32_t stop_admm = kNever;             // the smallest proposal of all
};

class Iteration {
 public:
  Iteration() = default;
  Iteration(const Iteration&) = delete;
  Iteration& operator=(const Iteration&) = delete;
  Iteration(Iteration&&) = delete;
  Iteration& operator=(Iteration&&) = delete;
  virtual ~Iteration() = default;

  // The first ask. Like all others it may add a Report to `out`, nothing else.
  [[nodiscard]] virtual Result<Ask> begin(const Opening& opening, Outbox& out) = 0;
  // The total of the last SumOf, and whether anybody proposes to end. Numbers of peers: anything can come.
  [[nodiscard]] virtual Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) = 0;
  // The outcome of the last NeighboursOf; kinds that never ask for it are never given it.
  [[nodiscard]] virtual Result<Ask> absorb(const NeighbourSums& sums, Outbox& out) = 0;
  // Time is up: propose to end with the next sum.
  virtual void request_stop() = 0;

  [[nodiscard]] virtual const Matrix& X() const = 0;
  // Exchanges begun so far, and those of them that have ended.
  [[nodiscard]] virtual std::uint64_t exchanges() const = 0;
  [[nodiscard]] virtual std::uint64_t exchanges_completed() const = 0;
  // The round of the next NeighboursOf if nobody proposes to stop meanwhile.
  [[nodiscard]] virtual std::optional<Round> next_round() const { return std::nullopt; }

  // `load` goes into an Iteration made with the same arguments, after the same opening if there was one; its columns
  // have been loaded. Fails with kInvalidData if no run can have led to such a state.
  virtual void save(ByteWriter& out) const = 0;
  [[nodiscard]] virtual Status load(ByteReader& in, const std::optional<Opening>& opening) = 0;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_ITERATION_H_
