// SPDX-License-Identifier: GPL-2.0-or-later
// seek_check TRACE PLACES SEED: reads a compact trace from its start and compares, at PLACES events chosen at random,
// what reading knows there with what seeking finds: the place by each of its weights, the event with its words, the
// stack, the place in the true order, and the events of the thread that follow. Status 1 at the first difference.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>

#include "cdrgrind/trace/index/thread_cursor.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/trace_error.h"
#include "tests/unit/trace/memory_trace.h"
#include "tests/unit/trace/naive_thread.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

constexpr size_t kFollowing = 300;  // events of the thread, read on from a place

void check(bool equal, uint64_t index, const char* what) {
  if (equal) return;
  std::printf("event %llu: %s\n", static_cast<unsigned long long>(index), what);
  std::exit(1);
}

std::vector<uint64_t> chosen_events(uint64_t count, size_t places, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> chosen(places);
  for (uint64_t& index : chosen) index = std::uniform_int_distribution<uint64_t>(0, count - 1)(random);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

class SeekCheck {
 public:
  explicit SeekCheck(const TraceFile& file) : file_(file), seeker_(file), following_(file) {}

  void run(const std::vector<uint64_t>& chosen) {
    Cursor cursor(file_);
    auto next = chosen.begin();
    for (Event e; cursor.next(e);) {
      if (next != chosen.end() && *next == cursor.index()) {
        ++next;
        check_place(cursor.index(), e);
      }
      if (e.kind == EventKind::kTurn) continue;
      for (Window& w : windows_)
        if (w.place.thread == e.thread && w.events.size() < kFollowing) w.events.emplace_back(e);
      while (!windows_.empty() && windows_.front().events.size() == kFollowing) close_window();
      threads_[e.thread.value].apply(e, file_.blocks());
    }
    while (!windows_.empty()) close_window();
    for (const auto& [serial, t] : threads_)
      check(seeker_.total(ThreadId(serial)) == t.counts, 0, "totals of a thread");
  }

  uint64_t checked() const { return checked_; }

 private:
  struct Window {
    uint64_t index;
    TracePosition place;
    std::vector<OwnedEvent> events;
  };

  void check_place(uint64_t index, const Event& e) {
    NaiveThread& t = threads_[e.thread.value];
    TracePosition at;
    const bool turn = seeker_.at_index(index, at);
    check(turn == (e.kind == EventKind::kTurn), index, "a Turn");
    check(at.thread == e.thread, index, "its thread");
    if (turn) return;
    check(at.before == t.counts, index, "what the thread did before");
    check(seeker_.index_of(at) == index, index, "its place in the true order");
    check(OwnedEvent(seeker_.event_at(at)) == OwnedEvent(e), index, "the event");
    check_ways(index, e, t, at);
    check(with_functions(seeker_.stack_at(at, true), file_.blocks()) == t.shown(), index, "the stack");
    if (windows_.size() < 50) windows_.push_back({index, at, {}});
    ++checked_;
  }

  // By each number of the thread that is the place's own.
  void check_ways(uint64_t index, const Event& e, NaiveThread& t, const TracePosition& at) {
    const auto found = [&](Weight w, uint64_t n) {
      TracePosition other;
      return seeker_.find(e.thread, w, n, other) && other.before == at.before && seeker_.index_of(other) == index;
    };
    check(found(Weight::kEvents, t.counts.events), index, "by its number");
    if (e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave)
      check(found(Weight::kSyncs, t.counts.syncs), index, "by its synchronisation event");
    if (e.kind != EventKind::kBlock) return;
    check(found(Weight::kBlocks, t.counts.blocks), index, "by its block");
    check(found(Weight::kInsns, t.counts.insns), index, "by its instruction");
    const BlockWeight one{e.block, 1};
    TracePosition other;
    check(seeker_.find_execution(e.thread, {&one, 1}, t.executions[e.block.value], other) && other.before == at.before,
          index, "by the block's executions");
  }

  void close_window() {
    const Window& w = windows_.front();
    ThreadCursor cursor(following_, w.place);
    Event e;
    for (const OwnedEvent& own : w.events)
      check(cursor.next(e) && OwnedEvent(e) == own, w.index, "an event that follows");
    windows_.pop_front();
  }

  const TraceFile& file_;
  Seeker seeker_, following_;
  std::unordered_map<uint32_t, NaiveThread> threads_;
  std::deque<Window> windows_;
  uint64_t checked_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: seek_check TRACE PLACES SEED\n");
    return 2;
  }
  try {
    const TraceFile file = TraceFile::open(argv[1]);
    if (file.epochs().empty()) {
      std::printf("no epochs\n");
      return 0;
    }
    SeekCheck run(file);
    run.run(chosen_events(file.event_count(), std::stoul(argv[2]), static_cast<uint32_t>(std::stoul(argv[3]))));
    std::printf("%llu places of %llu events in %zu epochs, seed %s: all found\n",
                static_cast<unsigned long long>(run.checked()), static_cast<unsigned long long>(file.event_count()),
                file.epochs().size(), argv[3]);
    return 0;
  } catch (const TraceError& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
