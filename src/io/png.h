// Grey pictures as PNG.
#ifndef PPDNMF_IO_PNG_H_
#define PPDNMF_IO_PNG_H_

#include "base/bytes.h"
#include "io/table.h"

namespace ppdnmf {

// 8 bits a pixel. `pixels` (0 black, 255 white) go row by row, height * width of them (checked).
[[nodiscard]] Bytes encode_png(ImageShape shape, ByteSpan pixels);

}  // namespace ppdnmf

#endif  // PPDNMF_IO_PNG_H_
