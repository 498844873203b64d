// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/drain.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/drain/superblock_words.h"

namespace cdr::drain {

template <bool kLastInDoubt>
void Drain::consume(Words records) {
  const uint64_t* p = records.data();
  const uint64_t* const end = p + records.size();
  while (p < end) {
    const uint32_t id = id_of(*p);
    if (id >= kFirstBlock) {
      const uint32_t code = id - kFirstBlock;
      const uint64_t* const next = p + 1 + codes_[code].words;
      if (kLastInDoubt && next >= end) break;
      block(code, p + 1);
      p = kLastInDoubt ? next : plain_blocks(next, end);
    } else {
      const uint32_t words = words_of_special(*p);
      special(static_cast<RecordKind>(id), ThreadId(static_cast<uint32_t>(p[1])), {p + 2, words});
      p += 2 + words;
    }
  }
  pass_run();
}
template void Drain::consume<false>(Words records);
template void Drain::consume<true>(Words records);

void Drain::pass_run() {
  if (run_length_ == 0) return;
  out_.run(running_, {run_.data(), run_length_});
  run_length_ = 0;
}

// ---- blocks

// Of the records from `p` on the first ones that are plain blocks, as far as nothing but SP can change by them; where
// they end. Loops run through here.
const uint64_t* Drain::plain_blocks(const uint64_t* p, const uint64_t* const end) {
  DrainedThread& t = *current_;
  if (!t.stack->top().named || in_gap(t)) return p;
  const uint64_t* const begin = p;
  const PlainCode* const codes = plain_codes_.data();
  uint64_t sp = t.sp;
  RunStep* step = run_.data() + run_length_;
  const RunStep* const full = run_.data() + kRunBlocks;
  uint32_t last = 0;
  for (; p < end && step < full; ++step) {
    const PlainCode& c = codes[id_of(*p)];
    if (!c.block) break;
    last = id_of(*p);
    step->block = c.block;
    step->count = c.words;
    step->words = p + 1;
    sp += c.sp_change;
    const uint32_t words = words_of_block(*p);
    p += 1 + (words == kManyWords ? c.words : words);
  }
  if (p == begin) return p;
  run_length_ = static_cast<size_t>(step - run_.data());
  t.sp = sp;
  t.last_code = last - kFirstBlock;
  t.stack->top().left_by_jump = codes_[t.last_code].jumps;
  return p;
}

inline void Drain::block(uint32_t index, const uint64_t* words) {
  Code& c = codes_[index];
  DrainedThread& t = *current_;
  const Frame& top = t.stack->top();
  if (!top.named || (c.entry && top.left_by_jump)) [[unlikely]]
    name_frame(t, index);
  if (!in_gap(t)) {
    if (!c.block) [[unlikely]]
      block_id(index);
    if (run_length_ >= kRunBlocks) [[unlikely]]
      pass_run();
    run_[run_length_++] = {c.block, c.words, {words}};
  }
  t.last_code = index;
  switch (c.sp_kind) {
    case Code::kSame:
      break;
    case Code::kFromEntry:
      t.sp += static_cast<uint64_t>(c.sp_constant);
      break;
    case Code::kFromWord:
      sp_before_ = t.sp;
      t.sp = words[c.sp_slot - 1] + static_cast<uint64_t>(c.sp_constant);
      break;
    case Code::kConstant:
      sp_before_ = t.sp;
      t.sp = static_cast<uint64_t>(c.sp_constant);
      break;
  }
  t.stack->top().left_by_jump = c.jumps;
  if (!c.simple) after_block(t, c);
}

void Drain::after_block(DrainedThread& t, const Code& c) {
  if (!t.stack->holds(t.sp)) {
    const bool loaded = c.sp_kind >= Code::kFromWord;
    settle_stack(t, loaded ? sp_before_ : 0, loaded);
  }
  Stack& s = *t.stack;
  if (is_call(c.exit)) {
    close_frames(t, s.ended_at(t.sp, true), EventKind::kPop, t.sp);
    open_frame(t, Frame{t.sp, last_ip(t)});
  } else {
    const bool ret = c.exit == ExitKind::kReturn;
    close_frames(t, s.ended_at(t.sp, false), ret ? EventKind::kReturn : EventKind::kPop, t.sp);
  }
  close_unwound();
}

BlockId Drain::block_id(uint32_t index) {
  Code& c = codes_[index];
  if (c.block) return c.block;
  Definition& d = definitions_[c.superblock];
  if (!d.id) {
    d.id = blocks_.add_superblock(d.superblock);
    if (!d.flow.empty()) flows_.add(d.flow);
  }
  c.block = blocks_.add_block(d.id, static_cast<uint16_t>(index - d.first_code));
  if (c.simple && !c.entry && c.sp_kind <= Code::kFromEntry)
    plain_codes_[index + kFirstBlock] = {c.block, c.words, static_cast<uint64_t>(c.sp_constant)};
  return c.block;
}

void Drain::define_superblock(Words p) {
  Definition d;
  d.first_code = static_cast<uint32_t>(p[0]) - kFirstBlock;
  d.toggle = p[1] != 0;
  Words packed = arena_.copy(p.subspan(2));
  d.superblock = unpack_superblock(packed);
  d.flow = unpack_dataflow(packed);
  const auto index = static_cast<uint32_t>(definitions_.size());
  const size_t codes = d.first_code + d.superblock.exits.size();
  if (codes_.size() < codes) codes_.resize(codes);
  if (plain_codes_.size() < codes + kFirstBlock) plain_codes_.resize(codes + kFirstBlock);
  for (size_t i = 0; i < d.superblock.exits.size(); ++i)
    codes_[d.first_code + i] = make_code(d, index, d.superblock.exits[i]);
  definitions_.push_back(d);
}

Drain::Code Drain::make_code(const Definition& d, uint32_t superblock, const Exit& exit) const {
  Code c;
  c.superblock = superblock;
  c.words = exit.words;
  c.exit = exit.kind;
  c.jumps = is_jump(exit.kind);
  c.exit_ip = exit_addr(d.superblock, exit);
  c.entry = d.superblock.flags & kBlockFunctionEntry;
  if (exit.sp_changes) {
    const SpChange& s = d.superblock.sp_changes[exit.sp_changes - 1];
    c.sp_constant = s.constant;
    c.sp_slot = s.slot;
    c.sp_kind = s.slot == 0 ? Code::kConstant : s.slot == SpChange::kSpAtEntry ? Code::kFromEntry : Code::kFromWord;
  }
  const bool may_rise = c.sp_kind >= Code::kFromWord || c.sp_constant > 0;
  c.simple = !may_rise && !is_call(exit.kind) && exit.kind != ExitKind::kReturn;
  return c;
}

void Drain::partial(DrainedThread& t, Words p) {
  const uint32_t index = static_cast<uint32_t>(p[0]) - kFirstBlock;
  const Definition& d = definitions_[codes_[index].superblock];
  const uint32_t last = d.first_code + static_cast<uint32_t>(d.superblock.exits.size()) - 1;
  const Executed done = executed_before(d.superblock, p[1]);
  const Frame& top = t.stack->top();
  if (!top.named || (codes_[last].entry && top.left_by_jump)) name_frame(t, last);
  const Words words = p.subspan(2).first(std::min<size_t>(done.words, p.size() - 2));
  if (!in_gap(t)) {
    Event e = make(EventKind::kPartial);
    e.block = block_id(last);
    e.words = words;
    e.ip = p[1];
    send(e);
  }
  if (done.sp_changes) t.sp = sp_after(d.superblock.sp_changes[done.sp_changes - 1], t.sp, words);
  t.stack->top().left_by_jump = false;
}

// ---- frames and stacks

void Drain::name_frame(DrainedThread& t, uint32_t code) {
  Frame& top = t.stack->top();
  top.named = true;
  top.code = code;
  if (options_.toggles && definitions_[codes_[code].superblock].toggle && !top.toggled) {
    top.toggled = true;
    toggle(t);
  }
  if (!in_gap(t)) return;
  top.name_told = false;
  first_untold_ = std::min(first_untold_, t.stack->frames.size() - 1);
}

void Drain::open_frame(DrainedThread& t, Frame f) {
  auto& frames = t.stack->frames;
  if (in_gap(t)) {
    f.told = false;
    first_untold_ = std::min(first_untold_, frames.size());
  } else {
    tell_opening(f);
  }
  frames.push_back(f);
}

void Drain::tell_frames() {
  auto& frames = current_->stack->frames;
  for (size_t i = std::exchange(first_untold_, kAllTold); i < frames.size(); ++i) {
    if (!std::exchange(frames[i].told, true)) tell_opening(frames[i]);
    if (!std::exchange(frames[i].name_told, true)) tell_name(frames[i]);
  }
}

void Drain::tell_opening(const Frame& f) {
  if (!f.signal && follows_block()) return add_step(EventKind::kCall, f.sp);
  Event e = make(f.signal ? EventKind::kSignalEnter : EventKind::kCall);
  e.ip = f.ip;
  e.sp = f.signal ? f.sp - kSignalFrameAbove : f.sp;
  e.count = f.signal;
  send(e);
}

void Drain::tell_name(const Frame& f) {
  Event e = make(EventKind::kEnter);
  e.block = block_id(f.code);
  send(e);
}

void Drain::toggle(DrainedThread& t) {
  t.collecting = !t.collecting;
  Event e = make(t.collecting ? EventKind::kGapEnd : EventKind::kGapBegin);
  e.count = 1;
  if (t.collecting) e.sp = t.sp;
  send(e);
}

void Drain::close_frames(DrainedThread& t, uint32_t n, EventKind last, uint64_t sp) {
  if (n == 0) return;
  auto& frames = t.stack->frames;
  tell_closing(static_cast<uint32_t>(std::count_if(frames.end() - n, frames.end(), [](auto& f) { return f.told; })),
               last, sp);
  bool switches = false;
  for (size_t i = frames.size() - n; i < frames.size(); ++i) switches ^= frames[i].toggled;
  frames.resize(frames.size() - n);
  auto& open = t.stack->open;
  for (; !open.empty() && open.back().frames > frames.size(); open.pop_back()) unwound_.push_back(open.back().sync);
  if (switches) toggle(t);
}

// Of the top frames the lowest `n`, which are told; those above, if any, never will be.
void Drain::tell_closing(uint32_t n, EventKind last, uint64_t sp) {
  if (n == 0) return;
  first_untold_ = kAllTold;
  const uint32_t pops = last == EventKind::kPop ? n : n - 1;
  if (pops) {
    Event e = make(EventKind::kPop);
    e.count = pops;
    send(e);
  }
  if (last == EventKind::kPop) return;
  if (follows_block()) return add_step(last, sp);
  Event e = make(last);
  e.sp = sp;
  send(e);
}

// SP was `from` and may have left the present stack: find or open the one that holds it. `loaded`: it was given another
// value, else something was added to it.
void Drain::settle_stack(DrainedThread& t, uint64_t from, bool loaded) {
  Stack& s = *t.stack;
  if (s.bounds() == Bounds::kSeen && (!loaded || stacks_.stays(s, from, t.sp))) {
    if (!stacks_.widen(s, t.sp)) return;
    tell_frames();
    return tell_stack(EventKind::kStackSwitch, s, t.sp);
  }
  Stack& to = stack_at(t);
  if (&to != &s) switch_stack(t, to, from);
}

Stack& Drain::stack_at(const DrainedThread& t) {
  if (Stack* const known = stacks_.resumed_at(t.sp, t.id, false)) return *known;
  const Regions::Surroundings place = regions_.around(t.sp);
  Stack* const known = place.range.empty() ? nullptr : stacks_.find(place.range);
  if (known && (!known->user || known->user == t.id)) return *known;
  if (place.range.empty())
    if (Stack* const ended = stacks_.resumed_at(t.sp, t.id, true)) return *ended;
  return stacks_.add_at(t.sp, place);
}

void Drain::switch_stack(DrainedThread& t, Stack& to, uint64_t from) {
  tell_frames();
  t.stack->user = ThreadId();
  t.stack->left_sp = from;
  t.stack = &to;
  t.visit(to);
  to.user = to.last_user = t.id;
  to.used = ++stack_switches_;
  if (to.bounds() == Bounds::kSeen) stacks_.widen(to, t.sp);
  tell_stack(EventKind::kStackSwitch, to, t.sp);
}

// ---- special records

void Drain::special(RecordKind kind, ThreadId id, Words p) {
  if (is_for_session(kind)) {
    pass_run();
    return records_.record(kind, p);
  }
  switch (kind) {
    case RecordKind::kSuperblock:
      return define_superblock(p);
    case RecordKind::kModule:
      return module(p);
    case RecordKind::kStackRange:
      return regions_.register_stack({p[0], p[1]});
    case RecordKind::kThreadStart:
      return thread_start(id, p);
    case RecordKind::kForked:
      records_.record(kind, p);
      return forked(p);
    default:
      break;
  }
  if (!id || id.value > threads_.size() || !threads_[id.value - 1]) return;
  run_as(id);
  of_thread(kind, *current_, p);
}

// Records of a thread that is running.
void Drain::of_thread(RecordKind kind, DrainedThread& t, Words p) {
  switch (kind) {
    case RecordKind::kTurn:
      return turn(t, p[0]);
    case RecordKind::kPartial:
      return partial(t, p);
    case RecordKind::kSignalEnter:
      return signal_enter(t, p);
    case RecordKind::kSignalLeave:
      return signal_leave(t, p);
    case RecordKind::kSyscall:
      return syscall(t, p);
    case RecordKind::kSyncEnter:
      return sync_enter(t, p);
    case RecordKind::kSyncLeave:
      return sync_leave(t, p);
    case RecordKind::kHideBegin:
      return hide(t, true);
    case RecordKind::kHideEnd:
      return hide(t, false);
    case RecordKind::kMap:
      return map(p, EventKind::kMap);
    case RecordKind::kUnmap:
      return map(p, EventKind::kUnmap);
    case RecordKind::kAlloc:
      return heap(p, EventKind::kAlloc);
    case RecordKind::kFree:
      return heap(p, EventKind::kFree);
    case RecordKind::kResize:
      return heap(p, EventKind::kResize);
    case RecordKind::kCollect:
      return collect(p[0] != 0);
    case RecordKind::kThreadEnd: {
      emit(EventKind::kThreadEnd);
      t.stack->user = ThreadId();
      if (t.own && !t.own->user) stacks_.retire(*t.own);
      return stacks_.retire(*t.stack);
    }
    case RecordKind::kThreadCreate: {
      Event e = make(EventKind::kThreadCreate);
      e.child = ThreadId(static_cast<uint32_t>(p[0]));
      return send(e);
    }
    case RecordKind::kModuleUnmapped: {
      unmapped_modules_.push_back(ModuleId(static_cast<uint32_t>(p[0])));
      return tell_module(EventKind::kModuleUnmapped, unmapped_modules_.back());
    }
    case RecordKind::kMpiEnter:
    case RecordKind::kMpiWords:
    case RecordKind::kMpiLeave:
      return mpi(kind, p);
    case RecordKind::kMark: {
      Event e = make(EventKind::kMark);
      e.text = unpack_text(p);
      return send(e);
    }
    default:
      return;
  }
}

void Drain::turn(DrainedThread& t, uint64_t sp) {
  if (t.sp == sp) return;
  const uint64_t from = std::exchange(t.sp, sp);
  emit(EventKind::kStackPointer);
  if (!t.stack->holds(sp)) settle_stack(t, from, true);
}

void Drain::map(Words p, EventKind kind) {
  Event e = make(kind);
  e.range = {p[0], p[1]};
  if (kind == EventKind::kMap) {
    e.value = p[2];
    regions_.map(e.range, e.value);
  } else {
    regions_.unmap(e.range);
    stacks_.retire(e.range);
  }
  send_at_once(e);
}

void Drain::heap(Words p, EventKind kind) {
  Event e = make(kind);
  e.addr = p[0];
  e.size = p[1];
  if (kind == EventKind::kFree) {
    regions_.free(e.addr);
    stacks_.retire({e.addr, e.addr + e.size});
  } else {
    if (kind == EventKind::kResize) e.value = p[2];
    regions_.alloc(e.addr, kind == EventKind::kResize ? e.value : e.size);
  }
  send(e);
}

void Drain::module(Words p) {
  Module m;
  m.text = {p[0], p[1]};
  m.bias = p[2];
  m.got = {p[3], p[4]};
  m.got_plt = {p[5], p[6]};
  m.plt = {p[7], p[8]};
  m.flags = static_cast<uint8_t>(p[9]);
  m.file_bytes = p[10];
  m.file_id_kind = static_cast<FileIdKind>(p[11]);
  Words rest = p.subspan(12);
  m.path = unpack_text(rest);
  m.soname = unpack_text(rest);
  m.file_id = unpack_text(rest);
  tell_module(EventKind::kModuleMapped, modules_.add(m));
}

void Drain::tell_module(EventKind kind, ModuleId id) {
  Event e = make(kind);
  e.module = id;
  send_at_once(e);
}

void Drain::thread_start(ThreadId id, Words p) {
  if (threads_.size() < id.value) threads_.resize(id.value);
  auto t = std::make_unique<DrainedThread>();
  t->id = id;
  t->sp = p[2];
  t->creator = ThreadId(static_cast<uint32_t>(p[4]));
  const bool has_creator = t->creator && t->creator.value <= threads_.size() && threads_[t->creator.value - 1];
  const AddrRange range{p[0], p[1]};
  t->stack = t->own =
      has_creator ? &stacks_.add_of_thread(t->sp, range, regions_.around(t->sp)) : &stacks_.add(range, Bounds::kTold);
  t->stack->user = t->stack->last_user = id;
  t->visits = {t->stack};
  t->collecting = has_creator ? thread(t->creator).collecting : !options_.toggles;
  threads_[id.value - 1] = std::move(t);
  if (running_) run_as(id);
  pass_run();
  running_ = id;
  current_ = threads_[id.value - 1].get();
  Event e = make(EventKind::kThreadStart);
  e.stack = current_->stack->id;
  e.range = current_->stack->range;
  e.sp = current_->sp;
  e.value = p[3];
  e.child = current_->creator;
  send(e);
  if (!has_creator && !collecting_) emit(EventKind::kGapBegin);
  if (!current_->collecting) tell_gap_of_thread();
}

void Drain::signal_enter(DrainedThread& t, Words p) {
  const Stack* const before = t.stack;
  const uint64_t from = std::exchange(t.sp, p[2]);
  const AddrRange alternate{p[3], p[4]};
  if (alternate.contains(t.sp)) {
    if (t.stack->range != alternate) {
      Stack* to = stacks_.find(alternate);
      switch_stack(t, to ? *to : stacks_.add(alternate, Bounds::kTold), from);
    }
  } else if (!t.stack->holds(t.sp)) {
    settle_stack(t, from, t.stack->bounds() != Bounds::kSeen);
  }
  close_frames(t, t.stack->ended_at(t.sp + kSignalFrameAbove, true), EventKind::kPop, t.sp);
  tell_frames();
  Frame f{t.sp + kSignalFrameAbove, p[1]};
  f.signal = static_cast<uint8_t>(p[0]);
  f.switched = t.stack != before;
  tell_opening(f);
  t.stack->frames.push_back(f);
  close_unwound();
}

void Drain::signal_leave(DrainedThread& t, Words p) {
  auto& frames = t.stack->frames;
  size_t i = frames.size() - 1;
  while (i > 0 && !frames[i].signal) --i;
  const uint64_t from = std::exchange(t.sp, p[0]);
  if (i == 0) {
    emit(EventKind::kStackPointer);
  } else {
    close_frames(t, static_cast<uint32_t>(frames.size() - i - 1), EventKind::kPop, t.sp);
    Event e = make(EventKind::kSignalLeave);
    e.sp = t.sp;
    e.ip = p[1];
    const bool switches = frames.back().toggled;
    frames.pop_back();
    send(e);
    if (switches) toggle(t);
  }
  if (!t.stack->holds(t.sp)) settle_stack(t, from, true);
  close_unwound();
}

void Drain::syscall(DrainedThread& t, Words p) {
  Event e = make(EventKind::kSyscall);
  e.value = p[0];
  e.result = static_cast<int64_t>(p[1]);
  e.ip = last_ip(t);
  spans_.clear();
  for (size_t i = 2; i + 2 < p.size(); i += 3) spans_.push_back({p[i], p[i + 1], p[i + 2] != 0});
  e.memory = spans_;
  send_at_once(e);
}

namespace {

Sync unpack_sync(std::span<const uint64_t> p) {
  Sync s;
  s.op = static_cast<SyncOp>(p[0]);
  s.object = p[1];
  s.object2 = p[2];
  s.value = p[3];
  if (p.size() < 6) return s;
  s.result = static_cast<int64_t>(p[4]);
  s.flags = static_cast<uint8_t>(p[5]);
  return s;
}

// Teams that the function which asks for them executes itself: no call of theirs stands around it. They last as long as
// what they stand in.
bool is_league_without_function(const Sync& s) {
  return s.op == SyncOp::kParallel && (s.value & kLeague) && s.object2 == 0;
}
bool outlives_its_call(const Sync& s, const Sync& around) {
  return is_league_without_function(s) || (s.op == SyncOp::kImplicitTask && is_league_without_function(around));
}

}  // namespace

void Drain::sync_enter(DrainedThread& t, Words p) {
  Event e = make(EventKind::kSyncEnter);
  e.sync = unpack_sync(p);
  auto& open = t.stack->open;
  if (e.sync.op != SyncOp::kThreadExit) {
    const bool goes_on = !open.empty() && outlives_its_call(e.sync, open.back().sync);
    open.push_back({goes_on ? open.back().frames : t.stack->frames.size(), e.sync});
  }
  send(e);
}

void Drain::sync_leave(DrainedThread& t, Words p) {
  Event e = make(EventKind::kSyncLeave);
  e.sync = unpack_sync(p);
  auto& open = t.stack->open;
  if (!open.empty() && open.back().sync.op == e.sync.op) open.pop_back();
  send(e);
}

void Drain::hide(DrainedThread& t, bool begins) {
  t.hidden = begins;
  emit(begins ? EventKind::kHideBegin : EventKind::kHideEnd);
}

void Drain::mpi(RecordKind kind, Words p) {
  Event e = make(kind == RecordKind::kMpiEnter   ? EventKind::kMpiEnter
                 : kind == RecordKind::kMpiWords ? EventKind::kMpiWords
                                                 : EventKind::kMpiLeave);
  e.count = static_cast<uint32_t>(p[0]);
  if (kind == RecordKind::kMpiEnter) e.value = p[1];
  if (kind == RecordKind::kMpiWords) e.words = p.subspan(1);
  if (kind == RecordKind::kMpiLeave) e.result = static_cast<int64_t>(p[1]);
  send(e);
}

// Those whose frames a jump has left; the wrapper itself tells of exceptions.
void Drain::close_unwound() {
  for (const Sync& sync : unwound_) {
    Event e = make(EventKind::kSyncLeave);
    e.sync = sync;
    e.sync.value = 0;
    e.sync.flags = kSyncUnwound;
    send(e);
  }
  unwound_.clear();
}

void Drain::collect(bool on) {
  if (on == collecting_) return;
  collecting_ = on;
  emit(on ? EventKind::kGapEnd : EventKind::kGapBegin);
  for (auto& t : threads_)
    if (t && on) t->sp_untold = t.get() != current_;
}

void Drain::run_as(ThreadId id) {
  if (running_ == id) return;
  if (current_) tell_frames();
  pass_run();
  running_ = id;
  current_ = threads_[id.value - 1].get();
  emit(EventKind::kTurn);
  if (!current_->sp_untold) return;
  current_->sp_untold = false;
  emit(EventKind::kStackPointer);
}

Event Drain::make(EventKind kind) const {
  Event e;
  e.kind = kind;
  e.thread = running_;
  return e;
}

// An event with no members but, for those that have it, SP.
void Drain::emit(EventKind kind) {
  Event e = make(kind);
  if (kind == EventKind::kStackPointer || kind == EventKind::kGapEnd) e.sp = current_->sp;
  send(e);
}

}  // namespace cdr::drain
