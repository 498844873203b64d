// SPDX-License-Identifier: GPL-2.0-or-later
// The regions that are open on one stack: activations, in them loop instances, of each the present iteration. Time is a
// number that grows with every instruction; a region is where the time of an access says, for what is closed lies
// within what is open.
#ifndef CDRGRIND_ANALYSIS_REGIONS_REGION_STACK_H
#define CDRGRIND_ANALYSIS_REGIONS_REGION_STACK_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/contexts.h"
#include "cdrgrind/analysis/regions/iteration_log.h"
#include "cdrgrind/analysis/regions/long_calls.h"

namespace cdr::regions {

// Who wrote a register, and when.
struct RegisterStamp {
  uint64_t time = 0;
  SiteIndex site = 0;
  ContextIndex returned = 0;  // of the function that has left it there, until somebody reads it
};

struct Frame {
  uint64_t sp = 0;     // behind the return address
  uint64_t start = 0;  // time
  uint64_t site = 0;   // of the call
  ContextIndex caller = 0, context = 0;
  const FunctionLoops* function = nullptr;  // null: not the program's
  uint32_t loops = 0;                       // index of its first open instance
  bool named = false, hidden = false, library = false;
  BlockId last;
  uint64_t executed = 0;  // by the thread when it began
  uint64_t won = 0;       // instructions, by long calls that ran beside others
  uint8_t system = 0;     // SystemUse
  bool has_long_calls = false;
  std::array<RegisterStamp, 6> saved;  // what the caller expects back
};

struct LoopInstance {
  LoopId loop;
  uint64_t start = 0, iteration = 0, before = 0;  // times: of the instance, of the present iteration, of the one before
  IterationLog iterations;
  // In instructions of the thread.
  uint64_t began = 0, iteration_began = 0, longest = 0;
  uint64_t locks = 0;                   // held when it began
  std::array<uint64_t, 3> system_at{};  // by bit of SystemUse: when last
  uint32_t branches = 0;  // in the present iteration: arrivals at the header's first branch, if it is in a loop within
};

class RegionStack {
 public:
  StackId id;
  AddrRange range;
  std::vector<Frame> frames;  // outermost first

  Frame& top() { return frames.back(); }
  size_t loop_count() const { return open_; }
  LoopInstance& loop(size_t i) { return loops_[i]; }
  const LoopInstance& loop(size_t i) const { return loops_[i]; }
  LoopInstance& open_loop(LoopId id) {
    if (open_ == loops_.size()) loops_.emplace_back();
    LoopInstance& l = loops_[open_++];
    l.loop = id;
    l.iterations.clear();
    l.system_at = {};
    l.branches = 0;
    return l;
  }
  void close_loop(uint64_t time) {
    --open_;
    loop_closed_ = time;
  }
  // Long calls that nothing waits for; those of inner activations last.
  std::vector<OpenCall> open_calls;
  // Sources before it may be theirs. 0: there are none.
  uint64_t watched = 0;
  void watch_again() {
    watched = 0;
    for (const OpenCall& c : open_calls) {
      watched = std::max(watched, c.end + 1);
      for (const uint64_t t : c.copies) watched = std::max(watched, t + 1);
    }
  }
  // Of what happened before, some may have been in a loop that has ended, or in a call that nothing waits for.
  uint64_t settled() const { return std::max({inner_start(), loop_closed_, watched}); }
  // The same, of those calls only.
  uint64_t stores_settled() const { return std::max(inner_start(), watched); }
  // Of the innermost open region.
  uint64_t inner_start() const {
    const Frame& f = frames.back();
    return open_ > f.loops ? loops_[open_ - 1].iteration : f.start;
  }
  // Index of the activation that an open loop instance is in.
  uint32_t frame_of_loop(size_t l) const {
    size_t f = frames.size() - 1;
    while (f > 0 && frames[f].loops > l) --f;
    return static_cast<uint32_t>(f);
  }
  size_t loops_end(size_t frame) const { return frame + 1 < frames.size() ? frames[frame + 1].loops : open_; }

  static constexpr uint32_t kNoLoop = ~uint32_t{0};
  // Where something at time `t` on this stack lies among the regions that are open: the innermost activation, in it
  // the innermost loop instance; and whether it belongs to the instance's present iteration.
  struct Place {
    uint32_t frame = 0;
    uint32_t loop = kNoLoop;
    bool carried = false;  // it was another iteration of `loop`
    bool operator==(const Place&) const = default;
  };
  Place place_of(uint64_t t) const {
    size_t f = frames.size() - 1;
    for (int near = 0; f > 0 && frames[f].start > t && near < 4; ++near) --f;
    if (f > 0 && frames[f].start > t) {
      const auto end = frames.begin() + static_cast<std::ptrdiff_t>(f);
      const auto next =
          std::upper_bound(frames.begin() + 1, end, t, [](uint64_t x, const Frame& y) { return x < y.start; });
      f = static_cast<size_t>(next - frames.begin()) - 1;
    }
    Place p;
    p.frame = static_cast<uint32_t>(f);
    for (size_t l = loops_end(f); l-- > frames[f].loops;) {
      if (loops_[l].start > t) continue;
      p.loop = static_cast<uint32_t>(l);
      p.carried = t < loops_[l].iteration;
      break;
    }
    return p;
  }

  // The stack pointer's way: how high it has been.
  void sp_is(uint64_t sp, uint64_t time) {
    if (sp > sp_) {
      while (!peaks_.empty() && peaks_.back().sp <= sp) peaks_.pop_back();
      peaks_.push_back({time, sp});
    }
    sp_ = sp;
  }
  uint64_t sp() const { return sp_; }
  // Whether it was above the address at or after `t`: then what was there at that time is gone.
  bool was_released(uint64_t addr, uint64_t t) const {
    if (!range.contains(addr)) return false;
    const auto p =
        std::lower_bound(peaks_.begin(), peaks_.end(), t, [](const Peak& x, uint64_t y) { return x.time < y; });
    return p != peaks_.end() && p->sp > addr;
  }

 private:
  struct Peak {
    uint64_t time, sp;
  };
  std::vector<LoopInstance> loops_;  // those behind open_ are kept for their room
  size_t open_ = 0;
  uint64_t loop_closed_ = 0;  // when one was last
  uint64_t sp_ = 0;
  std::vector<Peak> peaks_;  // ascending in time, descending in SP
};

}  // namespace cdr::regions

#endif
