// Bounded decompression.
#ifndef PPDNMF_IO_INFLATE_H_
#define PPDNMF_IO_INFLATE_H_

#include <cstdint>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

// At most the first `count` bytes that `compressed` stands for. Fails with kFile if those are broken.
[[nodiscard]] Result<Bytes> inflate_start(ByteSpan compressed, std::size_t count);

// All of it. Fails with kFile if it is broken or cut short, or stands for more than `max_bytes`; memory grows with what
// has really been inflated.
[[nodiscard]] Result<Bytes> inflate_all(ByteSpan compressed, std::uint64_t max_bytes);

// The same of a bare deflate stream, as archives hold it, that stands for `size` bytes. Fails as inflate_all does.
[[nodiscard]] Result<Bytes> inflate_raw(ByteSpan compressed, std::uint64_t size);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_INFLATE_H_
