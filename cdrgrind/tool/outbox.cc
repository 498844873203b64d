// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/outbox.h"

#include <algorithm>

#include "cdrgrind/tool/processes.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

uint32_t Outbox::put(std::span<const uint8_t> bytes) {
  const uint32_t room = kBytes - (written_ - __atomic_load_n(&read_, __ATOMIC_ACQUIRE));
  const uint32_t at = written_ % kBytes;
  const auto count = static_cast<uint32_t>(std::min<uint64_t>({bytes.size(), room, kBytes - at}));
  if (count == 0) return 0;
  VG_(memcpy)(bytes_ + at, bytes.data(), count);
  __atomic_store_n(&written_, written_ + count, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&reader_sleeps_, __ATOMIC_SEQ_CST)) wake(&written_);
  return count;
}

void Outbox::sleep_until_room(uint32_t milliseconds) {
  __atomic_store_n(&writer_sleeps_, 1, __ATOMIC_SEQ_CST);
  const uint32_t read = __atomic_load_n(&read_, __ATOMIC_SEQ_CST);
  if (written_ - read == kBytes) sleep_on(&read_, read, milliseconds);
  __atomic_store_n(&writer_sleeps_, 0, __ATOMIC_RELAXED);
}

std::span<const uint8_t> Outbox::present() const {
  const uint32_t at = read_ % kBytes;
  return {bytes_ + at, std::min(__atomic_load_n(&written_, __ATOMIC_ACQUIRE) - read_, kBytes - at)};
}

void Outbox::taken(uint32_t bytes) {
  __atomic_store_n(&read_, read_ + bytes, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&writer_sleeps_, __ATOMIC_SEQ_CST)) wake(&read_);
}

void Outbox::sleep_until_present(uint32_t milliseconds) {
  __atomic_store_n(&reader_sleeps_, 1, __ATOMIC_SEQ_CST);
  const uint32_t written = __atomic_load_n(&written_, __ATOMIC_SEQ_CST);
  if (written == read_) sleep_on(&written_, written, milliseconds);
  __atomic_store_n(&reader_sleeps_, 0, __ATOMIC_RELAXED);
}

}  // namespace cdr::tool
