// SPDX-License-Identifier: GPL-2.0-or-later
// Event streams in code, for tests of the dependence engine. A block is written as a list of instructions, 4
// bytes each; every access has a slot of its own, so a block's shape is interned and its addresses are words.
// The builder keeps the SP of the present stack; events go to an engine and are kept, to be run again with
// other options. Rows come back as text:
//
//     RAW o in 1000: 1004 -> 1010c x3        class, ancestor, source -> target, count
//     WAW s in 1000h: 1004h -> 1010 x1 1>2   hidden ancestor; threads, if not both 1
#ifndef TESTS_UNIT_DEPEND_STREAM_BUILDER_H
#define TESTS_UNIT_DEPEND_STREAM_BUILDER_H

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/depend/engine.h"

namespace depend_test {

using cdr::Event;
using cdr::EventKind;
using cdr::ExitKind;

struct Op {
  enum Kind { kLoad, kStore, kSp, kSpTo, kNothing } kind = kNothing;
  uint64_t addr = 0;  // kSp: what is added to SP; kSpTo: its new value
  uint16_t width = 0;
  uint8_t flags = 0;    // cdr::AccessFlags
  bool joined = false;  // same instruction as the op before
};

inline Op load(uint64_t addr, uint16_t width = 8) { return {Op::kLoad, addr, width, 0, false}; }
inline Op store(uint64_t addr, uint16_t width = 8) { return {Op::kStore, addr, width, cdr::kAccessStore, false}; }
inline Op add_sp(int64_t by) { return {Op::kSp, static_cast<uint64_t>(by), 0, 0, false}; }
inline Op sp_to(uint64_t value) { return {Op::kSpTo, value, 0, 0, false}; }
inline Op nothing() { return {}; }
inline Op linkage(Op op) {
  op.flags |= cdr::kAccessLinkage;
  return op;
}
inline Op guarded(Op op) {
  op.flags |= cdr::kAccessGuarded;
  return op;
}
inline Op joined(Op op) {
  op.joined = true;
  return op;
}

struct Stored {
  Event event;
  std::vector<uint64_t> words;
  std::vector<cdr::MemorySpan> memory;
};

constexpr uint64_t kMainStackBegin = 0x7e0000;
constexpr uint64_t kMainStackEnd = 0x800000;
constexpr uint64_t kMainSp = 0x7ff000;

class Stream {
 public:
  explicit Stream(uint32_t granularity = 1) : Stream(with_granularity(granularity)) {}
  explicit Stream(const cdr::depend::Options& o) {
    engine_ = std::make_unique<cdr::depend::Engine>(modules_, blocks_, o);
    Event e = make(EventKind::kThreadStart);
    e.stack = cdr::StackId(1);
    e.range = {kMainStackBegin, kMainStackEnd};
    e.sp = kMainSp;
    emit(e);
    sps_[1] = kMainSp;
  }

  // ---- code
  uint8_t block_flags = 0;  // for the next block only
  ExitKind exit = ExitKind::kFallThrough;

  // A block at `pc`. Instruction i is at pc + 4 i.
  Stream& run(uint64_t pc, const std::vector<Op>& ops) {
    Shape shape = shape_of(pc, ops);
    const cdr::BlockId id = intern(shape);
    Stored s;
    s.event = make(EventKind::kBlock);
    s.event.block = id;
    s.words = words_of(ops);
    keep(std::move(s));
    sp() = sp_after_ops(ops);
    block_flags = 0;
    exit = ExitKind::kFallThrough;
    return *this;
  }
  // The same, stopped by a fault at instruction `at`.
  Stream& run_partly(uint64_t pc, const std::vector<Op>& ops, unsigned at) {
    const cdr::BlockId id = intern(shape_of(pc, ops));
    Stored s;
    s.event = make(EventKind::kPartial);
    s.event.block = id;
    s.event.ip = pc + 4 * at;
    std::vector<Op> done;
    unsigned insn = 0;
    for (size_t i = 0; i < ops.size(); ++i) {
      if (i && !ops[i].joined) ++insn;
      if (insn < at) done.push_back(ops[i]);
    }
    s.words = words_of(done);
    keep(std::move(s));
    sp() = sp_after_ops(done);
    block_flags = 0;
    return *this;
  }
  // A call instruction at `pc`: pushes, opens a frame.
  Stream& call(uint64_t pc) {
    exit = ExitKind::kCall;
    run(pc, {linkage(store(sp() - 8)), [] {
               Op o = add_sp(-8);
               o.joined = true;
               return o;
             }()});
    return enter_frame(pc);
  }
  // Only the event, for code that has pushed by itself.
  Stream& enter_frame(uint64_t ip) {
    Event e = make(EventKind::kCall);
    e.ip = ip;
    e.sp = sp();
    return emit(e);
  }
  Stream& ret(uint64_t pc) {
    exit = ExitKind::kReturn;
    run(pc, {linkage(load(sp())), [] {
               Op o = add_sp(8);
               o.joined = true;
               return o;
             }()});
    Event e = make(EventKind::kReturn);
    e.sp = sp();
    return emit(e);
  }
  Stream& pop(uint32_t count) {
    Event e = make(EventKind::kPop);
    e.count = count;
    return emit(e);
  }
  Stream& flags(uint8_t f) {
    block_flags = f;
    return *this;
  }
  Stream& jumps() {
    exit = ExitKind::kIndirectJump;
    return *this;
  }

  // ---- events
  Stream& signal_enter(uint64_t ip, uint64_t new_sp) {
    Event e = make(EventKind::kSignalEnter);
    e.count = 11;
    e.ip = ip;
    e.sp = sp() = new_sp;
    return emit(e);
  }
  Stream& signal_leave(uint64_t ip, uint64_t new_sp) {
    Event e = make(EventKind::kSignalLeave);
    e.ip = ip;
    e.sp = sp() = new_sp;
    return emit(e);
  }
  Stream& stack_switch(uint32_t stack, cdr::AddrRange range, uint64_t new_sp) {
    Event e = make(EventKind::kStackSwitch);
    e.stack = cdr::StackId(stack);
    e.range = range;
    e.sp = new_sp;
    stack_of_[thread_] = stack;
    sps_[stack] = new_sp;
    return emit(e);
  }
  Stream& create(uint32_t child) {
    Event e = make(EventKind::kThreadCreate);
    e.child = cdr::ThreadId(child);
    return emit(e);
  }
  Stream& start(uint32_t thread, uint32_t stack, cdr::AddrRange range, uint64_t new_sp) {
    const uint32_t creator = thread_;
    thread_ = thread;
    Event e = make(EventKind::kThreadStart);
    e.stack = cdr::StackId(stack);
    e.range = range;
    e.sp = new_sp;
    e.child = cdr::ThreadId(creator);
    stack_of_[thread] = stack;
    sps_[stack] = new_sp;
    return emit(e);
  }
  Stream& end_thread() { return emit(make(EventKind::kThreadEnd)); }
  Stream& turn(uint32_t thread) {
    thread_ = thread;
    return emit(make(EventKind::kTurn));
  }
  Stream& alloc(uint64_t addr, uint64_t size) { return heap(EventKind::kAlloc, addr, size, 0); }
  Stream& free(uint64_t addr, uint64_t size) { return heap(EventKind::kFree, addr, size, 0); }
  Stream& resize(uint64_t addr, uint64_t from, uint64_t to) { return heap(EventKind::kResize, addr, from, to); }
  Stream& map(uint64_t addr, uint64_t size) { return mapping(EventKind::kMap, addr, size); }
  Stream& unmap(uint64_t addr, uint64_t size) { return mapping(EventKind::kUnmap, addr, size); }
  Stream& gap_begin() { return emit(make(EventKind::kGapBegin)); }
  Stream& gap_end() {
    Event e = make(EventKind::kGapEnd);
    e.sp = sp();
    return emit(e);
  }
  Stream& enter_in_gap(uint64_t pc) {
    Event e = make(EventKind::kEnter);
    e.block = intern(shape_of(pc, {nothing()}));
    block_flags = 0;
    return emit(e);
  }
  Stream& syscall(uint64_t ip, std::vector<cdr::MemorySpan> memory) {
    Stored s;
    s.event = make(EventKind::kSyscall);
    s.event.ip = ip;
    s.memory = std::move(memory);
    return keep(std::move(s));
  }
  cdr::ModuleId module(cdr::Module m) {
    const cdr::ModuleId id = modules_.add(m);
    Event e = make(EventKind::kModuleMapped);
    e.module = id;
    emit(e);
    return id;
  }
  Stream& module_unmapped(cdr::ModuleId id) {
    Event e = make(EventKind::kModuleUnmapped);
    e.module = id;
    return emit(e);
  }

  // ---- results
  uint64_t& sp() { return sps_[stack_of_[thread_]]; }
  cdr::depend::Engine& engine() { return *engine_; }
  // All rows but linkage (call and return), or the class asked for.
  std::multiset<std::string> rows(char only = 0) {
    std::multiset<std::string> out;
    for (const cdr::depend::Row& r : engine_->results().rows()) {
      const char c = letter(r.key.location);
      if (only ? c == only : c != 'l') out.insert(text(r));
    }
    return out;
  }
  void replay(cdr::EventSink& to) const {
    for (const Stored& s : stored_) dispatch(with_spans(s), to);
  }
  const cdr::ModuleTable& modules() const { return modules_; }
  const cdr::BlockTable& blocks() const { return blocks_; }
  // A long stream need not be kept.
  bool keeping = true;

  static std::string text(const cdr::depend::Row& r) {
    std::ostringstream o;
    const auto end = [](const cdr::depend::Endpoint& e) {
      std::ostringstream t;
      t << std::hex << e.at.addr;
      if (e.code != cdr::depend::EndpointCode::kOwn) t << letter(e.code);
      return t.str();
    };
    static const char* const kinds[] = {"RAW", "WAR", "WAW"};
    o << kinds[static_cast<int>(r.key.kind)] << ' ' << letter(r.key.location) << " in " << std::hex
      << r.key.ancestor.addr << (r.key.ancestor_hidden ? "h" : "") << ": " << end(r.key.source) << " -> "
      << end(r.key.target) << " x" << std::dec << r.count;
    if (r.key.source_thread.value != 1 || r.key.target_thread.value != 1)
      o << ' ' << r.key.source_thread.value << '>' << r.key.target_thread.value;
    return o.str();
  }

 private:
  static cdr::depend::Options with_granularity(uint32_t granularity) {
    cdr::depend::Options o;
    o.granularity = granularity;
    return o;
  }
  struct Shape {
    uint64_t pc;
    uint8_t flags;
    ExitKind exit;
    std::vector<Op> ops;  // addresses of accesses zero
    bool operator<(const Shape& o) const { return key() < o.key(); }
    std::vector<uint64_t> key() const {
      std::vector<uint64_t> k{pc, flags, static_cast<uint64_t>(exit)};
      for (const Op& op : ops) {
        k.push_back(op.kind | op.width << 8 | op.flags << 24 | uint64_t{op.joined} << 32);
        k.push_back(op.addr);
      }
      return k;
    }
  };

  Event make(EventKind kind) const {
    Event e;
    e.kind = kind;
    e.thread = cdr::ThreadId(thread_);
    return e;
  }
  static Event with_spans(const Stored& s) {
    Event e = s.event;
    e.words = s.words;
    e.memory = s.memory;
    return e;
  }
  Stream& emit(const Event& e) { return keep({e, {}, {}}); }
  Stream& keep(Stored s) {
    dispatch(with_spans(s), *engine_);
    if (keeping) stored_.push_back(std::move(s));
    return *this;
  }
  Stream& heap(EventKind kind, uint64_t addr, uint64_t size, uint64_t value) {
    Event e = make(kind);
    e.addr = addr;
    e.size = size;
    e.value = value;
    return emit(e);
  }
  Stream& mapping(EventKind kind, uint64_t addr, uint64_t size) {
    Event e = make(kind);
    e.range = {addr, addr + size};
    return emit(e);
  }

  Shape shape_of(uint64_t pc, const std::vector<Op>& ops) const {
    Shape s{pc, block_flags, exit, ops};
    for (Op& op : s.ops)
      if (op.kind != Op::kSp) op.addr = 0;
    return s;
  }
  std::vector<uint64_t> words_of(const std::vector<Op>& ops) const {
    std::vector<uint64_t> w;
    for (const Op& op : ops)
      if (op.kind == Op::kLoad || op.kind == Op::kStore || op.kind == Op::kSpTo) w.push_back(op.addr);
    return w;
  }
  uint64_t sp_after_ops(const std::vector<Op>& ops) {
    uint64_t value = sp();
    for (const Op& op : ops) {
      if (op.kind == Op::kSp) value += op.addr;
      if (op.kind == Op::kSpTo) value = op.addr;
    }
    return value;
  }
  cdr::BlockId intern(const Shape& shape) {
    cdr::BlockId& known = known_[shape];
    if (known) return known;
    std::vector<cdr::Insn> insns;
    std::vector<cdr::Access> accesses;
    std::vector<cdr::SpChange> changes;
    uint16_t slots = 0;
    int64_t sp_delta = 0;
    uint16_t sp_slot = cdr::SpChange::kSpAtEntry;
    for (const Op& op : shape.ops) {
      if (insns.empty() || !op.joined) insns.push_back({static_cast<uint32_t>(4 * insns.size()), 4});
      const auto insn = static_cast<uint16_t>(insns.size() - 1);
      if (op.kind == Op::kSp) sp_delta += static_cast<int64_t>(op.addr);
      if (op.kind == Op::kSpTo) {
        sp_slot = ++slots;
        sp_delta = 0;
      }
      if (op.kind == Op::kSp || op.kind == Op::kSpTo) changes.push_back({sp_delta, insn, sp_slot});
      if (op.kind == Op::kLoad || op.kind == Op::kStore) accesses.push_back({0, insn, ++slots, op.width, op.flags});
    }
    cdr::Superblock sb;
    sb.addr = shape.pc;
    sb.length = static_cast<uint32_t>(4 * insns.size());
    sb.flags = shape.flags;
    sb.insns = insns;
    sb.accesses = accesses;
    sb.sp_changes = changes;
    cdr::Exit x;
    x.insns = static_cast<uint16_t>(insns.size());
    x.accesses = static_cast<uint16_t>(accesses.size());
    x.words = slots;
    x.sp_changes = static_cast<uint16_t>(changes.size());
    x.kind = shape.exit;
    const std::vector<cdr::Exit> exits{x};
    sb.exits = exits;
    known = blocks_.add_block(blocks_.add_superblock(sb), 0);
    return known;
  }

  cdr::ModuleTable modules_;
  cdr::BlockTable blocks_;
  std::unique_ptr<cdr::depend::Engine> engine_;
  std::map<Shape, cdr::BlockId> known_;
  std::vector<Stored> stored_;
  uint32_t thread_ = 1;
  std::map<uint32_t, uint32_t> stack_of_{{1, 1}};
  std::map<uint32_t, uint64_t> sps_;
};

using Rows = std::multiset<std::string>;  // in any order

}  // namespace depend_test

#endif
