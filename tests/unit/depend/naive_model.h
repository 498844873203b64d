// SPDX-License-Identifier: GPL-2.0-or-later
// Dependences by brute force: every byte has its own records, frames and SP values are never forgotten, and
// every question is answered by looking through all of them. For short streams; the engine must agree.
#ifndef TESTS_UNIT_DEPEND_NAIVE_MODEL_H
#define TESTS_UNIT_DEPEND_NAIVE_MODEL_H

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/depend/result_table.h"

namespace depend_test {

using cdr::AddrRange;
using cdr::CodeAddr;
using cdr::Event;
using cdr::EventKind;
using cdr::depend::EndpointCode;
using cdr::depend::Key;
using cdr::depend::Kind;
using cdr::depend::LocationClass;

class NaiveModel final : public cdr::EventSink {
 public:
  NaiveModel(const cdr::ModuleTable& modules, const cdr::BlockTable& blocks, uint64_t granularity)
      : modules_(modules), blocks_(blocks), granularity_(granularity) {}

  void block(cdr::ThreadId thread, cdr::BlockId id, std::span<const uint64_t> words) override {
    thread_ = thread.value;
    before_switch_ = {};
    const cdr::Exit& x = blocks_.exit_of(id);
    execute(blocks_.superblock_of(id), x.accesses, x.sp_changes, words);
    frame().last = id.value;
    frame().last_insn = {blocks_.superblock_of(id).module, blocks_.superblock_of(id).insn_addr(x.insns_executed() - 1)};
  }

  void event(const Event& e) override {
    thread_ = e.thread.value;
    if (e.kind != EventKind::kPop && e.kind != EventKind::kSignalEnter) before_switch_ = {};
    switch (e.kind) {
      case EventKind::kPartial:
        partial(e);
        break;
      case EventKind::kCall:
        open(&frame(), {module_of(e.ip), e.ip});
        break;
      case EventKind::kReturn:
        close();
        break;
      case EventKind::kPop:
        for (uint32_t i = 0; i < e.count; ++i) close();
        break;
      case EventKind::kSignalEnter:
        signal(e);
        break;
      case EventKind::kSignalLeave:
        close();
        set_sp(e.sp);
        break;
      case EventKind::kStackPointer:
        set_sp(e.sp);
        break;
      case EventKind::kStackSwitch:
        switch_stack(e);
        break;
      case EventKind::kGapEnd:
        bytes_.clear();
        set_sp(e.sp);
        break;
      case EventKind::kEnter:
        name(blocks_.superblock_of(e.block));
        break;
      case EventKind::kThreadCreate:
        created_[e.child.value] = add_visit(&frame(), frame().last_insn, visit());
        break;
      case EventKind::kThreadStart:
        start(e);
        break;
      case EventKind::kThreadEnd:
        end_thread();
        break;
      case EventKind::kSyscall:
        syscall(e);
        break;
      case EventKind::kAlloc:
        heap(e.addr, e.addr + e.size, true);
        break;
      case EventKind::kFree:
        heap(e.addr, e.addr + e.size, false);
        break;
      case EventKind::kResize:
        if (e.value < e.size)
          heap(e.addr + e.value, e.addr + e.size, false);
        else
          heap(e.addr + e.size, e.addr + e.value, true);
        break;
      case EventKind::kMap:
      case EventKind::kUnmap:
        bytes_.erase(bytes_.lower_bound(e.range.begin), bytes_.lower_bound(e.range.end));
        break;
      case EventKind::kModuleMapped:
        mapped_.insert(e.module.value);
        break;
      case EventKind::kModuleUnmapped:
        mapped_.erase(e.module.value);
        break;
      default:
        break;
    }
  }

  std::map<Key, uint64_t> counts;
  // The same by the lowest byte of the access that has the key, and its instruction.
  struct Hit {
    Key key;
    uint64_t byte = 0;
    CodeAddr at;
    auto operator<=>(const Hit&) const = default;
  };
  std::map<Hit, uint64_t> hits;

 private:
  using Keys = std::map<Key, uint64_t>;  // the lowest byte
  struct Frame {
    Frame* parent;  // on the same stack
    CodeAddr site;
    CodeAddr function;
    uint32_t stack;
    bool named = false, hidden = false, lazy = false;
    uint32_t last = 0;
    CodeAddr last_insn;
  };
  struct Stack {
    AddrRange range;
    uint64_t raw = 0;
    std::vector<uint64_t> sp;  // all values
    std::vector<Frame*> frames;
    uint32_t age;
    uint32_t thread = 0;  // that ran on it last
  };
  struct Visit {
    Frame* from;
    CodeAddr site;
    const Visit* outer;
  };
  // A thread's, outermost first, with the stacks.
  using Visits = std::vector<std::pair<uint32_t, const Visit*>>;
  // What a thread was doing before it switched stacks; no frame: something has happened since.
  struct BeforeSwitch {
    Frame* frame = nullptr;
    Visits visits;
    uint64_t sp = 0;
  };
  struct Record {
    Frame* frame;
    const Visit* visit;
    uint32_t thread;
    CodeAddr insn;
    bool store, linkage, lazy;
    uint64_t execution;
    uint32_t owner;   // stack, 0 none
    uint64_t sp;      // of the owner
    size_t sp_index;  // the value just after the instruction
    size_t heap_index;
    enum { kOpen, kFalse, kForeign } stack_state = kOpen;
  };
  struct Byte {
    bool written = false;
    Record write;
    std::vector<Record> readers;
  };
  struct HeapEvent {
    uint64_t begin, end;
    bool alloc;
  };
  struct Step {
    bool own;
    uint64_t before, after;
  };

  Stack& stack() { return stacks_[present_[thread_]]; }
  Frame& frame() { return *stack().frames.back(); }
  const Visit* visit() { return visits_[thread_].back().second; }
  const Visit* add_visit(Frame* from, CodeAddr site, const Visit* outer) {
    return &all_visits_.emplace_back(Visit{from, site, outer});
  }
  void signal(const Event& e) {
    const CodeAddr ip{module_of(e.ip), e.ip};
    if (before_switch_.frame && before_switch_.sp == e.sp) {
      Visits before = before_switch_.visits;
      before.push_back({present_[thread_], add_visit(before_switch_.frame, ip, before.back().second)});
      visits_[thread_] = before;
      open(nullptr, {});
    } else {
      open(&frame(), ip);
    }
    before_switch_ = {};
    set_sp(e.sp);
  }
  cdr::ModuleId module_of(uint64_t ip) const {
    for (uint32_t m : mapped_)
      if (modules_[cdr::ModuleId(m)].text.contains(ip)) return cdr::ModuleId(m);
    return {};
  }
  Frame* open(Frame* parent, CodeAddr site) {
    auto f = std::make_unique<Frame>();
    f->parent = parent;
    f->site = site;
    f->stack = present_[thread_];
    stack().frames.push_back(f.get());
    frames_.push_back(std::move(f));
    return frames_.back().get();
  }
  void close() {
    if (stack().frames.size() > 1) stack().frames.pop_back();
  }
  bool holds(const Stack& s, uint64_t v) const { return s.range.begin <= v && v <= s.range.end; }
  void set_sp(uint64_t v) {
    stack().raw = v;
    if (holds(stack(), v)) stack().sp.push_back(v);
  }
  uint32_t owner_of(uint64_t addr) const {
    uint32_t best = 0;
    for (const auto& [id, s] : stacks_)
      if (s.range.contains(addr) && (best == 0 || s.age > stacks_.at(best).age)) best = id;
    return best;
  }
  void name(const cdr::Superblock& sb) {
    frame().named = true;
    frame().function = {sb.module, sb.addr};
    frame().hidden = sb.flags & cdr::kBlockHidden;
  }
  void enter(const cdr::Superblock& sb) {
    Frame& f = frame();
    const bool jumped = f.last && cdr::is_jump(blocks_.exit_of(cdr::BlockId(f.last)).kind);
    if (!f.named || (jumped && (sb.flags & cdr::kBlockFunctionEntry))) name(sb);
    if (!jumped) return;
    const uint8_t from = blocks_.superblock_of(cdr::BlockId(f.last)).flags;
    const bool to_dl = sb.flags & cdr::kBlockDynamicLinker;
    if (!f.lazy && (from & cdr::kBlockPlt) && to_dl)
      f.lazy = true;
    else if (f.lazy && (from & cdr::kBlockDynamicLinker) && !to_dl)
      f.lazy = false;
  }
  bool lazy() {
    for (Frame* f : stack().frames)
      if (f->lazy) return true;
    return false;
  }

  void execute(const cdr::Superblock& sb, size_t accesses, size_t changes, std::span<const uint64_t> words) {
    enter(sb);
    const uint64_t entry = stack().raw;
    size_t done = 0;
    for (size_t insn = 0; insn < sb.insns.size(); ++insn) {
      ++execution_;
      uint64_t after = stack().raw;
      size_t c = done;
      for (; c < changes && sb.sp_changes[c].insn == insn; ++c) after = sp_after(sb.sp_changes[c], entry, words);
      if (!(sb.flags & cdr::kBlockShim))
        for (size_t i = 0; i < accesses; ++i) {
          const cdr::Access& a = sb.accesses[i];
          if (a.insn != insn || !happened(a, words)) continue;
          access(address_of(a, words), a.width, a.store(), a.flags & cdr::kAccessLinkage,
                 {sb.module, sb.insn_addr(a.insn)}, after, c > done);
        }
      if (c > done) set_sp(after);
      done = c;
    }
  }
  void partial(const Event& e) {
    const cdr::Superblock& sb = blocks_.superblock_of(e.block);
    const cdr::Executed d = executed_before(sb, e.ip);
    execute(sb, d.accesses, d.sp_changes, e.words);
    if (d.insns) frame().last_insn = {sb.module, sb.insn_addr(d.insns - 1u)};
    frame().last = 0;
  }
  void syscall(const Event& e) {
    constexpr uint64_t kFutex = 202;
    if (e.value == kFutex) return;
    ++execution_;
    for (const cdr::MemorySpan& m : e.memory)
      access(m.addr, m.size, m.store, false, {module_of(e.ip), e.ip}, stack().raw, false);
  }

  void access(uint64_t addr, uint64_t width, bool store, bool linkage, CodeAddr insn, uint64_t after, bool moves) {
    const uint64_t end = (addr + width + granularity_ - 1) / granularity_ * granularity_;
    Keys keys;
    for (uint64_t b = addr / granularity_ * granularity_; b < end; ++b)
      one_byte(b, record(b, store, linkage, insn, after, moves), keys);
    for (const auto& [k, byte] : keys) {
      ++counts[k];
      ++hits[{k, std::max(byte, addr), insn}];
    }
  }
  Record record(uint64_t b, bool store, bool linkage, CodeAddr insn, uint64_t after, bool moves) {
    Record r{};
    r.frame = &frame();
    r.visit = visit();
    r.thread = thread_;
    r.insn = insn;
    r.store = store;
    r.linkage = linkage;
    r.lazy = lazy();
    r.execution = execution_;
    r.heap_index = heap_.size();
    r.owner = owner_of(b);
    if (!r.owner) return r;
    Stack& o = stacks_[r.owner];
    const bool before_in = holds(o, stack().raw), after_in = holds(o, after);
    const bool own = &o == &stack() && (before_in || after_in);
    r.sp = o.sp.back();
    r.sp_index = o.sp.size() - 1;
    if (own) {
      r.sp = !before_in ? after : !after_in ? stack().raw : std::min(stack().raw, after);
      if (moves && after_in) r.sp_index = o.sp.size();
    }
    return r;
  }
  void one_byte(uint64_t b, const Record& x, Keys& keys) {
    Byte& state = bytes_[b];
    if (x.store) {
      for (const Record& r : state.readers) pair(r, x, b, Kind::kWar, keys);
      if (state.written) pair(state.write, x, b, Kind::kWaw, keys);
      state.write = x;
      state.written = true;
      state.readers.clear();
    } else {
      if (state.written) pair(state.write, x, b, Kind::kRaw, keys);
      state.readers.push_back(x);
    }
  }

  void pair(const Record& s, const Record& t, uint64_t b, Kind kind, Keys& keys) {
    if (s.execution == t.execution) return;
    Key k;
    k.kind = kind;
    k.source_thread = cdr::ThreadId(s.thread);
    k.target_thread = cdr::ThreadId(t.thread);
    const std::vector<Link> from = way_up(s), to = way_up(t);
    size_t above = 0;
    while (place_of(to[above].frame, from) == from.size()) ++above;
    const Frame* a = to[above].frame;
    k.ancestor = a->function;
    for (size_t i = above; i < to.size(); ++i) k.ancestor_hidden = k.ancestor_hidden || to[i].frame->hidden;
    k.source = endpoint(s, from, place_of(a, from));
    k.target = endpoint(t, to, above);
    k.location = classify(s, t, b);
    keys.emplace(k, b);
  }
  // A frame on the way up from an access, and where in it the frame before hangs.
  struct Link {
    const Frame* frame;
    CodeAddr site;
  };
  static std::vector<Link> way_up(const Record& r) {
    std::vector<Link> way{{r.frame, r.insn}};
    for (const Visit* v = r.visit;;) {
      const Frame* f = way.back().frame;
      if (f->parent) {
        way.push_back({f->parent, f->site});
        continue;
      }
      if (!v || !v->from) return way;
      way.push_back({v->from, v->site});
      v = v->outer;
    }
  }
  static size_t place_of(const Frame* f, const std::vector<Link>& way) {
    size_t i = 0;
    while (i < way.size() && way[i].frame != f) ++i;
    return i;
  }
  static cdr::depend::Endpoint endpoint(const Record& r, const std::vector<Link>& way, size_t ancestor) {
    if (ancestor == 0) return {r.insn, EndpointCode::kOwn};
    bool hidden = false;
    for (size_t i = 0; i < ancestor; ++i) hidden = hidden || way[i].frame->hidden;
    return {way[ancestor].site, hidden ? EndpointCode::kHidden : EndpointCode::kCall};
  }
  bool risen(const Record& s, uint64_t b) {
    const std::vector<uint64_t>& sp = stacks_[s.owner].sp;
    for (size_t i = s.sp_index; i < sp.size(); ++i)
      if (sp[i] > b && sp[i] > s.sp) return true;
    return false;
  }
  LocationClass classify(const Record& s, const Record& t, uint64_t b) {
    if (s.linkage && t.linkage) return LocationClass::kLinkage;
    for (uint32_t m : mapped_) {
      const cdr::Module& mod = modules_[cdr::ModuleId(m)];
      if (mod.got.contains(b) || mod.got_plt.contains(b)) return LocationClass::kLinkage;
    }
    if (s.lazy || t.lazy) return LocationClass::kLinkage;
    bool freed = false;
    for (size_t i = s.heap_index; i < heap_.size(); ++i) {
      if (b < heap_[i].begin || b >= heap_[i].end) continue;
      if (!heap_[i].alloc)
        freed = true;
      else if (freed)
        return LocationClass::kRecycled;
    }
    if (!t.owner) return LocationClass::kOther;
    if (s.stack_state == Record::kFalse) return LocationClass::kFalse;
    if (s.stack_state == Record::kForeign) return LocationClass::kOther;
    if (risen(s, b)) return LocationClass::kFalse;
    return b + 128 >= s.sp && b + 128 >= t.sp ? LocationClass::kStack : LocationClass::kOther;
  }

  void heap(uint64_t begin, uint64_t end, bool alloc) { heap_.push_back({begin, end, alloc}); }
  // Bytes that come to another stack.
  void set_range(uint32_t id, AddrRange range) {
    std::map<uint64_t, uint32_t> before;
    for (const auto& [b, state] : bytes_) before[b] = owner_of(b);
    if (!stacks_.count(id)) stacks_[id].age = ++age_;
    stacks_[id].range = range;
    for (auto& [b, state] : bytes_) {
      if (owner_of(b) == before[b]) continue;
      const auto change = [&, at = b](Record& r) {
        if (r.stack_state == Record::kOpen) r.stack_state = r.owner && risen(r, at) ? Record::kFalse : Record::kForeign;
      };
      change(state.write);
      for (Record& r : state.readers) change(r);
    }
  }
  void switch_stack(const Event& e) {
    Frame* from = &frame();
    Visits& visits = visits_[thread_];
    if (e.stack.value != present_[thread_]) before_switch_ = {from, visits, e.sp};
    const auto same = [&](const auto& v) { return v.first == e.stack.value; };
    const auto known = std::find_if(visits.rbegin(), visits.rend(), same);
    if (known != visits.rend())
      visits.erase(known.base(), visits.end());
    else
      visits.push_back({e.stack.value, add_visit(from, from->last_insn, visit())});
    stack().raw = stack().sp.empty() ? 0 : stack().sp.back();
    set_range(e.stack.value, e.range);
    present_[thread_] = e.stack.value;
    stack().sp.push_back(e.sp);
    stack().raw = e.sp;
    stack().thread = thread_;
    if (stack().frames.empty()) open(nullptr, {});
  }
  void start(const Event& e) {
    set_range(e.stack.value, e.range);
    present_[thread_] = own_[thread_] = e.stack.value;
    stack().frames.clear();
    stack().thread = thread_;
    stack().sp.push_back(e.sp);
    stack().raw = e.sp;
    const Visit* first = created_[thread_];
    visits_[thread_] = {{e.stack.value, first ? first : add_visit(nullptr, {}, nullptr)}};
    open(nullptr, {});
  }
  void end_thread() {
    for (uint32_t id : {present_[thread_], own_[thread_]}) {
      if (stacks_[id].thread != thread_) continue;  // another one has gone on there
      stacks_[id].sp.push_back(stacks_[id].range.end);
      stacks_[id].frames.clear();
    }
  }

  const cdr::ModuleTable& modules_;
  const cdr::BlockTable& blocks_;
  uint64_t granularity_;
  uint32_t thread_ = 0;
  uint32_t age_ = 0;
  uint64_t execution_ = 0;
  std::map<uint32_t, Stack> stacks_;
  std::map<uint32_t, uint32_t> present_, own_;
  std::map<uint32_t, const Visit*> created_;
  std::map<uint32_t, Visits> visits_;
  std::deque<Visit> all_visits_;
  BeforeSwitch before_switch_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::map<uint64_t, Byte> bytes_;
  std::vector<HeapEvent> heap_;
  std::set<uint32_t> mapped_;
};

}  // namespace depend_test

#endif
