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
  uint64_t left_at = 0;   // the instruction at the exit of its last block; 0: none was executed
  uint64_t executed = 0;  // by the thread when it began
  uint32_t account = 0;   // CallTape; 0: no long call has returned to it, or within it
  uint8_t system = 0;     // SystemUse
  bool has_long_calls = false;
  std::array<RegisterStamp, 6> saved;  // what the caller expects back
};

struct LoopInstance {
  LoopId loop;
  uint64_t stamp = 0;                             // as of RegionStack::Reach
  uint64_t start = 0, iteration = 0, before = 0;  // times: of the instance, of the present iteration, of the one before
  uint64_t number = 0;                            // of the present iteration: the first has 1
  IterationLog iterations;
  // In instructions of the thread.
  uint64_t began = 0, iteration_began = 0, longest = 0;
  uint64_t locks = 0;                   // held when it began
  bool beside = false;                  // others ran beside it
  bool outermost = false;               // of the loop's on its stack
  std::array<uint64_t, 3> system_at{};  // by bit of SystemUse: when last
  uint32_t branches = 0;  // in the present iteration: arrivals at the header's first branch, if it is in a loop within
};

class RegionStack {
 public:
  StackId id;
  AddrRange range;
  uint64_t executed = 0;  // by the thread that ran on it last, when it went to another one

  const std::vector<Frame>& frames() const { return frames_; }  // outermost first
  Frame& top() { return frames_.back(); }
  const Frame& top() const { return frames_.back(); }
  Frame& frame(size_t i) { return frames_[i]; }
  const Frame& frame(size_t i) const { return frames_[i]; }
  void push(const Frame& f) {
    ++version_;
    ++frames_version_;
    frames_.push_back(f);
    reaches_.push_back({f.start, ++stamps_, {static_cast<uint32_t>(frames_.size() - 1), kNoLoop, false}});
  }
  // The one on top has another name, and no loops: what was known of it is no more.
  void renamed() {
    ++version_;
    ++frames_version_;
    reaches_.back().stamp = ++stamps_;
  }
  // The one on top, whose loops are closed.
  void pop() {
    ++version_;
    ++frames_version_;
    frames_.pop_back();
    reaches_.pop_back();
  }

  size_t loop_count() const { return open_; }
  LoopInstance& loop(size_t i) { return loops_[i]; }
  const LoopInstance& loop(size_t i) const { return loops_[i]; }
  LoopInstance& inner_loop() { return loops_[open_ - 1]; }
  // Whether one of the first so many is the loop's.
  bool is_open(LoopId loop, size_t count) const {
    while (count > 0 && loops_[count - 1].loop != loop) --count;
    return count > 0;
  }
  // In the activation on top; its first iteration begins.
  LoopInstance& open_loop(LoopId loop, uint64_t time) {
    ++version_;
    if (open_ == loops_.size()) loops_.emplace_back();
    const auto number = static_cast<uint32_t>(open_);
    const auto frame = static_cast<uint32_t>(frames_.size() - 1);
    LoopInstance& l = loops_[open_++];
    l.loop = loop;
    l.start = l.iteration = l.before = time;
    l.iterations.clear();
    l.iterations.add(time);
    l.number = 1;
    l.system_at = {};
    l.branches = 0;
    l.stamp = ++stamps_;
    reaches_.push_back({time, l.stamp, {frame, number, true}});
    reaches_.push_back({time, l.stamp, {frame, number, false}});
    return l;
  }
  // The next one of the innermost loop, which is the activation's on top.
  void begin_iteration(uint64_t time) {
    LoopInstance& l = inner_loop();
    l.before = l.iteration;
    l.iteration = time;
    l.iterations.add(time);
    ++l.number;
    reaches_.back().start = time;
  }
  // Goes to one of the innermost loop's iterations that have begun, or back to one: when the one before began, and it.
  void be_in_iteration(uint64_t before, uint64_t time, uint64_t number) {
    LoopInstance& l = inner_loop();
    l.before = before;
    l.iteration = time;
    l.number = number;
    reaches_.back().start = time;
  }
  void close_loop(uint64_t time) {
    ++version_;
    --open_;
    loop_closed_ = time;
    reaches_.resize(reaches_.size() - 2);
  }
  // Long calls that nothing waits for; those of inner activations last.
  std::vector<OpenCall> open_calls;
  uint32_t last_call = 0;  // the number of the one that returned last, + 1
  // Sources before it may be theirs. 0: there are none.
  uint64_t watched = 0;
  void watch_again() {
    ++version_;
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
  uint64_t inner_start() const { return reaches_.back().start; }
  // Index of the activation that an open loop instance is in.
  uint32_t frame_of_loop(size_t l) const {
    size_t f = frames_.size() - 1;
    while (f > 0 && frames_[f].loops > l) --f;
    return static_cast<uint32_t>(f);
  }

  static constexpr uint32_t kNoLoop = ~uint32_t{0};
  // Where something at time `t` on this stack lies among the regions that are open: the innermost activation, in it
  // the innermost loop instance; and whether it belongs to the instance's present iteration.
  struct Place {
    uint32_t frame = 0;
    uint32_t loop = kNoLoop;
    bool carried = false;  // it was another iteration of `loop`
    bool operator==(const Place&) const = default;
  };
  // A place, which reaches from `start` to the start of the next: of an activation one, of a loop instance those of
  // former iterations and of the present one. The stack gives each stamp once: to an instance, to an activation under
  // one name.
  struct Reach {
    uint64_t start = 0, stamp = 0;
    Place place;
  };
  const std::vector<Reach>& reaches() const { return reaches_; }
  // Changes whenever regions are opened or closed, or `watched` does: all but the start of the last reach is what it
  // was.
  uint64_t version() const { return version_; }
  void touch() { ++version_; }
  // Changes whenever activations do.
  uint64_t frames_version() const { return frames_version_; }
  // Whether that one is still open, and something at time `t` is in it.
  bool is_in_reach(uint64_t t, size_t reach, uint64_t stamp) const {
    return reach < reaches_.size() && reaches_[reach].stamp == stamp && (reach == 0 || t >= reaches_[reach].start) &&
           (reach + 1 == reaches_.size() || t < reaches_[reach + 1].start);
  }
  // Its index.
  size_t reach_of(uint64_t t) const {
    size_t i = reaches_.size() - 1;
    for (int near = 0; i > 0 && reaches_[i].start > t && near < 12; ++near) --i;
    if (i > 0 && reaches_[i].start > t) {
      const auto end = reaches_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto next =
          std::upper_bound(reaches_.begin() + 1, end, t, [](uint64_t x, const Reach& y) { return x < y.start; });
      i = static_cast<size_t>(next - reaches_.begin()) - 1;
    }
    return i;
  }
  uint64_t stamp() const { return reaches_.back().stamp; }
  Place place_of(uint64_t t) const { return reaches_[reach_of(t)].place; }

  // The stack pointer's way: how high it has been.
  void sp_is(uint64_t sp, uint64_t time) {
    if (sp > sp_) {
      while (!peaks_.empty() && peaks_.back().sp <= sp) peaks_.pop_back();
      peaks_.push_back({time, sp});
    }
    sp_ = sp;
  }
  uint64_t sp() const { return sp_; }
  // What was at the address at that time or before is gone; 0: nothing is.
  uint64_t released_until(uint64_t addr) const { return range.contains(addr) ? last_above(addr) : 0; }
  // Whether it was above the address at or after `t`: then what was there at that time is gone.
  bool was_released(uint64_t addr, uint64_t t) const { return range.contains(addr) && was_above(addr, t); }
  bool was_above(uint64_t addr, uint64_t t) const {
    return !peaks_.empty() && peaks_.back().time >= t && last_above(addr) >= t;
  }

 private:
  struct Peak {
    uint64_t time, sp;
  };
  // When it was so last; 0: never.
  uint64_t last_above(uint64_t addr) const {
    size_t i = peaks_.size();
    for (int near = 0; near < 4; ++near, --i) {
      if (i == 0) return 0;
      if (peaks_[i - 1].sp > addr) return peaks_[i - 1].time;
    }
    const auto end = peaks_.begin() + static_cast<std::ptrdiff_t>(i);
    const auto lower = std::partition_point(peaks_.begin(), end, [&](const Peak& p) { return p.sp > addr; });
    return lower == peaks_.begin() ? 0 : std::prev(lower)->time;
  }
  std::vector<Frame> frames_;
  std::vector<LoopInstance> loops_;  // those behind open_ are kept for their room
  size_t open_ = 0;
  std::vector<Reach> reaches_;  // ascending by start
  uint64_t stamps_ = 0, version_ = 0, frames_version_ = 0;
  uint64_t loop_closed_ = 0;  // when one was last
  uint64_t sp_ = 0;
  std::vector<Peak> peaks_;  // ascending in time, descending in SP
};

}  // namespace cdr::regions

#endif
