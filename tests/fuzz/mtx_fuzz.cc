#include "fuzz_limits.h"
#include <ppdnmf/io/mtx.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ppdnmf::io::parse_mtx({data, size}, ppdnmf::kFuzzLimits);
  (void)ppdnmf::io::parse_mtx({data, size}, ppdnmf::kSparseFuzzLimits);
  return 0;
}
