// Numbers in memory that suits wide registers.
#ifndef PPDNMF_NMF_LINE_VECTOR_H_
#define PPDNMF_NMF_LINE_VECTOR_H_

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include <ppdnmf/base/large_pages.h>

namespace ppdnmf::nmf::internal {

// Numbers that begin where a line of the cache does: a register as wide as one is loaded at once. Nothing is written
// into new ones, unless somebody says what.
template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <typename U>
  explicit LineAllocator(const LineAllocator<U>& /*other*/) {}
  T* allocate(std::size_t count) {
    void* const begin = ::operator new(count * sizeof(T), kLine);
    prefer_large_pages(begin, count * sizeof(T));
    return static_cast<T*>(begin);
  }
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Values>
  void construct(U* at, Values&&... values) {
    ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }
  void deallocate(T* at, std::size_t /*count*/) { ::operator delete(at, kLine); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};
using LineVector = std::vector<double, LineAllocator<double>>;

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_LINE_VECTOR_H_
