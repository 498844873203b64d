// SPDX-License-Identifier: GPL-2.0-or-later
// Where the threads of two runs begin to take turns in another order: what a thread does otherwise behind that place
// may be so because of the schedule. How long turns are does not matter, only whose they are.
#ifndef CDRGRIND_ANALYSIS_DIFF_TURN_ORDER_H
#define CDRGRIND_ANALYSIS_DIFF_TURN_ORDER_H

#include <cstdint>
#include <memory>
#include <optional>

#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::diff {

// Throws TraceError.
trace::TurnIndex turns_of(const trace::TraceFile& file, const trace::Epoch& epoch);

struct Turn {
  ThreadId thread;  // none: there are no more
  uint64_t event = 0;
};

// The turns of a trace, one after the other; the first is to a thread that is not main. `file` must outlive it.
class TurnReader {
 public:
  explicit TurnReader(const trace::TraceFile& file);
  ~TurnReader();

  Turn next() { return cursor_ ? next_event() : next_segment(); }

 private:
  Turn next_event();
  Turn next_segment();
  void load(const trace::Epoch& epoch);

  const trace::TraceFile& file_;
  std::unique_ptr<trace::Cursor> cursor_;  // of a plain trace
  trace::TurnIndex turns_;
  size_t epoch_ = 0, at_ = 0;
  uint64_t first_event_ = 0;
};

struct OtherTurn {
  uint64_t old_event = 0, new_event = 0;  // indices of the Turns; at the end of a trace the number of its events
};

// None: the order is the same. Throws TraceError.
std::optional<OtherTurn> first_other_turn(const trace::TraceFile& before, const trace::TraceFile& after);

}  // namespace cdr::diff

#endif
