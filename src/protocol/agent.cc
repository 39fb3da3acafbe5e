#include "protocol/agent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nmf/penalties.h"
#include "protocol/fixed_point.h"
#include "protocol/purposes.h"

namespace ppdnmf {
namespace {

double q_unit(const RunSettings& s) { return 1 / (s.g_scale * s.g_scale * static_cast<double>(s.n_max)); }

}  // namespace

Agent::Agent(AgentConfig config, Seed secret)
    : config_(std::move(config)),
      secret_(std::move(secret)),
      Z_(config_.Z / config_.settings.data_scale),
      Z_squared_norm_(Z_.squaredNorm()),
      left_(config_.X0, config_.settings.updates, q_unit(config_.settings)),
      right_(config_.settings.rank, Z_.cols()),
      weights_(config_.settings, config_.neighbours.size(), config_.weight_table),
      X_before_(config_.X0),
      u_(config_.settings.entries()) {
  PPDNMF_CHECK(config_.cipher != nullptr && Z_.rows() == config_.settings.rows &&
               config_.X0.rows() == config_.settings.rows && config_.X0.cols() == config_.settings.rank);
  for (const AgentId id : config_.neighbours) {
    Neighbour neighbour;
    neighbour.id = id;
    neighbours_.push_back(std::move(neighbour));
  }
}

std::vector<Action> Agent::step(const Event& event) {
  if (phase_ != Phase::kFailed) std::visit([this](const auto& e) { on(e); }, event);
  return std::exchange(actions_, {});
}

// The answers of this exchange, then the next exchange's query and answers.
bool Agent::prepare() {
  const auto replies = [this](Round round) {
    return std::any_of(neighbours_.begin(), neighbours_.end(),
                       [&](const Neighbour& n) { return config_.cipher->prepare_reply(round, n.id); });
  };
  if (phase_ == Phase::kQuerying && replies(round_)) return true;
  if (phase_ != Phase::kQuerying && phase_ != Phase::kReplying) return false;
  const std::optional<Round> next = next_round();
  return next && (config_.cipher->prepare_query(*next) || (phase_ == Phase::kReplying && replies(*next)));
}

// The round after this one if nobody proposes to stop meanwhile; none after the last.
std::optional<Round> Agent::next_round() const {
  const RunSettings& s = config_.settings;
  if (round_.admm < std::min(stop_admm_, static_cast<std::uint32_t>(s.admm_x)))
    return Round{round_.bcd, round_.admm + 1};
  if (round_.bcd < std::min(stop_bcd_, static_cast<std::uint32_t>(s.bcd))) return Round{round_.bcd + 1, 1};
  return std::nullopt;
}

// --- events -------------------------------------------------------------------------------------------------------

void Agent::on(const Started& /*event*/) {
  if (phase_ == Phase::kNew) {
    begin_stage(0);
    advance();
  } else {
    resend_missing();
  }
}

void Agent::on(const Received& event) {
  Neighbour* from = find(event.from);
  if (phase_ == Phase::kNew || from == nullptr || event.message.run != config_.run) return;
  if (const auto* hello = std::get_if<Hello>(&event.message.body)) on_hello(*from, *hello);
  if (const auto* query = std::get_if<Query>(&event.message.body)) on_query(*from, *query);
  if (const auto* reply = std::get_if<Reply>(&event.message.body)) on_reply(*from, *reply);
  advance();
}

void Agent::on(const Ticked& /*event*/) { resend_missing(); }

void Agent::on(const StopRequested& /*event*/) {
  if (phase_ == Phase::kFinished) return;
  const std::uint32_t proposal = std::max(round_.bcd, 1U) + bcd_lag();
  if (proposal < stop_bcd_) {
    stop_bcd_ = proposal;
    stop_reason_ = "request";
  }
}

void Agent::on_hello(Neighbour& from, const Hello& hello) {
  if (hello.settings != config_.settings_digest) {
    return fail(
        Error{ErrorCode::kPeer, fmt::format("agent {} runs with other settings or another graph than this agent; every "
                                            "agent must be given the same ones",
                                            from.id.value)});
  }
  if (hello.again && hello.stage < from.own_greetings.size()) send_hello(from, hello.stage, false);
  if (phase_ != Phase::kGreeting) return;
  if (hello.stage == stage_ && from.greetings.size() == stage_) accept_hello(from, hello);
  if (hello.stage == stage_ + 1 && !from.early_hello) from.early_hello = hello;
}

void Agent::on_query(Neighbour& from, const Query& query) {
  if (query.round == from.answered && query.round.bcd > 0) {
    if (sha256(query.payload) == from.answered_digest) return send(from.id, from.answer);
    return complain(from.id, "it asked two different questions in one exchange; the second got no answer");
  }
  const bool in_round = phase_ == Phase::kQuerying;
  if (in_round && query.round == round_) {
    if (!from.query) {
      from.query = query;
    } else if (!(*from.query == query)) {
      complain(from.id, "it asked two different questions in one exchange; the first counts");
    }
    return;
  }
  const Round next_admm{round_.bcd, round_.admm + 1};
  const Round next_bcd{round_.bcd + 1, 1};
  if (phase_ != Phase::kFinished && (query.round == next_admm || query.round == next_bcd) && !from.early_query) {
    from.early_query = query;
  }
}

void Agent::on_reply(Neighbour& from, const Reply& reply) {
  const bool in_round = phase_ == Phase::kQuerying || phase_ == Phase::kReplying;
  if (in_round && reply.round == round_ && !from.reply) from.reply = reply;
}

void Agent::advance() {
  const auto all = [this](auto&& has) { return std::all_of(neighbours_.begin(), neighbours_.end(), has); };
  for (;;) {
    const Phase phase = phase_;
    const Round round = round_;
    const std::uint32_t stage = stage_;
    if (phase_ == Phase::kGreeting && all([this](const Neighbour& n) { return n.greetings.size() > stage_; })) {
      if (stage_ + 1 < config_.cipher->stages()) {
        begin_stage(stage_ + 1);
      } else {
        begin_bcd();
      }
    } else if (phase_ == Phase::kQuerying && all([](const Neighbour& n) { return n.query.has_value(); })) {
      answer_queries();
    } else if (phase_ == Phase::kReplying && all([](const Neighbour& n) { return n.reply.has_value(); })) {
      end_round();
    }
    if (phase == phase_ && round == round_ && stage == stage_) return;
  }
}

void Agent::resend_missing() {
  if (phase_ == Phase::kGreeting) {
    for (const Neighbour& neighbour : neighbours_) {
      if (neighbour.greetings.size() <= stage_) send_hello(neighbour, stage_, true);
    }
  }
  if (phase_ == Phase::kQuerying || phase_ == Phase::kReplying) {
    for (const Neighbour& neighbour : neighbours_) {
      if (!neighbour.reply) send(neighbour.id, own_query_);
    }
  }
}

// --- start-up -----------------------------------------------------------------------------------------------------

void Agent::begin_stage(std::uint32_t stage) {
  phase_ = Phase::kGreeting;
  stage_ = stage;
  if (stage == 0 && config_.settings.exchange == ExchangeKind::kAsPrinted) {
    // The printed update needs the neighbours' weights before the first exchange.
    weights_.announce_first(secret_);
    for (std::size_t j = 0; j < neighbours_.size(); ++j) neighbours_[j].first_weight = weights_.next_towards(j);
  }
  for (Neighbour& neighbour : neighbours_)
    neighbour.own_greetings.push_back(config_.cipher->greeting(stage, neighbour.id));
  actions_.emplace_back(Save{});
  for (Neighbour& neighbour : neighbours_) send_hello(neighbour, stage, false);
  for (Neighbour& neighbour : neighbours_) {
    if (auto early = std::exchange(neighbour.early_hello, std::nullopt)) accept_hello(neighbour, *early);
  }
}

void Agent::accept_hello(Neighbour& from, const Hello& hello) {
  if (hello.stage != stage_) return;
  if (auto accepted = config_.cipher->accept_greeting(hello.stage, from.id, hello.payload); !accepted) {
    return fail(std::move(accepted).error());
  }
  if (hello.stage == 0) {
    if (auto taken = take_revealed_weight(from, hello.weight); !taken) return fail(std::move(taken).error());
  }
  from.greetings.push_back(hello.payload);
}

// --- the factorisation --------------------------------------------------------------------------------------------

void Agent::begin_bcd() {
  const RunSettings& s = config_.settings;
  if (round_.bcd == 0 && s.y_first) solve_right_factor();
  round_ = Round{round_.bcd + 1, 0};
  stop_admm_ = kNever;
  left_.begin(Z_, right_.Y(), mu());
  weights_.raise_bound(wanted_weight());
  begin_round();
}

void Agent::begin_round() {
  const RunSettings& s = config_.settings;
  ++round_.admm;
  ++exchanges_;
  weights_.advance(exchanges_, secret_);
  left_.update(coupling(), s.local_rounds);
  const auto size = static_cast<std::size_t>(left_.U().size());
  if (auto fits = quantise(left_.U(), s.n_max, s.u_bound, std::span(u_).first(size)); !fits)
    return fail(std::move(fits).error());

  std::vector<std::int64_t> minus_u(u_.size());
  std::transform(u_.begin(), u_.end(), minus_u.begin(), std::negate<>());
  if (s.exchange == ExchangeKind::kHardened) {
    u_.back() = 1;  // a reply carries weight * (1 - 0) here: the sum is the neighbourhood's weight
    minus_u.back() = 0;
  }
  auto payload = config_.cipher->make_query(round_, minus_u);
  if (!payload) return fail(std::move(payload).error());
  own_query_ = Query{round_, stop_admm_, stop_bcd_, *std::move(payload)};

  phase_ = Phase::kQuerying;
  for (Neighbour& neighbour : neighbours_) {
    neighbour.query.reset();
    neighbour.reply.reset();
    auto early = std::exchange(neighbour.early_query, std::nullopt);
    if (early && early->round == round_) neighbour.query = std::move(early);
  }
  actions_.emplace_back(Save{});
  for (const Neighbour& neighbour : neighbours_) send(neighbour.id, own_query_);
}

void Agent::answer_queries() {
  for (std::size_t j = 0; j < neighbours_.size(); ++j) {
    Neighbour& asker = neighbours_[j];
    auto answer = make_answer(j);
    if (!answer) return fail(std::move(answer).error());
    asker.answer = *std::move(answer);
    asker.answered = round_;
    asker.answered_digest = sha256(asker.query->payload);
    stop_admm_ = std::min(stop_admm_, asker.query->stop_admm);
    stop_bcd_ = std::min(stop_bcd_, asker.query->stop_bcd);
  }
  phase_ = Phase::kReplying;
  actions_.emplace_back(Save{});
  for (const Neighbour& asker : neighbours_) send(asker.id, asker.answer);
}

Result<Reply> Agent::make_answer(std::size_t neighbour) {
  const Neighbour& asker = neighbours_[neighbour];
  // Who knows of a stop does not ask beyond it.
  if (asker.query->stop_admm < round_.admm || asker.query->stop_bcd < round_.bcd)
    return error(ErrorCode::kPeer, "agent {} proposes to stop in the past", asker.id.value);
  ReplyTerms terms{weights_.towards(neighbour), u_, {}};
  std::vector<std::int64_t> blinding;
  if (config_.settings.exchange == ExchangeKind::kHardened && config_.settings.blinding) {
    // Uniform over `weight` consecutive integers around 0: the sum is no longer a multiple of the weight.
    Stream stream(secret_, kBlindingStream, static_cast<std::uint32_t>(neighbour), round_.number());
    blinding.resize(u_.size());
    const std::int64_t low = -(terms.weight - 1) / 2;
    for (std::size_t t = 0; t + 1 < blinding.size(); ++t) {
      blinding[t] = low + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(terms.weight)));
    }
    terms.blinding = blinding;
  }
  PPDNMF_TRY(Bytes payload, config_.cipher->make_reply(round_, asker.id, asker.query->payload, terms));
  const bool printed = config_.settings.exchange == ExchangeKind::kAsPrinted;
  return Reply{round_, printed ? weights_.next_towards(neighbour) : 0, std::move(payload)};
}

void Agent::end_round() {
  if (auto absorbed = absorb_replies(); !absorbed) return fail(std::move(absorbed).error());
  const RunSettings& s = config_.settings;
  const bool converged = s.admm_tolerance > 0 && left_.dual_residual() < s.admm_tolerance &&
                         left_.primal_residual() < s.admm_tolerance && neighbourhood_difference() < s.admm_tolerance;
  if (converged) stop_admm_ = std::min(stop_admm_, round_.admm + s.diameter);
  if (round_.admm >= std::min(stop_admm_, static_cast<std::uint32_t>(s.admm_x))) {
    end_bcd();
  } else {
    begin_round();
  }
}

Status Agent::absorb_replies() {
  const RunSettings& s = config_.settings;
  const auto size = static_cast<std::size_t>(left_.U().size());
  std::vector<Int128> pull(size);
  std::vector<ReceivedReply> replies;
  for (const Neighbour& neighbour : neighbours_) replies.push_back({neighbour.id, neighbour.reply->payload});
  if (s.exchange == ExchangeKind::kHardened) {
    PPDNMF_TRY(const std::vector<std::int64_t> sum, config_.cipher->open(round_, replies));
    const std::int64_t own = weights_.towards(0);
    for (std::size_t t = 0; t < size; ++t) pull[t] = static_cast<Int128>(own) * sum[t];
    // Any neighbourhood's weights have a positive sum; a peer that says otherwise must not turn the update around.
    learned_weights_ = std::max<double>(0, static_cast<double>(sum[size])) / s.g_scale;
    learned_coupling_ = static_cast<double>(own) / s.g_scale * learned_weights_;
  } else {
    learned_weights_ = 0;
    learned_coupling_ = 0;
    for (std::size_t j = 0; j < neighbours_.size(); ++j) {
      PPDNMF_TRY(const std::vector<std::int64_t> difference, config_.cipher->open(round_, {&replies[j], 1}));
      const std::int64_t own = weights_.towards(j);
      for (std::size_t t = 0; t < size; ++t) pull[t] += static_cast<Int128>(own) * difference[t];
      const double theirs = static_cast<double>(neighbours_[j].revealed_weight) / s.g_scale;
      learned_weights_ += theirs;
      learned_coupling_ += static_cast<double>(own) / s.g_scale * theirs;
    }
    for (Neighbour& neighbour : neighbours_)
      PPDNMF_TRY_STATUS(take_revealed_weight(neighbour, neighbour.reply->weight));
  }
  double squared = 0;
  for (const Int128 entry : pull) squared += static_cast<double>(entry) * static_cast<double>(entry);
  pull_norm_ = std::sqrt(squared) * q_unit(s);
  left_.absorb(pull);
  return {};
}

Status Agent::take_revealed_weight(Neighbour& from, std::int64_t weight) {
  const bool printed = config_.settings.exchange == ExchangeKind::kAsPrinted;
  if (printed && (weight < 1 || weight >> config_.settings.weight_bits != 0)) {
    return error(ErrorCode::kPeer, "agent {} announced a weight out of bounds", from.id.value);
  }
  from.revealed_weight = weight;
  return {};
}

void Agent::end_bcd() {
  const RunSettings& s = config_.settings;
  solve_right_factor();
  if (!left_.all_finite() || !right_.all_finite()) {
    return fail(
        Error{ErrorCode::kNumeric,
              fmt::format("a number stopped being finite in BCD iteration {} of agent {}: lower --weight or raise --mu",
                          round_.bcd, config_.self.value)});
  }
  actions_.emplace_back(
      Report{round_.bcd, exchanges_, {right_.squared_error(left_.X(), Z_), Z_squared_norm_}, left_.X()});

  const double norm = left_.X().norm();
  const bool still = (left_.X() - X_before_).norm() <= s.bcd_tolerance * norm;
  X_before_ = left_.X();
  if (s.bcd_tolerance > 0 && still && neighbourhood_difference() <= s.bcd_tolerance) {
    const std::uint32_t proposal = round_.bcd + bcd_lag();
    if (proposal < stop_bcd_) {
      stop_bcd_ = proposal;
      stop_reason_ = "tolerance";
    }
  }
  if (round_.bcd >= static_cast<std::uint32_t>(s.bcd)) {
    phase_ = Phase::kFinished;
    stop_reason_ = "iterations";
  } else if (round_.bcd >= stop_bcd_) {
    phase_ = Phase::kFinished;
    if (stop_reason_ == "iterations") stop_reason_ = "neighbour";
  } else {
    return begin_bcd();
  }
  actions_.emplace_back(Save{});
  actions_.emplace_back(Finish{stop_reason_});
}

double Agent::mu() const {
  const RunSettings& s = config_.settings;
  return s.mu ? *s.mu / (s.data_scale * s.data_scale) : automatic_mu(right_.Y());
}

// A squared weight is a curvature times gamma. Averaging it with the neighbours' spreads the curvatures over the
// network: an agent with little data must not be a bottleneck between others.
double Agent::wanted_weight() const {
  const RunSettings& s = config_.settings;
  const double own = automatic_weight(left_curvature(right_.Y()), s.diameter, static_cast<int>(round_.bcd), s.bcd);
  if (learned_weights_ == 0) return own;  // before the first exchange, or without neighbours
  constexpr double kOwnPart = 0.2;
  const double theirs = learned_weights_ / static_cast<double>(neighbours_.size());
  return std::sqrt(kOwnPart * own * own + (1 - kOwnPart) * theirs * theirs);
}

void Agent::solve_right_factor() {
  const RunSettings& s = config_.settings;
  right_.solve(left_.X(), Z_, s.eta.value_or(automatic_eta(left_.X())), s.admm_y);
}

// rho_i as the coming update needs it.
double Agent::coupling() const {
  const RunSettings& s = config_.settings;
  const auto degree = static_cast<double>(neighbours_.size());
  const double bound = static_cast<double>(weights_.bound()) / s.g_scale;
  if (s.coupling == Coupling::kBound) return degree * bound * bound;
  if (s.exchange == ExchangeKind::kAsPrinted && s.updates == Updates::kAsPrinted) {
    double rho = 0;
    for (std::size_t j = 0; j < neighbours_.size(); ++j) {
      rho += static_cast<double>(weights_.towards(j)) * static_cast<double>(neighbours_[j].revealed_weight);
    }
    return rho / (s.g_scale * s.g_scale);
  }
  return exchanges_ == 1 ? degree * bound * bound
                         : learned_coupling_;  // before any exchange, anything keeps U near U_last
}

// How far U is from the neighbours' weighted mean, relative to U.
double Agent::neighbourhood_difference() const {
  const double scale = learned_coupling_ * left_.U().norm();
  return scale > 0 ? pull_norm_ / scale : 0;
}

// A proposal to end the run crosses one edge per exchange; the run ends when all must have heard of it.
std::uint32_t Agent::bcd_lag() const {
  const RunSettings& s = config_.settings;
  const auto most = static_cast<std::uint32_t>(s.admm_x);
  const std::uint32_t exchanges = s.admm_tolerance > 0 ? std::min(most, s.diameter + 1) : most;
  return (s.diameter + exchanges - 1) / exchanges;
}

// --- sending ------------------------------------------------------------------------------------------------------

void Agent::send(AgentId to, std::variant<Hello, Query, Reply> body) {
  actions_.emplace_back(Send{to, Message{config_.run, std::move(body)}});
}

void Agent::send_hello(const Neighbour& to, std::uint32_t stage, bool again) {
  send(to.id, Hello{stage, again, config_.settings_digest, stage == 0 ? to.first_weight : 0, to.own_greetings[stage]});
}

void Agent::complain(AgentId about, std::string what) { actions_.emplace_back(Complain{about, std::move(what)}); }

void Agent::fail(Error error) {
  if (phase_ == Phase::kFinished || phase_ == Phase::kFailed) return;  // a run ends once
  phase_ = Phase::kFailed;
  actions_.emplace_back(Fail{std::move(error)});
}

Agent::Neighbour* Agent::find(AgentId id) {
  const auto found = std::lower_bound(config_.neighbours.begin(), config_.neighbours.end(), id);
  return found != config_.neighbours.end() && *found == id ? &neighbours_[found - config_.neighbours.begin()] : nullptr;
}

}  // namespace ppdnmf
