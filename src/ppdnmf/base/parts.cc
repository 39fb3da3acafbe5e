#include <ppdnmf/base/parts.h>

#include <vector>

namespace ppdnmf {

void add_in_parts(Sha256& hash, ByteSpan bytes, Executor& executor) {
  if (bytes.size() <= kDigestPart) return hash.add(bytes);
  std::vector<Digest> digests((bytes.size() + kDigestPart - 1) / kDigestPart);
  for_each_part(executor, bytes.size(), kDigestPart, [&](std::size_t i, std::size_t first, std::size_t count) {
    digests[i] = sha256(bytes.subspan(first, count));
  });
  for (const Digest& digest : digests) hash.add(digest);
}

}  // namespace ppdnmf
