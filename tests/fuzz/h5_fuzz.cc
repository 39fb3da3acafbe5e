#include "fuzz_limits.h"
#include <ppdnmf/convert/h5_matrix.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const ppdnmf::io::ReadLimits& limits : {ppdnmf::kFuzzLimits, ppdnmf::kSparseFuzzLimits}) {
    if (const auto matrix = ppdnmf::convert::H5Matrix::open({data, size}, limits))
      (void)ppdnmf::convert::read_h5(*matrix, limits);
  }
  return 0;
}
