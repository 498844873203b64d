// SPDX-License-Identifier: GPL-2.0-or-later
// Random records: against events that a simple model of the rules in base/event.h makes beside them; cut into buffers
// anywhere; and, with gaps and forks, by the checker of traces.
#include <map>
#include <random>

#include "cdrgrind/drain/stream_start.h"
#include "cdrgrind/trace/check/checker.h"
#include "tests/unit/catch.h"
#include "tests/unit/drain/record_stream.h"

using namespace cdr;
using namespace cdr::test;

namespace {

struct Choices {
  bool gaps = false, forks = false, toggles = false;
};

// Writes records and, for itself, which events should come of them. Without gaps, forks and toggles the events are all
// there are.
class Program {
 public:
  RecordStream s;
  std::vector<OwnedEvent> expected;

  Program(uint32_t seed, uint32_t steps, Choices choices) : random_(seed), choices_(choices) {
    std::vector<uint64_t> payload = {kText, kText + 0x10000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (const char* text : {"/bin/a", "", ""}) drain::pack_text(text, payload);
    start(1, 0);
    s.special(RecordKind::kModule, 0, payload);
    told(EventKind::kModuleMapped).module = ModuleId(1);
    define_code();
    for (uint32_t i = 0; i < steps; ++i) step();
  }

 private:
  enum { kPlain, kEntry, kWords, kMany, kCall, kReturn, kGrow, kShrink, kLoad, kJump, kSystemCall, kCodes };
  struct Stack {
    uint32_t id = 0;
    AddrRange range;
    uint64_t sp = 0;
    std::vector<uint64_t> frames;  // their sp; without the root
    struct Open {
      size_t frames;
      Sync sync;
    };
    std::vector<Open> open;
  };
  struct Thread {
    std::vector<Stack> stacks;
    size_t on = 0;
    bool hidden = false;
    bool toggled = false;
    Stack& stack() { return stacks[on]; }
    uint64_t& sp() { return stack().sp; }
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  Thread& now() { return threads_[now_]; }
  Event& told(EventKind kind) {
    expected.emplace_back(event_of(kind, now_));
    return expected.back().event;
  }

  void define_code() {
    const SuperblockParts parts[kCodes] = {
        plain_block(kText),
        plain_block(kText + 0x100),
        with_words(plain_block(kText + 0x200), 3),
        with_words(plain_block(kText + 0x300), 300),
        call_block(kText + 0x400),
        return_block(kText + 0x500),
        moving_block(kText + 0x600, -64),
        moving_block(kText + 0x700, 48),
        loading_block(kText + 0x800),
        straight(kText + 0x900, 1, ExitKind::kIndirectJump, 0),
        straight(kText + 0xa00, 2, ExitKind::kSyscall, 0),
    };
    for (int i = 0; i < kCodes; ++i) {
      SuperblockParts p = parts[i];
      p.exits[0].accesses = static_cast<uint16_t>(p.accesses.size());
      if (i == kEntry) p.sb.flags = kBlockFunctionEntry;
      codes_[i] = s.define(p, choices_.toggles && i == kEntry);
      addr_[i] = p.sb.addr;
    }
  }
  // The row of the table that a block of this code is.
  uint32_t row_of(int code) { return rows_.try_emplace(code, static_cast<uint32_t>(rows_.size() + 1)).first->second; }
  void run(int code, const std::vector<uint64_t>& words = {}) {
    s.block(codes_[code], words);
    expected.emplace_back(block_of(now_, row_of(code), words));
  }

  // Frames that are over when SP is `sp`; a call's own place is over, too.
  uint32_t close(uint64_t sp, bool call) {
    uint32_t n = 0;
    auto& frames = now().stack().frames;
    for (; !frames.empty() && (frames.back() < sp || (call && frames.back() == sp)); ++n) frames.pop_back();
    return n;
  }
  void tell_pops(uint32_t n) {
    if (n) told(EventKind::kPop).count = n;
  }
  void tell_unwound() {
    Stack& stack = now().stack();
    for (; !stack.open.empty() && stack.open.back().frames > stack.frames.size(); stack.open.pop_back()) {
      Event& e = told(EventKind::kSyncLeave);
      e.sync = stack.open.back().sync;
      e.sync.value = 0;
      e.sync.flags = kSyncUnwound;
    }
  }
  void after_change() {
    tell_pops(close(now().sp(), false));
    tell_unwound();
  }

  void step() {
    Thread& t = now();
    switch (below(choices_.forks ? 22 : 21)) {
      case 0:
        return run(kPlain);
      case 1:
        return run(kEntry);
      case 2:
        return run(kWords, {random_(), 0x10, random_()});
      case 3:
        return below(8) ? run(kJump) : run(kMany, std::vector<uint64_t>(300, random_()));
      case 4:
      case 5:
      case 6:
        return call(t);
      case 7:
      case 8:
        return leave(t);
      case 9:
        if (t.sp() > t.stack().range.begin + 0x4000) run(kGrow), t.sp() -= 64;
        return;
      case 10:
        if (t.sp() + 48 > t.stack().range.end) return;
        run(kShrink), t.sp() += 48;
        return after_change();
      case 11:
        return jump_out(t);
      case 12:
        return turn();
      case 13:
        return change_stack(t);
      case 14:
      case 15:
        return synchronise(t);
      case 16:
        for (uint32_t n = below(600); n > 0; --n) run(below(2) ? kPlain : kJump);
        return;
      case 17:
        return system_call();
      case 18:
        if (t.stack().open.empty()) {
          s.special(t.hidden ? RecordKind::kHideEnd : RecordKind::kHideBegin, now_);
          told(t.hidden ? EventKind::kHideEnd : EventKind::kHideBegin);
          t.hidden = !t.hidden;
        }
        return;
      case 19:
        if (choices_.gaps) collecting_ = !collecting_, s.special(RecordKind::kCollect, now_, {collecting_});
        return;
      case 20:
        return allocate();
      default:
        return below(12) ? run(kPlain) : fork();
    }
  }

  void system_call() {
    run(kSystemCall);
    s.special(RecordKind::kSyscall, now_, {39, 7});
    Event& e = told(EventKind::kSyscall);
    e.value = 39;
    e.result = 7;
    e.ip = addr_[kSystemCall] + 4;
  }
  void start(uint32_t serial, uint32_t creator) {
    now_ = serial;
    Thread& t = threads_[serial];
    const uint64_t end = 0x10000000ull * serial;
    t.stacks = {{++stacks_, {end - 0x100000, end}, end - 0x1000, {}, {}}};
    s.thread_start(serial, t.stack().range, t.sp(), creator);
    Event& e = told(EventKind::kThreadStart);
    e.stack = StackId(t.stack().id);
    e.range = t.stack().range;
    e.sp = t.sp();
    e.value = 0x7000 + serial;
    e.child = ThreadId(creator);
  }
  void call(Thread& t) {
    if (t.stack().frames.size() > 40) return jump_out(t);
    run(kCall);
    t.sp() -= 8;
    tell_pops(close(t.sp(), true));
    Event& e = told(EventKind::kCall);
    e.sp = t.sp();
    e.ip = addr_[kCall] + 4;
    t.stack().frames.push_back(t.sp());
    tell_unwound();
  }
  void leave(Thread& t) {
    if (t.sp() + 8 > t.stack().range.end) return;
    run(kReturn);
    t.sp() += 8;
    const uint32_t n = close(t.sp(), false);
    if (n > 1) tell_pops(n - 1);
    if (n) told(EventKind::kReturn).sp = t.sp();
    tell_unwound();
  }
  void jump_out(Thread& t) {
    if (t.stack().frames.empty()) return;
    t.sp() = t.stack().frames[below(static_cast<uint32_t>(t.stack().frames.size()))] - 16 * below(2);
    run(kLoad, {t.sp()});
    after_change();
  }
  void turn() {
    const uint32_t to = 1 + below(3);
    if (to == now_ || forked_) return;
    const uint32_t from = now_;
    const bool starts = !threads_.count(to);
    if (starts) {
      s.special(RecordKind::kThreadCreate, from, {to});
      told(EventKind::kThreadCreate).child = ThreadId(to);
    }
    now_ = to;
    told(EventKind::kTurn);
    if (starts) return start(to, from);
    if (below(3) == 0) now().sp() -= 16, told(EventKind::kStackPointer).sp = now().sp();
    s.special(RecordKind::kTurn, to, {now().sp()});
  }
  // A heap block for each stack beside the first. Operations that are open stay with their stack.
  void change_stack(Thread& t) {
    if (t.stacks.size() < 3 && below(3) == 0) {
      const AddrRange range{0x80000000 + 0x100000 * heap_blocks_, 0x80000000 + 0x100000 * heap_blocks_ + 0x80000};
      ++heap_blocks_;
      s.special(RecordKind::kAlloc, now_, {range.begin, range.size()});
      Event& e = told(EventKind::kAlloc);
      e.addr = range.begin;
      e.size = range.size();
      t.stacks.push_back({0, range, range.end - 0x100, {}, {}});
    }
    const auto to = below(static_cast<uint32_t>(t.stacks.size()));
    if (to == t.on) return;
    t.on = to;
    if (!t.stack().id) t.stack().id = ++stacks_;
    run(kLoad, {t.sp()});
    Event& e = told(EventKind::kStackSwitch);
    e.stack = StackId(t.stack().id);
    e.range = t.stack().range;
    e.sp = t.sp();
  }
  void synchronise(Thread& t) {
    auto& open = t.stack().open;
    if (t.hidden || (!open.empty() && open.back().frames != t.stack().frames.size())) return;
    if (!open.empty() && below(2)) {
      s.sync(RecordKind::kSyncLeave, now_, SyncOp::kOnce, open.back().sync.object);
      told(EventKind::kSyncLeave).sync = open.back().sync;
      return open.pop_back();
    }
    if (open.size() > 3 || t.stack().frames.empty()) return;
    Sync sync;
    sync.op = SyncOp::kOnce;
    sync.object = 8 * below(10);
    s.sync(RecordKind::kSyncEnter, now_, sync.op, sync.object);
    told(EventKind::kSyncEnter).sync = sync;
    open.push_back({t.stack().frames.size(), sync});
  }
  void allocate() {
    const uint64_t addr = 0x60000000 + 64 * below(32);
    const bool live = !heap_.insert({addr, true}).second;
    if (live) heap_.erase(addr);
    s.special(live ? RecordKind::kFree : RecordKind::kAlloc, now_, {addr, 48});
    Event& e = told(live ? EventKind::kFree : EventKind::kAlloc);
    e.addr = addr;
    e.size = 48;
  }
  void fork() {
    run(kSystemCall);
    std::vector<uint64_t> payload = {now_, 0x7777};
    drain::pack_process({}, payload);
    s.special(RecordKind::kForked, now_, payload);
    s.special(RecordKind::kSyscall, 1, {57, 0});
    Thread t = now();
    threads_.clear();
    threads_[1] = t;
    now_ = 1;
    forked_ = true;
  }

  std::mt19937_64 random_;
  Choices choices_;
  uint32_t codes_[kCodes] = {};
  uint64_t addr_[kCodes] = {};
  std::map<int, uint32_t> rows_;
  std::map<uint32_t, Thread> threads_;
  std::map<uint64_t, bool> heap_;
  uint32_t now_ = 1, stacks_ = 0;
  uint64_t heap_blocks_ = 0;
  bool collecting_ = true, forked_ = false;
};

}  // namespace

TEST_CASE("the events of random records are those of the rules") {
  size_t events = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    const Program p(seed, 20 + 2 * seed, {});
    const Drained d(p.s);
    const std::vector<OwnedEvent>& got = d.events;
    for (size_t i = 0; i < std::min(got.size(), p.expected.size()); ++i) {
      INFO("event " << i << ": " << static_cast<int>(got[i].event.kind) << ", not "
                    << static_cast<int>(p.expected[i].event.kind));
      REQUIRE(got[i] == p.expected[i]);
    }
    REQUIRE(got.size() == p.expected.size());
    events += got.size();
  }
  CHECK(events > 50000);
}

TEST_CASE("where the buffers end changes no event") {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    drain::DrainOptions options;
    options.toggles = seed % 3 == 0;
    const Program p(seed, 400, {.gaps = true, .forks = seed % 2 == 0, .toggles = options.toggles});
    const Drained whole(p.s, options);
    Drained cut;
    cut.drain.start(options);
    std::mt19937 random(seed);
    std::vector<uint64_t> buffer;
    for (size_t i = 0; i < p.s.records(); ++i) {
      const auto record = p.s.record(i);
      buffer.insert(buffer.end(), record.begin(), record.end());
      const bool last = i + 1 == p.s.records() || p.s.forks(i + 1);
      if (random() % 5 && !last) continue;
      cut.drain.consume(buffer);
      buffer.assign(buffer.size(), ~uint64_t{0});  // nothing points into it any more
      buffer.clear();
    }
    REQUIRE(cut.events == whole.events);
  }
}

TEST_CASE("random records with gaps, toggles and forks make traces that keep what is promised") {
  size_t gaps = 0, forked = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    drain::DrainOptions options;
    options.toggles = seed % 3 == 0;
    const Program p(seed, 300, {.gaps = seed % 5 != 0, .forks = seed % 2 == 0, .toggles = options.toggles});
    const Drained d(p.s, options);
    const trace::CheckResult checked = trace::check(open_bytes(record(d.tables, d.events)));
    for (const trace::Violation& v : checked.examples)
      UNSCOPED_INFO(v.invariant << " at " << v.event << ": " << v.seen);
    REQUIRE(checked.ok());
    for (const OwnedEvent& e : d.events) gaps += e.event.kind == EventKind::kGapBegin;
    forked += !d.records.empty();
  }
  CHECK(gaps > 500);
  CHECK(forked > 20);
}
