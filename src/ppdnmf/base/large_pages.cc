#include <ppdnmf/base/large_pages.h>

#include <sys/mman.h>

#include <cstdint>

namespace ppdnmf {

void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  if (bytes < 2 * kPage) return;
  // Whole pages within the bytes: their neighbours are somebody else's.
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (address + bytes) / kPage * kPage;
  static_cast<void>(::madvise(static_cast<char*>(begin) + (first - address), end - first, MADV_HUGEPAGE));
#endif
}

}  // namespace ppdnmf
