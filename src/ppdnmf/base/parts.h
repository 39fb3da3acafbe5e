// Work on long arrays in parts of a fixed size, each a task of its own. Where a part begins follows from the length
// alone, so that threads change no byte.
#ifndef PPDNMF_BASE_PARTS_H_
#define PPDNMF_BASE_PARTS_H_

#include <algorithm>
#include <cstddef>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/executor.h>

namespace ppdnmf {

// Calls work(number, first, count) for the parts 0, 1, ... of [0, size): `part` entries each, the last one fewer. They
// are worked on at the same time, as Executor::for_each does it; a single one on the caller's thread.
template <typename Work>
void for_each_part(Executor& executor, std::size_t size, std::size_t part, const Work& work) {
  const std::size_t parts = (size + part - 1) / part;
  const auto one = [&](std::size_t i) { work(i, i * part, std::min(part, size - i * part)); };
  if (parts == 1) return one(0);
  executor.for_each(parts, one);
}

// Adds bytes to a digest: as they are up to this length; if they are longer, the digests of their parts of this length,
// one after the other, instead. Two lengths could so be told apart no longer: whoever uses it adds the length as well.
inline constexpr std::size_t kDigestPart = std::size_t{1} << 18;
void add_in_parts(Sha256& hash, ByteSpan bytes, Executor& executor);

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_PARTS_H_
