#include <ppdnmf/nmf/span_descent.h>

#include <algorithm>

namespace ppdnmf::nmf {
namespace {

// How much an opening counts whose prediction differs from the first round as much as the noise does.
constexpr double kEven = 1;
constexpr double kAlone = 1e6;  // nothing else counts

// The first round asks with the opening's X, so the opening predicts its totals. What differs by more than noise is the
// opening's own error; the less there is of it beside the noise, the more the opening stays worth.
double worth_of_opening(const SpanDescentOptions& options, const Matrix& dS, const Matrix& dT) {
  const double noise_S = options.noise_S * options.noise_S;
  const double noise_T = options.noise_T * options.noise_T;
  const auto rank = static_cast<double>(dS.cols());
  const double entries = rank * rank;
  const double excess = dS.squaredNorm() + dT.squaredNorm() - entries * (noise_S + noise_T);
  const double noise = entries * (noise_S + noise_T);
  if (!(noise > 0)) return 0;
  if (!(excess * kAlone > kEven * noise)) return kAlone;
  return kEven * noise / excess;
}

}  // namespace

SpanDescent::SpanDescent(const SpanDescentOptions& options, const SpanAndFactor& begin)
    : options_(options),
      U_(begin.U),
      S_(begin.U.transpose() * begin.X * begin.T),
      T_(begin.T),
      descent_({options.rounds, options.noise_S, options.noise_T, true}, begin.X) {
  PPDNMF_CHECK(U_.rows() == begin.X.rows() && U_.cols() == begin.X.cols() && T_.rows() == U_.cols());
}

Status SpanDescent::absorb(const Matrix& S, const Matrix& T) {
  PPDNMF_CHECK(S.rows() == U_.cols() && S.cols() == U_.cols() && T.rows() == U_.cols() && T.cols() == U_.cols());
  if (rounds() == 0) worth_ = worth_of_opening(options_, S - S_, T - T_);
  return descent_.absorb(U_ * (S + worth_ * S_), T + worth_ * T_);
}

void SpanDescent::save(ByteWriter& out) const {
  out.put(worth_);
  for (const Matrix* matrix : {&U_, &S_, &T_}) out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  descent_.save(out);
}

void SpanDescent::load(ByteReader& in) {
  worth_ = in.get<double>();
  for (Matrix* matrix : {&U_, &S_, &T_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  descent_.load(in);
}

bool SpanDescent::in_range() const {
  return worth_ >= 0 && worth_ <= kAlone && U_.allFinite() && S_.allFinite() && T_.allFinite() && descent_.in_range();
}

}  // namespace ppdnmf::nmf
