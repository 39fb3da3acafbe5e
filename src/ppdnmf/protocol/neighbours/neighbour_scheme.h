// The paper's scheme: iterations between neighbours (neighbour_iteration.h), their messages (neighbour_exchange.h) and
// how these are hidden (cipher.h), put together.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_SCHEME_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_SCHEME_H_

#include <memory>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/protocol/neighbours/neighbour_exchange.h>
#include <ppdnmf/protocol/neighbours/neighbour_iteration.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/scheme.h>

namespace ppdnmf::protocol::neighbours {

// A round is one exchange with all neighbours.
class NeighbourScheme final : public Scheme, private PeerExchange {
 public:
  // Settings, columns and secret, which are the agent's own, outlive it. The neighbours are in rising order.
  NeighbourScheme(const RunSettings& settings, AgentId self, const std::vector<AgentId>& neighbours, const Matrix& X0,
                  nmf::Holder& columns, const Seed& secret, std::unique_ptr<Cipher> cipher);

  [[nodiscard]] Result<Ask> begin(const Opening& opening, Outbox& out) override;
  [[nodiscard]] Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) override;
  void request_stop() override { iteration_.request_stop(); }
  [[nodiscard]] PeerExchange* peers() override { return this; }

  [[nodiscard]] const Matrix& X() const override { return iteration_.X(); }
  [[nodiscard]] Matrix Y() const override { return iteration_.Y(); }
  [[nodiscard]] std::uint64_t rounds() const override { return iteration_.rounds(); }
  [[nodiscard]] std::uint64_t rounds_completed() const override { return iteration_.rounds_completed(); }
  [[nodiscard]] const nmf::AdmmXStep& x_step() const { return iteration_.x_step(); }

  void save(ByteWriter& out) const override;
  [[nodiscard]] Status load(ByteReader& in, const std::optional<Opening>& opening) override;

 private:
  [[nodiscard]] Salutation greeting(AgentId to) override;
  // Fails if the cipher does not accept the payload, or (as printed) if what is revealed cannot be a weight.
  [[nodiscard]] Status accept_greeting(AgentId from, const Salutation& salutation) override;
  void salt(const Digest& salt) override { cipher_->salt(salt); }
  [[nodiscard]] std::size_t max_payload(const Body& body) const override;
  [[nodiscard]] Status take(AgentId from, const Query& query, Outbox& out) override {
    return exchange_.take(from, query, out);
  }
  void take(AgentId from, const Reply& reply) override { exchange_.take(from, reply); }
  [[nodiscard]] Result<std::optional<Ask>> advance(Outbox& out) override;
  void resend(Outbox& out) const override { exchange_.resend(out); }
  void repeat_answers(Outbox& out) const override { exchange_.repeat_answers(out); }
  bool prepare() override { return exchange_.prepare(iteration_.next_round()); }
  [[nodiscard]] bool active() const override { return exchange_.active(); }
  [[nodiscard]] std::vector<AgentId> waiting_for() const override { return exchange_.waiting_for(); }
  [[nodiscard]] bool misses_query_of(AgentId neighbour) const override { return exchange_.misses_query_of(neighbour); }
  [[nodiscard]] bool has_next_iteration_of(AgentId neighbour) const override {
    return exchange_.has_next_iteration_of(neighbour);
  }

  [[nodiscard]] Result<Ask> carry_out(Result<NeighbourAsk> asked, Outbox& out);
  [[nodiscard]] std::size_t place_of(AgentId neighbour) const;

  const RunSettings& settings_;
  std::vector<AgentId> neighbours_;
  std::unique_ptr<Cipher> cipher_;
  NeighbourIteration iteration_;
  NeighbourExchange exchange_;
};

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_SCHEME_H_
