#include "fuzz_limits.h"
#include <ppdnmf/convert/h5_matrix.h>

// The library forgets memory of some broken files, which end the command that read them; see to our own.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const ppdnmf::io::ReadLimits& limits : {ppdnmf::kFuzzLimits, ppdnmf::kSparseFuzzLimits}) {
    if (const auto matrix = ppdnmf::convert::H5Matrix::open({data, size}, limits))
      (void)ppdnmf::convert::read_h5(*matrix, limits);
  }
  return 0;
}
