// SPDX-License-Identifier: GPL-2.0-or-later
// A thread's execution is cut into segments where it gives or gets knowledge of other threads. All accesses of a
// segment have the same vector clocks; so two segments of different threads are concurrent as a whole, or not.
//
// Three orders are kept side by side (Order), so that what is ordered by atomic accesses or spin loops alone can
// be told. Only segments with accesses are numbered: giving and getting in between costs nothing.
//
// Where a parallel runtime's strands are, `thread` is a strand: threads and strands have numbers of one kind. Strands
// that nothing lets run at the same time may have one number after the other.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_SEGMENTS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_SEGMENTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "cdrgrind/analysis/events/access_position.h"
#include "cdrgrind/analysis/races/core/clock.h"

namespace cdr::races {

enum class Order : uint8_t {
  kFull,     // everything that the options let order
  kAtomics,  // without the edges of spin loops
  kSync,     // without those of atomic accesses, too
};
constexpr size_t kOrderCount = 3;

// What an edge belongs to: it counts in the orders up to this one.
using EdgeKind = Order;  // kSync: synchronisation; kAtomics: an atomic access; kFull: a spin loop

// Mostly the same in all orders: then it is there once.
struct Knowledge {
  std::array<VectorClock, kOrderCount> in;

  void join(const Knowledge& other) { join(other, kOrderCount); }
  // In the first so many orders; true if that is more than it was.
  bool join(const Knowledge& other, size_t orders) {
    bool grew = false;
    const auto alike = [&](size_t o) { return in[o].same(in[o - 1]) && other.in[o].same(other.in[o - 1]); };
    std::array<bool, kOrderCount> as_before{};
    for (size_t o = 1; o < orders; ++o) as_before[o] = alike(o);
    for (size_t o = 0; o < orders; ++o)
      if (as_before[o])
        in[o] = in[o - 1];
      else
        grew |= in[o].join(other.in[o]);
    return grew;
  }
  void set(ThreadId t, SegmentNumber n) {
    std::array<bool, kOrderCount> as_before{};
    for (size_t o = 1; o < kOrderCount; ++o) as_before[o] = in[o].same(in[o - 1]);
    for (size_t o = 0; o < kOrderCount; ++o)
      if (as_before[o])
        in[o] = in[o - 1];
      else
        in[o].set(t, n);
  }
};

using analysis::AccessPosition;

struct Segment {
  AccessPosition begin;   // of its first access
  uint32_t snapshot = 0;  // 2 * number of the clock that the thread had; odd: of the first of one for each order
};

class Segments {
 public:
  Segments() : threads_(1) {}

  // The thread's present segment, which has an access now.
  SegmentNumber use(ThreadId t, AccessPosition at) {
    State& s = state(t);
    if (!s.used) begin_segment(s, at);
    return static_cast<SegmentNumber>(s.segments.size());
  }
  // What the thread gives and gets is that of this strand from now on, and of those below, in which it goes on, too;
  // none: its own.
  using Below = std::array<ThreadId, 2>;
  void run_on(ThreadId thread, ThreadId strand, Below below) {
    if (thread.value >= running_.size()) running_.resize(thread.value + 1);
    running_[thread.value] = {strand, below};
  }
  // The number is another strand's from now on, which knows only that.
  void restart(ThreadId strand, const Knowledge& known);
  // It gives and gets nothing any more, until restart().
  void end(ThreadId strand) {
    State& s = state(strand);
    s.known.reset();
    s.used = false;
  }

  // What others know when they see what the thread has done up to now. Ends the segment.
  Knowledge give(ThreadId t) {
    Knowledge k;
    give_to(t, k);
    return k;
  }
  // The same, to who knows something already.
  void give_to(ThreadId t, Knowledge& to);
  // The thread knows that from now on. Ends the segment if it is anything new.
  void get(ThreadId t, const Knowledge& what, EdgeKind edge);

  // Whether what the thread does now comes behind the other's segment n.
  bool knows(ThreadId t, ThreadId other, SegmentNumber n, Order order) const {
    if (t == other) return true;
    if (t.value >= threads_.size() || !threads_[t.value].known) return false;
    return known_now(t, other, order) >= n;
  }

  // What the thread knows of the other one now.
  SegmentNumber known_now(ThreadId t, ThreadId other, Order order) const {
    if (t.value >= threads_.size() || !threads_[t.value].known) return 0;
    return threads_[t.value].known->in[static_cast<size_t>(order)][other];
  }
  // Whether an access of the thread would be one of its last segment.
  bool is_open(ThreadId t) const { return t.value < threads_.size() && threads_[t.value].used; }
  // It is not from now on.
  void close(ThreadId t) { state(t).used = false; }

  uint32_t thread_count() const { return static_cast<uint32_t>(threads_.size() - 1); }  // highest id
  size_t count(ThreadId t) const { return t.value < threads_.size() ? of(t).size() : 0; }
  const std::vector<Segment>& of(ThreadId t) const { return threads_[t.value].segments; }
  // What thread `t` knew of `other` in its segment n.
  SegmentNumber known(ThreadId t, SegmentNumber n, ThreadId other, Order order) const {
    return clock(t, n, order)[other];
  }
  const VectorClock& clock(ThreadId t, SegmentNumber n, Order order) const {
    const uint32_t s = of(t)[n - 1].snapshot;
    return clocks_[s / 2 + (s % 2 ? static_cast<size_t>(order) : 0)];
  }
  // The segment in which an access at `at` of the thread is; 0 if it is before the first.
  SegmentNumber at(ThreadId t, AccessPosition at) const;
  // Whether any edge of the kind told something new.
  bool had(EdgeKind edge) const { return had_[static_cast<size_t>(edge)]; }

 private:
  struct State {
    std::unique_ptr<Knowledge> known;  // null: nothing
    bool used = false;                 // the last segment is the present one
    bool changed = true;               // known is not the last snapshot
    uint32_t snapshot = 0;
    std::vector<Segment> segments;
  };
  State& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  struct Running {
    ThreadId strand;
    Below below;
  };
  Running running_on(ThreadId t) const {
    const Running r = t.value < running_.size() ? running_[t.value] : Running();
    return r.strand ? r : Running{t, {}};
  }
  void begin_segment(State& s, AccessPosition at);
  static Knowledge& known_by(State& s) {
    if (!s.known) s.known = std::make_unique<Knowledge>();
    return *s.known;
  }
  void give_own(ThreadId t, Knowledge& to);
  void get_own(ThreadId t, const Knowledge& what, EdgeKind edge);

  std::vector<State> threads_;      // by id
  std::vector<Running> running_;    // by thread, if any
  std::deque<VectorClock> clocks_;  // of snapshots; it never moves
  std::array<bool, kOrderCount> had_{};
};

}  // namespace cdr::races

#endif
