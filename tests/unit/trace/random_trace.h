// SPDX-License-Identifier: GPL-2.0-or-later
// Random tables and event streams: every id exists and every block has its words, otherwise anything goes.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_RANDOM_TRACE_H
#define CDRGRIND_TESTS_UNIT_TRACE_RANDOM_TRACE_H

#include <rapidcheck.h>

#include "cdrgrind/encode/event_fields.h"
#include "tests/unit/trace/memory_trace.h"

namespace cdr::test {

struct RandomTrace {
  Tables tables;
  std::vector<OwnedEvent> events;
};

inline uint64_t any_word() {
  return *rc::gen::oneOf(
      rc::gen::arbitrary<uint64_t>(), rc::gen::inRange<uint64_t>(0, 300),
      rc::gen::element<uint64_t>(0, 1, ~uint64_t{0}, uint64_t{1} << 63, (uint64_t{1} << 63) - 1),
      rc::gen::map(rc::gen::inRange<uint64_t>(0, 200), [](uint64_t x) { return 0x7ffff000 - 8 * x; }));
}
inline uint32_t below(uint32_t n) { return *rc::gen::resize(100, rc::gen::inRange<uint32_t>(0, n)); }

inline void add_random_superblock(Tables& to) {
  Superblock sb;
  sb.addr = any_word();
  sb.length = below(1000);
  sb.flags = static_cast<uint8_t>(below(64));
  sb.module = ModuleId(below(to.modules.size() + 1));
  std::vector<Insn> insns(1 + below(5));
  for (size_t i = 0; i < insns.size(); ++i) insns[i] = {static_cast<uint32_t>(4 * i), 4};
  const auto words = static_cast<uint16_t>(below(4));
  std::vector<Access> accesses;
  for (uint16_t slot = 0; slot <= words; ++slot)
    accesses.push_back({static_cast<int64_t>(any_word()),
                        static_cast<uint16_t>(below(static_cast<uint32_t>(insns.size()))), slot,
                        static_cast<uint16_t>(1 + below(64)), static_cast<uint8_t>(slot == 0 ? 0 : below(32))});
  std::vector<SpChange> changes = {{static_cast<int64_t>(any_word()), 0, words}, {-8, 0, SpChange::kSpAtEntry}};
  const auto n = static_cast<uint16_t>(insns.size());
  std::vector<Exit> exits;
  for (uint16_t w = 0; w <= words; ++w) {
    Exit e;
    e.target = below(2) ? any_word() : 0;
    e.insns = n;
    e.words = w;
    e.accesses = static_cast<uint16_t>(w + (w == words));
    e.sp_changes = w == words ? 2 : 0;
    e.kind = static_cast<ExitKind>(below(kExitKindCount));
    e.guard = static_cast<ExitGuard>(below(kExitGuardCount));
    e.insn_executed = below(2);
    exits.push_back(e);
  }
  sb.insns = insns;
  sb.accesses = accesses;
  sb.sp_changes = changes;
  sb.exits = exits;
  const SuperblockId id = to.blocks.add_superblock(sb);
  for (uint16_t e = 0; e < exits.size(); ++e)
    if (below(3)) to.blocks.add_block(id, e);
}

inline Sync random_sync() {
  return {static_cast<SyncOp>(below(kSyncOpCount)), static_cast<uint8_t>(below(4)), any_word(), any_word(), any_word(),
          static_cast<int64_t>(any_word())};
}

// All members that the kind has.
inline OwnedEvent random_event(const Tables& tables) {
  OwnedEvent o;
  Event& e = o.event;
  e.kind = below(2) ? EventKind::kBlock : static_cast<EventKind>(1 + below(kEventKindCount - 1));
  e.thread = ThreadId(1 + below(3));
  const uint32_t has = fields_of(e.kind);
  if (has & kFieldBlock) e.block = BlockId(1 + below(tables.blocks.block_count()));
  if (has & kFieldIp) e.ip = any_word();
  if (e.kind == EventKind::kMpiWords) {
    o.words.resize(below(6));
    for (uint64_t& w : o.words) w = any_word();
  } else if (has & kFieldWords) {
    const Superblock& sb = tables.blocks.superblock_of(e.block);
    if (e.kind == EventKind::kPartial) e.ip = sb.addr + below(sb.length + 1);
    o.words.resize(e.kind == EventKind::kPartial ? executed_before(sb, e.ip).words
                                                 : tables.blocks.exit_of(e.block).words);
    for (uint64_t& w : o.words) w = any_word();
  }
  if (has & kFieldSp) e.sp = any_word();
  if (has & kFieldCount) e.count = static_cast<uint32_t>(any_word());
  if (has & kFieldStack) e.stack = StackId(below(9));
  if (has & kFieldRange) e.range = {any_word(), any_word()};
  if (has & kFieldChild) e.child = ThreadId(below(9));
  if (has & kFieldAddr) e.addr = any_word();
  if (has & kFieldSize) e.size = any_word();
  if (has & kFieldValue) e.value = any_word();
  if (has & kFieldResult) e.result = static_cast<int64_t>(any_word());
  if (has & kFieldSync) e.sync = random_sync();
  if (has & kFieldModule) e.module = ModuleId(1 + below(tables.modules.size()));
  if (has & kFieldMemory)
    for (uint32_t n = below(4); n > 0; --n) o.memory.push_back({any_word(), any_word(), below(2) == 1});
  if (has & kFieldText) o.text = *rc::gen::arbitrary<std::string>();
  return o;
}

inline RandomTrace random_trace(uint32_t max_events) {
  RandomTrace t;
  for (uint32_t n = 1 + below(3); n > 0; --n) {
    Module m;
    m.path = "/lib/x.so";
    m.soname = "x";
    m.text = {any_word(), any_word()};
    m.bias = any_word();
    m.got = {any_word(), any_word()};
    m.plt = {any_word(), any_word()};
    m.flags = static_cast<uint8_t>(below(4));
    t.tables.modules.add(m);
  }
  for (uint32_t n = 1 + below(6); n > 0; --n) add_random_superblock(t.tables);
  if (t.tables.blocks.block_count() == 0) t.tables.blocks.add_block(SuperblockId(1), 0);
  for (uint32_t n = below(max_events); n > 0; --n) t.events.push_back(random_event(t.tables));
  return t;
}

// Plain or compact, with frames and epochs small enough that a short trace has several.
inline RecordingOptions random_options() {
  RecordingOptions o;
  o.zstd_level = *rc::gen::inRange(1, 4);
  o.form = *rc::gen::element(RecordingForm::kPlain, RecordingForm::kCompact);
  o.raw_frame_bytes = *rc::gen::element<uint32_t>(64, 500, 1 << 20);
  o.epoch_blocks = *rc::gen::element<uint64_t>(3, 30, 1 << 24);
  o.control = *rc::gen::element(ControlForm::kAuto, ControlForm::kGrammar, ControlForm::kRuns, ControlForm::kPredicted);
  o.control_window = *rc::gen::element<uint32_t>(1, 2, 7, 1 << 16);
  return o;
}

}  // namespace cdr::test

#endif
