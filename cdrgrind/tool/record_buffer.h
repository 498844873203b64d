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
#include "cdrgrind/drain/records.h"

namespace cdr::tool {

using drain::kFirstBlock;
using drain::RecordKind;
using drain::special_header;

class RecordBuffer {
 public:
  static constexpr uint64_t kBytes = 1 << 20;     // the pointer has this bit set when it is time to drain
  static constexpr uint64_t kMargin = 256 << 10;  // for the block or special records that cross the mark
  static constexpr uint64_t kMaxSpecial = 128 << 10;

  // Takes what was written from `begin` on, and gives the place to go on at: kBytes and kMargin of zeroes, aligned to
  // twice kBytes.
  using Pass = uint64_t* (*)(uint64_t* begin, uint64_t words);

  // Such a place; null if there is no memory.
  static uint64_t* allocate();
  // The write pointer is a word of somebody who may want to look at it.
  void start(uint64_t* write_pointer, uint64_t* begin, Pass pass);

  void append(RecordKind kind, ThreadId thread, std::initializer_list<uint64_t> payload) {
    append(kind, thread, std::span<const uint64_t>(payload.begin(), payload.size()));
  }
  void append(RecordKind kind, ThreadId thread, std::span<const uint64_t> payload);
  // Two parts, so that callers need not join them.
  void append(RecordKind kind, ThreadId thread, std::span<const uint64_t> head, std::span<const uint64_t> tail);

  // Records that come from elsewhere: for at least kBytes of them, and how many words were put there.
  std::span<uint64_t> room() const { return {here(), (kBytes + kMargin - bytes_used()) / sizeof(uint64_t)}; }
  void fill(uint64_t words) { move_to(here() + words); }

  // Passes everything written so far on.
  void flush();
  uint64_t bytes_used() const { return *write_pointer_ - reinterpret_cast<uint64_t>(begin_); }
  // All zero again.
  void clear();
  void go_on_at(uint64_t* begin);
  // The words at the write pointer: a block that has not completed, or zero.
  std::span<const uint64_t> unfinished() const;
  // Forgets the unfinished block.
  void discard_unfinished();

  // The thread of the last special record.
  ThreadId last_thread() const { return last_thread_; }

  // For generated code.
  const uint64_t* write_pointer_address() const { return write_pointer_; }

 private:
  uint64_t* here() const { return reinterpret_cast<uint64_t*>(*write_pointer_); }
  void move_to(uint64_t* p);

  uint64_t* write_pointer_ = nullptr;
  uint64_t* begin_ = nullptr;
  Pass pass_ = nullptr;
  ThreadId last_thread_;
  bool passing_ = false;
};

extern RecordBuffer record_buffer;

}  // namespace cdr::tool

extern "C" void cdr_flush_from_code();

#endif
