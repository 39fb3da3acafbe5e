#include <ppdnmf/nmf/moments.h>

#include <algorithm>
#include <functional>
#include <utility>

#include <ppdnmf/data/leaves.h>

namespace ppdnmf::nmf {

Moments& Moments::operator+=(const Moments& other) {
  S += other.S;
  T += other.T;
  squared_error += other.squared_error;
  divergence += other.divergence;
  Y_sums += other.Y_sums;
  return *this;
}

// A stretch of S at a time, in all parts: it stays in a cache until it has been added up.
Moments add_up_moments(std::vector<Moments>& parts, Executor& executor, Matrix used) {
  if (parts.size() == 1) return std::move(parts.front());
  constexpr Index kStretch = 4096;
  const Index size = parts.front().S.size();
  Moments total;
  total.S.swap(used);
  total.S.resizeLike(parts.front().S);
  executor.for_each(static_cast<std::size_t>((size + kStretch - 1) / kStretch), [&](std::size_t i) {
    const Index first = static_cast<Index>(i) * kStretch;
    const Index count = std::min(kStretch, size - first);
    std::vector<Eigen::Map<Eigen::ArrayXd>> stretches;
    stretches.reserve(parts.size());
    for (Moments& part : parts) stretches.emplace_back(part.S.data() + first, count);
    Eigen::Map<Eigen::ArrayXd>(total.S.data() + first, count) =
        data::add_up(std::move(stretches), [](auto& a, const auto& b) { a += b; });
  });
  std::vector<Moments> rest(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    rest[i].T.swap(parts[i].T);
    rest[i].squared_error = parts[i].squared_error;
    rest[i].divergence = parts[i].divergence;
    rest[i].Y_sums.swap(parts[i].Y_sums);
  }
  Moments small = data::add_up(std::move(rest), [](Moments& a, const Moments& b) {
    a.T += b.T;
    a.squared_error += b.squared_error;
    a.divergence += b.divergence;
    a.Y_sums += b.Y_sums;
  });
  total.T.swap(small.T);
  total.squared_error = small.squared_error;
  total.divergence = small.divergence;
  total.Y_sums.swap(small.Y_sums);
  return total;
}

BoundedMoments& BoundedMoments::operator+=(const BoundedMoments& other) {
  std::transform(values.begin(), values.end(), other.values.begin(), values.begin(), std::plus<>());
  touched += other.touched;
  least_weight = std::min(least_weight, other.least_weight);
  squared_error += other.squared_error;
  return *this;
}

}  // namespace ppdnmf::nmf
