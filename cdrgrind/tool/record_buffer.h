// SPDX-License-Identifier: GPL-2.0-or-later
// The one buffer for all threads. Generated code reads and writes the write pointer in a global word and
// calls cdr_flush_from_code when it has crossed the mark; special records are appended by the functions here.
//
// Invariants: between blocks the word at the write pointer is zero. While a block runs it holds the rec id
// of one of its exits, so after a fault it names the superblock that did not complete.
#ifndef CDRGRIND_TOOL_RECORD_BUFFER_H
#define CDRGRIND_TOOL_RECORD_BUFFER_H

#include <cstdint>
#include <initializer_list>
#include <span>

#include "cdrgrind/base/id.h"
#include "cdrgrind/tool/records.h"

namespace cdr::tool {

class RecordBuffer {
 public:
  static constexpr uint64_t kBytes = 1 << 20;     // the pointer has this bit set when it is time to drain
  static constexpr uint64_t kMargin = 256 << 10;  // for the block or special records that cross the mark
  static constexpr uint64_t kMaxSpecial = 128 << 10;

  using Drain = void (*)(std::span<const uint64_t> records);

  // False if there is no memory. `drain` receives whole records.
  bool create(Drain drain);

  void append(RecordKind kind, ThreadId thread, std::initializer_list<uint64_t> payload) {
    append(kind, thread, std::span<const uint64_t>(payload.begin(), payload.size()));
  }
  void append(RecordKind kind, ThreadId thread, std::span<const uint64_t> payload);
  // Two parts, so that callers need not join them.
  void append(RecordKind kind, ThreadId thread, std::span<const uint64_t> head, std::span<const uint64_t> tail);

  // Passes everything written so far to the consumer.
  void flush();
  uint64_t bytes_used() const { return *write_pointer_address() - reinterpret_cast<uint64_t>(begin_); }
  // Forgets everything written so far (a forked child).
  void drop();
  // The words at the write pointer: a block that has not completed, or zero.
  std::span<const uint64_t> unfinished() const;
  // Forgets the unfinished block.
  void discard_unfinished();

  // The thread of the last special record.
  ThreadId last_thread() const { return last_thread_; }

  // For generated code.
  static uint64_t* write_pointer_address();

 private:
  void rewind();

  uint64_t* begin_ = nullptr;
  Drain drain_ = nullptr;
  ThreadId last_thread_;
  bool draining_ = false;
};

extern RecordBuffer record_buffer;

}  // namespace cdr::tool

extern "C" void cdr_flush_from_code();

#endif
