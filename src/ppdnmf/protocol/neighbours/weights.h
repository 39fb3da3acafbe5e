// The integer weights G of one agent: below 2^weight_bits, and nondecreasing unless they are common to all agents.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_WEIGHTS_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol::neighbours {

// Hardened with common weights: one for all agents, that all know. With a fixed g it rises evenly over the whole run
// from half of G_max = g g_scale to G_max; with automatic weights it is what `follow` was given last. Hardened with
// secret weights: one for all neighbours. With a fixed g (settings.weight) it rises over the whole run from a draw
// above half of G_max = g g_scale to G_max, like sorted uniform draws; with automatic weights it is the bound given by
// `raise_bound`.
// As printed: a weight per neighbour, drawn from (the last one, bound] as the paper does, until it reaches the bound.
// It is drawn one round ahead because the printed update needs the neighbours' weights before the round.
class Weights {
 public:
  Weights(const RunSettings& settings, std::size_t neighbours);

  // The most a weight may be from now on: automatic weights only; never falls. `g` is a real weight.
  void raise_bound(double g);
  // The weight from now on: automatic common weights only; may fall, so that one absurd number does not last.
  void follow(double g);
  // As printed: draws the weights of round 1 into `next_towards`. To be called once, before the first `advance`.
  void announce_first(const Seed& secret);
  // On to round `number` = 1, 2, ...
  void advance(std::uint64_t number, const Seed& secret);

  [[nodiscard]] std::int64_t towards(std::size_t neighbour) const { return now_[one_ ? 0 : neighbour]; }
  // As printed: the weight of the round after this one, which is revealed to the neighbour.
  [[nodiscard]] std::int64_t next_towards(std::size_t neighbour) const { return next_[neighbour]; }
  [[nodiscard]] std::int64_t bound() const { return bound_; }

  // Whether bound and weights can be this run's; false after loading damaged bytes. Weights are positive once
  // `advance`d.
  [[nodiscard]] bool in_range(bool advanced) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  [[nodiscard]] std::int64_t draw_printed(std::int64_t last, std::size_t neighbour, std::uint64_t number,
                                          const Seed& secret) const;
  [[nodiscard]] std::int64_t draw_sorted(std::int64_t last, std::uint64_t number, const Seed& secret) const;
  [[nodiscard]] std::int64_t risen(std::uint64_t number) const;
  [[nodiscard]] std::int64_t the_one(std::uint64_t number, const Seed& secret) const;

  bool one_;     // one weight for all neighbours
  bool common_;  // and for all agents
  bool fixed_;
  double g_scale_;
  std::int64_t largest_;  // 2^weight_bits - 1
  std::uint64_t rounds_planned_;
  std::int64_t bound_ = 1;
  std::vector<std::int64_t> now_, next_;
};

// As printed: fails with kPeer, naming the agent, unless what it revealed can be a weight.
[[nodiscard]] Status check_revealed_weight(AgentId from, std::int64_t weight, int weight_bits);

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_WEIGHTS_H_
