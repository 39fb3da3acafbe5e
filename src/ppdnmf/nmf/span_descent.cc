#include <ppdnmf/nmf/span_descent.h>

#include <utility>

namespace ppdnmf::nmf {

SpanDescent::SpanDescent(const SpanDescentOptions& options, SpanAndFactor begin)
    : U_(std::move(begin.U)), descent_({options.rounds, options.noise_S, options.noise_T, true}, begin.X) {
  PPDNMF_CHECK(U_.rows() == begin.X.rows() && U_.cols() == begin.X.cols());
}

Status SpanDescent::absorb(const Matrix& S, const Matrix& T) {
  PPDNMF_CHECK(S.rows() == U_.cols() && S.cols() == U_.cols());
  return descent_.absorb(U_ * S, T);
}

void SpanDescent::save(ByteWriter& out) const {
  out.put_array(U_.data(), static_cast<std::size_t>(U_.size()));
  descent_.save(out);
}

void SpanDescent::load(ByteReader& in) {
  in.get_array(U_.data(), static_cast<std::size_t>(U_.size()));
  descent_.load(in);
}

bool SpanDescent::in_range() const { return U_.allFinite() && descent_.in_range(); }

}  // namespace ppdnmf::nmf
