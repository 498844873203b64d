// SPDX-License-Identifier: GPL-2.0-or-later
// Traces built in code: an Output in memory, tables, and events in one line each.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_MEMORY_TRACE_H
#define CDRGRIND_TESTS_UNIT_TRACE_MEMORY_TRACE_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/encode/recording.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::test {

// Fails when it would hold more than `room` bytes.
struct MemoryOutput final : Output {
  std::vector<uint8_t> bytes;
  size_t room = SIZE_MAX;
  size_t writes_after_failure = 0;
  bool failed = false;

  bool write(std::span<const uint8_t> more) override {
    if (failed) ++writes_after_failure;
    if (bytes.size() + more.size() > room) {
      bytes.insert(bytes.end(), more.begin(), more.begin() + static_cast<ptrdiff_t>(room - bytes.size()));
      failed = true;
      return false;
    }
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
  void mark_cut() override {
    if (bytes.size() >= kCutMarkOffset + kCutMark.size())
      std::copy(kCutMark.begin(), kCutMark.end(), bytes.begin() + kCutMarkOffset);
  }
};

// An event that owns what the spans of Event point to.
struct OwnedEvent {
  Event event;
  std::vector<uint64_t> words;
  std::vector<MemorySpan> memory;
  std::string text;

  OwnedEvent() = default;
  explicit OwnedEvent(const Event& e)
      : event(e), words(e.words.begin(), e.words.end()), memory(e.memory.begin(), e.memory.end()), text(e.text) {
    event.words = {};
    event.memory = {};
    event.text = {};
  }
  Event view() const {
    Event e = event;
    e.words = words;
    e.memory = memory;
    e.text = text;
    return e;
  }
  bool operator==(const OwnedEvent& o) const {
    const Event &a = event, &b = o.event;
    return a.kind == b.kind && a.thread == b.thread && a.block == b.block && a.ip == b.ip && a.sp == b.sp &&
           a.count == b.count && a.stack == b.stack && a.range == b.range && a.child == b.child && a.addr == b.addr &&
           a.size == b.size && a.value == b.value && a.result == b.result && a.sync == b.sync && a.module == b.module &&
           words == o.words && memory == o.memory && text == o.text;
  }
};

inline std::vector<OwnedEvent> all_events(const trace::TraceFile& file,
                                          EventDecoder::Words check = EventDecoder::Words::kExact) {
  std::vector<OwnedEvent> events;
  trace::Cursor cursor(file, check);
  for (Event e; cursor.next(e);) events.emplace_back(e);
  return events;
}

inline Event event_of(EventKind kind, uint32_t thread) {
  Event e;
  e.kind = kind;
  e.thread = ThreadId(thread);
  return e;
}

// A summary under construction.
struct FlowParts {
  std::vector<FlowInput> inputs;
  std::vector<uint32_t> set_ends;
  std::vector<uint16_t> slots;
  std::vector<AccessFlow> accesses;
  std::vector<StateWrite> writes;
  std::vector<ExitFlow> exits;

  FlowParts() = default;
  explicit FlowParts(const Dataflow& d)
      : inputs(d.inputs.begin(), d.inputs.end()),
        set_ends(d.set_ends.begin(), d.set_ends.end()),
        slots(d.slots.begin(), d.slots.end()),
        accesses(d.accesses.begin(), d.accesses.end()),
        writes(d.writes.begin(), d.writes.end()),
        exits(d.exits.begin(), d.exits.end()) {}
  Dataflow view() const { return {inputs, set_ends, slots, accesses, writes, exits}; }
  bool operator==(const FlowParts&) const = default;
};

struct Tables {
  ModuleTable modules;
  BlockTable blocks;
};

// One block with a word, one with a guarded word.
inline Tables two_blocks() {
  Tables t;
  Superblock sb;
  const std::vector<Insn> insns = {{0, 4}};
  std::vector<Access> accesses = {{0, 0, 1, 8, 0}};
  const std::vector<Exit> exits = {{.insns = 1, .accesses = 1, .words = 1}};
  sb.addr = 0x1000;
  sb.length = 4;
  sb.insns = insns;
  sb.exits = exits;
  sb.accesses = accesses;
  t.blocks.add_block(t.blocks.add_superblock(sb), 0);
  accesses[0].flags = kAccessGuarded;
  sb.addr = 0x2000;
  sb.accesses = accesses;
  t.blocks.add_block(t.blocks.add_superblock(sb), 0);
  return t;
}

inline std::vector<uint8_t> record(const Tables& tables, std::span<const OwnedEvent> events,
                                   const RecordingOptions& options = {}, uint32_t parent_pid = 0) {
  MemoryOutput out;
  const std::vector<MetaEntry> meta = {{"program", "/bin/true"}, {"arg", "a"}, {"arg", ""}};
  const RunInfo run{.pid = 71, .parent_pid = parent_pid, .process_start = 9, .wall_ns = 5};
  Recording to(out, tables.modules, tables.blocks, run, meta, options);
  for (const OwnedEvent& e : events) dispatch(e.view(), to);
  to.close({.exit = "exit 0"});
  return out.bytes;
}

inline trace::TraceFile open_bytes(std::vector<uint8_t> bytes) {
  return trace::TraceFile::from_bytes(std::move(bytes), "test.trace");
}

}  // namespace cdr::test

#endif
