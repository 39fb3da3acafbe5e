#include <ppdnmf/protocol/neighbours/neighbour_scheme.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/protocol/neighbours/weights.h>

namespace ppdnmf::protocol::neighbours {

NeighbourScheme::NeighbourScheme(const RunSettings& settings, AgentId self, const std::vector<AgentId>& neighbours,
                                 const Matrix& X0, nmf::Holder& columns, const Seed& secret,
                                 std::unique_ptr<Cipher> cipher)
    : settings_(settings),
      neighbours_(neighbours),
      cipher_(std::move(cipher)),
      iteration_(settings, self, neighbours, X0, columns, secret),
      exchange_(settings, neighbours, secret, *cipher_) {}

Result<Ask> NeighbourScheme::begin(const Opening& opening, Outbox& out) {
  return carry_out(iteration_.begin(opening), out);
}

Result<Ask> NeighbourScheme::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  return carry_out(iteration_.absorb(totals, stop, out), out);
}

Result<std::optional<Ask>> NeighbourScheme::advance(Outbox& out) {
  PPDNMF_TRY(const std::optional<NeighbourSums> sums, exchange_.advance(out));
  if (!sums) return std::nullopt;
  PPDNMF_TRY(Ask ask, carry_out(iteration_.absorb(*sums), out));
  return ask;
}

Result<Ask> NeighbourScheme::carry_out(Result<NeighbourAsk> asked, Outbox& out) {
  PPDNMF_TRY(NeighbourAsk ask, std::move(asked));
  if (auto* exchange = std::get_if<NeighboursOf>(&ask)) {
    PPDNMF_TRY_STATUS(exchange_.begin(std::move(*exchange), out));
    return PeersAnswer{};
  }
  if (auto* sum = std::get_if<SumOf>(&ask)) {
    PPDNMF_TRY_STATUS(exchange_.end_step());
    return std::move(*sum);
  }
  return std::get<Ended>(std::move(ask));
}

Salutation NeighbourScheme::greeting(AgentId to) {
  return {iteration_.first_weight(place_of(to)), cipher_->greeting(to)};
}

Status NeighbourScheme::accept_greeting(AgentId from, const Salutation& salutation) {
  PPDNMF_TRY_STATUS(cipher_->accept_greeting(from, salutation.payload));
  if (settings_.scheme != SchemeKind::kAsPrinted) return {};
  PPDNMF_TRY_STATUS(check_revealed_weight(from, salutation.weight, settings_.weight_bits));
  iteration_.reveal_first(place_of(from), salutation.weight);
  return {};
}

std::size_t NeighbourScheme::max_payload(const Body& body) const {
  return std::holds_alternative<Hello>(body) ? cipher_->max_greeting_bytes() : cipher_->payload_bytes();
}

std::size_t NeighbourScheme::place_of(AgentId neighbour) const {
  const auto found = std::lower_bound(neighbours_.begin(), neighbours_.end(), neighbour);
  PPDNMF_CHECK(found != neighbours_.end() && *found == neighbour);
  return static_cast<std::size_t>(found - neighbours_.begin());
}

void NeighbourScheme::save(ByteWriter& out) const {
  exchange_.save(out);
  iteration_.save(out);
}

Status NeighbourScheme::load(ByteReader& in, const std::optional<Opening>& opening) {
  PPDNMF_TRY_STATUS(exchange_.load(in));
  return iteration_.load(in, opening);
}

}  // namespace ppdnmf::protocol::neighbours
