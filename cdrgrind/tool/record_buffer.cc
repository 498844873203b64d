// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/record_buffer.h"

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

constinit RecordBuffer record_buffer;

namespace {

constinit uint64_t write_pointer = 0;

uint64_t* here() { return reinterpret_cast<uint64_t*>(write_pointer); }

}  // namespace

uint64_t* RecordBuffer::write_pointer_address() { return &write_pointer; }

bool RecordBuffer::create(Drain drain) {
  // Aligned to twice the size, so that crossing kBytes sets exactly one bit.
  const uint64_t size = 2 * kBytes + kBytes + kMargin;
  const SysRes r = VG_(am_mmap_anon_float_valgrind)(size);
  if (sr_isError(r)) return false;
  const uint64_t aligned = (sr_Res(r) + 2 * kBytes - 1) & ~(2 * kBytes - 1);
  begin_ = reinterpret_cast<uint64_t*>(aligned);
  drain_ = drain;
  write_pointer = aligned;
  return true;
}

void RecordBuffer::append(RecordKind kind, ThreadId thread, std::span<const uint64_t> payload) {
  append(kind, thread, payload, {});
}

void RecordBuffer::append(RecordKind kind, ThreadId thread, std::span<const uint64_t> head,
                          std::span<const uint64_t> tail) {
  const size_t words = head.size() + tail.size();
  tl_assert(words * 8 + 16 <= kMaxSpecial);
  const uint64_t limit = reinterpret_cast<uint64_t>(begin_) + kBytes + kMargin - 8;
  if (write_pointer + words * 8 + 16 > limit) flush();
  uint64_t* p = here();
  *p++ = special_header(kind, static_cast<uint32_t>(words));
  *p++ = thread.value;
  if (thread) last_thread_ = thread;
  for (const uint64_t w : head) *p++ = w;
  for (const uint64_t w : tail) *p++ = w;
  write_pointer = reinterpret_cast<uint64_t>(p);
}

void RecordBuffer::flush() {
  if (draining_) return;
  draining_ = true;
  drain_({begin_, here()});
  rewind();
  draining_ = false;
}

void RecordBuffer::drop() {
  discard_unfinished();
  rewind();
}

void RecordBuffer::rewind() {
  VG_(memset)(begin_, 0, write_pointer - reinterpret_cast<uint64_t>(begin_));
  write_pointer = reinterpret_cast<uint64_t>(begin_);
}

std::span<const uint64_t> RecordBuffer::unfinished() const {
  return {here(), reinterpret_cast<const uint64_t*>(reinterpret_cast<uint64_t>(begin_) + kBytes + kMargin)};
}

void RecordBuffer::discard_unfinished() {
  // A block writes at most a few hundred words ahead.
  uint64_t* const end = begin_ + (kBytes + kMargin) / 8;
  for (uint64_t* p = here(); p < end && p < here() + 1024; ++p) *p = 0;
}

}  // namespace cdr::tool

void cdr_flush_from_code() { cdr::tool::record_buffer.flush(); }
