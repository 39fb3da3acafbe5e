#include <ppdnmf/protocol/neighbours/neighbour_exchange.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <ppdnmf/protocol/neighbours/weights.h>
#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol::neighbours {
namespace {

void put(ByteWriter& out, const Round& round) {
  out.put(round.iteration);
  out.put(round.admm);
}

Round get_round(ByteReader& in) {
  Round round;
  round.iteration = in.get<std::uint32_t>();
  round.admm = in.get<std::uint32_t>();
  return round;
}

tl::unexpected<Error> different_steps(AgentId neighbour, const Round& round) {
  return error(ErrorCode::kPeer,
               "agent {} continues iteration {} beyond round {}, with which it ended here: somebody proposes "
               "different ends to different agents",
               neighbour.value, round.iteration, round.admm);
}

bool follows(const Round& next, const Round& round) {
  return next == Round{round.iteration, round.admm + 1} || next == Round{round.iteration + 1, 1};
}

}  // namespace

NeighbourExchange::NeighbourExchange(const RunSettings& settings, const std::vector<AgentId>& neighbours,
                                     const Seed& secret, Cipher& cipher)
    : settings_(settings), secret_(secret), cipher_(cipher) {
  for (const AgentId id : neighbours) neighbours_.push_back({id, {}, {}, {}, {}, {}});
}

Status NeighbourExchange::begin(NeighboursOf ask, Outbox& out) {
  ask_ = std::move(ask);
  std::vector<std::int64_t> minus_u(ask_.u.size());
  std::transform(ask_.u.begin(), ask_.u.end(), minus_u.begin(), std::negate<>());
  // Secret weights: where this agent's u has a 1, the query has a 0: a reply carries weight * (1 - 0) there, and the
  // sum is the neighbourhood's weight.
  if (settings_.secret_weights()) minus_u.back() = 0;
  PPDNMF_TRY(Bytes payload, cipher_.make_query(ask_.round, minus_u));
  own_query_ = Query{ask_.round, ask_.stop_admm, std::move(payload)};
  half_ = Half::kQuerying;
  for (Neighbour& neighbour : neighbours_) {
    neighbour.reply.reset();
    neighbour.query = std::exchange(neighbour.early_query, std::nullopt);
    if (neighbour.query && neighbour.query->round != ask_.round) neighbour.query.reset();
  }
  out.save();
  for (const Neighbour& neighbour : neighbours_) out.send(neighbour.id, own_query_);
  return {};
}

Result<std::optional<NeighbourSums>> NeighbourExchange::advance(Outbox& out) {
  const auto all = [this](auto&& has) { return std::all_of(neighbours_.begin(), neighbours_.end(), has); };
  if (half_ == Half::kQuerying && all([](const Neighbour& n) { return n.query.has_value(); })) {
    PPDNMF_TRY_STATUS(answer_queries(out));
  }
  if (half_ != Half::kReplying || !all([](const Neighbour& n) { return n.reply.has_value(); })) return std::nullopt;
  PPDNMF_TRY(NeighbourSums sums, open_replies());
  half_ = Half::kNone;
  return sums;
}

Status NeighbourExchange::answer_queries(Outbox& out) {
  for (std::size_t j = 0; j < neighbours_.size(); ++j) {
    Neighbour& asker = neighbours_[j];
    PPDNMF_TRY(asker.answer, make_answer(j));
    asker.answered = sha256(asker.query->payload);
    ask_.stop_admm = std::min(ask_.stop_admm, asker.query->stop_admm);
  }
  half_ = Half::kReplying;
  out.save();
  for (const Neighbour& asker : neighbours_) out.send(asker.id, asker.answer);
  return {};
}

Result<Reply> NeighbourExchange::make_answer(std::size_t neighbour) {
  const Neighbour& asker = neighbours_[neighbour];
  // Who knows of a stop does not ask beyond it.
  if (asker.query->stop_admm < ask_.round.admm)
    return error(ErrorCode::kPeer, "agent {} proposes to stop in the past", asker.id.value);
  ReplyTerms terms{ask_.weights[neighbour], ask_.u, {}};
  std::vector<std::int64_t> blinding;
  if (settings_.secret_weights() && settings_.blinding) {
    // Uniform over `weight` consecutive integers around 0: the sum is no longer a multiple of the weight.
    Stream stream(secret_, kBlindingStream, static_cast<std::uint32_t>(neighbour), ask_.round.number());
    blinding.resize(ask_.u.size());
    const std::int64_t low = -(terms.weight - 1) / 2;
    for (std::size_t t = 0; t + 1 < blinding.size(); ++t) {
      blinding[t] = low + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(terms.weight)));
    }
    terms.blinding = blinding;
  }
  PPDNMF_TRY(Bytes payload, cipher_.make_reply(ask_.round, asker.id, asker.query->payload, terms));
  return Reply{ask_.round, ask_.next_weights.empty() ? 0 : ask_.next_weights[neighbour], std::move(payload)};
}

// Hardened: all replies at once, since their masks cancel only then. As printed: each alone.
Result<NeighbourSums> NeighbourExchange::open_replies() {
  NeighbourSums out;
  out.stop_admm = ask_.stop_admm;
  std::vector<ReceivedReply> replies;
  for (const Neighbour& neighbour : neighbours_) {
    replies.push_back({neighbour.id, neighbour.reply->payload});
    if (settings_.scheme == SchemeKind::kHardened) continue;
    PPDNMF_TRY_STATUS(check_revealed_weight(neighbour.id, neighbour.reply->weight, settings_.weight_bits));
    out.next_weights.push_back(neighbour.reply->weight);
  }
  if (settings_.scheme == SchemeKind::kHardened) {
    PPDNMF_TRY(out.sums.emplace_back(), cipher_.open(ask_.round, replies));
    return out;
  }
  for (const ReceivedReply& reply : replies) {
    PPDNMF_TRY(out.sums.emplace_back(), cipher_.open(ask_.round, {&reply, 1}));
  }
  return out;
}

Status NeighbourExchange::take(AgentId id, const Query& query, Outbox& out) {
  Neighbour* from = find(id);
  if (from == nullptr) return {};
  if (query.round == from->answer.round && query.round.iteration > 0) {
    if (sha256(query.payload) == from->answered) {
      out.send_again(id, from->answer);
    } else {
      out.complain(id, "it asked two different questions in one round; the second got no answer");
    }
    return {};
  }
  if (!active() && goes_on_with_step(query)) return different_steps(id, ask_.round);
  if (half_ == Half::kQuerying && query.round == ask_.round) {
    if (!from->query) {
      from->query = query;
    } else if (!(*from->query == query)) {
      out.complain(id, "it asked two different questions in one round; the first counts");
    }
  } else if (follows(query.round, ask_.round) && !from->early_query) {
    from->early_query = query;
  }
  return {};
}

Status NeighbourExchange::end_step() const {
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.early_query && goes_on_with_step(*neighbour.early_query)) {
      return different_steps(neighbour.id, ask_.round);
    }
  }
  return {};
}

bool NeighbourExchange::goes_on_with_step(const Query& query) const {
  return ask_.round.iteration > 0 && query.round == Round{ask_.round.iteration, ask_.round.admm + 1};
}

void NeighbourExchange::take(AgentId id, const Reply& reply) {
  Neighbour* from = find(id);
  if (from != nullptr && active() && reply.round == ask_.round && !from->reply) from->reply = reply;
}

void NeighbourExchange::resend(Outbox& out) const {
  if (!active()) return;
  for (const Neighbour& neighbour : neighbours_) {
    if (!neighbour.reply) out.send_again(neighbour.id, own_query_);
  }
}

void NeighbourExchange::repeat_answers(Outbox& out) const {
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.answer.round.iteration > 0) out.send_again(neighbour.id, neighbour.answer);
  }
}

std::vector<AgentId> NeighbourExchange::waiting_for() const {
  std::vector<AgentId> missing;
  for (const Neighbour& n : neighbours_) {
    if ((half_ == Half::kQuerying && !n.query) || (half_ == Half::kReplying && !n.reply)) missing.push_back(n.id);
  }
  return missing;
}

bool NeighbourExchange::misses_query_of(AgentId neighbour) const {
  return half_ == Half::kQuerying && std::any_of(neighbours_.begin(), neighbours_.end(),
                                                 [&](const Neighbour& n) { return n.id == neighbour && !n.query; });
}

bool NeighbourExchange::has_next_iteration_of(AgentId neighbour) const {
  return std::any_of(neighbours_.begin(), neighbours_.end(), [&](const Neighbour& n) {
    return n.id == neighbour && n.early_query && n.early_query->round.iteration > ask_.round.iteration;
  });
}

// The answers of this round, then the next round's query and answers.
bool NeighbourExchange::prepare(const std::optional<Round>& next) {
  if (!active()) return false;
  const auto replies = [this](Round round) {
    return std::any_of(neighbours_.begin(), neighbours_.end(),
                       [&](const Neighbour& n) { return cipher_.prepare_reply(round, n.id); });
  };
  if (half_ == Half::kQuerying && replies(ask_.round)) return true;
  return next && (cipher_.prepare_query(*next) || (half_ == Half::kReplying && replies(*next)));
}

NeighbourExchange::Neighbour* NeighbourExchange::find(AgentId id) {
  const auto found = std::find_if(neighbours_.begin(), neighbours_.end(), [&](const auto& n) { return n.id == id; });
  return found == neighbours_.end() ? nullptr : &*found;
}

// Messages that came in but were not acted on are not saved: they can be asked for again.
void NeighbourExchange::save(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(half_));
  put(out, ask_.round);
  out.put(ask_.stop_admm);
  for (const auto* list : {&ask_.u, &ask_.weights, &ask_.next_weights}) {
    out.put<std::uint64_t>(list->size());
    out.put_array(list->data(), list->size());
  }
  out.put(own_query_.stop_admm);
  out.put_bytes(own_query_.payload);
  for (const Neighbour& n : neighbours_) {
    out.put_array(n.answered.data(), n.answered.size());
    put(out, n.answer.round);
    out.put(n.answer.weight);
    out.put_bytes(n.answer.payload);
  }
}

Status NeighbourExchange::load(ByteReader& in) {
  half_ = static_cast<Half>(in.get<std::uint8_t>());
  ask_.round = get_round(in);
  ask_.stop_admm = in.get<std::uint32_t>();
  for (auto* list : {&ask_.u, &ask_.weights, &ask_.next_weights}) {
    list->resize(std::min<std::uint64_t>(in.get<std::uint64_t>(), in.left() / sizeof(std::int64_t)));
    in.get_array(list->data(), list->size());
  }
  own_query_.round = ask_.round;
  own_query_.stop_admm = in.get<std::uint32_t>();
  own_query_.payload = in.get_bytes();
  for (Neighbour& n : neighbours_) {
    in.get_array(n.answered.data(), n.answered.size());
    n.answer.round = get_round(in);
    n.answer.weight = in.get<std::int64_t>();
    n.answer.payload = in.get_bytes();
    // In the second half of a round the questions have been answered; they count as received.
    if (half_ == Half::kReplying) n.query = Query{ask_.round, kNever, {}};
  }
  if (!is_consistent()) return error(ErrorCode::kInvalidData, "its round with the neighbours is damaged");
  return {};
}

bool NeighbourExchange::is_consistent() const {
  if (half_ > Half::kReplying) return false;
  if (!active()) return true;
  const auto bounded = [](std::int64_t bound) {
    return [bound](std::int64_t value) { return value <= bound && value >= -bound; };
  };
  const auto u_bound = static_cast<std::int64_t>(static_cast<double>(settings_.n_max) * settings_.u_bound) + 1;
  const auto weight_bound = (std::int64_t{1} << settings_.multiplier_bits()) - 1;
  const bool printed = settings_.scheme == SchemeKind::kAsPrinted;
  return ask_.u.size() == settings_.entries() && ask_.weights.size() == neighbours_.size() &&
         ask_.next_weights.size() == (printed ? neighbours_.size() : 0) &&
         std::all_of(ask_.u.begin(), ask_.u.end(), bounded(u_bound)) &&
         std::all_of(ask_.weights.begin(), ask_.weights.end(),
                     [&](std::int64_t weight) { return weight >= 1 && weight <= weight_bound; }) &&
         (half_ != Half::kReplying || std::all_of(neighbours_.begin(), neighbours_.end(),
                                                  [&](const Neighbour& n) { return n.answer.round == ask_.round; }));
}

}  // namespace ppdnmf::protocol::neighbours
