// SPDX-License-Identifier: GPL-2.0-or-later
// The control paths of one epoch, for random access: every thread's path as a string of a grammar, with prefix sums
// of events, blocks, instructions and synchronisation events. An epoch that was written as lists of runs becomes a
// grammar of one rule for each thread; one whose paths were predicted gets a grammar, and stretches of its own
// (trace/index/predicted_paths.h).
#ifndef CDRGRIND_TRACE_INDEX_PATH_INDEX_H
#define CDRGRIND_TRACE_INDEX_PATH_INDEX_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/thread_states.h"
#include "cdrgrind/trace/index/grammar_sums.h"
#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/path_threads.h"

namespace cdr::trace {

// What is counted along a thread's path.
enum class Weight : uint8_t { kEvents, kBlocks, kInsns, kSyncs };

constexpr uint64_t weight_of(const ThreadCounts& c, Weight w) {
  switch (w) {
    case Weight::kEvents:
      return c.events;
    case Weight::kBlocks:
      return c.blocks;
    case Weight::kInsns:
      return c.insns;
    case Weight::kSyncs:
      return c.syncs;
  }
  return 0;
}

struct PathCounts : ThreadCounts {
  // False where an epoch cannot have so many events.
  bool add(const ThreadCounts& c, uint64_t count);
};

// A place inside an epoch: before the event number `offset` of the terminal at the end of the way.
struct PathPosition {
  Way way;
  uint32_t offset = 0;
  ThreadCounts before;  // of the thread, in the epoch
};

class PathIndex {
 public:
  // Null, or what is damaged. `stretch_limit`: how many the epoch may use; `max_serial`: the highest thread. Both
  // tables must outlive the index.
  const char* load(const Columns& control, const TurnIndex& turns, const StretchIndex& stretches,
                   uint32_t stretch_limit, uint32_t max_serial);

  const Grammar& grammar() const { return grammar_; }
  // Threads with a path, ascending; string i is that of thread i.
  const std::vector<uint32_t>& threads() const { return threads_; }
  std::optional<uint32_t> string_of(ThreadId thread) const;
  // The string whose rule has the symbol in its body.
  uint32_t string_with(uint32_t symbol) const;
  const ThreadCounts& total(uint32_t string) const { return sums_.total(string); }

  // Before the event that holds unit n (from 0) of the weight; false if there are not so many.
  bool find(uint32_t string, Weight w, uint64_t n, PathPosition& to) const;
  // Fills in `before` from the way and the offset.
  void count(PathPosition& p) const;

  uint32_t terminal_at(const PathPosition& p) const { return symbol_at(grammar_, p.way.back().symbol).symbol; }
  ThreadCounts weigh(uint32_t terminal) const;
  // Of one copy of a rule or a terminal.
  uint64_t events_of(uint32_t symbol) const {
    return is_rule(symbol) ? sums_.total(rule_of(symbol)).events : weigh(symbol).events;
  }
  const GrammarSums<PathCounts>& sums() const { return sums_; }
  // The file's, or the epoch's own.
  const StretchIndex& stretches() const { return *stretches_; }

 private:
  bool read(const Columns& control, const TurnIndex& turns, uint32_t stretch_limit);
  bool read_runs(const Columns& control);
  bool read_predicted(const Columns& control, const TurnIndex& turns, uint32_t stretch_limit);
  bool knows_stretches(uint32_t limit) const;
  void count_inside(PathPosition& p) const;

  const StretchIndex* stretches_ = nullptr;
  std::unique_ptr<StretchTable> own_table_;
  std::unique_ptr<StretchIndex> own_stretches_;
  Grammar grammar_;
  std::vector<uint32_t> threads_;
  GrammarSums<PathCounts> sums_;
};

}  // namespace cdr::trace

#endif
