#include "fuzz_limits.h"
#include <ppdnmf/io/mat.h>

// Once for the only matrix of the file, once for a variable by name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ppdnmf::io::parse_mat({data, size}, {}, ppdnmf::kFuzzLimits);
  (void)ppdnmf::io::parse_mat({data, size}, "Z", ppdnmf::kFuzzLimits);
  (void)ppdnmf::io::parse_mat({data, size}, {}, ppdnmf::kSparseFuzzLimits);
  return 0;
}
