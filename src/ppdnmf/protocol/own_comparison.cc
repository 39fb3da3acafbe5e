#include <ppdnmf/protocol/own_comparison.h>

#include <fmt/format.h>

#include <limits>

#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/second_moments.h>

namespace ppdnmf::protocol {

Result<double> error_beside_own(const data::SharedColumns& columns, const Matrix& X,
                                const std::function<Matrix(int)>& start, Executor& executor) {
  const std::unique_ptr<nmf::Holder> holder = nmf::make_holder(columns, executor, nmf::loss_of({}));
  holder->begin(X.cols(), 1);
  PPDNMF_TRY(const nmf::SpanAndFactor own,
             nmf::factor_second_moments(holder->second_moments(), {X.cols(), 0, 1}, start, executor));
  const double with_own = nmf::best_error(own.X, *columns, {}, executor);
  const double with_common = nmf::best_error(X, *columns, {}, executor);
  if (with_own > 0) return with_common / with_own;
  return with_common > 0 ? std::numeric_limits<double>::infinity() : 1.0;
}

std::string own_comparison_note(double ratio) {
  return fmt::format(
      "the error of this agent's columns under the common X is {:#.3g} times that under an X of these columns alone. "
      "Noise makes it larger than 1; if other members see far smaller numbers, or it is far larger than a simulation "
      "with "
      "this budget gives, somebody may have planted the result",
      ratio);
}

}  // namespace ppdnmf::protocol
