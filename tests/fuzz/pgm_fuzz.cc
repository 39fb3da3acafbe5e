#include "fuzz_limits.h"
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/pgm.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto image = ppdnmf::io::parse_pgm({data, size}, ppdnmf::kFuzzLimits);
  if (!image) return 0;
  for (const double pixel : image->pixels) PPDNMF_CHECK(pixel >= 0 && pixel <= 1);
  return 0;
}
