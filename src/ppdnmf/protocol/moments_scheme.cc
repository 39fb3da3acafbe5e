#include <ppdnmf/protocol/moments_scheme.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/nmf/moments_rank.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/noise_share.h>
#include <ppdnmf/protocol/opening_checks.h>
#include <ppdnmf/protocol/search_bytes.h>

namespace ppdnmf::protocol {
namespace {

// More of them cost nothing but time; fewer miss the best more often.
constexpr int kFewestStarts = 3;

Matrix symmetric_of(std::span<const double> triangle, Index rows) {
  Matrix G(rows, rows);
  auto next = triangle.begin();
  for (Index k = 0; k < rows; ++k) {
    for (Index j = 0; j <= k; ++j) G(j, k) = G(k, j) = *next++;
  }
  return G;
}

std::vector<double> triangle_of(const Matrix& G) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(G.rows() * (G.rows() + 1) / 2));
  for (Index k = 0; k < G.cols(); ++k) values.insert(values.end(), G.col(k).data(), G.col(k).data() + k + 1);
  return values;
}

void put(const nmf::SpanAndFactor& found, ByteWriter& out) {
  for (const Matrix* matrix : {&found.X, &found.U, &found.T})
    out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
}

// Into matrices of the right sizes.
void get(ByteReader& in, nmf::SpanAndFactor& found) {
  for (Matrix* matrix : {&found.X, &found.U, &found.T})
    in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
}

bool is_factor(const Matrix& X) { return X.allFinite() && X.minCoeff() >= 0; }

}  // namespace

MomentsScheme::MomentsScheme(RunSettings settings, std::uint32_t agents, std::function<Matrix(int)> start,
                             const Seed& common, nmf::Holder& columns, const Seed& secret, CommonSteps* steps)
    : settings_(std::move(settings)),
      agents_(agents),
      start_(std::move(start)),
      common_(Seed::from_bytes(common.reveal_secret_bytes())),
      columns_(columns),
      secret_(secret),
      steps_(steps),
      X_(start_(0)) {
  PPDNMF_CHECK(!settings_.privacy || settings_.privacy->opening);
  PPDNMF_CHECK(!settings_.searches() || settings_.privacy);
}

std::size_t MomentsScheme::words(const RunSettings& s) {
  const Index triangle = s.rows * (s.rows + 1) / 2;
  return static_cast<std::size_t>(std::max(triangle, s.rank * s.rank + s.rank * (s.rank + 1) / 2));
}

nmf::SpanDescentOptions MomentsScheme::span_options() const {
  const privacy::NoisePlan& plan = settings_.privacy->noise;
  const double noise = privacy::noise_of(plan, agents_);
  return {plan.rounds, noise, noise / plan.t_weight};
}

nmf::SpanAndFactor MomentsScheme::nothing_found() const {
  const Index rank = X_.cols();
  return {Matrix::Zero(settings_.rows, rank), Matrix::Zero(settings_.rows, rank), Matrix::Zero(rank, rank)};
}

Result<Ask> MomentsScheme::begin(const Opening& opening, Outbox& /*out*/) {
  begun_ = true;
  dropped_ = opening.dropped;
  scale_ = opening.scale;
  return ask_moments();
}

Ask MomentsScheme::ask_moments() {
  asked_ = true;
  if (!settings_.privacy) return SumOf{triangle_of(columns_.second_moments()), stop_};
  const int bits = settings_.privacy->opening->bits;
  std::vector<double> values = columns_.rounded_second_moments(bits).values;
  const double unit = std::ldexp(1, -2 * bits);
  for (double& value : values) value *= unit;  // a power of two: exact
  return SumOf{std::move(values), stop_};
}

Ask MomentsScheme::ask_round() {
  const privacy::NoisePlan& plan = settings_.privacy->noise;
  nmf::BoundedMoments part =
      own().bounded_answer_in(descent_->U(), descent_->X(), {plan.bound, plan.t_weight, plan.unit});
  answered_ = part.squared_error;
  asked_ = true;
  return SumOf{std::move(part.values), stop_, &descent_->X()};
}

void MomentsScheme::add_noise(std::span<double> values, const Digest& told) const {
  if (!settings_.privacy) return;
  const PrivacySettings& p = *settings_.privacy;
  if (!opened_) return add_share(noise_share(*p.opening, secret_, told), values);
  // Planned for the largest rank; the one that was found opens fewer numbers, with the same noise in each.
  privacy::NoisePlan noise = p.noise;
  noise.entries = static_cast<double>(values.size());
  add_share(noise_share(noise, secret_, told, static_cast<std::uint64_t>(descent_->rounds())), values);
}

Result<Ask> MomentsScheme::absorb(std::span<const double> totals, bool stop, Outbox& out) {
  asked_ = false;
  if (!opened_) {
    PPDNMF_TRY_STATUS(take_moments(totals));
    opened_ = true;
    if (!descent_) return end(true, out);
    if (!stop) return ask_round();
    descent_->finish();
    return end(false, out);
  }
  const Index K = X_.cols();
  Matrix S(K, K);
  Matrix T(K, K);
  std::copy_n(totals.begin(), S.size(), S.data());
  auto next = totals.begin() + S.size();
  for (Index k = 0; k < K; ++k) {
    for (Index j = 0; j <= k; ++j) T(j, k) = T(k, j) = *next++ / settings_.privacy->noise.t_weight;
  }
  report(answered_, out);  // the Y step for this round told this agent its own error of what came before it
  PPDNMF_TRY_STATUS(descent_->absorb(S, T));
  const bool complete = descent_->done();
  if (stop) descent_->finish();
  return descent_->done() ? end(complete, out) : ask_round();
}

Status MomentsScheme::take_moments(std::span<const double> totals) {
  const Matrix G = symmetric_of(totals, settings_.rows);
  if (settings_.privacy) {
    const PrivacySettings& p = *settings_.privacy;
    PPDNMF_TRY_STATUS(check_opening(G, {privacy::noise_of(*p.opening, agents_), p.columns}));
  }
  PPDNMF_TRY(const nmf::SpanAndFactor found, settings_.searches() ? look_for_rank(totals, G) : factor(totals, G));
  X_ = found.X;
  for (const Index row : dropped_) X_.row(row).setZero();  // no rounding may be left there
  if (span_rounds() > 0) descent_.emplace(span_options(), found);
  return {};
}

// What follows from the totals, or what another agent of this process made of the same ones.
Result<Bytes> MomentsScheme::once_for_all(const char* what, std::span<const double> totals,
                                          const std::function<Result<Bytes>()>& compute) {
  if (steps_ == nullptr) return compute();
  ByteWriter name;
  name.put_string(what);
  name.put_array(totals.data(), totals.size());
  return steps_->find_or_compute(sha256(name.take()), compute);
}

Result<nmf::SpanAndFactor> MomentsScheme::factor(std::span<const double> totals, const Matrix& G) {
  nmf::SecondMomentsOptions options;
  options.rank = settings_.rank;
  options.noise = settings_.privacy ? privacy::noise_of(*settings_.privacy->opening, agents_) : 0;
  options.starts = std::max(kFewestStarts, settings_.starts);
  PPDNMF_TRY(const Bytes state, once_for_all("second moments", totals, [&]() -> Result<Bytes> {
               PPDNMF_TRY(const nmf::SpanAndFactor found,
                          nmf::factor_second_moments(G, options, start_, columns_.executor()));
               ByteWriter out;
               put(found, out);
               return out.take();
             }));
  nmf::SpanAndFactor found = nothing_found();
  ByteReader in(state);
  get(in, found);
  PPDNMF_TRY_STATUS(in.status());
  return found;
}

Result<nmf::SpanAndFactor> MomentsScheme::look_for_rank(std::span<const double> totals, const Matrix& G) {
  nmf::MomentsSearchOptions options;
  options.least = settings_.least_rank;
  options.most = settings_.rank;
  options.noise = privacy::noise_of(*settings_.privacy->opening, agents_);
  options.starts = settings_.starts;
  options.final_starts = std::max(kFewestStarts, settings_.starts);
  const auto start = [&](Index rank, int number) {
    return nmf::common_start(nmf::Start::kRandom, settings_.rows, rank, common_, static_cast<std::uint64_t>(number));
  };
  PPDNMF_TRY(const Bytes state, once_for_all("ranks of second moments", totals, [&]() -> Result<Bytes> {
               PPDNMF_TRY(const nmf::MomentsSearch all,
                          nmf::search_second_moments(G, options, start, common_, columns_.executor()));
               ByteWriter out;
               put_tried(all.tried, out);
               put(all.choice, out);
               put(all.found, out);
               return out.take();
             }));
  ByteReader in(state);
  search_.tried = get_tried(in, settings_);
  search_.choice = get_choice(in, settings_.rows);
  const Index rank = search_.choice->X.cols();
  nmf::SpanAndFactor found{Matrix(settings_.rows, rank), Matrix(settings_.rows, rank), Matrix(rank, rank)};
  get(in, found);
  PPDNMF_TRY_STATUS(in.status());
  opened_totals_.assign(totals.begin(), totals.end());
  own_ = columns_.again();
  own_->begin(rank, scale_);
  return found;
}

Result<Ask> MomentsScheme::end(bool complete, Outbox& out) {
  nmf::DescentRequest last;
  last.X = X();
  last.restart = last.measure_only = last.thorough = true;
  report(own().answer(last).squared_error, out);
  return Ended{complete ? "iterations" : stop_ ? "request" : "neighbour"};
}

void MomentsScheme::report(double own_error, Outbox& out) const {
  const auto known = static_cast<std::uint32_t>(rounds_completed());
  constexpr double kNobodyKnows = std::numeric_limits<double>::quiet_NaN();
  out.report({known, known, {own_error, columns_.squared_norm()}, {kNobodyKnows, 1}, X(), false});
}

std::uint64_t MomentsScheme::rounds_completed() const {
  return (opened_ ? 1 : 0) + (descent_ ? static_cast<std::uint64_t>(descent_->rounds()) : 0);
}

void MomentsScheme::save(ByteWriter& out) const {
  for (const bool flag : {begun_, opened_, stop_, asked_}) out.put<std::uint8_t>(flag ? 1 : 0);
  out.put(answered_);
  if (!opened_) return;
  if (settings_.searches()) {
    out.put_array(opened_totals_.data(), opened_totals_.size());
    own_->save(out);
  }
  out.put_array(X_.data(), static_cast<std::size_t>(X_.size()));
  if (descent_) descent_->save(out);
}

Status MomentsScheme::load(ByteReader& in, const std::optional<Opening>& opening) {
  for (bool* flag : {&begun_, &opened_, &stop_, &asked_}) *flag = in.get<std::uint8_t>() != 0;
  answered_ = in.get<double>();
  if (opening) {
    dropped_ = opening->dropped;
    scale_ = opening->scale;
  }
  if (opened_ && settings_.searches()) {
    std::vector<double> totals(static_cast<std::size_t>(settings_.rows * (settings_.rows + 1) / 2));
    in.get_array(totals.data(), totals.size());
    if (in.failed() || !take_moments(totals)) return error(ErrorCode::kInvalidData, "its opening is damaged");
    own_->load(in);
  }
  if (opened_) {
    in.get_array(X_.data(), static_cast<std::size_t>(X_.size()));
    if (span_rounds() > 0) {
      descent_.emplace(span_options(), nothing_found());
      descent_->load(in);
    }
  }
  PPDNMF_TRY_STATUS(in.status());
  const bool ended = opened_ && (!descent_ || descent_->done());
  const bool possible = is_factor(X_) && (!descent_ || descent_->in_range()) && (!own_ || own_->in_range()) &&
                        answered_ >= 0 && (begun_ || !opened_) && begun_ == opening.has_value() &&
                        asked_ == (begun_ && !ended);
  if (!possible) return error(ErrorCode::kInvalidData, "its iteration is damaged");
  return {};
}

}  // namespace ppdnmf::protocol
