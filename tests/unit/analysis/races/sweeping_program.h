// SPDX-License-Identifier: GPL-2.0-or-later
// Random programs whose threads sweep over common arrays under locks: with few atomic instructions, so that the compact
// form has long ranges of executions that need not be read one by one.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_RACES_SWEEPING_PROGRAM_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_RACES_SWEEPING_PROGRAM_H

#include <random>
#include <vector>

#include "tests/unit/trace/small_program.h"
#include "tests/unit/trace/walking_program.h"

namespace cdr::test {

class SweepingProgram {
 public:
  static WalkingProgram of(uint32_t seed, uint32_t steps) {
    SweepingProgram p(seed);
    for (uint32_t i = 0; i < steps; ++i) p.step();
    return std::move(p.p_);
  }
  // Does the same in every round; with an odd seed memory does not change hands.
  static WalkingProgram repeating(uint32_t seed, uint32_t steps, uint32_t rounds) {
    SweepingProgram p(seed);
    p.steady_ = seed % 2;
    const auto random = p.random_;
    for (uint32_t round = 0; round < rounds; ++round) {
      p.random_ = random;
      for (uint32_t i = 0; i < steps; ++i) p.step();
    }
    return std::move(p.p_);
  }
  // The same code mostly touches each thread's own, and functions call themselves, so that frames lie at many places.
  static WalkingProgram apart(uint32_t seed, uint32_t steps, uint32_t threads) {
    SweepingProgram p(seed, threads);
    p.apart_ = true;
    for (uint32_t i = 0; i < steps; ++i) p.step();
    return std::move(p.p_);
  }
  // Threads look at the same place again and again, for long or not, and do something else now and then.
  static WalkingProgram waiting(uint32_t seed, uint32_t steps) {
    SweepingProgram p(seed);
    for (uint32_t i = 0; i < steps; ++i) {
      p.turn();
      const uint64_t at = p.array() + 8 * p.below(4);
      const bool two = p.below(2), changes = p.below(4) == 0;
      for (uint32_t n = p.below(40), k = 0; k < n; ++k) {
        p.block(kRead, {changes && k == n / 2 ? at + 64 : at});
        if (two) p.block(kFixed, {});
      }
      if (p.below(3) == 0) p.step();
      if (p.below(3) == 0) p.call_late(at);
    }
    return std::move(p.p_);
  }

 private:
  enum Code : uint32_t { kRead = 1, kWrite, kModify, kCopy, kFixed, kAtomic, kLibrary, kCall, kLocal, kReturn };
  static constexpr uint32_t kArrays = 4;
  static constexpr uint64_t kArrayBytes = 1024;

  explicit SweepingProgram(uint32_t seed, uint32_t threads = 3) : random_(seed), threads_(threads) {
    Module m;
    m.path = "/bin/sweep";
    m.text = {kText, kText + 0x10000};
    p_.tables.modules.add(m);
    m.path = m.soname = "libc.so.6";
    p_.tables.modules.add(m);
    const Access load{0, 0, 1, 8, 0}, store{0, 0, 1, 8, kAccessStore};
    add(ExitKind::kFallThrough, {load}, 1);
    add(ExitKind::kFallThrough, {{16, 0, 1, 4, kAccessStore}}, 1);
    add(ExitKind::kFallThrough, {load, store}, 1);
    add(ExitKind::kFallThrough, {load, {8, 0, 2, 8, kAccessStore}, {0, 0, 3, 2, kAccessStore | kAccessGuarded}}, 3);
    add(ExitKind::kFallThrough, {{0x600010, 0, 0, 8, kAccessStore}}, 0);
    add(ExitKind::kFallThrough, {{0, 0, 1, 4, kAccessAtomic}, {0, 0, 1, 4, kAccessAtomic | kAccessStore}}, 1);
    add(ExitKind::kFallThrough, {store}, 1, 0, ModuleId(2));
    add(ExitKind::kCall, {{-8, 0, 1, 8, kAccessStore | kAccessLinkage}}, 1, -8);
    add(ExitKind::kFallThrough, {{-16, 0, 1, 8, kAccessStore}}, 1);
    add(ExitKind::kReturn, {{0, 0, 1, 8, kAccessLinkage}}, 1, 8);
    for (uint32_t t = 1; t <= threads_; ++t) {
      if (t > 1) event(EventKind::kTurn, t);
      Event e = event_of(EventKind::kThreadStart, t);
      e.stack = StackId(t);
      e.range = {stack_of(t) - 0x10000, stack_of(t) + 0x100};
      e.sp = stack_of(t);
      p_.events.emplace_back(e);
      now_ = t;
    }
  }

  void add(ExitKind kind, std::vector<Access> accesses, uint16_t words, int64_t sp = 0, ModuleId module = ModuleId(1)) {
    SuperblockParts s = straight(kText + 0x100 * ++codes_, 1, kind, 0);
    s.sb.module = module;
    s.accesses = std::move(accesses);
    if (sp != 0) s.sp_changes = {{sp, 0, SpChange::kSpAtEntry}};
    s.exits[0].accesses = static_cast<uint16_t>(s.accesses.size());
    s.exits[0].words = words;
    s.exits[0].sp_changes = sp != 0;
    p_.tables.blocks.add_block(p_.tables.blocks.add_superblock(s.view()), 0);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  static uint64_t stack_of(uint32_t thread) { return 0x10000000ull * thread; }
  uint64_t array() {
    if (apart_ && below(6) > 0) return 0x900000 + kArrayBytes * now_;
    return 0x600000 + kArrayBytes * below(kArrays);
  }
  void event(EventKind kind, uint32_t thread) { p_.events.emplace_back(event_of(kind, thread)); }
  void block(Code code, std::initializer_list<uint64_t> words) {
    p_.events.emplace_back(block_of(now_, code, {words.begin(), words.size()}));
  }

  void step() {
    switch (below(16)) {
      case 0:
      case 1:
        return lock();
      case 2:
      case 3:
        return turn();
      case 4:
        return change_heap();
      case 5:
        return function(stack_of(now_) - 16);
      case 6:
        return below(8) ? block(kFixed, {}) : block(kAtomic, {0x700000 + 64 * below(3)});
      case 7:
        event(EventKind::kHideBegin, now_);
        sweep();
        if (below(3) == 0) change_heap();
        return event(EventKind::kHideEnd, now_);
      case 8:  // what lies on another's stack
        return block(kRead, {stack_of(1 + below(threads_)) - 8 * below(5)});
      default:
        return sweep();
    }
  }
  void turn() {
    const uint32_t to = 1 + below(threads_);
    if (to != now_) event(EventKind::kTurn, now_ = to);
  }
  void lock() {
    Event e = event_of(EventKind::kSyncEnter, now_);
    e.sync.op = below(2) ? SyncOp::kMutexLock : SyncOp::kMutexUnlock;
    e.sync.object = 0x710000 + 64 * below(3);
    p_.events.emplace_back(e);
    e.kind = EventKind::kSyncLeave;
    p_.events.emplace_back(e);
  }
  // An array, or half of it, is a block of the heap from now on, or none any more.
  void change_heap() {
    if (steady_) return;
    const uint32_t half = below(2 * kArrays);
    Event e = event_of(allocated_[half] ? EventKind::kFree : EventKind::kAlloc, now_);
    e.addr = 0x600000 + kArrayBytes / 2 * half;
    e.size = kArrayBytes / 2;
    allocated_[half] = !allocated_[half];
    p_.events.emplace_back(e);
  }
  void function(uint64_t sp) {
    block(kCall, {sp + 8});
    Event e = event_of(EventKind::kCall, now_);
    e.sp = sp;
    e.ip = kText + 0x100 * kCall;
    p_.events.emplace_back(e);
    block(kLocal, {sp});
    if (below(4) == 0) lock();
    if (apart_ && below(2) && stack_of(now_) - sp < 256) function(sp - 32);
    for (uint32_t n = below(6); n > 0; --n) block(kLocal, {sp - 8 * below(2)});
    if (apart_ && below(8) == 0) block(kLocal, {array() + 8 * below(32)});
    if (below(2)) sweep();
    block(kReturn, {sp});
    e.kind = EventKind::kReturn;
    e.sp = sp + 8;
    e.ip = 0;
    p_.events.emplace_back(e);
  }
  // Between the block that calls and the call another thread runs.
  void call_late(uint64_t at) {
    const uint64_t sp = stack_of(now_) - 64;
    for (uint32_t n = 0; n < 12; ++n) block(kRead, {at});
    block(kCall, {sp + 8});
    const uint32_t caller = now_;
    event(EventKind::kTurn, now_ = 1 + caller % threads_);
    block(kFixed, {});
    event(EventKind::kTurn, now_ = caller);
    Event e = event_of(EventKind::kCall, now_);
    e.sp = sp;
    e.ip = kText + 0x100 * kCall;
    p_.events.emplace_back(e);
    block(kReturn, {sp});
    e.kind = EventKind::kReturn;
    e.sp = sp + 8;
    e.ip = 0;
    p_.events.emplace_back(e);
  }
  void sweep() {
    constexpr Code kSwept[] = {kRead, kWrite, kModify, kCopy, kRead, kLibrary};
    const Code code = kSwept[below(6)];
    const uint64_t stride = 4 * (1 + below(6)), begin = array() + 4 * below(64), to = array();
    for (uint32_t i = 0, n = 4 + below(40); i < n; ++i) {
      const uint64_t at = begin + stride * i;
      if (code == kCopy)
        block(code, {at, to + 8 * i, i % 3 ? to + 4 * i : 0});
      else
        block(code, {at});
    }
  }

  std::mt19937 random_;
  uint32_t threads_;
  bool steady_ = false;  // memory does not change hands
  bool apart_ = false;   // mostly each thread's own
  WalkingProgram p_;
  uint32_t codes_ = 0, now_ = 1;
  bool allocated_[2 * kArrays] = {};
};

}  // namespace cdr::test

#endif
