// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the columns of encode/event_log.h, one event after the other. Trusts nothing but the tables.
#ifndef CDRGRIND_TRACE_READ_EVENT_LOG_READER_H
#define CDRGRIND_TRACE_READ_EVENT_LOG_READER_H

#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/encode/event_log.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

class EventLogReader {
 public:
  // Threads and stacks with larger numbers than `max_serial` are damage.
  EventLogReader(const ModuleTable& modules, const BlockTable& blocks, uint32_t max_serial)
      : modules_(modules), blocks_(blocks), max_serial_(max_serial) {}

  // `columns` must stay until the last next().
  void begin(const Columns& columns);
  // Completes an event of which the path said the kind (and the operation). Spans are valid until the next call.
  // False if the log is damaged.
  bool next(Event& e, uint64_t last_ip);
  bool at_end() const;

  // Where the rows of one kind go on.
  struct Checkpoint {
    std::array<uint32_t, kLogColumns> positions = {};
    LogState last;
  };
  Checkpoint checkpoint(EventKind kind) const;
  // `columns` are those of begin().
  void go_to(EventKind kind, const Checkpoint& checkpoint, const Columns& columns);

 private:
  ByteReader& column(EventKind kind, LogColumn c) { return columns_[static_cast<uint32_t>(kind) * kLogColumns + c]; }
  bool read_words(Event& e, LogState& last);
  bool read_sync(Event& e, LogState& last);
  uint32_t read_u32(EventKind kind, LogColumn c) { return static_cast<uint32_t>(column(kind, c).bounded(~0u)); }

  const ModuleTable& modules_;
  const BlockTable& blocks_;
  uint32_t max_serial_;
  std::vector<ByteReader> columns_;
  std::array<LogState, kEventKindCount> last_;
  std::vector<uint64_t> words_;
  std::vector<MemorySpan> memory_;
};

}  // namespace cdr::trace

#endif
