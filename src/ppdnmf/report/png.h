// Grey pictures as PNG.
#ifndef PPDNMF_REPORT_PNG_H_
#define PPDNMF_REPORT_PNG_H_

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::report {

// 8 bits a pixel. `pixels` (0 black, 255 white) go row by row, height * width of them (checked).
[[nodiscard]] Bytes encode_png(io::ImageShape shape, ByteSpan pixels);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_PNG_H_
