// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/trace/walking_program.h"

#include <map>
#include <random>
#include <set>

#include "tests/unit/trace/small_program.h"

namespace cdr::test {
namespace {

constexpr uint16_t kEntrySp = SpChange::kSpAtEntry;

enum WalkBlock : uint32_t {
  kCallA = 1,
  kCallB,
  kReturnBlock,
  kLoop,
  kEntryF,
  kEntryG,
  kJump,
  kLeave,
  kGuarded,
  kGrow,
  kLongJump,
  kPlain,
  // Of sharing programs.
  kAtomic,
  kLoad,
  kShimEntry,
  kShimCall,
  kShimWord,
  kShimReturn
};

class Walk {
 public:
  Walk(uint32_t seed, WalkingProgram& p, bool shares) : random_(seed), p_(p), shares_(shares) {
    add_tables();
    if (shares) add_sharing_tables();
    Module m;
    m.path = "/bin/walk";
    m.text = {kText, kText + 0x10000};
    p.tables.modules.add(m);
    start(1, 0);
  }

  void step() {
    if (below(20) == 0) turn();
    Thread& t = threads_[now_];
    if (shares_ && below(3) == 0) return share(t);
    switch (below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return call(t);
      case 4:
      case 5:
      case 6:
        return leave_function(t);
      case 7:
      case 8:
      case 9:
        return loop(t);
      case 10:
      case 11:
        return jump_into(t);
      case 12:
        return guarded(t);
      case 13:
        return block(kGrow, {}), void(t.sp -= 16);
      case 14:
        return long_jump(t);
      case 15:
      case 16:
        return synchronise();
      case 17:
        return below(3) ? block(kPlain, {}) : change_stack(t);
      case 18:
        return below(3) ? block(kPlain, {}) : signal(t);
      case 19:
        return below(2) ? call_without_event(t) : late_call(t);
      case 20:
        return system_call();
      case 21:
        return below(4) ? block(kPlain, {}) : pop_all(t);
      case 22:
        return below(3) ? block(kPlain, {}) : partial();
      default:
        return block(kPlain, {});
    }
  }

 private:
  struct Thread {
    uint64_t sp = 0, heap = 0;
    uint32_t stack = 0;
    std::map<uint32_t, std::vector<uint64_t>> frames;  // by stack: their SP
    std::map<uint32_t, uint64_t> left;                 // SP where a stack was left
    std::vector<uint64_t>& own() { return frames[stack]; }
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  void add(const Event& e) { p_.events.emplace_back(e); }
  void block(uint32_t id, std::initializer_list<uint64_t> words) {
    add(block_of(now_, id, {words.begin(), words.size()}));
  }
  Event event(EventKind kind) { return event_of(kind, now_); }

  void add_block(SuperblockParts s, uint16_t words, uint16_t changes) {
    s.exits[0].accesses = static_cast<uint16_t>(s.accesses.size());
    s.exits[0].words = words;
    s.exits[0].sp_changes = changes;
    p_.tables.blocks.add_block(p_.tables.blocks.add_superblock(s.view()), 0);
  }
  void add_tables() {
    uint64_t at = kText;
    const auto next = [&](uint16_t n, ExitKind kind) { return straight(at += 0x100, n, kind, 0); };
    for (int i = 0; i < 2; ++i) {  // calls
      SuperblockParts s = next(3, ExitKind::kCall);
      s.accesses = {{-24, 0, 1, 8, 0}, {-8, 2, 1, 8, kAccessStore | kAccessLinkage}};
      s.sp_changes = {{-8, 2, kEntrySp}};
      add_block(s, 1, 1);
    }
    SuperblockParts ret = next(1, ExitKind::kReturn);
    ret.accesses = {{0, 0, 1, 8, kAccessLinkage}};
    ret.sp_changes = {{8, 0, kEntrySp}};
    add_block(ret, 1, 1);
    SuperblockParts loop = next(2, ExitKind::kBranch);
    loop.accesses = {{0, 0, 1, 8, 0}, {64, 1, 1, 8, kAccessStore}};
    add_block(loop, 1, 0);
    for (int i = 0; i < 2; ++i) {  // entries
      SuperblockParts s = next(2, ExitKind::kFallThrough);
      s.sb.flags = kBlockFunctionEntry;
      s.accesses = {{-40, 0, 1, 8, kAccessStore}};
      add_block(s, 1, 0);
    }
    add_block(next(1, ExitKind::kIndirectJump), 0, 0);
    SuperblockParts leave = next(1, ExitKind::kFallThrough);
    leave.accesses = {{0, 0, 1, 8, 0}};
    leave.sp_changes = {{8, 0, 1}};
    add_block(leave, 1, 1);
    SuperblockParts guarded = next(2, ExitKind::kFallThrough);
    guarded.accesses = {{0, 0, 1, 8, kAccessStore | kAccessGuarded}, {8, 1, 2, 4, 0}};
    add_block(guarded, 2, 0);
    SuperblockParts grow = next(1, ExitKind::kFallThrough);
    grow.sp_changes = {{-16, 0, kEntrySp}};
    add_block(grow, 0, 1);
    SuperblockParts away = next(1, ExitKind::kIndirectJump);
    away.accesses = {{0, 0, 1, 8, 0}};
    away.sp_changes = {{0, 0, 1}};
    add_block(away, 1, 1);
    add_block(next(1, ExitKind::kFallThrough), 0, 0);
  }

  void add_sharing_tables() {
    uint64_t at = kText + 0x6000;
    const auto next = [&](uint16_t n, ExitKind kind, uint8_t flags) {
      SuperblockParts s = straight(at += 0x100, n, kind, 0);
      s.sb.flags = flags;
      return s;
    };
    SuperblockParts atomic = next(1, ExitKind::kFallThrough, 0);
    atomic.accesses = {{0, 0, 1, 4, kAccessAtomic}, {0, 0, 1, 4, kAccessAtomic | kAccessStore}};
    add_block(atomic, 1, 0);
    SuperblockParts load = next(2, ExitKind::kFallThrough, 0);
    load.accesses = {{-16, 0, 1, 4, 0}, {8, 1, 1, 16, 0}};
    add_block(load, 1, 0);
    SuperblockParts entry = next(1, ExitKind::kFallThrough, kBlockShim | kBlockFunctionEntry);
    entry.sp_changes = {{-56, 0, kEntrySp}};
    add_block(entry, 0, 1);
    SuperblockParts call = next(1, ExitKind::kCall, kBlockShim);
    call.sp_changes = {{-8, 0, kEntrySp}};
    add_block(call, 0, 1);
    SuperblockParts word = next(1, ExitKind::kFallThrough, kBlockShim);
    word.sp_changes = {{-32, 0, 1}};
    add_block(word, 1, 1);
    SuperblockParts back = next(1, ExitKind::kReturn, kBlockShim);
    back.sp_changes = {{64, 0, kEntrySp}};
    add_block(back, 0, 1);
  }

  void start(uint32_t serial, uint32_t creator) {
    now_ = serial;
    Thread& t = threads_[serial];
    t.stack = ++stacks_;
    t.sp = 0x10000000ull * stacks_;
    t.heap = 0x5000000 + 0x100000 * serial;
    Event e = event(EventKind::kThreadStart);
    e.child = ThreadId(creator);
    e.stack = StackId(t.stack);
    e.range = {t.sp - 0x100000, t.sp + 0x1000};
    e.sp = t.sp;
    add(e);
    t.own().push_back(t.sp);
  }
  void turn() {
    const uint32_t to = 1 + below(3);
    if (to == now_) return;
    const uint32_t from = now_;
    now_ = to;
    add(event(EventKind::kTurn));
    if (!threads_.count(to)) start(to, from);
  }

  void push(Thread& t, uint32_t site) {
    block(site, {t.sp});
    t.sp -= 8;
  }
  void call_event(Thread& t, uint32_t site) {
    Event e = event(EventKind::kCall);
    e.sp = t.sp;
    e.ip = kText + 0x100 * site + 8;
    add(e);
    t.own().push_back(t.sp);
    if (below(8) == 0) synchronise();
    if (below(4) != 0) enter(t, below(2) ? kEntryF : kEntryG);
  }
  void call(Thread& t) {
    if (t.own().size() > 12) return leave_function(t);
    const uint32_t site = below(3) ? kCallA : kCallB;
    push(t, site);
    call_event(t, site);
  }
  // As `call next; pop`.
  uint64_t common_address() { return 0x5400000 + 4 * below(96); }
  uint64_t stack_address() {
    auto other = threads_.begin();
    std::advance(other, below(static_cast<uint32_t>(threads_.size())));
    return other->second.sp - 96 + 8 * below(16);
  }
  void share(Thread& t) {
    switch (below(7)) {
      case 0:
        return block(kAtomic, {below(4) ? common_address() & ~uint64_t{31} : stack_address()});
      case 1:
        return block(kLoad, {below(2) ? common_address() : stack_address()});
      case 2:
        for (uint64_t a = common_address(), n = below(9); n > 0; --n, a += 8) block(kLoop, {a});
        return;
      case 3:
        return block(kLoop, {stack_address()});
      case 4:
        return change_heap();
      default:
        return wrapper(t);
    }
  }
  void change_heap() {
    Event e = event(EventKind::kAlloc);
    e.addr = 0x5400000 + 64 * below(6);
    e.size = 48;
    if (!heap_.erase(e.addr))
      heap_.insert(e.addr);
    else
      e.kind = EventKind::kFree;
    add(e);
  }
  // From the caller's call to its return, all of it.
  void wrapper(Thread& t) {
    if (t.own().size() > 10) return leave_function(t);
    push(t, kCallB);
    Event e = event(EventKind::kCall);
    e.sp = t.sp;
    e.ip = kText + 0x100 * kCallB + 8;
    add(e);
    t.own().push_back(t.sp);
    if (below(2)) block(kJump, {});
    block(kShimEntry, {});
    t.sp -= 56;
    if (below(3) == 0) {
      const uint64_t to = t.sp - 16 * below(3);
      block(kShimWord, {to + 32});
      t.sp = to;
    }
    if (below(3) == 0) synchronise();
    if (below(6) == 0) signal(t, true);
    for (uint32_t n = below(4); n > 0; --n) called_by_wrapper(t);
    if (below(8) == 0 && t.own().size() > 2) {  // it is unwound
      t.sp = t.own()[t.own().size() - 2] - 32;
      block(kLongJump, {t.sp});
      return pop(t, 1);
    }
    if (t.sp != t.own().back() - 56) {
      t.sp = t.own().back() - 56;
      block(kShimWord, {t.sp + 32});
    }
    block(kShimReturn, {});
    return_event(t, 64);
  }
  void called_by_wrapper(Thread& t) {
    block(kShimCall, {});
    t.sp -= 8;
    Event e = event(EventKind::kCall);
    e.sp = t.sp;
    e.ip = p_.tables.blocks.superblock_of(BlockId(kShimCall)).addr;
    add(e);
    t.own().push_back(t.sp);
    enter(t, below(2) ? kEntryF : kEntryG);
    if (below(2)) block(kLoop, {t.sp - 48});
    if (below(4) == 0) synchronise();
    if (below(8) == 0) {  // back into the wrapper by a jump
      t.sp += 8;
      block(kLongJump, {t.sp});
      return pop(t, 1);
    }
    block(kReturnBlock, {t.sp});
    return_event(t, 8);
  }
  // A handler may have taken the frame; the root stays.
  void return_event(Thread& t, uint64_t up) {
    t.sp += up;
    if (t.own().size() < 2) return;
    Event e = event(EventKind::kReturn);
    e.sp = t.sp;
    add(e);
    t.own().pop_back();
  }
  void call_without_event(Thread& t) { push(t, kCallA); }
  // Frames are popped between the call and its event.
  void late_call(Thread& t) {
    if (t.own().size() < 2) return;
    push(t, kCallB);
    pop(t, 1);
    call_event(t, kCallB);
  }
  void enter(Thread& t, uint32_t id) { block(id, {t.sp}); }
  void leave_function(Thread& t) {
    if (t.own().size() < 2) return block(kPlain, {});
    const uint64_t frame = t.own().back();
    if (t.sp != frame) block(kLeave, {frame - 8});
    t.sp = frame;
    block(kReturnBlock, {t.sp});
    t.sp += 8;
    Event e = event(EventKind::kReturn);
    e.sp = t.sp;
    add(e);
    t.own().pop_back();
  }
  void loop(Thread& t) {
    for (uint32_t n = 1 + below(6); n > 0; --n) block(kLoop, {t.heap += 8});
    if (below(4) == 0) t.heap -= 8 * below(100);
  }
  void jump_into(Thread& t) {
    block(kJump, {});
    if (below(3) == 0) synchronise();
    enter(t, below(2) ? kEntryF : kEntryG);
  }
  void guarded(Thread& t) { block(kGuarded, {below(3) ? t.heap : 0, t.sp - 64}); }
  void pop(Thread& t, uint32_t n) {
    Event e = event(EventKind::kPop);
    e.count = n;
    add(e);
    t.own().resize(t.own().size() - n);
  }
  void long_jump(Thread& t) {
    const auto frames = static_cast<uint32_t>(t.own().size());
    if (frames < 3) return;
    const uint32_t n = 1 + below(frames - 1);
    t.sp = t.own()[frames - 1 - n] - 32;
    block(kLongJump, {t.sp});
    pop(t, n);
  }
  // Deep, and out again at once.
  void pop_all(Thread& t) {
    const size_t before = t.own().size();
    for (int i = 0; i < 70; ++i) {
      push(t, kCallA);
      Event e = event(EventKind::kCall);
      e.sp = t.sp;
      e.ip = kText + 0x100 * kCallA + 8;
      add(e);
      t.own().push_back(t.sp);
      if (i % 3 == 0) enter(t, kEntryF);
    }
    t.sp = t.own()[before - 1] - 48;
    block(kLongJump, {t.sp});
    pop(t, 70);
  }
  void synchronise() {
    Event e = event(EventKind::kSyncEnter);
    e.sync.op = below(2) ? SyncOp::kMutexLock : SyncOp::kMutexUnlock;
    e.sync.object = 0x601000 + 8 * below(4);
    add(e);
    e.kind = EventKind::kSyncLeave;
    add(e);
  }
  void system_call() {
    Event e = event(EventKind::kSyscall);
    e.value = below(3);
    e.ip = kText + 0x4000 + 4 * below(2);
    p_.events.emplace_back(e);
    if (below(2)) p_.events.back().memory = {{0x10008, 16, true}};
  }
  void partial() {
    Event e = event(EventKind::kPartial);
    e.block = BlockId(kPlain);
    e.ip = kText + 0x100 * kPlain;
    add(e);
  }
  void change_stack(Thread& t) {
    t.left[t.stack] = t.sp;
    const uint32_t other = 100 * now_ + below(2);
    const bool home = t.stack >= 100 && below(2);
    uint32_t to = other;
    if (home) to = t.frames.begin()->first;
    if (to == t.stack) return;
    t.sp = t.left.count(to) ? t.left[to] : 0x10000000ull * (200 + to);
    tell_stack(t, to, t.sp);
  }
  void tell_stack(Thread& t, uint32_t stack, uint64_t sp) {
    t.stack = stack;
    Event e = event(EventKind::kStackSwitch);
    e.stack = StackId(stack);
    e.range = {sp - 0x10000, sp + 0x10000};
    e.sp = sp;
    add(e);
    if (t.own().empty()) t.own().push_back(sp);
  }
  // On the same stack, perhaps after other bounds of it, or on an alternate one, which may be left without its end.
  void signal(Thread& t, bool returns = false) {
    const uint32_t stack = t.stack, alternate = 100 * now_ + 50;
    const uint64_t sp = t.sp;
    const uint32_t way = returns ? 1 + below(3) : below(4);
    t.sp = way < 2 && stack != alternate ? 0x10000000ull * (200 + alternate) : sp - 0x400;
    if (way == 0 || way == 2) t.left[stack] = sp;
    if (way < 2) tell_stack(t, alternate, t.sp);
    if (way == 2) tell_stack(t, stack, t.sp);
    // What wrappers' SP is followed by wants frames that end when SP says so.
    const bool over = !shares_ || t.own().back() <= t.sp;
    if (t.own().size() > 1 && below(2) && over) pop(t, 1);
    Event e = event(EventKind::kSignalEnter);
    e.sp = t.sp;
    e.ip = kText + 0x5000;
    e.count = 10;
    add(e);
    t.own().push_back(t.sp);
    if (below(2)) enter(t, kEntryG);
    if (below(2)) synchronise();
    if (below(2)) loop(t);
    if (way == 0 && t.stack != stack) return;
    Event leave = event(EventKind::kSignalLeave);
    leave.sp = t.sp = sp;
    leave.ip = kText + 0x5000;
    add(leave);
    t.own().pop_back();
    if (t.stack != stack) tell_stack(t, stack, sp);
  }

  std::mt19937 random_;
  WalkingProgram& p_;
  std::map<uint32_t, Thread> threads_;
  uint32_t now_ = 1;
  uint32_t stacks_ = 0;
  bool shares_;
  std::set<uint64_t> heap_;
};

}  // namespace

namespace {

WalkingProgram walked(uint32_t seed, uint32_t steps, bool shares) {
  WalkingProgram p;
  Walk walk(seed, p, shares);
  for (uint32_t i = 0; i < steps; ++i) walk.step();
  return p;
}

}  // namespace

WalkingProgram walking_program(uint32_t seed, uint32_t steps) { return walked(seed, steps, false); }
WalkingProgram sharing_program(uint32_t seed, uint32_t steps) { return walked(seed, steps, true); }

}  // namespace cdr::test
