#include <ppdnmf/protocol/private_scheme.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ppdnmf::protocol {
namespace {

nmf::NoisyDescentOptions options_of(const RunSettings& s, std::uint32_t agents) {
  PPDNMF_CHECK(s.privacy);
  const privacy::NoisePlan& plan = s.privacy->noise;
  const double noise = privacy::noise_of(plan, agents);
  return {plan.rounds, noise, noise / plan.t_weight};
}

}  // namespace

PrivateScheme::PrivateScheme(const RunSettings& settings, std::uint32_t agents, const Matrix& X0, nmf::Holder& columns,
                             const Seed& secret)
    : settings_(settings), columns_(columns), secret_(secret), descent_(options_of(settings, agents), X0) {}

Result<Ask> PrivateScheme::begin(const Opening& /*opening*/, Outbox& /*out*/) {
  begun_ = true;
  return ask();
}

Ask PrivateScheme::ask() {
  const privacy::NoisePlan& plan = settings_.privacy->noise;
  nmf::BoundedMoments part = columns_.bounded_answer(descent_.X(), {plan.bound, plan.t_weight, plan.unit});
  answered_ = part.squared_error;
  asked_ = true;
  return SumOf{std::move(part.values), stop_, &descent_.X()};
}

void PrivateScheme::add_noise(std::span<double> values, const Digest& told) const {
  add_share(noise_share(settings_.privacy->noise, secret_, told, static_cast<std::uint64_t>(descent_.rounds())),
            values);
}

Result<Ask> PrivateScheme::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  asked_ = false;
  const Index L = settings_.rows;
  const Index K = settings_.rank;
  Matrix S(L, K);
  Matrix T(K, K);
  std::copy_n(totals.begin(), S.size(), S.data());
  auto next = totals.begin() + S.size();
  for (Index k = 0; k < K; ++k) {
    for (Index j = 0; j <= k; ++j) T(j, k) = T(k, j) = *next++ / settings_.privacy->noise.t_weight;
  }
  // The Y step for round n + 1 told this agent its own error of what round n led to.
  if (descent_.rounds() > 0) report(answered_, out);
  PPDNMF_TRY_STATUS(descent_.absorb(S, T));
  const bool complete = descent_.done();
  if (stop) descent_.finish();
  if (!descent_.done()) return ask();
  nmf::DescentRequest last;
  last.X = descent_.X();
  last.restart = last.measure_only = last.thorough = true;
  report(columns_.answer(last).squared_error, out);
  return Ended{complete ? "iterations" : stop_ ? "request" : "neighbour"};
}

void PrivateScheme::report(double own_error, Outbox& out) const {
  const auto known = static_cast<std::uint32_t>(descent_.rounds());
  constexpr double kNobodyKnows = std::numeric_limits<double>::quiet_NaN();
  out.report({known, known, {own_error, columns_.squared_norm()}, {kNobodyKnows, 1}, descent_.X(), false});
}

std::uint64_t PrivateScheme::rounds() const { return rounds_completed() + (asked_ ? 1 : 0); }

std::uint64_t PrivateScheme::rounds_completed() const { return static_cast<std::uint64_t>(descent_.rounds()); }

void PrivateScheme::save(ByteWriter& out) const {
  for (const bool flag : {begun_, stop_, asked_}) out.put<std::uint8_t>(flag ? 1 : 0);
  out.put(answered_);
  descent_.save(out);
}

Status PrivateScheme::load(ByteReader& in, const std::optional<Opening>& opening) {
  for (bool* flag : {&begun_, &stop_, &asked_}) *flag = in.get<std::uint8_t>() != 0;
  answered_ = in.get<double>();
  descent_.load(in);
  PPDNMF_TRY_STATUS(in.status());
  const bool possible =
      descent_.in_range() && answered_ >= 0 && begun_ == opening.has_value() && asked_ == (begun_ && !descent_.done());
  if (!possible) return error(ErrorCode::kInvalidData, "its iteration is damaged");
  return {};
}

}  // namespace ppdnmf::protocol
