#include <ppdnmf/protocol/neighbours/neighbour_iteration.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/nmf/penalties.h>
#include <ppdnmf/protocol/fixed_point.h>
#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol::neighbours {
namespace {

double q_unit(const RunSettings& s) {
  return 1 / (s.g_scale * s.g_scale * static_cast<double>(s.n_max) * factor_unit(s.factors));
}

std::vector<std::uint32_t> factors_of(const RunSettings& s, AgentId self, const std::vector<AgentId>& neighbours) {
  std::vector<std::uint32_t> factors;
  factors.reserve(neighbours.size());
  for (const AgentId j : neighbours) factors.push_back(edge_factor(s.factors, self, j));
  return factors;
}

// The first round must not show a neighbour how U moved away from a public matrix.
Matrix own_start(const RunSettings& s, const Matrix& X0, const Seed& secret) {
  if (s.start_spread == 0) return X0;
  Matrix X = X0;
  Stream stream(secret, kStartStream);
  for (Index t = 0; t < X.size(); ++t) X.data()[t] *= 1 + s.start_spread * (2 * stream.uniform() - 1);
  return X;
}

}  // namespace

NeighbourIteration::NeighbourIteration(const RunSettings& settings, AgentId self,
                                       const std::vector<AgentId>& neighbours, const Matrix& X0, nmf::Holder& columns,
                                       const Seed& secret)
    : settings_(settings),
      neighbours_(neighbours.size()),
      factors_(factors_of(settings, self, neighbours)),
      columns_(columns),
      secret_(secret),
      x_step_(own_start(settings, X0, secret), settings.updates, q_unit(settings)),
      weights_(settings, neighbours.size()),
      X0_(X0),
      X_before_(x_step_.X()) {
  if (!printed_scheme()) return;
  // The printed update needs the neighbours' weights before the first round.
  weights_.announce_first(secret_);
  for (std::size_t j = 0; j < neighbours_; ++j) first_.push_back(weights_.next_towards(j));
  revealed_.resize(neighbours_);
}

std::int64_t NeighbourIteration::first_weight(std::size_t neighbour) const {
  return first_.empty() ? 0 : first_[neighbour];
}

void NeighbourIteration::reveal_first(std::size_t neighbour, std::int64_t weight) { revealed_[neighbour] = weight; }

void NeighbourIteration::take(const Opening& opening) {
  opening_ = opening;
  y_step_.emplace(columns_);
  for (const Index row : opening.dropped) X0_.row(row).setZero();
  const double shortest = X0_.colwise().squaredNorm().minCoeff();
  max_curvature_ = opening.squared_norm / (opening.agents * shortest * static_cast<double>(settings_.rank));
  if (!settings_.data_scale) take_scale(settings_, opening.scale);
  x_step_.set_q_unit(q_unit(settings_));
}

Result<NeighbourAsk> NeighbourIteration::begin(const Opening& opening) {
  take(opening);
  x_step_.clear_rows(opening.dropped);
  X_before_ = x_step_.X();
  if (settings_.y_first) solve_y_step(x_step_.X());
  if (!weighs() || !settings_.y_first) return begin_iteration();
  phase_ = Phase::kWeighing;
  return sum_of({nmf::left_curvature_of(y_step_->moments().T)});
}

// Whether the agents add up their curvatures.
bool NeighbourIteration::weighs() const {
  return settings_.common_weights() && !settings_.weight && !settings_.scaled_weight;
}

// Whoever claims an absurd curvature moves the common one by a factor, and for one iteration only. The first one is
// bounded by the data: with X0 >= 0 a column's y cannot be longer than |z| over the shortest column of X0, up to what
// the Y step leaves undone.
Status NeighbourIteration::take_curvature(double total) {
  constexpr double kMaxRise = 4;
  if (!(total >= 0 && std::isfinite(total)))
    return error(ErrorCode::kPeer, "the agents' curvatures add up to {:g}", total);
  const double max = curvature_ > 0 ? kMaxRise * curvature_ : kMaxRise * max_curvature_;
  curvature_ = std::clamp(total / opening_.agents, nmf::kSmallestCurvature, std::max(nmf::kSmallestCurvature, max));
  return {};
}

Result<NeighbourAsk> NeighbourIteration::begin_iteration() {
  phase_ = Phase::kExchanging;
  round_ = Round{round_.iteration + 1, 0};
  stop_admm_ = kNever;
  moments_ = y_step_->moments();
  x_step_.begin(moments_, mu());
  if (settings_.common_weights()) {
    weights_.follow(wanted_weight());
  } else {
    weights_.raise_bound(wanted_weight());
  }
  return begin_round();
}

Result<NeighbourAsk> NeighbourIteration::begin_round() {
  ++round_.admm;
  ++rounds_;
  weights_.advance(rounds_, secret_);
  x_step_.update(coupling(), settings_.local_rounds);
  NeighboursOf ask{round_, stop_admm_, std::vector<std::int64_t>(settings_.entries()), {}, {}};
  const auto size = static_cast<std::size_t>(x_step_.U().size());
  PPDNMF_TRY_STATUS(quantise(x_step_.U(), settings_.n_max, settings_.u_bound, std::span(ask.u).first(size)));
  if (settings_.secret_weights()) ask.u.back() = 1;  // the weight slot
  for (std::size_t j = 0; j < neighbours_; ++j) {
    ask.weights.push_back(settings_.common_weights() ? factors_[j] : weights_.towards(j));
    if (printed_scheme()) ask.next_weights.push_back(weights_.next_towards(j));
  }
  return ask;
}

Result<NeighbourAsk> NeighbourIteration::absorb(const NeighbourSums& sums) {
  pull(sums);
  revealed_ = sums.next_weights;
  stop_admm_ = sums.stop_admm;
  const RunSettings& s = settings_;
  const bool converged = s.admm_tolerance > 0 && x_step_.dual_residual() < s.admm_tolerance &&
                         x_step_.primal_residual() < s.admm_tolerance && neighbourhood_difference() < s.admm_tolerance;
  if (converged) stop_admm_ = std::min(stop_admm_, round_.admm + s.diameter);
  const bool last = round_.admm >= std::min(stop_admm_, static_cast<std::uint32_t>(s.admm_x));
  return last ? end_iteration() : begin_round();
}

// Q takes the sums over the neighbours, each multiplied by what the answers left out of the weight of the edge, in
// exact integers: the common weight squared, or this agent's weight.
void NeighbourIteration::pull(const NeighbourSums& sums) {
  const auto size = static_cast<std::size_t>(x_step_.U().size());
  std::vector<Int128> pull(size);
  if (settings_.common_weights()) {
    const auto weight = static_cast<Int128>(weights_.towards(0));
    for (std::size_t t = 0; t < size; ++t) pull[t] = weight * weight * sums.sums.front()[t];
    learned_coupling_ = common_coupling();
    absorb_pull(pull);
    return;
  }
  learned_weights_ = 0;
  learned_coupling_ = 0;
  for (std::size_t j = 0; j < sums.sums.size(); ++j) {
    const std::vector<std::int64_t>& sum = sums.sums[j];
    const std::int64_t own = weights_.towards(j);
    for (std::size_t t = 0; t < size; ++t) pull[t] += static_cast<Int128>(own) * sum[t];
    // Any neighbourhood's weights have a positive sum; a peer that says otherwise must not turn the update around.
    const auto theirs = static_cast<double>(printed_scheme() ? revealed_[j] : std::max<std::int64_t>(0, sum[size]));
    learned_weights_ += theirs / settings_.g_scale;
    learned_coupling_ += static_cast<double>(own) / settings_.g_scale * (theirs / settings_.g_scale);
  }
  absorb_pull(pull);
}

void NeighbourIteration::absorb_pull(const std::vector<Int128>& pull) {
  double squared = 0;
  for (const Int128 entry : pull) squared += static_cast<double>(entry) * static_cast<double>(entry);
  pull_norm_ = std::sqrt(squared) * q_unit(settings_);
  x_step_.absorb(pull);
}

Result<NeighbourAsk> NeighbourIteration::end_iteration() {
  solve_y_step(x_step_.X());
  if (!x_step_.all_finite() || !y_step_->all_finite()) {
    return error(ErrorCode::kNumeric, "a number stopped being finite in iteration {}: lower `weight` or raise `mu`",
                 round_.iteration);
  }
  if (settings_.tolerance > 0 && is_satisfied() && !stop_) {
    stop_ = true;
    stop_reason_ = "tolerance";
  }
  X_before_ = x_step_.X();
  phase_ = Phase::kMeasuring;
  return measure();
}

SumOf NeighbourIteration::sum_of(std::vector<double> values, bool stop) const {
  return {std::move(values), stop, nullptr, round_.number()};
}

NeighbourAsk NeighbourIteration::measure() {
  moments_ = y_step_->moments();
  SumOf ask = sum_of({moments_.squared_error}, stop_);
  if (weighs()) ask.values.push_back(nmf::left_curvature_of(moments_.T));
  return ask;
}

Result<NeighbourAsk> NeighbourIteration::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  if (phase_ == Phase::kClosing) return close(totals);
  if (weighs()) PPDNMF_TRY_STATUS(take_curvature(totals.back()));
  if (phase_ == Phase::kWeighing) return begin_iteration();
  if (!(totals[0] >= 0)) return error(ErrorCode::kPeer, "the agents' squared errors add up to {:g}", totals[0]);
  return after_measure(totals[0], stop, out);
}

Result<NeighbourAsk> NeighbourIteration::after_measure(double total, bool stop, Outbox& out) {
  const bool closed = phase_ == Phase::kClosed;
  out.report({round_.iteration,
              rounds_,
              {moments_.squared_error, columns_.squared_norm()},
              {total, opening_.squared_norm},
              X(),
              closed});
  if (closed) return end();
  if (round_.iteration >= static_cast<std::uint32_t>(settings_.iterations)) {
    stop_reason_ = "iterations";
  } else if (!stop) {
    return begin_iteration();
  } else if (!stop_) {
    stop_reason_ = "neighbour";
  }
  const bool closes =
      settings_.closing && settings_.scheme == SchemeKind::kHardened && settings_.updates == nmf::Updates::kCorrected;
  if (!closes) return end();
  phase_ = Phase::kClosing;
  const Matrix& X = x_step_.X();
  return sum_of({X.data(), X.data() + X.size()});
}

// Everybody's X is the mean of all, the same bytes; one last Y step fits it to this agent's columns.
Result<NeighbourAsk> NeighbourIteration::close(std::span<const double> totals) {
  common_.resize(x_step_.X().rows(), x_step_.X().cols());
  for (Index t = 0; t < common_.size(); ++t)
    common_.data()[t] = std::max(0.0, totals[static_cast<std::size_t>(t)] / opening_.agents);
  phase_ = Phase::kClosed;
  solve_y_step(common_);
  return measure();
}

NeighbourAsk NeighbourIteration::end() {
  phase_ = phase_ == Phase::kClosed ? Phase::kClosed : Phase::kEnded;
  return Ended{stop_reason_};
}

void NeighbourIteration::request_stop() {
  if (stop_) return;
  stop_ = true;
  stop_reason_ = "request";
}

std::optional<Round> NeighbourIteration::next_round() const {
  if (phase_ != Phase::kExchanging) return std::nullopt;
  if (round_.admm < std::min(stop_admm_, static_cast<std::uint32_t>(settings_.admm_x)))
    return Round{round_.iteration, round_.admm + 1};
  if (round_.iteration < static_cast<std::uint32_t>(settings_.iterations)) return Round{round_.iteration + 1, 1};
  return std::nullopt;
}

void NeighbourIteration::solve_y_step(const Matrix& X) {
  y_step_->solve(X, settings_.eta.value_or(nmf::automatic_eta(X)), settings_.admm_y);
}

double NeighbourIteration::mu() const {
  const double scale = *settings_.data_scale;
  return settings_.mu ? *settings_.mu / (scale * scale) : nmf::automatic_mu(nmf::left_curvature_of(moments_.T));
}

// A squared weight is a curvature times gamma. Secret weights: averaging it with the neighbours' spreads the curvatures
// over the network: an agent with little data must not be a bottleneck between others.
double NeighbourIteration::wanted_weight() const {
  const RunSettings& s = settings_;
  if (s.common_weights()) {
    constexpr double kOfCommonCurvature = 0.9;
    const double curvature = std::max(nmf::kSmallestCurvature, curvature_);
    return nmf::automatic_weight(kOfCommonCurvature * curvature, s.diameter, static_cast<int>(round_.iteration),
                                 s.iterations);
  }
  const double own = nmf::automatic_weight(nmf::left_curvature_of(moments_.T), s.diameter,
                                           static_cast<int>(round_.iteration), s.iterations);
  if (learned_weights_ == 0) return own;  // before the first round, or without neighbours
  constexpr double kOwnPart = 0.2;
  const double theirs = learned_weights_ / static_cast<double>(neighbours_);
  return std::sqrt(kOwnPart * own * own + (1 - kOwnPart) * theirs * theirs);
}

// rho_i of this round.
double NeighbourIteration::common_coupling() const {
  const double g = static_cast<double>(weights_.towards(0)) / settings_.g_scale;
  double factors = 0;
  for (const std::uint32_t factor : factors_) factors += factor;
  return g * g * factors / factor_unit(settings_.factors);
}

// rho_i as the coming update needs it.
double NeighbourIteration::coupling() const {
  const RunSettings& s = settings_;
  if (s.common_weights()) return common_coupling();
  const auto degree = static_cast<double>(neighbours_);
  const double bound = static_cast<double>(weights_.bound()) / s.g_scale;
  if (printed_scheme() && s.updates == nmf::Updates::kAsPrinted) {
    double rho = 0;
    for (std::size_t j = 0; j < neighbours_; ++j) {
      rho += static_cast<double>(weights_.towards(j)) * static_cast<double>(revealed_[j]);
    }
    return rho / (s.g_scale * s.g_scale);
  }
  return rounds_ == 1 ? degree * bound * bound : learned_coupling_;  // before any round, anything keeps U near U_last
}

// How far U is from the neighbours' weighted mean, relative to U.
double NeighbourIteration::neighbourhood_difference() const {
  const double scale = learned_coupling_ * x_step_.U().norm();
  return scale > 0 ? pull_norm_ / scale : 0;
}

bool NeighbourIteration::is_satisfied() const {
  const double tolerance = settings_.tolerance;
  const bool still = (x_step_.X() - X_before_).norm() <= tolerance * x_step_.X().norm();
  return still && neighbourhood_difference() <= tolerance;
}

}  // namespace ppdnmf::protocol::neighbours
