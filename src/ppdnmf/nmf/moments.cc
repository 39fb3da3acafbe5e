#include <ppdnmf/nmf/moments.h>

#include <algorithm>
#include <functional>

namespace ppdnmf::nmf {

Moments& Moments::operator+=(const Moments& other) {
  S += other.S;
  T += other.T;
  squared_error += other.squared_error;
  return *this;
}

BoundedMoments& BoundedMoments::operator+=(const BoundedMoments& other) {
  std::transform(values.begin(), values.end(), other.values.begin(), values.begin(), std::plus<>());
  touched += other.touched;
  least_weight = std::min(least_weight, other.least_weight);
  squared_error += other.squared_error;
  return *this;
}

}  // namespace ppdnmf::nmf
