// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/large_pages.h"

#include <sys/mman.h>

namespace cdr {

void* take_large_pages(size_t bytes) {
  void* const p = ::operator new (bytes, std::align_val_t{kLargePage});
  madvise(p, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);  // no matter if it is refused
  return p;
}

void give_back_large_pages(void* p) noexcept { ::operator delete (p, std::align_val_t{kLargePage}); }

}  // namespace cdr
