// SPDX-License-Identifier: GPL-2.0-or-later
// Random programs for slices: functions of a few superblocks with branches, loops, calls and indirect jumps, whose
// instructions move values between a few registers and a little memory; and walks of two threads through them.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_SLICE_RANDOM_PROGRAM_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_SLICE_RANDOM_PROGRAM_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "cdrgrind/analysis/events/access_position.h"
#include "cdrgrind/base/dataflow_builder.h"
#include "tests/unit/trace/small_program.h"

namespace cdr::test {

class RandomProgram {
 public:
  enum class Loops : uint8_t { kAsTheyCome, kRepeat };  // kRepeat: what came back to where it began often comes again
  explicit RandomProgram(uint32_t seed, Loops loops = Loops::kAsTheyCome) : random_(seed), loops_(loops) {
    Module m;
    m.path = "/bin/random";
    m.text = {kText, kText + kFunctions * kFunctionBytes};
    tables.modules.add(m);
    for (uint32_t f = 0; f < kFunctions; ++f) make_function(f);
    for (uint32_t t = 1; t <= kThreads; ++t) start_thread(t);
    const size_t most = loops == Loops::kRepeat ? kEventsWithRepeats : kEvents;
    while (events.size() < most && running()) run_thread(1 + below(kThreads), 1 + below(8));
  }

  Tables tables;
  DataflowTable flows;
  std::vector<OwnedEvent> events;
  struct Happened {
    analysis::AccessPosition at;
    uint32_t thread = 0;
  };
  std::vector<Happened> accesses;

 private:
  static constexpr uint32_t kFunctions = 3, kThreads = 2;
  static constexpr uint64_t kFunctionBytes = 0x1000, kMemory = 0x601000, kBytes = 32;
  static constexpr size_t kEvents = 150, kEventsWithRepeats = 2000;
  static constexpr std::array<uint16_t, 12> kRegisters = {kStateRax,    kStateRcx, kStateRbx, kStateR12,
                                                          kStateCcDep1, kStateRdx, kStateRsi, kStateRdi,
                                                          kStateR11,    kStateR15, kStateRbp, kStateR12 + 8};
  static constexpr uint32_t kFewRegisters = 5;

  struct Code {
    SuperblockId id;
    std::vector<Exit> exits;
    std::vector<BlockId> blocks;  // by exit
    std::vector<Access> accesses;
    uint64_t addr = 0;
  };
  struct Frame {
    uint32_t function = 0, block = 0;
    bool operator==(const Frame&) const = default;
  };
  // Before a block of a thread that has run since.
  struct Before {
    size_t event = 0, access = 0;
    std::vector<Frame> frames;
  };
  struct Walker {
    std::vector<Frame> frames;
    uint64_t sp = 0;
    bool over = false;
  };

  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random_); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  uint16_t any_register() { return kRegisters[below(loops_ == Loops::kRepeat ? kRegisters.size() : kFewRegisters)]; }

  void make_function(uint32_t f) {
    const uint32_t n = 3 + below(5);
    std::vector<uint64_t> starts;
    std::vector<uint16_t> lengths;
    uint64_t at = kText + f * kFunctionBytes;
    for (uint32_t b = 0; b < n; ++b) {
      starts.push_back(at);
      lengths.push_back(static_cast<uint16_t>(1 + below(4)));
      at += 4u * lengths.back();
    }
    starts.push_back(at);
    functions_.emplace_back();
    for (uint32_t b = 0; b < n; ++b) make_superblock(f, b, lengths[b], starts);
  }

  void make_superblock(uint32_t f, uint32_t b, uint16_t insns, const std::vector<uint64_t>& starts) {
    const auto n = static_cast<uint32_t>(starts.size() - 1);
    SuperblockParts sb = straight(starts[b], insns, ExitKind::kFallThrough, starts[b + 1]);
    if (b == 0) sb.sb.flags = kBlockFunctionEntry;
    const Exit last = last_exit(f, b, n, insns, starts);
    sb.exits.clear();
    DataflowBuilder builder;
    uint16_t words = 0;
    for (uint16_t i = 0; i < insns; ++i) {
      make_insn(i, sb, builder, words);
      if (i + 1 == insns || !chance(30)) continue;
      Exit side = last;
      side.kind = ExitKind::kBranch;
      side.guard = ExitGuard::kCondition;
      side.target = starts[below(n)];
      add_exit(side, static_cast<uint16_t>(i + 1), words, sb, builder);
    }
    if (b + 1 < n && last.kind == ExitKind::kFallThrough && chance(60)) {
      Exit side = last;
      side.kind = ExitKind::kBranch;
      side.guard = ExitGuard::kCondition;
      side.target = starts[below(n)];
      add_exit(side, insns, words, sb, builder);
    }
    add_exit(last, insns, words, sb, builder);
    flows.add(builder.finish());
    Code code;
    code.id = tables.blocks.add_superblock(sb.view());
    code.exits = sb.exits;
    code.accesses = sb.accesses;
    code.addr = starts[b];
    code.blocks.resize(sb.exits.size());
    functions_[f].push_back(code);
  }

  Exit last_exit(uint32_t f, uint32_t b, uint32_t n, uint16_t insns, const std::vector<uint64_t>& starts) {
    Exit e;
    e.insns = insns;
    e.target = starts[b + 1];
    const uint32_t kind = below(10);
    if (b + 1 == n) {
      e.kind = ExitKind::kReturn;
      e.target = 0;
    } else if (kind == 0) {
      e.kind = ExitKind::kIndirectJump;
      e.target = 0;
    } else if (kind == 1) {
      e.kind = ExitKind::kBranch;
      e.target = starts[below(n)];
    } else if (kind <= 3 && f > 0) {
      e.kind = kind == 2 ? ExitKind::kCall : ExitKind::kIndirectCall;
      e.target = kind == 2 ? kText + below(f) * kFunctionBytes : 0;
    }
    return e;
  }

  void add_exit(Exit e, uint16_t insns, uint16_t words, SuperblockParts& sb, DataflowBuilder& builder) {
    e.insns = insns;
    e.accesses = static_cast<uint16_t>(sb.accesses.size());
    e.words = words;
    const bool decides = e.guard == ExitGuard::kCondition || e.target == 0;
    builder.exit(decides && chance(80) ? builder.read(any_register(), 8) : DataflowBuilder::kEmpty);
    sb.exits.push_back(e);
  }

  // A move, perhaps from or to memory.
  void make_insn(uint16_t number, SuperblockParts& sb, DataflowBuilder& builder, uint16_t& words) {
    const uint32_t kind = below(5);
    if (kind >= 3) return builder.write(any_register(), 8, kind == 3 ? value(builder) : DataflowBuilder::kEmpty);
    Access a;
    a.insn = number;
    a.width = static_cast<uint16_t>(1u << below(4));
    a.flags = static_cast<uint8_t>((kind == 0 ? kAccessStore : 0) | (chance(15) ? kAccessLinkage : 0));
    if (chance(50)) {
      builder.slot(chance(80) ? builder.read(any_register(), 8) : DataflowBuilder::kEmpty);
      a.slot = ++words;
    } else {
      a.constant = static_cast<int64_t>(kMemory + below(kBytes));
    }
    const auto n = static_cast<uint16_t>(sb.accesses.size());
    sb.accesses.push_back(a);
    builder.access(a.store() ? value(builder) : DataflowBuilder::kEmpty, DataflowBuilder::kEmpty);
    if (!a.store()) builder.write(any_register(), 8, weakened(builder.load(n), builder));
  }
  DataflowBuilder::Set value(DataflowBuilder& builder) {
    DataflowBuilder::Set s = builder.read(any_register(), 8);
    if (chance(30)) s = builder.unite(s, builder.read(any_register(), 8));
    return weakened(s, builder);
  }
  DataflowBuilder::Set weakened(DataflowBuilder::Set s, DataflowBuilder& builder) {
    return chance(5) ? builder.weaken(s) : s;
  }

  void start_thread(uint32_t t) {
    Event e = event_of(EventKind::kThreadStart, t);
    e.stack = StackId(t);
    e.range = {kStackEnd - 0x10000 * t, kStackEnd - 0x10000 * (t - 1)};
    e.sp = e.range.end - 0x100;
    events.emplace_back(e);
    running_ = t;
    walkers_.resize(t + 1);
    walkers_[t].sp = e.sp;
    walkers_[t].frames = {{kFunctions - 1, 0}};
  }

  bool running() const {
    return std::any_of(walkers_.begin() + 1, walkers_.end(), [](const Walker& w) { return !w.over; });
  }
  void run_thread(uint32_t t, uint32_t blocks) {
    if (walkers_[t].over) return;
    if (running_ != t) events.emplace_back(event_of(EventKind::kTurn, t));
    running_ = t;
    std::vector<Before> before;
    for (uint32_t i = 0; i < blocks && !walkers_[t].over; ++i) {
      before.push_back({events.size(), accesses.size(), walkers_[t].frames});
      run_block(t);
      if (loops_ == Loops::kRepeat && chance(60) && repeat(t, before)) before.clear();
    }
  }
  bool repeat(uint32_t t, const std::vector<Before>& all) {
    const auto from =
        std::find_if(all.rbegin(), all.rend(), [&](const Before& b) { return b.frames == walkers_[t].frames; });
    if (from == all.rend()) return false;
    const size_t end = events.size(), accesses_end = accesses.size();
    const size_t length = end - from->event;
    for (uint32_t copy = 1, copies = 3 + below(30); copy <= copies; ++copy) {
      for (size_t i = from->event; i < end; ++i) events.push_back(OwnedEvent(events[i]));
      for (size_t i = from->access; i < accesses_end; ++i)
        accesses.push_back({{accesses[i].at.event + copy * length, accesses[i].at.access}, t});
    }
    return true;
  }

  void run_block(uint32_t t) {
    Walker& w = walkers_[t];
    Frame& at = w.frames.back();
    Code& code = functions_[at.function][at.block];
    uint32_t exit = 0;
    while (exit + 1 < code.exits.size() && !chance(40)) ++exit;
    if (!code.blocks[exit]) code.blocks[exit] = tables.blocks.add_block(code.id, static_cast<uint16_t>(exit));
    const Exit& e = code.exits[exit];
    std::vector<uint64_t> words;
    for (uint16_t i = 0; i < e.words; ++i) words.push_back(kMemory + below(kBytes));
    for (uint32_t a = 0; a < e.accesses; ++a) accesses.push_back({{events.size(), a}, t});
    events.emplace_back(block_of(t, code.blocks[exit].value, words));
    go_on(t, w, code, e);
  }

  void go_on(uint32_t t, Walker& w, const Code& code, const Exit& e) {
    Frame& at = w.frames.back();
    if (e.kind == ExitKind::kReturn) return leave(t, w);
    if (is_call(e.kind)) {
      ++at.block;
      w.sp -= 8;
      Event call = event_of(EventKind::kCall, t);
      call.sp = w.sp;
      call.ip = code.addr + 4u * (e.insns - 1u);
      events.emplace_back(call);
      const uint32_t callee =
          e.target ? static_cast<uint32_t>((e.target - kText) / kFunctionBytes) : below(at.function);
      w.frames.push_back({callee, 0});
    } else if (e.target == 0) {
      at.block = below(static_cast<uint32_t>(functions_[at.function].size()));
    } else {
      at.block = 0;
      while (functions_[at.function][at.block].addr != e.target) ++at.block;
    }
  }
  void leave(uint32_t t, Walker& w) {
    w.frames.pop_back();
    w.over = w.frames.empty();
    if (w.over) return;
    w.sp += 8;
    Event back = event_of(EventKind::kReturn, t);
    back.sp = w.sp;
    events.emplace_back(back);
  }

  std::mt19937 random_;
  Loops loops_;
  std::vector<std::vector<Code>> functions_;
  std::vector<Walker> walkers_;
  uint32_t running_ = 0;
};

}  // namespace cdr::test

#endif
