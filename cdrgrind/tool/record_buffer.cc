// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/record_buffer.h"

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

constinit RecordBuffer record_buffer;

uint64_t* RecordBuffer::allocate() {
  // Aligned to twice the size, so that crossing kBytes sets exactly one bit.
  const SysRes r = VG_(am_mmap_anon_float_valgrind)(2 * kBytes + kBytes + kMargin);
  if (sr_isError(r)) return nullptr;
  return reinterpret_cast<uint64_t*>((sr_Res(r) + 2 * kBytes - 1) & ~(2 * kBytes - 1));
}

void RecordBuffer::start(uint64_t* write_pointer, uint64_t* begin, Pass pass) {
  write_pointer_ = write_pointer;
  pass_ = pass;
  go_on_at(begin);
}

void RecordBuffer::append(RecordKind kind, ThreadId thread, std::span<const uint64_t> payload) {
  append(kind, thread, payload, {});
}

void RecordBuffer::append(RecordKind kind, ThreadId thread, std::span<const uint64_t> head,
                          std::span<const uint64_t> tail) {
  const size_t words = head.size() + tail.size();
  tl_assert(words * 8 + 16 <= kMaxSpecial);
  const uint64_t limit = reinterpret_cast<uint64_t>(begin_) + kBytes + kMargin - 8;
  if (*write_pointer_ + words * 8 + 16 > limit) flush();
  uint64_t* p = here();
  *p++ = special_header(kind, static_cast<uint32_t>(words));
  *p++ = thread.value;
  if (thread) last_thread_ = thread;
  for (const uint64_t w : head) *p++ = w;
  for (const uint64_t w : tail) *p++ = w;
  move_to(p);
}

void RecordBuffer::flush() {
  if (passing_) return;
  passing_ = true;
  go_on_at(pass_(begin_, static_cast<uint64_t>(here() - begin_)));
  passing_ = false;
}

void RecordBuffer::go_on_at(uint64_t* begin) {
  begin_ = begin;
  move_to(begin);
}

// What stands before the pointer is whole whenever somebody looks.
void RecordBuffer::move_to(uint64_t* p) {
  __atomic_store_n(write_pointer_, reinterpret_cast<uint64_t>(p), __ATOMIC_RELEASE);
}

std::span<const uint64_t> RecordBuffer::unfinished() const {
  return {here(), const_cast<const uint64_t*>(begin_) + (kBytes + kMargin) / 8};
}

void RecordBuffer::discard_unfinished() {
  // A block writes at most a few hundred words ahead.
  uint64_t* const end = begin_ + (kBytes + kMargin) / 8;
  for (uint64_t* p = here(); p < end && p < here() + 1024; ++p) *p = 0;
}

void RecordBuffer::clear() {
  discard_unfinished();
  VG_(memset)(begin_, 0, bytes_used());
}

}  // namespace cdr::tool

void cdr_flush_from_code() { cdr::tool::record_buffer.flush(); }
