#include <ppdnmf/nmf/start.h>

#include <cmath>

namespace ppdnmf::nmf {

Matrix common_start(Start start, Index rows, Index rank, const Seed& public_seed, std::uint64_t number) {
  if (start == Start::kOnes) return Matrix::Ones(rows, rank);
  constexpr std::uint8_t kPurpose = 'X';
  Stream stream(public_seed, kPurpose, 0, number);
  Matrix X0(rows, rank);
  for (Index t = 0; t < X0.size(); ++t) X0.data()[t] = stream.uniform();
  return X0;
}

double data_scale(double mean) { return mean > 0 ? std::exp2(std::round(std::log2(mean))) : 1; }

}  // namespace ppdnmf::nmf
