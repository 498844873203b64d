// SPDX-License-Identifier: GPL-2.0-or-later
// Touches of memory that repeat one of those just before: they tell nothing new as long as the same strand goes on and
// memory belongs to whom it did. Code that is not optimised touches its few variables again and again.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_RECENT_TOUCHES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_RECENT_TOUCHES_H

#include <array>
#include <cstdint>

namespace cdr::races {

class RecentTouches {
 public:
  void forget() {
    if (++stamp_ == 0) {
      all_ = {};
      stamp_ = 1;
    }
  }
  // Else it is remembered.
  bool repeats(uint64_t addr, uint64_t width, bool store) {
    Touch& t = all_[(addr >> 2 ^ addr >> 12) % all_.size()];
    if (t.addr == addr && t.stamp == stamp_ && t.width == width) {
      if (t.store || !store) return true;
      t.store = true;
      return false;
    }
    t = {addr, stamp_, static_cast<uint16_t>(width), store};
    if (t.width != width) t.stamp = 0;
    return false;
  }

 private:
  struct Touch {
    uint64_t addr = 0;
    uint32_t stamp = 0;
    uint16_t width = 0;
    bool store = false;
  };
  std::array<Touch, 1024> all_;
  uint32_t stamp_ = 1;
};

}  // namespace cdr::races

#endif
