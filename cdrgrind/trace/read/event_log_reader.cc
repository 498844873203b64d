// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/event_log_reader.h"

#include <algorithm>

#include "cdrgrind/encode/event_codec.h"
#include "cdrgrind/encode/event_fields.h"

namespace cdr::trace {
namespace {

uint64_t read_delta(ByteReader& in, uint64_t& last) { return last = in.delta(last); }

}  // namespace

void EventLogReader::begin(const Columns& columns) {
  columns_.clear();
  for (uint32_t i = 0; i < kLogColumnCount; ++i) columns_.emplace_back(columns[i]);
  last_ = {};
}

bool EventLogReader::next(Event& e, uint64_t last_ip) {
  const uint32_t has = fields_of(e.kind);
  LogState& last = last_[static_cast<uint8_t>(e.kind)];
  const auto in = [&](LogColumn c) -> ByteReader& { return column(e.kind, c); };
  if (has & kFieldBlock) {
    e.block = BlockId(read_u32(e.kind, kLogBlock));
    if (!blocks_.has(e.block)) return false;
  }
  if (has & kFieldIp) e.ip = in(kLogIp).delta(last_ip);
  if ((has & kFieldWords) && !read_words(e, last)) return false;
  if (has & kFieldSp) e.sp = read_delta(in(kLogSp), last.sp);
  if (has & kFieldCount) e.count = read_u32(e.kind, kLogNumber);
  if (has & kFieldStack) e.stack = StackId(static_cast<uint32_t>(in(kLogNumber).bounded(max_serial_)));
  if (has & kFieldRange) {
    e.range.begin = read_delta(in(kLogAddr), last.addr);
    e.range.end = e.range.begin + in(kLogSize).varint();
  }
  if (has & kFieldChild) e.child = ThreadId(static_cast<uint32_t>(in(kLogNumber).bounded(max_serial_)));
  if (has & kFieldAddr) e.addr = read_delta(in(kLogAddr), last.addr);
  if (has & kFieldSize) e.size = in(kLogSize).varint();
  if (has & kFieldValue) e.value = read_delta(in(kLogValue), last.value);
  if (has & kFieldResult) e.result = in(kLogResult).svarint();
  if ((has & kFieldSync) && !read_sync(e, last)) return false;
  if (has & kFieldModule) {
    e.module = ModuleId(read_u32(e.kind, kLogNumber));
    if (!modules_.has(e.module)) return false;
  }
  if (has & kFieldMemory) {
    read_memory(in(kLogMemory), last.memory, memory_);
    e.memory = memory_;
  }
  if (has & kFieldText) e.text = in(kLogText).text();
  for (uint32_t c = 0; c < kLogColumns; ++c)
    if (!in(static_cast<LogColumn>(c)).ok()) return false;
  return true;
}

bool EventLogReader::read_words(Event& e, LogState& last) {
  ByteReader& in = column(e.kind, kLogWords);
  words_.resize(column(e.kind, kLogNumber).bounded(std::min<uint64_t>(in.left(), 0xffff)));
  for (uint64_t& w : words_) w = read_delta(in, last.words);
  e.words = words_;
  return in.ok();
}

bool EventLogReader::read_sync(Event& e, LogState& last) {
  e.sync.flags = column(e.kind, kLogFlags).u8();
  e.sync.object = read_delta(column(e.kind, kLogObject), last.object);
  e.sync.object2 = read_delta(column(e.kind, kLogObject2), last.object2);
  e.sync.value = column(e.kind, kLogValue).varint();
  e.sync.result = column(e.kind, kLogResult).svarint();
  return true;
}

EventLogReader::Checkpoint EventLogReader::checkpoint(EventKind kind) const {
  const auto k = static_cast<uint32_t>(kind);
  Checkpoint m;
  m.last = last_[k];
  for (uint32_t c = 0; c < kLogColumns; ++c)
    m.positions[c] = static_cast<uint32_t>(columns_[k * kLogColumns + c].position());
  return m;
}

void EventLogReader::go_to(EventKind kind, const Checkpoint& checkpoint, const Columns& columns) {
  const auto k = static_cast<uint32_t>(kind);
  last_[k] = checkpoint.last;
  for (uint32_t c = 0; c < kLogColumns; ++c) {
    ByteReader& column = columns_[k * kLogColumns + c];
    column = ByteReader(columns[k * kLogColumns + c]);
    column.raw(checkpoint.positions[c]);
  }
}

bool EventLogReader::at_end() const {
  return std::all_of(columns_.begin(), columns_.end(), [](const ByteReader& c) { return c.at_end(); });
}

}  // namespace cdr::trace
