// SPDX-License-Identifier: GPL-2.0-or-later
// Records as the recorder writes them (drain/records.h), a line each, and the events that a drain makes of them.
#ifndef CDRGRIND_TESTS_UNIT_DRAIN_RECORD_STREAM_H
#define CDRGRIND_TESTS_UNIT_DRAIN_RECORD_STREAM_H

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/drain/drain.h"
#include "cdrgrind/drain/superblock_words.h"
#include "tests/unit/trace/small_program.h"

namespace cdr::test {

using drain::RecordKind;

class RecordStream {
 public:
  std::vector<uint64_t> words;

  RecordStream& special(RecordKind kind, uint32_t thread, std::initializer_list<uint64_t> payload = {}) {
    return special(kind, thread, std::vector<uint64_t>(payload));
  }
  RecordStream& special(RecordKind kind, uint32_t thread, const std::vector<uint64_t>& payload) {
    begin();
    words.push_back(drain::special_header(kind, static_cast<uint32_t>(payload.size())));
    words.push_back(thread);
    words.insert(words.end(), payload.begin(), payload.end());
    return *this;
  }
  RecordStream& text(RecordKind kind, uint32_t thread, std::string_view s) {
    std::vector<uint64_t> payload;
    drain::pack_text(s, payload);
    return special(kind, thread, payload);
  }
  // The record id of its first exit.
  uint32_t define(const SuperblockParts& parts, bool toggle = false) {
    const uint32_t first = next_;
    next_ += static_cast<uint32_t>(parts.exits.size());
    std::vector<uint64_t> payload = {first, toggle};
    drain::pack_superblock(parts.view(), payload);
    drain::pack_dataflow({}, payload);
    special(RecordKind::kSuperblock, 0, payload);
    return first;
  }
  // /bin/a, where blocks have their code.
  RecordStream& module() {
    std::vector<uint64_t> payload = {kText, kText + 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (const char* text : {"/bin/a", "", ""}) drain::pack_text(text, payload);
    return special(RecordKind::kModule, 0, payload);
  }
  RecordStream& block(uint32_t record_id, const std::vector<uint64_t>& of_slots = {}) {
    begin();
    words.push_back(drain::block_header(record_id, static_cast<uint32_t>(of_slots.size())));
    words.insert(words.end(), of_slots.begin(), of_slots.end());
    return *this;
  }
  RecordStream& thread_start(uint32_t thread, AddrRange stack, uint64_t sp, uint32_t creator = 0) {
    return special(RecordKind::kThreadStart, thread, {stack.begin, stack.end, sp, 0x7000 + thread, creator});
  }
  RecordStream& sync(RecordKind kind, uint32_t thread, SyncOp op, uint64_t object, uint64_t value = 0) {
    std::vector<uint64_t> payload = {static_cast<uint64_t>(op), object, 0, value};
    if (kind == RecordKind::kSyncLeave) payload.insert(payload.end(), {0, 0});
    return special(kind, thread, payload);
  }
  // Record i without those around it.
  std::span<const uint64_t> record(size_t i) const {
    const size_t end = i + 1 < begins_.size() ? begins_[i + 1] : words.size();
    return std::span(words).subspan(begins_[i], end - begins_[i]);
  }
  size_t records() const { return begins_.size(); }
  // Record i is the first of a forked child, so of a buffer.
  bool forks(size_t i) const { return drain::id_of(words[begins_[i]]) == static_cast<uint32_t>(RecordKind::kForked); }

 private:
  void begin() { begins_.push_back(words.size()); }

  uint32_t next_ = drain::kFirstBlock;
  std::vector<size_t> begins_;
};

// Blocks of 4-byte instructions that do one thing.
inline SuperblockParts with_sp(SuperblockParts p, int64_t constant, uint16_t slot) {
  p.sp_changes = {{constant, static_cast<uint16_t>(p.exits[0].insns - 1), slot}};
  p.exits[0].sp_changes = 1;
  if (slot != 0 && slot != SpChange::kSpAtEntry) p.exits[0].words = slot;
  return p;
}
inline SuperblockParts with_words(SuperblockParts p, uint16_t n) {
  for (uint16_t i = 1; i <= n; ++i) p.accesses.push_back({0, 0, i, 8, 0});
  p.exits[0].words = p.exits[0].accesses = n;
  return p;
}
inline SuperblockParts plain_block(uint64_t addr) { return straight(addr, 1, ExitKind::kFallThrough, 0); }
inline SuperblockParts call_block(uint64_t addr) {
  return with_sp(straight(addr, 2, ExitKind::kCall, 0), -8, SpChange::kSpAtEntry);
}
inline SuperblockParts return_block(uint64_t addr) {
  return with_sp(straight(addr, 1, ExitKind::kReturn, 0), 8, SpChange::kSpAtEntry);
}
inline SuperblockParts moving_block(uint64_t addr, int64_t by) {
  return with_sp(plain_block(addr), by, SpChange::kSpAtEntry);
}
// SP becomes the word.
inline SuperblockParts loading_block(uint64_t addr) {
  SuperblockParts p = with_sp(straight(addr, 1, ExitKind::kIndirectJump, 0), 0, 1);
  p.accesses = {{0, 0, 1, 8, 0}};
  p.exits[0].accesses = 1;
  return p;
}

// A drain, and what came out of it.
struct Drained final : RunSink, drain::RecordSink {
  Tables tables;
  DataflowTable flows;
  std::vector<OwnedEvent> events;
  std::vector<std::pair<RecordKind, std::vector<uint64_t>>> records;
  drain::Drain drain{tables.modules, tables.blocks, flows, *this, *this};

  Drained() = default;
  explicit Drained(const RecordStream& s, const drain::DrainOptions& options = {}) {
    drain.start(options);
    size_t at = 0, end = 0;
    for (size_t i = 0; i < s.records(); ++i) {
      if (s.forks(i)) {
        drain.consume(std::span(s.words).subspan(at, end - at));
        at = end;
      }
      end += s.record(i).size();
    }
    drain.consume(std::span(s.words).subspan(at));
  }
  Drained(const Drained&) = delete;
  Drained& operator=(const Drained&) = delete;

  // The events without the first `n`, their kinds.
  std::vector<EventKind> kinds(size_t n = 0) const {
    std::vector<EventKind> out;
    for (size_t i = n; i < events.size(); ++i) out.push_back(events[i].event.kind);
    return out;
  }
  std::vector<uint32_t> block_ids() const {
    std::vector<uint32_t> out;
    for (const OwnedEvent& e : events)
      if (e.event.kind == EventKind::kBlock) out.push_back(e.event.block.value);
    return out;
  }

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override {
    events.emplace_back(block_of(thread.value, id.value, words));
  }
  void event(const Event& e) override { events.emplace_back(e); }
  void run(ThreadId thread, Steps run) override { dispatch(tables.blocks, thread, run, *this); }
  void record(RecordKind kind, std::span<const uint64_t> payload) override {
    records.emplace_back(kind, std::vector<uint64_t>(payload.begin(), payload.end()));
    // As the session does: a child's table begins anew.
    if (kind == RecordKind::kForked) {
      events.clear();
      tables.blocks = BlockTable();
      flows = DataflowTable();
    }
  }
};

}  // namespace cdr::test

#endif
