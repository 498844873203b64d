// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/collector.h"

#include <algorithm>
#include <numeric>

#include "cdrgrind/analysis/races/core/pairing.h"
#include "cdrgrind/analysis/races/policy/told_atomic.h"
#include "cdrgrind/analysis/races/source/object_lives.h"
#include "cdrgrind/analysis/walk/event_walk.h"

namespace cdr::races {

using analysis::saturating_multiply;

Collector::Collector(const trace::TraceFile& file, const FirstPass& first_pass, const RuntimeCode& runtime,
                     CodeFacts& facts, SpinLoops& spins, const RaceOptions& options)
    : blocks_(file.blocks()),
      first_pass_(first_pass),
      runtime_(runtime),
      mpi_(file.modules()),
      facts_(facts),
      spins_(spins),
      options_(options),
      stacks_(blocks_, runtime.library, runtime.shim),
      memory_(to_.generations),
      members_(to_.generations, facts, first_pass.parts, first_pass.loops ? first_pass.loops->control() : 0,
               first_pass.asked),
      frames_(blocks_, runtime.shim),
      own_(runtime, stacks_, to_.generations),
      unexported_(runtime.unexported),
      results_(runtime.results),
      order_(to_.segments, [this](const Event& e) { return orders_nothing(e); }),
      clib_order_(to_.segments),
      atomics_(to_.segments, EdgeKind::kAtomics),
      flags_(to_.segments, EdgeKind::kFull),
      waits_(facts),
      both_counts_(blocks_, facts) {
  if (first_pass.strands)
    strands_.emplace(to_.segments, first_pass.last_thread, options.locks_order,
                     static_cast<StrandClocks::Owner&>(*this));
  else if (options.forget_at > 0 && by_threads(first_pass.last_thread, options.pairs_by_memory))
    past_.emplace(to_, options.forget_at);
  to_.touched_by_program = first_pass.touched_by_program;
  if (options.atomics != AtomicsMode::kRace && !first_pass.atomics.empty()) words_.emplace(stacks_, to_.segments);
  first_pass.atomics.for_each([this](AddrRange, GenerationId generation) {
    if (generation >= has_atomics_.size()) has_atomics_.resize(generation + 1);
    has_atomics_[generation] = true;
  });
}

void Collector::event(const Event& e, uint64_t index) {
  switch (e.kind) {
    case EventKind::kBlock:
    case EventKind::kPartial:
      stacks_.block(e.thread, e.block);
      break;
    case EventKind::kHideBegin:
      ++part(e.thread).hide_depth;
      break;
    case EventKind::kHideEnd:
      part(e.thread).hide_depth = 0;
      break;
    case EventKind::kThreadStart:
      own_.thread_starts(e);
      members_.thread_starts(e);
      break;
    case EventKind::kFree:
    case EventKind::kResize:
      free_block(e, index);
      waits_.disturbed(e.thread);
      break;
    case EventKind::kSyncEnter:
    case EventKind::kSyncLeave:
    case EventKind::kThreadCreate:
    case EventKind::kThreadEnd:
      go_on(e.thread, nullptr);
      waits_.disturbed(e.thread);
      if (e.kind == EventKind::kThreadCreate) clib_order_.thread_created();
      if (e.kind != EventKind::kSyncEnter) break;
      use_objects(e, index);
      enter_clib(e);
      break;
    case EventKind::kSyscall:
      system_call(e, index);
      break;
    case EventKind::kModuleMapped:
      clib_order_.module_mapped(e.thread);
      break;
    default:
      break;
  }
  index_ = index;
  if (strands_) follow_frames(e, index);
  const bool block = e.kind == EventKind::kBlock || e.kind == EventKind::kPartial;
  if (strands_) strands_->at(index);
  if (!block) other_event(e, index);
  LoopSteps steps(strands_ && options_.iterations ? first_pass_.loops : nullptr, first_pass_.unfit, e, blocks_);
  const auto take = [&](uint32_t insn) {
    steps.until(insn, strands_->machine(), e.thread, [](const strands::SharedLoop&, uint64_t) {});
  };
  analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) {
    if (!steps.done() && seen.access) take(seen.access->insn);
    access(e, index, seen);
  });
  if (!steps.done()) take(LoopSteps::kAll);
  if (e.kind == EventKind::kBlock && !first_pass_.spin_flags.empty()) leave_spin(e);
  if (!block) follows(e);
  if (e.kind == EventKind::kThreadEnd) end_thread(e.thread);
  if (past_ && !block) find_past(e);
}

bool Collector::pass(EventWalk& walk, const Passage& p) {
  if (!stacks_.can_pass(p.thread, p.entry)) return false;
  if (strands_ && (frames_.knows_any(p.thread) || !stay_in_loop(options_.iterations ? first_pass_.loops : nullptr,
                                                                first_pass_.unfit, blocks_, strands_->machine(), p)))
    return false;
  const auto unshared = [&](BlockId, const Access&, std::span<const Progression> all) { return are_unshared(all); };
  const auto nothing_shared = [&](AddrRange all) { return !first_pass_.shared.overlaps(all); };
  if (p.orders || !walk.addresses(p, unshared, nothing_shared)) return false;
  stacks_.pass(p.thread, blocks_.superblock_of(p.last).module, p.jumped);
  if (!strands_) return true;
  frames_.passed(p.thread, p.last);
  note_last(p.thread, p.last);
  return true;
}

// Loads that were made just before order nothing that they have not ordered then.
bool Collector::may_stand_for(EventWalk& walk, const Passage& p) {
  if (strands_ && frames_.knows_any(p.thread)) return false;
  return walk.addresses(
      p, [&](BlockId, const Access& a, std::span<const Progression> all) { return !a.store() || are_unshared(all); });
}

// But for blocks.
void Collector::other_event(const Event& e, uint64_t index) {
  if (strands_) strands_->event(e, index);
  mpi_.event(e, stacks_.module(e.thread));
  order_.event(e);
  if (e.kind == EventKind::kSyncEnter && file_locks_.enter(e.thread, e.sync)) note_file_locks(e.thread);
  if (e.kind == EventKind::kSyncLeave && file_locks_.leave(e.thread, e.sync)) note_file_locks(e.thread);
  if (e.kind == EventKind::kSyncLeave && is_of_clib(e.sync) && !order_.in_operation(e.thread))
    clib_order_.leave(e.thread, e.sync, stacks_.top(e.thread).for_program);
  to_.generations.event(e, index);
  if (e.kind == EventKind::kAlloc || e.kind == EventKind::kResize) allocated(e);
  if (e.kind == EventKind::kMap) own_.mapped(e, in_operation(e.thread));
}

void Collector::block_accesses(const Event& e, uint64_t index, std::span<const uint16_t> accesses) {
  stacks_.block(e.thread, e.block);
  const Superblock& sb = blocks_.superblock_of(e.block);
  for (const uint16_t number : accesses) {
    const Access& a = sb.accesses[number];
    if (happened(a, e.words) && a.width) access(e, index, {number, &a, address_of(a, e.words), a.width, a.store()});
  }
  if (!first_pass_.spin_flags.empty()) leave_spin(e);
}

Collector::ThreadPart& Collector::first_part(ThreadId t) {
  if (t.value >= parts_.size()) parts_.resize(t.value + 1);
  return *(parts_[t.value] = std::make_unique<ThreadPart>());
}

void Collector::access(const Event& e, uint64_t index, const analysis::Seen& seen) {
  // What is sent had been read before it was received.
  if (!seen.access && !seen.store && order_.was_received(e.thread)) return;
  if (is_unshared(seen.addr, seen.width)) return;
  const Executing& code = executing(e.thread, index);
  if (seen.access && seen.store && code.library) see_file_lock(e.thread, code, seen);
  GenerationId where = recent_.at(seen.addr);
  if (part(e.thread).hide_depth) {
    to_.hidden_accesses += copies_;
    if (seen.access && is_certain(e, *seen.access) && is_word_of_stack(seen.addr, seen.width, where))
      words_->touch({seen.addr, where}, to_.generations[where].thread, index, StackWords::Use::kAtomic);
    return;
  }
  TaskFrames::Frame* const frame = strands_ ? known_frame(e.thread, seen.addr) : nullptr;
  if (frame && frame->left) where = frame->generation_at(seen.addr);
  const auto own_of_library = [&] {
    return own_.is_own_of_library(e.thread, seen.addr, seen.access != nullptr, code.in_operation,
                                  [&](uint64_t) { return where; });
  };
  if (code.in_runtime || is_of_runtime(where) || own_.is_linkage(seen.addr) || (code.library && own_of_library())) {
    to_.runtime_accesses += copies_;
    return;
  }
  if (first_pass_.is_of_one_strand(where, seen.addr, seen.width)) return see_private(e.thread, seen);
  if (!code.library && !seen.store && !first_pass_.guards.empty() && first_pass_.guards.count(seen.addr)) {
    before_get(e.thread);
    return order_.guard_read(e.thread, seen.addr);
  }
  if (!code.library) {
    if (where >= to_.touched_by_program.size()) to_.touched_by_program.resize(where + 1);
    to_.touched_by_program[where] = true;
    if (unexported_.contain(seen.addr)) note_result({seen.addr, seen.addr + seen.width});
  }
  SiteSlot* slot = slot_of(e, seen, code.library);
  const SiteId id = slot ? slot->site : to_.sites.site(make_site(e, seen));
  const Site& site = to_.sites[id];
  const bool atomic = atomic_access(site, e, index, seen, where);
  const StreamId stream = stream_of(slot, id, where, atomic, locks(e.thread));
  for_strands(e.thread, seen.addr, seen.width, where, [&](ThreadId by, uint64_t addr, uint64_t width) {
    if (strands_) strands_->accessed(e.thread, addr, width, seen.store);
    keep({{index, seen.number}, by, stream, addr, width, seen.access == nullptr, e.thread});
    if (frame && !frame->left) frame->touched_by[by.value] = part(by).segment;
  });
  if (frame && !frame->left) frame->touch({seen.addr, seen.addr + seen.width});
  if (is_word_of_stack(seen.addr, seen.width, where)) see_word(e, index, seen, where, site, atomic);
  if (waits_.is_waiting(e.thread)) {
    if (!atomic && is_disturbing(e.thread, site, where)) waits_.disturbed(e.thread);
    look_after_wait(e, site, seen);
  }
  order_by_access(e, site, seen, where, atomic);
}

// It orders nothing, and ends what was written there before.
void Collector::see_private(ThreadId t, const analysis::Seen& seen) {
  if (!seen.store) return;
  strands_->accessed(t, seen.addr, seen.width, true);
  atomics_.forget(seen.addr, seen.width);
  flags_.forget(seen.addr, seen.width);
}

// Sites of library code depend on who called.
Collector::SiteSlot* Collector::slot_of(const Event& e, const analysis::Seen& seen, bool library) {
  if (!seen.access || (library && e.kind != EventKind::kBlock)) return nullptr;
  const CodeAddr from = library ? stacks_.top(e.thread).from : CodeAddr();
  SiteSlot& slot = of_access(slots_, e.block, *seen.access);
  if (slot.known && slot.from == from) return &slot;
  slot = {.known = true, .from = from, .site = to_.sites.site(make_site(e, seen)), .stream = kNoStream};
  return &slot;
}

StreamId Collector::stream_of(SiteSlot* slot, SiteId site, GenerationId generation, bool atomic, LockSetId locks) {
  if (!slot) return to_.sites.stream(site, generation, atomic, locks);
  if (slot->stream == kNoStream || slot->generation != generation || slot->atomic != atomic || slot->locks != locks) {
    slot->stream = to_.sites.stream(site, generation, atomic, locks);
    slot->locks = locks;
    slot->generation = generation;
    slot->atomic = atomic;
  }
  return slot->stream;
}

Site Collector::make_site(const Event& e, const analysis::Seen& seen) {
  Site s;
  s.store = seen.store;
  if (!seen.access) {
    s.ip = {stacks_.module(e.thread), e.ip};
    s.library = runtime_.library[s.ip.module.value];
    if (s.library) s.from = stacks_.top(e.thread).from;
    return s;
  }
  const Superblock& sb = blocks_.superblock_of(e.block);
  s.ip = {sb.module, sb.insn_addr(seen.access->insn)};
  s.locked = seen.access->flags & kAccessAtomic;
  s.library = runtime_.library[sb.module.value];
  if (s.library) s.from = stacks_.top(e.thread).from;
  if (s.locked) {
    s.use = facts_.use_of_atomic(s.ip, sb.insns[seen.access->insn].length);
  } else {
    s.atomic_code = is_told_atomic(facts_, runtime_, s.ip, *seen.access);
    s.spin = e.kind == EventKind::kBlock && spins_.is_flag(blocks_.block(e.block).superblock, *seen.access);
  }
  return s;
}

// `x++` without a lock: it loads and stores the same place in one line of the source, and neither half is a locked
// instruction's (`while (!compare_exchange(&x, &old, old + 1))`). Asked only where that decides:
// it takes the debug information of the module.
bool Collector::modifies(const Event& e, const analysis::Seen& seen) {
  if (!seen.access) return false;
  Answer& known = of_access(modifies_, e.block, *seen.access);
  if (known == Answer::kNotAsked)
    known = has_other_half(blocks_.superblock_of(e.block), *seen.access) ? Answer::kYes : Answer::kNo;
  return known == Answer::kYes;
}

bool Collector::has_other_half(const Superblock& sb, const Access& a) {
  const auto line_of = [&](const Access& one) { return facts_.line_number_of({sb.module, sb.insn_addr(one.insn)}); };
  return std::any_of(sb.accesses.begin(), sb.accesses.end(), [&](const Access& other) {
    if (other.store() == a.store() || other.slot != a.slot || other.constant != a.constant || other.width != a.width)
      return false;
    if (other.flags & kAccessAtomic) return false;
    if (other.insn == a.insn) return true;
    const uint64_t line = line_of(a);
    return line != 0 && line_of(other) == line;
  });
}

bool Collector::atomic_access(const Site& site, const Event& e, uint64_t index, const analysis::Seen& seen,
                              GenerationId generation) {
  if (options_.atomics == AtomicsMode::kRace) return false;
  if (site.locked || site.atomic_code) return true;
  if (generation >= has_atomics_.size() || !has_atomics_[generation]) return false;
  if (seen.width > 16 || seen.addr % seen.width) return false;
  if (!first_pass_.atomics.has(seen.addr, generation, seen.width)) return loads_both_counts(e, seen, generation);
  if (lives_ && !lives_->is_atomic({seen.addr, generation}, index)) return false;
  return !modifies(e, seen) && (!seen.store || may_be_atomic_store(site, e, seen));
}

// What atomic instructions touch at some time.
bool Collector::is_word_of_stack(uint64_t addr, uint64_t width, GenerationId generation) const {
  return words_ && generation < has_atomics_.size() && has_atomics_[generation] &&
         to_.generations[generation].kind == MemoryKind::kStack && first_pass_.atomics.has(addr, generation, width);
}

void Collector::see_word(const Event& e, uint64_t index, const analysis::Seen& seen, GenerationId where,
                         const Site& site, bool atomic) {
  using Use = StackWords::Use;
  const bool certain = site.atomic_code || (seen.access && is_certain(e, *seen.access));
  const Use use = certain ? Use::kAtomic : atomic ? Use::kPresumed : Use::kPlain;
  const ThreadId by = strand_of(e.thread, seen.addr, seen.width, where);
  words_->touch({seen.addr, where}, to_.generations[where].thread, index, use, by, part(by).segment, seen.store);
}

// Atomic instructions change either count by itself.
bool Collector::loads_both_counts(const Event& e, const analysis::Seen& seen, GenerationId generation) {
  constexpr uint64_t kCount = BothCounts::kWidth / 2;
  if (!seen.access || seen.store || seen.width != BothCounts::kWidth) return false;
  const AtomicSpots& atomics = first_pass_.atomics;
  if (!atomics.has(seen.addr, generation, kCount) && !atomics.has(seen.addr + kCount, generation, kCount)) return false;
  Answer& known = of_access(loads_counts_, e.block, *seen.access);
  if (known == Answer::kNotAsked)
    known =
        both_counts_.are_loaded_by(blocks_.block(e.block).superblock, seen.access->insn) ? Answer::kYes : Answer::kNo;
  return known == Answer::kYes;
}

// A plain store beside atomic instructions: it is one of them if the type or the source says so, or if the source
// cannot be asked. What a library stores for the program is what the program's line says.
bool Collector::may_be_atomic_store(const Site& site, const Event& e, const analysis::Seen& seen) {
  const auto says_plain = [&] {
    return facts_.source_of_store(site.from == CodeAddr() ? site.ip : site.from) == StoreSource::kPlain;
  };
  if (!seen.access || site.library) return !says_plain();
  Answer& plain = of_access(plain_stores_, e.block, *seen.access);
  if (plain == Answer::kNotAsked) plain = says_plain() ? Answer::kYes : Answer::kNo;
  return plain == Answer::kNo || facts_.is_atomic_data(seen.addr);
}

void Collector::enter_segment(ThreadId on, ThreadId t, AccessPosition at, const Kept* access) {
  if (!part(on).awaited.empty()) go_on(on, access);
  ThreadPart& p = part(t);
  const SegmentNumber now = known_segments_ ? known_segments_->at(t, at) : to_.segments.use(t, at);
  if (now == p.segment) return;
  flush(t, p);
  p.segment = now;
  if (past_) past_->segment_begins(t);
  if (listener_) listener_->segment_begins(t, now);
}

Collector::OpenStream& Collector::open_stream(ThreadPart& p, StreamId stream) {
  uint32_t& i = p.position[stream];
  if (i >= p.used || p.open[i].stream != stream) {
    i = static_cast<uint32_t>(p.used++);
    if (p.used > p.open.size()) p.open.emplace_back();
    p.open[i].stream = stream;
  }
  return p.open[i];
}

void Collector::keep(const Kept& k) {
  enter_segment(k.on, k.thread, k.at, &k);
  ThreadPart& p = part(k.thread);
  if (listener_) listener_->kept(k);
  if (!keeps_sets_) return;
  if (!strands_) came_first(k.stream, k.at);  // else streams are numbered as they come
  if (p.whole) open_whole(p);
  Folder& folder = open_stream(p, k.stream).folder;
  const Progression repeated{k.addr, 0, 1, k.width, copies_};
  if (copies_ == 1)
    folder.add(k.addr, k.width);
  else
    folder.add_folded({&repeated, 1});
  if (!freed_.empty()) note_late(k.thread, k.stream, k.addr, k.width, copies_);
}

void Collector::begin_runs(ThreadId t, AccessPosition first) { enter_segment(t, t, first, nullptr); }

void Collector::keep_runs(ThreadId t, StreamId stream, std::span<const Progression> runs) {
  ThreadPart& p = part(t);
  if (p.whole) open_whole(p);
  open_stream(p, stream).folder.add_folded(runs);
  for (const Progression& r : runs)
    if (AddrRange{r.base, r.end()}.overlaps(runtime_.unexported.hull()))
      for_each_span(r, r.width, [&](uint64_t addr, uint64_t width) {
        note_result({addr, addr + width});
        return true;
      });
  note_runs(t, stream, runs);
}

void Collector::note_result(AddrRange touched) {
  runtime_.unexported.common(touched, [&](const AddrRange& r) {
    if (results_.contains_all(r)) return;
    results_.add(r);
    results_.sort();
    has_new_results_ = true;
  });
}

void Collector::note_runs(ThreadId t, StreamId stream, std::span<const Progression> runs) {
  const GenerationId generation = to_.sites.stream(stream).generation;
  if (generation >= to_.touched_by_program.size()) to_.touched_by_program.resize(generation + 1);
  to_.touched_by_program[generation] = true;
  if (waits_.is_waiting(t) && is_disturbing(t, to_.sites.site_of(stream), generation)) waits_.disturbed(t);
  if (freed_.empty()) return;
  for (const Progression& p : runs) note_late(t, stream, p.base, p.width, saturating_multiply(p.count, p.times));
}

Collector::RepeatedRuns& Collector::repeated(RepeatedRuns::Parts parts) {
  ThreadPart p;
  for (const auto& [stream, runs] : parts) open_stream(p, stream).folder.add_folded(runs);
  std::vector<SegmentClasses::Entry> entries;
  p.take(entries);
  const SegmentClasses::Id id = to_.classes.of(std::move(entries));
  const auto [first, last] = repeated_by_id_.equal_range(id);
  for (auto i = first; i != last; ++i)
    if (i->second->parts == parts) return *i->second;
  RepeatedRuns& r = repeated_.emplace_back();
  r.id = id;
  for (const auto& [stream, runs] : parts) r.first = std::max(r.first, first_of(stream));
  r.parts = std::move(parts);
  repeated_by_id_.emplace(id, &r);
  return r;
}

void Collector::keep_repeated(ThreadId t, RepeatedRuns& r) {
  ThreadPart& p = part(t);
  if (!r.clear || r.freed != freed_.size()) {
    r.freed = freed_.size();
    r.clear = std::none_of(r.parts.begin(), r.parts.end(),
                           [&](const auto& one) { return freed_.contains(to_.sites.stream(one.first).generation); });
  }
  if (!r.clear || waits_.is_waiting(t))
    for (const auto& [stream, runs] : r.parts) note_runs(t, stream, runs);
  if (p.used == 0 && !p.whole) {
    p.whole = &r;
    return;
  }
  if (p.whole) open_whole(p);
  for (const auto& [stream, runs] : r.parts) open_stream(p, stream).folder.add_folded(runs);
}

void Collector::open_whole(ThreadPart& p) {
  for (const auto& [stream, runs] : std::exchange(p.whole, nullptr)->parts)
    open_stream(p, stream).folder.add_folded(runs);
}

StreamId Collector::plain_stream(ThreadId t, BlockId id, const Access& a, GenerationId generation) {
  Event e;
  e.kind = EventKind::kBlock;
  e.block = id;
  analysis::Seen seen;
  seen.access = &a;
  seen.store = a.store();
  seen.width = a.width;
  if (a.slot == 0) seen.addr = static_cast<uint64_t>(a.constant);
  SiteSlot* slot = slot_of(e, seen, runtime_.library[blocks_.superblock_of(id).module.value]);
  return stream_of(slot, slot ? slot->site : to_.sites.site(make_site(e, seen)), generation, false, file_locks(t));
}

void Collector::number_streams() {
  std::vector<StreamId> order(to_.sites.streams()), numbers(order.size());
  std::iota(order.begin(), order.end(), 0);
  first_.resize(order.size(), kNever);
  std::stable_sort(order.begin(), order.end(), [&](StreamId a, StreamId b) { return first_[a] < first_[b]; });
  for (size_t i = 0; i < order.size(); ++i) numbers[order[i]] = static_cast<StreamId>(i);
  to_.sites.renumber(numbers);
  slots_.clear();
  for (ThreadAccesses& one : to_.sets) one.renumber(numbers);
  to_.classes.renumber(numbers);
  for (auto& found : to_.past.found)
    if (found) found->renumber(numbers);
  for (LateUse& l : to_.late) l.use = numbers[l.use], l.free = numbers[l.free];
}

void Collector::see_flag(const Event& e, const analysis::Seen& seen) {
  ThreadPart& p = part(e.thread);
  const uint32_t loop = spins_.loop_of(blocks_.block(e.block).superblock, *seen.access);
  if (SpinLoops::waits_in_kernel(loop)) return see_awaited(e, seen);
  if (p.spins_in != loop) p.flags.clear();
  p.spins_in = loop;
  auto f = std::find_if(p.flags.begin(), p.flags.end(),
                        [&](const SeenFlag& g) { return g.addr == seen.addr && g.width == seen.width; });
  if (f == p.flags.end()) f = p.flags.insert(f, {seen.addr, seen.width, {}});
  f->given.clear();
  flags_.see(seen.addr, seen.width, f->given);
}

// The values that ended the loop were the last ones read.
void Collector::leave_spin(const Event& e) {
  ThreadPart& p = part(e.thread);
  if (!p.spins_in) return;
  const SpinLoops::Left left = spins_.left_by(e.block);
  if (left.loop != p.spins_in) return;
  before_get(e.thread);
  for (const SeenFlag& f : p.flags)
    for (const AtomicOrder::Gift& g : f.given)
      if (left.waited) flags_.get(e.thread, g);
  p.flags.clear();
  p.spins_in = 0;
}

// --- loops that wait in the kernel ---

void Collector::system_call(const Event& e, uint64_t index) {
  bool waits = false;
  analysis::visit_awaited_word(e, [&](uint64_t addr, uint64_t width) {
    waits = true;
    // What it saw there did not let it go on.
    std::erase_if(part(e.thread).awaited,
                  [&](const SeenFlag& f) { return f.addr < addr + width && addr < f.addr + f.width; });
    if (!hides(e.thread) && !in_runtime(e.thread))
      waits_.waited(e.thread, addr, stacks_.sites(e.thread, {stacks_.module(e.thread), e.ip}));
    const GenerationId where = recent_.at(addr);
    if (is_word_of_stack(addr, width, where))
      words_->touch({addr, where}, to_.generations[where].thread, index, StackWords::Use::kAtomic);
  });
  if (!waits && !FutexWaits::is_harmless_call(e.value)) waits_.disturbed(e.thread);
}

// A store to what others may see, that is no atomic one. A thread's own stack may lie in a line that is shared.
bool Collector::is_disturbing(ThreadId t, const Site& site, GenerationId generation) const {
  if (!site.store) return false;
  const Generation g = to_.generations[generation];
  return g.kind != MemoryKind::kStack || g.thread != t;
}

// Of loads that are known to be atomic, and order, nothing need be told.
void Collector::look_after_wait(const Event& e, const Site& site, const analysis::Seen& seen) {
  if (seen.store || !seen.access || site.locked || site.library) return;
  if (site.atomic_code && atomics_order(options_.atomics)) return;
  if (!waits_.is_awaited(e.thread, seen.addr, seen.width)) return;
  if (waits_.looks_again(e.thread, stacks_.sites(e.thread, site.ip))) spins_.tell(site.ip);
}

void Collector::see_awaited(const Event& e, const analysis::Seen& seen) {
  SeenFlag f{seen.addr, seen.width, {}};
  flags_.see(seen.addr, seen.width, f.given);
  auto& awaited = part(e.thread).awaited;
  std::erase_if(awaited, [&](const SeenFlag& g) { return g.addr == f.addr && g.width == f.width; });
  if (!f.given.empty()) awaited.push_back(std::move(f));
}

// The thread does something else than to look there again: what it saw let it go on.
void Collector::go_on(ThreadId t, const Kept* access) {
  if (!part(t).awaited.empty()) before_get(t);
  std::erase_if(part(t).awaited, [&](const SeenFlag& f) {
    if (access && access->addr == f.addr && access->width == f.width) return false;
    for (const AtomicOrder::Gift& g : f.given) flags_.get(t, g);
    return true;
  });
}

// The call by which the thread came where it is.
Site Collector::event_site(ThreadId t) {
  Site s;
  const std::vector<CodeAddr> sites = stacks_.sites(t, {});
  if (!sites.empty()) s.ip = sites.front();
  s.library = runtime_.library[s.ip.module.value];
  if (s.library) s.from = stacks_.top(t).from;
  return s;
}

void Collector::enter_clib(const Event& e) {
  if (part(e.thread).hide_depth || order_.in_operation(e.thread)) return;
  if (e.sync.op == SyncOp::kThreadCreate && is_by_clib(e.thread)) clib_order_.clib_creates_thread();
  if (is_of_clib(e.sync)) clib_order_.enter(e.thread, e.sync);
}

// stdout and its like lie in libc's data, and are the program's locks where that locks them.
bool Collector::is_of_clib(const Sync& s) const {
  return !sync::file_lock(s) && runtime_.clib_data.contains(ClibOrder::mutex(s));
}

bool Collector::orders_nothing(const Event& e) {
  return sync::file_lock(e.sync) ? is_by_clib(e.thread) : runtime_.clib_data.contains(e.sync.object);
}

// --- locks of FILEs ---

// They lie in blocks, and in libc's data.
void Collector::see_file_lock(ThreadId t, const Executing& by, const analysis::Seen& seen) {
  if (!runtime_.clib[by.module.value] || runtime_.linker[by.module.value] || inside_runtime(t)) return;
  if (!runtime_.clib_data.contains(seen.addr) && to_.generations[recent_.at(seen.addr)].kind != MemoryKind::kHeap)
    return;
  const FileLocks::Store a{seen.addr, seen.width, (seen.access->flags & kAccessAtomic) != 0};
  const auto locked = [&](uint64_t lock) {
    to_.files.insert(recent_.at(lock));
    to_.file_locks.insert(lock);
  };
  if (file_locks_.stored(t, a, locked)) note_file_locks(t);
}

void Collector::note_file_locks(ThreadId t) {
  if (before_order_) before_order_(t);
  std::vector<LockKey> held;
  file_locks_.for_each_held(t, [&](uint64_t lock) { held.emplace_back(lock, 0); });
  part(t).file_locks = to_.sites.lock_set(std::move(held));
}

// Before it gives anything.
void Collector::use_objects(const Event& e, uint64_t index) {
  if (first_pass_.objects.empty() || part(e.thread).hide_depth || in_operation(e.thread)) return;
  uint32_t number = 0;
  visit_objects(e.sync, [&](uint64_t object, bool store) {
    if (!first_pass_.objects.count(object) || runtime_.clib_data.contains(object)) return;
    Site s = event_site(e.thread);
    s.store = store;
    s.operation = e.sync.op;
    const GenerationId id = recent_.at(object);
    const StreamId stream = to_.sites.stream(to_.sites.site(s), id, false);
    keep({{index, number++}, strand_of(e.thread, object, 1, id), stream, object, 1, true, e.thread});
  });
}

void Collector::free_block(const Event& e, uint64_t index) {
  const GenerationId id = to_.generations.block(e.addr);
  if (!id || part(e.thread).hide_depth || in_runtime(e.thread) || !first_pass_.sharing.any_shared(e.addr, e.size))
    return;
  if (is_of_linker(id)) return;
  Site s = event_site(e.thread);
  s.store = s.free = true;
  const StreamId stream = to_.sites.stream(to_.sites.site(s), id, false);
  const uint64_t size = e.size ? e.size : 1;
  for_strands(e.thread, e.addr, size, id, [&](ThreadId by, uint64_t addr, uint64_t width) {
    keep({{index, 0}, by, stream, addr, width, true, e.thread});
  });
  if (strands_) return;  // their numbers are used again, so who freed cannot be asked later
  LateUse& freed = freed_[id];
  freed.free = stream;
  freed.freer = e.thread;
  freed.freed = part(e.thread).segment;
  freed.block = e.addr;
  freed.block_size = size;
}

// Thread-local variables of libraries that were loaded late: who frees them, after their thread's end, is not in order
// with that by anything that the program did.
bool Collector::is_of_linker(GenerationId block) const { return to_.is_allocated_by(block, runtime_.linker); }

// Of one that is not in order with the free they are a race.
void Collector::note_late(ThreadId t, StreamId stream, uint64_t addr, uint64_t width, uint64_t count) {
  const auto freed = freed_.find(to_.sites.stream(stream).generation);
  if (freed == freed_.end()) return;
  const LateUse& f = freed->second;
  const SegmentNumber now = part(t).segment;
  if (t != f.freer && to_.segments.known(t, now, f.freer, Order::kFull) < f.freed) return;
  const auto [at, added] = late_.try_emplace({stream, t}, to_.late.size());
  if (added) {
    LateUse use = f;
    use.use = stream;
    use.user = t;
    use.used = now;
    use.addr = addr;
    use.width = width;
    to_.late.push_back(use);
  }
  LateUse& use = to_.late[at->second];
  if (use.used == now && addr < use.addr) use.addr = addr, use.width = width;
  use.count += count;
}

void Collector::allocated(const Event& e) {
  const GenerationId id = to_.generations.at(e.addr).id;
  if (in_runtime(e.thread)) return mark_runtime(id);
  HeapBlock b;
  const std::vector<CodeAddr> sites = stacks_.sites(e.thread, {});
  if (!sites.empty()) b.site = sites.front();
  b.from = stacks_.top(e.thread).from;
  to_.heap[id] = b;
  if (strands_ && strands_->running(e.thread)) members_.allocated_in_region(id);
}

// --- strands ---

// What is private to an implicit task belongs to it in the parts of worksharing that its thread executes, too; its
// thread's variables in tasks as well, which take turns there. What one iteration of a share touches alone belongs to
// what the iteration lies on: it may be no strand.
ThreadId Collector::strand_in_team(ThreadId t, uint64_t addr, uint64_t width, GenerationId generation) {
  const StrandClocks::Running* const r = strands_->running(t);
  if (!r) return t;
  const StrandClocks::Running& base = strands_->base(t);
  if (base.strand.kind == strands::StrandKind::kTask && members_.is_of_thread(strands_->member(t).strand, t, addr))
    return strands_->member(t).number;
  const bool iterates = &base != r || strands_->machine().is_pending(t);
  if (!iterates && base.strand.kind != strands::StrandKind::kPart) return base.number;
  const StrandClocks::Running& lowest = strands_->lowest(t);
  if (members_.is_of_member(lowest.strand, t, addr, width, generation)) return lowest.number;
  if (!iterates || !first_pass_.iterations.shared(addr, width, to_.generations.begun(generation))) return base.number;
  strands_->machine().realize(t);
  return strands_->running(t)->number;
}

void Collector::strand_begins(ThreadId on, const strands::Strand& s) {
  memory_.begins(on, s, index_);
  frames_.begins(on, s);
}

void Collector::strand_ends(ThreadId on, const strands::Strand& s, ThreadId strand) {
  end_thread(strand);
  frames_.ends(on, s);
  if (const GenerationId given_back = memory_.ends(on, s, index_)) mark_runtime(given_back);
}

void Collector::mark_runtime(GenerationId id) {
  if (id >= runtime_blocks_.size()) runtime_blocks_.resize(id + 1);
  runtime_blocks_[id] = true;
}

void Collector::asked(ThreadId by, uint64_t team, bool for_copies) {
  members_.asked(team, for_copies, stacks_.top(by).from);
}

void Collector::task_data(ThreadId by, AddrRange data) { memory_.data(by, data, index_); }

void Collector::flush(ThreadId t, ThreadPart& p) {
  if (p.used == 0 && !p.whole) return;
  if (t.value >= to_.sets.size()) to_.sets.resize(t.value + 1);
  const size_t before = to_.sets[t.value].size();
  put_into_sets(t, p);
  if (past_) past_->added(to_.sets[t.value].size() - before);
}

void Collector::put_into_sets(ThreadId t, ThreadPart& p) {
  ThreadAccesses& to = to_.sets[t.value];
  if (const RepeatedRuns* const whole = std::exchange(p.whole, nullptr)) return to.add_class(p.segment, whole->id);
  flushed_.clear();
  p.take(flushed_);
  if (flushed_.size() >= kFewestOfClass)
    if (const auto id = to_.classes.of_repeated(flushed_)) return to.add_class(p.segment, *id);
  for (const SegmentClasses::Entry& e : flushed_) to.add({e.stream, p.segment, e.at});
}

// Nothing is afterwards.
void Collector::ThreadPart::take(std::vector<SegmentClasses::Entry>& to) {
  for (size_t i = 0; i < used; ++i)
    open[i].folder.take([&](const Progression& at) { to.push_back({open[i].stream, at}); });
  used = 0;
}

void Collector::keep_no_sets(const Segments* known) {
  keeps_sets_ = false;
  known_segments_ = known;
  past_.reset();
}

void Collector::find_past(const Event& e) {
  past_->event(e);
  if (!past_->prepare()) return;
  for (uint32_t t = 1; t < parts_.size(); ++t)
    if (parts_[t] && !to_.segments.is_open(ThreadId(t))) flush(ThreadId(t), *parts_[t]);
  past_->find();
}

// No access of it comes any more.
void Collector::end_thread(ThreadId t) {
  if (t.value >= parts_.size() || !parts_[t.value]) return;
  flush(t, *parts_[t.value]);
  parts_[t.value].reset();
  if (t.value < to_.sets.size()) to_.sets[t.value].trim();
}

void Collector::finish() {
  if (words_) words_->finish();
  for (uint32_t t = 1; t < parts_.size(); ++t)
    if (parts_[t]) flush(ThreadId(t), *parts_[t]);
  to_.sets.resize(to_.segments.thread_count() + 1);
}

}  // namespace cdr::races
