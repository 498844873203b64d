// SPDX-License-Identifier: GPL-2.0-or-later
// Which bytes of memory at least two threads touched, over the whole run, exactly. Memory that was freed and given out
// again is the same memory. First everything is touched, then seal(), then questions.
//
// Memory: a bit for each byte of a page of 4 KiB and thread that touches it.
#ifndef CDRGRIND_ANALYSIS_COMPARE_SHARED_BYTES_H
#define CDRGRIND_ANALYSIS_COMPARE_SHARED_BYTES_H

#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/id.h"

namespace cdr::compare {

class SharedBytes {
 public:
  void touch(ThreadId thread, uint64_t addr, uint64_t size);
  void seal();
  // Whether any of the bytes is shared.
  bool shared(uint64_t addr, uint64_t size) const;

 private:
  static constexpr uint64_t kPage = 4096;
  using Bits = std::array<uint64_t, kPage / 64>;
  struct Visit {  // of a page by a thread
    uint32_t thread = 0;
    uint32_t next = 0;  // of the same page: index into visits_ + 1, 0 none
    Bits bits = {};
  };
  struct Page {
    uint32_t visits = 0;  // the first: index into visits_ + 1; sealed: into shared_ + 1, 0 none
  };
  struct Remembered {
    uint64_t page = ~uint64_t{0};
    uint32_t thread = 0;
    uint32_t visit = 0;
  };

  Bits& visit(uint32_t thread, uint64_t page);

  FlatMap<uint64_t, Page> pages_;
  std::vector<Visit> visits_;
  std::vector<Bits> shared_;
  std::array<Remembered, 64> remembered_;
};

}  // namespace cdr::compare

#endif
