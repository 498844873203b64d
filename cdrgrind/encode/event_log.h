// SPDX-License-Identifier: GPL-2.0-or-later
// The events between stretches, in the true order of all threads, as columns: one per member of each kind of event
// (encode/event_fields.h). What the control path already says is not there: kinds, operations, threads. Numbers
// are differences to the event before of the same kind; IP to what the thread's model makes likely. So a row is read
// without what lies before it but rows of its kind.
#ifndef CDRGRIND_ENCODE_EVENT_LOG_H
#define CDRGRIND_ENCODE_EVENT_LOG_H

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/event.h"

namespace cdr {

// Columns of a kind of event. Members that are small and members that are addresses do not share one.
enum LogColumn : uint32_t {
  kLogBlock,
  kLogIp,
  kLogWords,
  kLogSp,
  kLogNumber,
  kLogAddr,
  kLogSize,
  kLogValue,
  kLogResult,
  kLogFlags,
  kLogObject,
  kLogObject2,
  kLogMemory,
  kLogText,
  kLogColumns
};
constexpr uint32_t kLogColumnCount = kEventKindCount * kLogColumns;

// What the differences of one kind's events refer to. Both sides keep it.
struct LogState {
  uint64_t sp = 0, words = 0, addr = 0, value = 0, object = 0, object2 = 0, memory = 0;
};

class EventLog {
 public:
  // `last_ip` is the thread's before the event.
  void add(const Event& e, uint64_t last_ip);
  // Column k * kLogColumns + c is column c of kind k; empty ones behind the last that is not are left out.
  std::vector<std::span<const uint8_t>> columns() const;
  size_t bytes() const;
  void clear();

 private:
  ByteWriter& column(EventKind kind, LogColumn c) { return columns_[static_cast<uint32_t>(kind) * kLogColumns + c]; }
  void add_sync(const Event& e, LogState& last);
  void add_memory(const Event& e, LogState& last);

  std::array<ByteWriter, kLogColumnCount> columns_;
  std::array<LogState, kEventKindCount> last_;
};

}  // namespace cdr

#endif
