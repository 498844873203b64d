// SPDX-License-Identifier: GPL-2.0-or-later
// The events of one epoch that stand between stretches and have members of their own (rows of the LOG frame), for
// random access: which rows a thread has, at which of its events; and each row by its number.
#ifndef CDRGRIND_TRACE_INDEX_LOG_INDEX_H
#define CDRGRIND_TRACE_INDEX_LOG_INDEX_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/trace/index/path_index.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/event_log_reader.h"

namespace cdr::trace {

// Row `row` (from 0) of its kind is event number `event` of the thread in the epoch.
struct EventRow {
  uint64_t event = 0;
  uint32_t row = 0;
  uint8_t terminal = 0;  // of the path
  EventKind kind() const {
    Event e;
    event_of_terminal(terminal, e);
    return e.kind;
  }
};

// How many of the rows, by ascending events, stand before an event of the thread.
template <class Row>
size_t rows_before(std::span<const Row> rows, uint64_t event) {
  return static_cast<size_t>(
      std::partition_point(rows.begin(), rows.end(), [&](const Row& r) { return r.event < event; }) - rows.begin());
}

// A StackSwitch or ThreadStart: the stack on which the thread is from there on.
struct StackChange {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint64_t event = 0;
  EventKind kind = EventKind::kNone;
  StackId stack;
  uint32_t previous = kNone;  // the last change before to the same stack
};

class LogIndex {
 public:
  LogIndex(const ModuleTable& modules, const BlockTable& blocks, uint32_t max_serial)
      : reader_(modules, blocks, max_serial) {}

  // False if the path has more rows than the log can hold. `log` must outlive the index. O(rows).
  bool load(const Columns& log, const PathIndex& paths, const TurnIndex& turns);

  // Of the string of a thread, by ascending events.
  std::span<const EventRow> rows(uint32_t string) const { return rows_[string]; }
  // Those of them that tell SP, pop frames or change the stack.
  std::span<const EventRow> frame_rows(uint32_t string) const { return frame_rows_[string]; }

  // Kind and members, but for `thread`; `last_ip` is the thread's before it. Spans are valid until the next call. False
  // if the log is damaged. O(1) once a row of the kind was read.
  bool read(const EventRow& row, uint64_t last_ip, Event& e);
  // Of the string of a thread, by ascending events. False if the log is damaged. O(1) once they were read.
  bool stack_changes(uint32_t string, std::span<const StackChange>& changes);

 private:
  bool collect(const PathIndex& paths, uint32_t string, uint64_t& room);
  void number(const TurnIndex& turns, const PathIndex& paths);
  bool mark_up_to(EventKind kind, uint32_t row);

  const Columns* log_ = nullptr;
  EventLogReader reader_;
  std::vector<bool> with_rows_;              // by rule: whether it derives a row
  std::vector<std::vector<EventRow>> rows_;  // by string
  std::vector<std::vector<EventRow>> frame_rows_;
  std::vector<std::optional<std::vector<StackChange>>> stack_changes_;
  struct Kind {
    std::vector<EventLogReader::Checkpoint> checkpoints;  // before rows 0, kRowsPerCheckpoint, …
  };
  std::array<Kind, kEventKindCount> kinds_;
};

}  // namespace cdr::trace

#endif
