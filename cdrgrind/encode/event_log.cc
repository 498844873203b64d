// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/event_log.h"

#include "cdrgrind/encode/event_fields.h"

namespace cdr {

void EventLog::add(const Event& e, uint64_t last_ip) {
  const uint32_t has = fields_of(e.kind);
  LogState& last = last_[static_cast<uint8_t>(e.kind)];
  const auto to = [&](LogColumn c) -> ByteWriter& { return column(e.kind, c); };
  if (has & kFieldBlock) to(kLogBlock).varint(e.block.value);
  if (has & kFieldIp) to(kLogIp).delta(e.ip, last_ip);
  if (has & kFieldWords) {
    to(kLogNumber).varint(e.words.size());
    for (const uint64_t w : e.words) to(kLogWords).next_delta(w, last.words);
  }
  if (has & kFieldSp) to(kLogSp).next_delta(e.sp, last.sp);
  if (has & kFieldCount) to(kLogNumber).varint(e.count);
  if (has & kFieldStack) to(kLogNumber).varint(e.stack.value);
  if (has & kFieldRange) {
    to(kLogAddr).next_delta(e.range.begin, last.addr);
    to(kLogSize).varint(e.range.end - e.range.begin);
  }
  if (has & kFieldChild) to(kLogNumber).varint(e.child.value);
  if (has & kFieldAddr) to(kLogAddr).next_delta(e.addr, last.addr);
  if (has & kFieldSize) to(kLogSize).varint(e.size);
  if (has & kFieldValue) to(kLogValue).next_delta(e.value, last.value);
  if (has & kFieldResult) to(kLogResult).svarint(e.result);
  if (has & kFieldSync) add_sync(e, last);
  if (has & kFieldModule) to(kLogNumber).varint(e.module.value);
  if (has & kFieldMemory) add_memory(e, last);
  if (has & kFieldText) to(kLogText).text(e.text);
}

void EventLog::add_sync(const Event& e, LogState& last) {
  column(e.kind, kLogFlags).u8(e.sync.flags);
  column(e.kind, kLogObject).next_delta(e.sync.object, last.object);
  column(e.kind, kLogObject2).next_delta(e.sync.object2, last.object2);
  column(e.kind, kLogValue).varint(e.sync.value);
  column(e.kind, kLogResult).svarint(e.sync.result);
}

void EventLog::add_memory(const Event& e, LogState& last) {
  ByteWriter& to = column(e.kind, kLogMemory);
  to.varint(e.memory.size());
  for (const MemorySpan& m : e.memory) {
    to.next_delta(m.addr, last.memory);
    to.varint(m.size);
    to.u8(m.store);
  }
}

std::vector<std::span<const uint8_t>> EventLog::columns() const {
  std::vector<std::span<const uint8_t>> all;
  for (const ByteWriter& c : columns_) all.push_back(c.bytes());
  while (!all.empty() && all.back().empty()) all.pop_back();
  return all;
}

size_t EventLog::bytes() const {
  size_t n = 0;
  for (const ByteWriter& c : columns_) n += c.size();
  return n;
}

void EventLog::clear() {
  for (ByteWriter& c : columns_) c.clear();
  last_ = {};
}

}  // namespace cdr
