// SPDX-License-Identifier: GPL-2.0-or-later
// Memory for tables of megabytes that are filled from one end and read everywhere. The kernel is asked to make it of
// large pages: one page fault for 2 MiB instead of 512, and few misses of the processor's table of pages. Only whole
// large pages are asked for, so of a table that is not full at most one is there in vain. A kernel that has none, or
// may give none, gives small ones: nothing but time depends on it. In the tool, madvise() is tool/runtime's.
#ifndef CDRGRIND_BASE_LARGE_PAGES_H
#define CDRGRIND_BASE_LARGE_PAGES_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace cdr {

constexpr size_t kLargePage = size_t{2} << 20;

// At least one large page, aligned to it; not cleared.
void* take_large_pages(size_t bytes);
void give_back_large_pages(void* p) noexcept;

// For vectors: what is smaller than a large page comes from the heap.
template <class T>
struct LargePageAllocator {
  using value_type = T;
  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}
  T* allocate(size_t n) {
    const size_t bytes = n * sizeof(T);
    return static_cast<T*>(bytes < kLargePage ? ::operator new(bytes) : take_large_pages(bytes));
  }
  void deallocate(T* p, size_t n) noexcept {
    if (n * sizeof(T) < kLargePage)
      ::operator delete(p);
    else
      give_back_large_pages(p);
  }
  bool operator==(const LargePageAllocator&) const = default;
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

// Pieces that are freed together, cut from large pages. Not cleared.
class LargePagePieces {
 public:
  LargePagePieces() = default;
  LargePagePieces(const LargePagePieces&) = delete;
  LargePagePieces& operator=(const LargePagePieces&) = delete;
  ~LargePagePieces() {
    for (void* p : pages_) give_back_large_pages(p);
  }
  // At most a large page, and a multiple of 16 bytes.
  std::byte* take(size_t bytes) {
    if (left_ < bytes) {
      next_ = static_cast<std::byte*>(take_large_pages(kLargePage));
      pages_.push_back(next_);
      left_ = kLargePage;
    }
    std::byte* const piece = next_;
    next_ += bytes;
    left_ -= bytes;
    return piece;
  }

 private:
  std::vector<void*> pages_;
  std::byte* next_ = nullptr;
  size_t left_ = 0;
};

}  // namespace cdr

#endif
