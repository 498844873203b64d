// SPDX-License-Identifier: GPL-2.0-or-later
// Which open call's frame an address on a stack lies in, and where in it: what debug information names variables by.
#ifndef CDRGRIND_ANALYSIS_EVENTS_FRAME_PLACES_H
#define CDRGRIND_ANALYSIS_EVENTS_FRAME_PLACES_H

#include <compare>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"

namespace cdr::analysis {

struct FramePlace {
  CodeAddr function;      // its first block
  CodeAddr at;            // where the function stands
  int64_t from_base = 0;  // from the canonical frame address on (negative)
  // The same from the stack pointer on, which lies elsewhere in frames that align it, while the function calls another.
  std::optional<int64_t> from_stack_pointer = std::nullopt;
  void move(int64_t bytes) {
    from_base += bytes;
    if (from_stack_pointer) *from_stack_pointer += bytes;
  }
  auto operator<=>(const FramePlace&) const = default;
};

// `at`: where the thread stands in the top frame. Nothing if the address lies in none of the stack's frames, or in one
// that is larger than any that compilers make.
inline std::optional<FramePlace> frame_place(const std::vector<CallFrame>& frames, uint64_t addr, CodeAddr at) {
  constexpr uint64_t kLargestFrame = 1 << 20;
  for (auto f = frames.rbegin(); f != frames.rend(); at = f->site, ++f) {
    if (addr >= f->base) continue;
    if (f->base - addr > kLargestFrame) return std::nullopt;
    FramePlace place{f->function, at, static_cast<int64_t>(addr - f->base)};
    if (f != frames.rbegin()) place.from_stack_pointer = static_cast<int64_t>(addr - std::prev(f)->base);
    return place;
  }
  return std::nullopt;
}

}  // namespace cdr::analysis

#endif
