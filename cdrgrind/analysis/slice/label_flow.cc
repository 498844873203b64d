// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/label_flow.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/trace/read/replay.h"

namespace cdr::slice {
namespace {

constexpr uint64_t kAllRegisters = ~uint64_t{0};
constexpr std::array<uint16_t, 6> kCalleeSaved = {kStateRbx,     kStateRbp,      kStateR12,
                                                  kStateR12 + 8, kStateR12 + 16, kStateR15};

uint64_t callee_saved_mask() {
  uint64_t mask = 0;
  for (const uint16_t r : kCalleeSaved) mask |= LabelRegisters::bit_of(r);
  return mask;
}

// Of wrapped operations on threads: those that are handed on.
uint64_t argument_mask() {
  return LabelRegisters::bit_of(kStateRdi) | LabelRegisters::bit_of(kStateRdx) | LabelRegisters::bit_of(kStateRcx);
}

uint32_t insn_of(const Exit& exit) { return exit.insns == 0 ? 0 : exit.insns - 1u; }

}  // namespace

bool written_by_kernel(ExitKind kind, uint32_t offset) {
  const uint32_t r = offset / 8 * 8;
  if (kind == ExitKind::kSyscall) return r == kStateRax || r == kStateRcx || r == kStateR11;
  return kind == ExitKind::kClientRequest && r == kStateRdx;
}

bool is_callee_saved(uint32_t offset) {
  const uint32_t r = offset / 8 * 8;
  return r == kStateRbx || r == kStateRbp || (r >= kStateR12 && r <= kStateR15);
}

bool is_neutral(const StateWrite& w, const Dataflow& flow) {
  if (w.piece.offset / 8 == kStateRsp / 8) return true;
  const FlowSet s = flow.set(w.set);
  return !s.weak && s.inputs.size() == 1 && s.inputs[0] == FlowInput::state(w.piece);
}

// Popped by a callee: what the caller had there, not what became of it on the way.
bool is_restored(const StateWrite& w, const Superblock& sb, const Dataflow& flow) {
  const FlowSet s = flow.set(w.set);
  if (s.weak || s.inputs.size() != 1 || !s.inputs[0].is_load()) return is_neutral(w, flow);
  return sb.accesses[s.inputs[0].first].flags & kAccessLinkage;
}

template <class Table>
LabelFlow<Table>::LabelFlow(const BlockTable& blocks, const DataflowTable& flows, FunctionGraphs& graphs,
                            RaceEnds& ends, Table& table, const CLibrary& library)
    : blocks_(blocks),
      flows_(flows),
      graphs_(graphs),
      ends_(ends),
      table_(table),
      strands_(static_cast<StrandContexts::Flow&>(*this)),
      managed_(library) {
  infos_.resize(blocks.block_count() + 1);
}

template <class Table>
void LabelFlow<Table>::judge(std::vector<AccessPosition> at) {
  for (const AccessPosition& p : at) judged_.push_back({p, {}, {}, 0, 0, {}});
}

template <class Table>
typename LabelFlow<Table>::Thread& LabelFlow<Table>::thread(ThreadId id) {
  if (id.value >= threads_.size()) threads_.resize(id.value + 1);
  auto& t = threads_[id.value];
  if (!t) {
    t = std::make_unique<Thread>();
    t->stack = &stacks_[0];
    if (t->stack->frames.empty()) push_frame(*t, 0, false);
  }
  return *t;
}

template <class Table>
void LabelFlow<Table>::event(const Event& e, uint64_t index) {
  while (next_ < judged_.size() && judged_[next_].at.event < index) ++next_;
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) return block(e, index);
  if (next_ < judged_.size() && judged_[next_].at.event == index)
    see_judged(e, {e.thread, judged_[next_].at, {{}, e.ip}, 0, 0, false, false}, 0);
  strands_.event(e, index);
  managed_.event(e);
  switch (e.kind) {
    case EventKind::kSyscall:
    case EventKind::kMap:
      return memory(e, index);
    case EventKind::kFree:
    case EventKind::kResize:
      // Nothing flows from it, but it comes before what its thread does then.
      ends_at({e.thread, {index, 0}, {}, e.addr, std::max<uint64_t>(e.size, 1), true, false});
      return;
    case EventKind::kSyncEnter:
      if (is_team_op(e.sync.op)) return;
      enter_operation(e);
      // The same of what it does to its objects.
      for (const uint64_t object : {e.sync.object, e.sync.object2})
        for (const bool store : {false, true})
          if (object) ends_at({e.thread, {index, 0}, {}, object, 1, store, false});
      return;
    case EventKind::kSyncLeave:
      return leave_operation(e);
    case EventKind::kGapEnd:
      return end_gap(e);
    default:
      return frames(e);
  }
}

// --- what threads repeat ---

template <class Table>
bool LabelFlow<Table>::pass(analysis::EventWalk& walk, const analysis::Passage& p) {
  if (next_judged(p.begin) < p.end()) return false;
  Thread& t = thread(p.thread);
  const Frame& f = t.stack->frames.back();
  if (f.entry == 0 || f.jumped_to || f.saved || managed_.operation(p.thread) != SyncOp::kNone) return false;
  const bool in_runtime = strands_.in_runtime(p.thread);
  if (!in_runtime && f.context != 0) return false;
  const uint64_t held = t.registers.held();
  for (const analysis::BlockCount& c : p.blocks) {
    const BlockInfo& info = info_of(c.block);
    if (!in_runtime && (info.ends || (held & info.reads))) return false;
    if ((held & callee_saved_mask()) && (blocks_.superblock_of(c.block).flags & kBlockShim)) return false;
  }
  if (touches_labels(walk, p, in_runtime)) return false;
  t.target = 0;
  if (held)
    for (const analysis::BlockCount& c : p.blocks) forget_writes(t, info_of(c.block));
  return true;
}

template <class Table>
uint64_t LabelFlow<Table>::next_judged(uint64_t begin) const {
  const auto first = std::partition_point(judged_.begin() + static_cast<ptrdiff_t>(next_), judged_.end(),
                                          [&](const JudgedAccess& j) { return j.at.event < begin; });
  return first == judged_.end() ? ~uint64_t{0} : first->at.event;
}

template <class Table>
bool LabelFlow<Table>::touches_labels(analysis::EventWalk& walk, const analysis::Passage& p, bool stores_only) {
  if (memory_.empty()) return false;
  const auto hold_none = [&](BlockId, const Access& a, std::span<const analysis::Progression> all) {
    if (stores_only && !a.store()) return true;
    return std::all_of(all.begin(), all.end(), [&](const analysis::Progression& one) {
      return for_each_span(one, LabelMemory::kLine, [&](uint64_t addr, uint64_t width) {
        return !memory_.any_in({addr, addr + width});
      });
    });
  };
  return !walk.addresses(p, hold_none, [&](AddrRange all) { return !memory_.any_in(all); });
}

// What comes of a copy depends on what the thread holds when it begins, and on memory, from which all loads and stores
// have the same bytes each time.
template <class Table>
uint32_t LabelFlow<Table>::may_stand_for(const analysis::Passage& p) {
  Thread& t = thread(p.thread);
  const uint64_t end = std::min(p.end(), next_judged(p.begin + p.events));
  const auto copies = static_cast<uint32_t>((end - p.begin) / p.events);
  if (copies < 2 || t.stack->frames.back().jumped_to) return 0;
  const bool ends = std::any_of(p.blocks.begin(), p.blocks.end(),
                                [&](const analysis::BlockCount& c) { return info_of(c.block).ends; });
  if (ends && !ends_.are_alike(p.thread, p.begin - p.events, p.begin + copies * p.events)) return 0;
  if (watched_.thread == p.thread && watched_.end == p.begin) {
    const bool same = !watched_.stored && is_as_watched(t);
    watched_.thread = ThreadId();
    return same ? copies : 0;
  }
  watched_ = {p.thread, p.begin + p.events, t.registers, t.stack->open, t.stack->frames.back().context, false};
  return analysis::EventReader::kAskAgain;
}

template <class Table>
bool LabelFlow<Table>::is_as_watched(Thread& t) const {
  const auto alike = [&](Labels a, Labels b) { return table_.alike(a, b); };
  const auto same_branch = [&](const OpenBranch& a, const OpenBranch& b) {
    return a.branch == b.branch && a.join == b.join && alike(a.labels, b.labels);
  };
  return std::equal(t.stack->open.begin(), t.stack->open.end(), watched_.open.begin(), watched_.open.end(),
                    same_branch) &&
         alike(t.stack->frames.back().context, watched_.context) && t.registers.is_like(watched_.registers, alike);
}

// --- frames ---

template <class Table>
void LabelFlow<Table>::push_frame(Thread& t, Labels inherited, bool for_program) {
  Frame f;
  f.for_program = for_program;
  f.inherited = f.context = inherited;
  f.first_open = static_cast<uint32_t>(t.stack->open.size());
  t.stack->frames.push_back(std::move(f));
}

// A root frame stays.
template <class Table>
void LabelFlow<Table>::pop_frames(Thread& t, uint32_t count) {
  Stack& s = *t.stack;
  for (; count > 0 && s.frames.size() > 1; --count) {
    s.open.resize(s.frames.back().first_open);
    s.frames.pop_back();
  }
}

template <class Table>
void LabelFlow<Table>::frames(const Event& e) {
  switch (e.kind) {
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch: {
      Thread& t = thread(e.thread);
      t.stack = &stacks_[e.stack.value];
      if (t.stack->frames.empty()) push_frame(t, 0, false);
      if (e.kind == EventKind::kThreadStart) start_thread(e);
      return;
    }
    case EventKind::kThreadCreate:
      if (managed_.operation(e.thread) == SyncOp::kThreadCreate && !strands_.in_runtime(e.thread))
        handed_[e.child.value] = thread(e.thread).creates;
      return;
    case EventKind::kThreadEnd:
      if (const Labels result = thread(e.thread).result) results_[e.thread.value] = result;
      return;
    case EventKind::kCall: {
      Thread& t = thread(e.thread);
      const Frame& from = t.stack->frames.back();
      push_frame(t, table_.unite(from.context, t.target), from.for_program);
      t.target = 0;
      return;
    }
    case EventKind::kReturn:
      return return_from(thread(e.thread));
    case EventKind::kPop: {
      Thread& t = thread(e.thread);
      pop_frames(t, e.count);
      t.stack->frames.back().jumped_to = true;
      return;
    }
    case EventKind::kSignalEnter:
      return enter_signal(thread(e.thread));
    case EventKind::kSignalLeave:
      return leave_signal(thread(e.thread));
    default:
      return;
  }
}

template <class Table>
void LabelFlow<Table>::enter_signal(Thread& t) {
  t.signals.push_back(t.registers.held() ? std::make_shared<const LabelRegisters>(t.registers) : nullptr);
  push_frame(t, 0, false);
  for (const uint16_t r : {kStateRax, kStateRdx, kStateRsi, kStateRdi}) t.registers.set({r, 8}, 0);
}

template <class Table>
void LabelFlow<Table>::leave_signal(Thread& t) {
  pop_frames(t, 1);
  t.registers.clear(kAllRegisters);
  if (t.signals.empty()) return;
  if (t.signals.back()) t.registers.restore(*t.signals.back(), kAllRegisters);
  t.signals.pop_back();
}

// The frame that is open is the runtime's, or one of ours: what it calls is the strand.
template <class Table>
void LabelFlow<Table>::begin_strand(ThreadId on, Labels context) {
  Thread& t = thread(on);
  Frame& f = t.stack->frames.back();
  t.stack->open.resize(f.first_open);
  f.inherited = f.context = context;
  t.registers.clear(kAllRegisters);
}

template <class Table>
void LabelFlow<Table>::end_gap(const Event& e) {
  if (e.count == 1) return thread(e.thread).registers.clear(kAllRegisters);
  memory_.clear();
  for (auto& t : threads_)
    if (t) t->registers.clear(kAllRegisters);
}

// --- threads ---

// The wrapper's frame is open. It passes on what it was called with, which is not recorded.
template <class Table>
void LabelFlow<Table>::enter_operation(const Event& e) {
  Thread& t = thread(e.thread);
  const Frame& wrapper = t.stack->frames.back();
  const auto given = [&](uint16_t r) { return wrapper.saved ? wrapper.saved->at({r, 8}, table_) : 0; };
  t.stored_for.clear();
  if (e.sync.op == SyncOp::kThreadCreate) t.creates = {wrapper.context, given(kStateRdx), given(kStateRcx)};
  if (e.sync.op == SyncOp::kThreadExit) t.result = table_.unite(given(kStateRdi), wrapper.context);
}

// What the thread that is joined has returned stands where libc has stored.
template <class Table>
void LabelFlow<Table>::leave_operation(const Event& e) {
  if (e.sync.op != SyncOp::kThreadJoin) return;
  const auto result = results_.find(static_cast<uint32_t>(e.sync.value));
  if (result == results_.end()) return;
  for (const AddrRange& r : thread(e.thread).stored_for)
    memory_.set(r.begin, r.size(), table_.unite(memory_.at(r.begin, r.size(), table_), result->second));
}

template <class Table>
void LabelFlow<Table>::start_thread(const Event& e) {
  const auto handed = handed_.find(e.thread.value);
  if (handed == handed_.end()) return;
  Thread& t = thread(e.thread);
  Frame& root = t.stack->frames.front();
  root.inherited = root.context = table_.unite(handed->second.context, handed->second.routine);
  t.argument = handed->second.argument;
  handed_.erase(handed);
}

template <class Table>
void LabelFlow<Table>::return_from(Thread& t) {
  const bool for_program = t.stack->frames.back().for_program;
  pop_frames(t, 1);
  if (for_program && !t.stack->frames.back().for_program) t.result = t.registers.at({kStateRax, 8}, table_);
}

template <class Table>
void LabelFlow<Table>::memory(const Event& e, uint64_t index) {
  if (e.kind == EventKind::kMap) return memory_.clear(e.range);
  uint32_t number = 0;
  for (const MemorySpan& s : e.memory) {
    const Touch touch{e.thread, {index, number++}, {{}, e.ip}, s.addr, s.size, s.store, false};
    if (s.size == 0 || (!s.store && !ends_.may_be_end(touch.ip))) continue;
    const Labels given = strands_.in_runtime(e.thread) ? 0 : ends_at(touch);
    if (!s.store) continue;
    memory_.clear({s.addr, s.addr + s.size});
    const Labels labels = table_.step(given, [&] { return step_of(FlowStep::Kind::kStore, touch); });
    if (labels) memory_.set(s.addr, s.size, labels);
  }
}

// --- blocks ---

template <class Table>
const typename LabelFlow<Table>::BlockInfo& LabelFlow<Table>::info_of(BlockId id) {
  BlockInfo& info = infos_[id.value];
  if (!info.known) info = make_info(id);
  return info;
}

template <class Table>
typename LabelFlow<Table>::BlockInfo LabelFlow<Table>::make_info(BlockId id) const {
  BlockInfo info;
  info.known = true;
  const Block& b = blocks_.block(id);
  const Superblock& sb = blocks_.superblock(b.superblock);
  const Dataflow& flow = flows_[b.superblock];
  const auto read = [&](uint32_t set) {
    for (const FlowInput& i : flow.set(set).inputs)
      if (!i.is_load()) info.reads |= LabelRegisters::bit_of(i.first);
  };
  for (const uint16_t s : flow.slots) read(s);
  for (const AccessFlow& a : flow.accesses) read(a.value), read(a.guard);
  for (uint32_t x = 0; x <= b.exit; ++x) read(flow.exits[x].condition);
  add_writes(b, info);
  for (const RegisterWrite& w : info.written) read(w.set);
  info.reads &= ~LabelRegisters::bit_of(kStateRsp);
  for (const Access& a : sb.accesses) info.ends |= ends_.may_be_end({sb.module, sb.insn_addr(a.insn)});
  return info;
}

// Those of registers of which not all keep their values.
template <class Table>
void LabelFlow<Table>::add_writes(const Block& b, BlockInfo& info) const {
  const Superblock& sb = blocks_.superblock(b.superblock);
  const Dataflow& flow = flows_[b.superblock];
  const auto writes = flow.writes.first(flow.exits[b.exit].writes);
  for (const StateWrite& w : writes)
    if (!is_neutral(w, flow)) info.writes |= LabelRegisters::bit_of(w.piece.offset);
  uint16_t exit = 0;
  for (uint32_t n = 0; n < writes.size(); ++n) {
    while (flow.exits[exit].writes <= n) ++exit;
    const StateWrite& w = writes[n];
    if (w.piece.offset / 8 == kStateRsp / 8 || !(info.writes & LabelRegisters::bit_of(w.piece.offset))) continue;
    const bool saved = (sb.flags & kBlockShim) && is_callee_saved(w.piece.offset) && flow.set(w.set).weak;
    info.written.push_back({w.piece, w.set, exit, is_restored(w, sb, flow), saved});
  }
  for (const uint16_t r : {kStateRax, kStateRcx, kStateR11, kStateRdx}) {
    if (!written_by_kernel(sb.exits[b.exit].kind, r)) continue;
    info.writes |= LabelRegisters::bit_of(r);
    info.written.push_back({{r, 8}, 0, b.exit, false, false});
  }
}

template <class Table>
void LabelFlow<Table>::block(const Event& e, uint64_t index) {
  Thread& t = thread(e.thread);
  const Superblock& sb = blocks_.superblock_of(e.block);
  enter_block(t, sb);
  t.target = 0;
  const BlockInfo& info = info_of(e.block);
  const bool partial = e.kind == EventKind::kPartial;
  const auto accesses = partial ? trace::extent_of(e, blocks_).accesses
                                : sb.accesses.first(sb.exits[blocks_.block(e.block).exit].accesses);
  const bool judged = next_ < judged_.size() && judged_[next_].at.event == index;
  // What libc stores for the program is looked at.
  const bool in_operation = managed_.operation(e.thread) != SyncOp::kNone;
  if (!judged && strands_.in_runtime(e.thread))
    forget_writes(t, info), forget_stores(e, accesses);
  else if (!judged && !in_operation && passes(t, e, info, accesses))
    forget_writes(t, info);
  else
    execute(t, e, index, info, accesses);
  if (partial) t.registers.clear(kAllRegisters);
}

template <class Table>
void LabelFlow<Table>::enter_block(Thread& t, const Superblock& sb) {
  Stack& s = *t.stack;
  Frame& f = s.frames.back();
  if (f.entry == 0) {
    f.entry = sb.addr;
    f.module = sb.module;
  }
  // The wrapper may have been come to by a stub of the linkage table.
  if ((sb.flags & kBlockShim) && !f.in_wrapper) {
    f.in_wrapper = true;
    if (t.registers.held() & (callee_saved_mask() | argument_mask()))
      f.saved = std::make_shared<const LabelRegisters>(t.registers);
  }
  if (!f.for_program && ManagedThreads::is_of_program(sb, managed_.library())) {
    f.for_program = true;
    if (t.argument && t.signals.empty()) t.registers.set({kStateRdi, 8}, std::exchange(t.argument, 0));
  }
  if (!f.jumped_to) return;
  f.jumped_to = false;
  const auto first = s.open.begin() + f.first_open;
  const auto gone = std::remove_if(first, s.open.end(),
                                   [&](const OpenBranch& o) { return !graphs_.in_region(f.entry, o.branch, sb.addr); });
  if (gone == s.open.end()) return;
  s.open.erase(gone, s.open.end());
  recompute_context(s, f);
}

template <class Table>
bool LabelFlow<Table>::passes(Thread& t, const Event& e, const BlockInfo& info,
                              std::span<const Access> accesses) const {
  if (info.ends || t.stack->frames.back().context != 0 || (t.registers.held() & info.reads)) return false;
  if (memory_.empty()) return true;
  for (const Access& a : accesses)
    if (happened(a, e.words) && a.width && memory_.may_hold(address_of(a, e.words), a.width)) return false;
  return true;
}

// What it writes was made from nothing that holds labels.
template <class Table>
void LabelFlow<Table>::forget_writes(Thread& t, const BlockInfo& info) {
  const LabelRegisters* saved = t.stack->frames.back().saved.get();
  if (!(t.registers.held() & info.writes) && !saved) return;
  for (const RegisterWrite& w : info.written)
    t.registers.set(w.piece, w.saved && saved ? saved->at(w.piece, table_) : 0);
}

// What a parallel runtime stores holds none.
template <class Table>
void LabelFlow<Table>::forget_stores(const Event& e, std::span<const Access> accesses) {
  if (memory_.empty()) return;
  for (const Access& a : accesses)
    if (a.store() && happened(a, e.words) && a.width && memory_.may_hold(address_of(a, e.words), a.width))
      memory_.set(address_of(a, e.words), a.width, 0);
}

template <class Table>
void LabelFlow<Table>::execute(Thread& t, const Event& e, uint64_t index, const BlockInfo& info,
                               std::span<const Access> accesses) {
  const Block& b = blocks_.block(e.block);
  run_ = {
      &t,   &t.stack->frames.back(), &blocks_.superblock(b.superblock), &flows_[b.superblock], e.words, -1, e.thread,
      index};
  run_.managed = is_managed(e.thread, *run_.frame, *run_.superblock);
  ++runs_;
  sets_.resize(std::max<size_t>(sets_.size(), run_.flow->set_count()));
  loaded_.assign(run_.superblock->accesses.size(), 0);
  contexts_.assign(run_.superblock->exits.size(), 0);
  const bool whole = e.kind == EventKind::kBlock;
  const uint32_t passed = whole ? b.exit : 0;
  const auto& exits = run_.superblock->exits;
  uint32_t exit = 0;
  for (uint32_t n = 0; n < accesses.size(); ++n) {
    for (; exit < passed && exits[exit].accesses <= n; ++exit) evaluate_exit(exit);
    arrive(accesses[n].insn);
    if (happened(accesses[n], e.words) && accesses[n].width) access(e, index, n, info.ends);
  }
  if (!whole) return;
  for (; exit <= passed; ++exit) evaluate_exit(exit);
  if (exits[passed].kind == ExitKind::kIndirectCall && !run_.managed)
    t.target = labels_of_set(run_.flow->exits[passed].condition);
  write_registers(info);
}

template <class Table>
Labels LabelFlow<Table>::ends_at(const Touch& touch) {
  given_.clear();
  ends_.labels_of(touch, given_);
  Labels all = 0;
  for (const LabelId id : given_) all = table_.unite(all, table_.single(id));
  return all;
}

template <class Table>
void LabelFlow<Table>::access(const Event& e, uint64_t index, uint32_t number, bool may_be_end) {
  const Access& a = run_.superblock->accesses[number];
  const AccessFlow& flow = run_.flow->accesses[number];
  const uint64_t addr = address_of(a, run_.words);
  const bool linkage = a.flags & kAccessLinkage;
  Labels address = 0;
  if (!run_.managed) {
    const Labels slot = a.slot == 0 ? 0 : labels_of_set(run_.flow->slots[a.slot - 1u]);
    address = table_.unite(slot, labels_of_set(flow.guard));
  }
  const CodeAddr ip{run_.superblock->module, run_.superblock->insn_addr(a.insn)};
  const Touch touch{e.thread, {index, number}, ip, addr, a.width, a.store(), true};
  if (next_ < judged_.size() && judged_[next_].at == touch.at) see_judged(e, touch, address);
  const Labels given = may_be_end && ends_.may_be_end(ip) ? ends_at(touch) : 0;
  if (!a.store()) {
    // Which function a stub of the linkage table leads to follows from nothing, whoever was the first to call it.
    const bool empty = (run_.superblock->flags & kBlockPlt) || (run_.managed && !linkage);
    const Labels held = empty ? 0 : memory_.at(addr, a.width, table_);
    const Labels all = table_.unite(linkage ? held : table_.unite(held, address), given);
    loaded_[number] = table_.step(all, [&] { return step_of(FlowStep::Kind::kLoad, touch); });
    return;
  }
  Labels labels = run_.managed && !linkage ? 0 : labels_of_set(flow.value);
  // What a callee saves for its caller it also gives back: only the value goes on.
  if (!linkage && run_.managed) {
    if (!managed_.is_own(e.thread, addr)) {
      labels = run_.frame->inherited;
      run_.thread->stored_for.push_back({addr, addr + a.width});
    }
  } else if (!linkage) {
    labels = table_.unite(table_.unite(labels, address), run_.frame->context);
  }
  labels = table_.unite(labels, given);
  if (watched_.thread && !watched_.stored)
    watched_.stored = !memory_.all_of(addr, a.width, [&](Labels l) { return table_.alike(l, labels); });
  memory_.set(addr, a.width, table_.step(labels, [&] { return step_of(FlowStep::Kind::kStore, touch); }));
}

template <class Table>
FlowStep LabelFlow<Table>::step_of(FlowStep::Kind kind, const Touch& t) const {
  return {kind, t.thread, t.at, t.ip.addr, t.ip.module};
}

template <class Table>
void LabelFlow<Table>::see_judged(const Event& e, const Touch& t, Labels address) {
  const Stack& s = *thread(e.thread).stack;
  for (; next_ < judged_.size() && judged_[next_].at == t.at; ++next_) {
    JudgedAccess& j = judged_[next_];
    j.thread = t.thread;
    j.ip = t.ip;
    j.address = address;
    j.branches = s.frames.back().context;
    if (j.branches == 0) continue;
    for (size_t o = s.open.size(), f = s.frames.size(); o-- > 0;) {
      while (s.frames[f - 1].first_open > o) --f;
      j.open.push_back({{s.frames[f - 1].module, s.open[o].branch}, s.open[o].labels});
    }
  }
}

// --- branches ---

// Regions that end at an instruction up to this one are behind.
template <class Table>
void LabelFlow<Table>::arrive(uint32_t insn) {
  if (run_.arrived >= static_cast<int64_t>(insn)) return;
  const Superblock& sb = *run_.superblock;
  const uint64_t from = sb.insn_addr(static_cast<uint32_t>(run_.arrived + 1)), to = sb.insn_addr(insn);
  run_.arrived = insn;
  Stack& s = *run_.thread->stack;
  Frame& f = *run_.frame;
  if (s.open.size() == f.first_open) return;
  const auto is_insn = [&](uint64_t addr) {
    return std::any_of(sb.insns.begin(), sb.insns.end(), [&](const Insn& i) { return sb.addr + i.offset == addr; });
  };
  const auto behind = std::remove_if(s.open.begin() + f.first_open, s.open.end(), [&](const OpenBranch& o) {
    return from <= o.join && o.join <= to && is_insn(o.join);
  });
  if (behind == s.open.end()) return;
  s.open.erase(behind, s.open.end());
  recompute_context(s, f);
}

template <class Table>
void LabelFlow<Table>::recompute_context(Stack& s, Frame& f) {
  f.context = f.inherited;
  for (size_t o = f.first_open; o < s.open.size(); ++o) f.context = table_.unite(f.context, s.open[o].labels);
}

template <class Table>
void LabelFlow<Table>::evaluate_exit(uint32_t number) {
  const Exit& exit = run_.superblock->exits[number];
  if (!run_.superblock->insns.empty()) arrive(insn_of(exit));
  if (run_.managed) return;
  contexts_[number] = run_.frame->context;
  if (!is_choice(exit)) return;
  const Labels labels = table_.unite(labels_of_set(run_.flow->exits[number].condition), run_.frame->context);
  if (labels == 0) return;
  const uint64_t ip = exit_addr(*run_.superblock, exit);
  open_branch(ip, table_.step(labels, [&] {
    return FlowStep{FlowStep::Kind::kCondition, run_.id, {run_.index, 0}, ip, run_.superblock->module};
  }));
}

template <class Table>
void LabelFlow<Table>::open_branch(uint64_t ip, Labels labels) {
  Frame& f = *run_.frame;
  const auto region = graphs_.region(f.entry, ip);
  if (!region) return;
  if (region->weak) labels = table_.weaken(labels);
  auto& open = run_.thread->stack->open;
  const auto known =
      std::find_if(open.begin() + f.first_open, open.end(), [&](const OpenBranch& o) { return o.branch == ip; });
  if (known == open.end())
    open.push_back({ip, region->join, labels});
  else
    *known = {ip, region->join, labels};
  f.context = table_.unite(f.context, labels);
}

// --- values ---

template <class Table>
Labels LabelFlow<Table>::labels_of_set(uint32_t set) {
  if (set == 0) return 0;
  Evaluated& known = sets_[set];
  if (known.run == runs_) return known.labels;
  const FlowSet s = run_.flow->set(set);
  Labels all = 0;
  for (const FlowInput& i : s.inputs) {
    if (i.is_load())
      all = table_.unite(all, loaded_[i.first]);
    else if (i.first / 8 != kStateRsp / 8)
      all = table_.unite(all, run_.thread->registers.at(i.piece(), table_));
  }
  known = {runs_, s.weak ? table_.weaken(all) : all};
  return known.labels;
}

template <class Table>
void LabelFlow<Table>::write_registers(const BlockInfo& info) {
  written_.clear();
  for (const RegisterWrite& w : info.written) {
    if (w.saved)
      written_.push_back(run_.frame->saved ? run_.frame->saved->at(w.piece, table_) : 0);
    else if (w.restored)
      written_.push_back(labels_of_set(w.set));
    else if (run_.managed)
      written_.push_back(0);
    else
      written_.push_back(table_.unite(labels_of_set(w.set), contexts_[w.exit]));
  }
  for (size_t i = 0; i < written_.size(); ++i) run_.thread->registers.set(info.written[i].piece, written_[i]);
}

template class LabelFlow<LabelTable>;
template class LabelFlow<LabelTrail>;

}  // namespace cdr::slice
