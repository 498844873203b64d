// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/compact_collector.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cdrgrind/analysis/events/frames_at.h"

namespace cdr::races {

namespace {

bool changes_generations(EventKind kind) {
  switch (kind) {
    case EventKind::kAlloc:
    case EventKind::kFree:
    case EventKind::kResize:
    case EventKind::kMap:
    case EventKind::kUnmap:
    case EventKind::kThreadStart:
      return true;
    default:
      return false;
  }
}

// Where accesses begin.
AddrRange bases_of(std::span<const Progression> runs) {
  AddrRange all{~uint64_t{0}, 0};
  for (const Progression& p : runs) all = {std::min(all.begin, p.base), std::max(all.end, p.last() + 1)};
  return all;
}

// Events that only tell about frames, or nothing that matters here.
bool matters(EventKind kind) {
  switch (kind) {
    case EventKind::kCall:
    case EventKind::kReturn:
    case EventKind::kPop:
    case EventKind::kStackSwitch:
    case EventKind::kStackPointer:
    case EventKind::kEnter:
    case EventKind::kTurn:
    case EventKind::kMark:
      return false;
    default:
      return true;
  }
}

}  // namespace

void CompactCollector::begin_epoch(uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes) {
  epoch_ = &epoch;
  shapes_ = &shapes;
  number_ = number;
  thread_roles_.emplace(blocks_, roles_, first_pass_, number, epoch, shapes);
  classes_.emplace(epoch.addresses(), roles_.shared, runtime_.linkage);
  if (!words_of_special_.emplace(blocks_).begin(epoch.address_columns())) epoch.fail("its addresses are damaged");
  threads_.clear();
  handed_over_at_.clear();
  handed_over_.clear();
  frame_of_.clear();
  effects_.clear();
  looks_.emplace(blocks_, epoch);
  standing_end_ = 0;
}

void CompactCollector::end_epoch() {
  hand_over_all();
  for (uint32_t t = 1; t < threads_.size(); ++t) count_runtime(ThreadId(t), threads_[t]);
  // These refer to the epoch.
  thread_roles_.reset();
  classes_.reset();
  words_of_special_.reset();
  looks_.reset();
  epoch_ = nullptr;
}

CompactCollector::ThreadExecutions& CompactCollector::first_at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  ThreadExecutions& thread = threads_[t.value];
  thread.executed.resize(roles_.roles.size());
  thread.position.resize(roles_.roles.size());
  thread.kind = &thread_roles_->of(t);
  return thread;
}

CompactCollector::Frames& CompactCollector::frames(ThreadId t) {
  ThreadExecutions& thread = at(t);
  return thread.stacks.try_emplace(thread.stack, 1).first->second;
}

uint32_t CompactCollector::pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t index) {
  if (!part_.goes_on(index)) stop();
  const SymbolCounts::Summary& all = at(thread).kind->counts.of(symbol);
  if (all.special) return pass_repeated(thread, symbol, all, copies, index);
  const trace::PathShape shape = shapes_->of(symbol);
  if (all.begin != all.end && to_.hides(thread)) return 0;
  if (!passes_level(thread, symbol, shape)) return pass_known(thread, symbol, index) ? 1 : 0;
  touch_all(thread, all, copies, index);
  return copies;
}

// One is read for all that do the same, but the last, and then they are passed over.
uint32_t CompactCollector::pass_repeated(ThreadId thread, uint32_t symbol, const SymbolCounts::Summary& all,
                                         uint32_t copies, uint64_t index) {
  constexpr uint32_t kFewest = 5;
  if (index < standing_end_) return 0;
  if (standing_for_ > 1) return pass_seen(thread, symbol, all, index);
  if (!all.counted || to_.hides(thread) || (all.library && !to_.inside_runtime(thread))) return 0;
  const size_t depth = depth_of(thread, symbol);
  if (depth == 0 || shapes_->of(symbol).effect.net != 0) return 0;
  if (!looks_->are_due(to_.stacks(), thread, symbol, depth, index) || copies < kFewest) return 0;
  copies = alike(thread, symbol, all, copies);
  if (copies < kFewest) {
    looks_->refuse(symbol);
    return 0;
  }
  standing_for_ = copies - 1;
  standing_end_ = index + epoch_->paths().events_of(symbol);
  to_.stand_for(standing_for_);
  to_.repeats();
  return 0;
}

uint32_t CompactCollector::pass_seen(ThreadId thread, uint32_t symbol, const SymbolCounts::Summary& all,
                                     uint64_t index) {
  const uint32_t more = std::exchange(standing_for_, 1) - 1;
  to_.stand_for(1);
  to_.repeated(more, epoch_->paths().events_of(symbol));
  ThreadExecutions& t = at(thread);
  for (const BlockCount& c : t.kind->counts.counts(all)) {
    const BlockRole role = t.kind->roles.of(c.block);
    const uint64_t n = c.count * more;
    if (role != BlockRole::kSpecial) {
      touch(t, c.block, n, index + c.first, role);
      continue;
    }
    t.executed[c.block.value] += n;
    const size_t words = blocks_.exit_of(c.block).words;
    if (words > 0 && !words_of_special_->skip(thread, c.block, words, n)) epoch_->fail("a block's words end early");
  }
  // These have taken the place of frames that were there.
  Frames& open = frames(thread);
  std::fill(open.end() - static_cast<ptrdiff_t>(depth_of(thread, symbol) - 1), open.end(), std::nullopt);
  return more;
}

// How many of these have the addresses of the copy before, of which each instruction has one.
uint32_t CompactCollector::alike(ThreadId thread, uint32_t symbol, const SymbolCounts::Summary& all, uint32_t copies) {
  const ThreadExecutions& t = at(thread);
  bool relative = false;
  for (const analysis::BlockCount& c : t.kind->counts.counts(all)) {
    if (t.kind->roles.of(c.block) != BlockRole::kSpecial) continue;
    const std::vector<AroundWord>& around = thread_roles_->words(*t.kind, c.block);
    const trace::AddressStream* const s = around.empty() ? nullptr : epoch_->streams_of(thread, c.block);
    for (size_t i = 0; i < around.size() && copies > 0; ++i) {
      if (!around[i].any) continue;
      copies = looks_->alike(s[i], t.executed[c.block.value] - c.count, c.count, copies);
      relative |= s[i].relative();
    }
  }
  return relative && !looks_->frames_stay(thread, symbol) ? 0 : copies;
}

void CompactCollector::touch_all(ThreadId thread, const SymbolCounts::Summary& all, uint32_t copies, uint64_t index) {
  if (all.begin == all.end) return;
  ThreadExecutions& t = at(thread);
  for (const BlockCount& c : t.kind->counts.counts(all))
    touch(t, c.block, c.count * copies, index + c.first, t.kind->roles.of(c.block));
}

// Over one that leaves the frames as they were, of which the calls are told.
bool CompactCollector::passes_level(ThreadId thread, uint32_t symbol, const trace::PathShape& shape) {
  if (!shape.level() || !to_.stacks().can_pass(thread, epoch_->paths().stretches().model(shape.first).entry))
    return false;
  if (at(thread).kind->counts.of(symbol).library && !to_.inside_runtime(thread)) return false;
  to_.stacks().pass(thread, blocks_.superblock_of(shape.last).module, shape.jumped);
  return true;
}

// Of the thread's frames that it touches; 0: it cannot be told.
size_t CompactCollector::depth_of(ThreadId thread, uint32_t symbol) {
  return Effects::depth(epoch_->paths(), symbol, shapes_->of(symbol),
                        std::min(frames(thread).size(), to_.stacks().frames(thread).size()));
}

bool CompactCollector::pass_known(ThreadId thread, uint32_t symbol, uint64_t index) {
  Frames& open = frames(thread);
  analysis::CallStacks& stacks = to_.stacks();
  const size_t depth = depth_of(thread, symbol);
  if (depth == 0) return false;
  const uint64_t state =
      (stacks.jumped(thread) ? 1 : 0) | (to_.inside_operation(thread) ? 2 : 0) | uint64_t{at(thread).kind->number} << 2;
  bool note = false;
  const Effects::Effect* known = effects_.find(symbol, state, stacks.innermost(thread, depth), note);
  if (!known && !note) return false;
  if (!known) known = &effects_.add(effect_of(thread, symbol, state, depth));
  const After& after = known->after;
  if (!after.passes) return false;
  to_.replace_innermost(thread, depth, after.frames, after.last, after.jumped);
  open.resize(open.size() - (depth - 1));
  open.resize(open.size() + after.frames.size() - 1);
  touch_all(thread, at(thread).kind->counts.of(symbol), 1, index);
  return true;
}

// Leaves the calls as they were.
CompactCollector::Effects::Effect CompactCollector::effect_of(ThreadId thread, uint32_t symbol, uint64_t state,
                                                              size_t depth) {
  analysis::CallStacks& stacks = to_.stacks();
  const auto before = stacks.innermost(thread, depth);
  Effects::Effect e{symbol, state, {before.begin(), before.end()}, {}};
  const size_t left = stacks.frames(thread).size() - depth;
  const RolesOfBlocks& roles = at(thread).kind->roles;
  const ModuleId module = stacks.module(thread);
  const bool jumped = stacks.jumped(thread);
  const auto inner = [&](uint32_t s, uint32_t copies) {
    return s != symbol && passes_level(thread, s, shapes_->of(s)) ? copies : 0;
  };
  const auto executed = [&](BlockId id) {
    to_.block_passes(thread, id);
    return roles.of(id) != BlockRole::kLibrary || to_.inside_runtime(thread);
  };
  const auto followed = [&](EventKind kind, uint64_t ip) {
    Event call;
    call.kind = kind;
    call.thread = thread;
    call.ip = ip;
    stacks.event(call);
  };
  e.after.passes = walk_symbol(epoch_->paths(), {symbol, 1}, inner, executed, followed);
  const auto now = std::span(stacks.frames(thread)).subspan(left);
  if (e.after.passes) e.after = {true, {now.begin(), now.end()}, stacks.module(thread), stacks.jumped(thread)};
  stacks.replace_innermost(thread, now.size(), e.before, module, jumped);
  return e;
}

void CompactCollector::block(ThreadId thread, BlockId id, uint64_t index) {
  const BlockRole role = at(thread).kind->roles.of(id);
  if (role == BlockRole::kPrivate) return to_.block_passes(thread, id);
  if (role == BlockRole::kSpecial || to_.hides(thread)) return visit(thread, id, index);
  to_.block_passes(thread, id);
  if (role == BlockRole::kLibrary && !to_.inside_runtime(thread)) return visit(thread, id, index);
  touch(at(thread), id, 1, index, role);
}

void CompactCollector::touch(ThreadExecutions& t, BlockId id, uint64_t n, uint64_t index, BlockRole role) {
  uint64_t& executed = t.executed[id.value];
  if (role == BlockRole::kPlain) {
    uint32_t& p = t.position[id.value];
    if (p == 0) {
      t.pending.push_back({id, executed, index});
      p = static_cast<uint32_t>(t.pending.size());
    }
  } else if (to_.keeps_sets()) {
    if (t.runtime.empty()) t.runtime.resize(roles_.roles.size());
    auto& ranges = t.runtime[id.value];
    if (ranges.empty() || ranges.back().end != executed) ranges.push_back({executed, executed});
    ranges.back().end += n;
  }
  executed += n;
}

void CompactCollector::follow(const Event& e, uint64_t) {
  change_frames(e);
  to_.follows(e);
}

void CompactCollector::change_frames(const Event& e) {
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      frames(e.thread).emplace_back();
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
    case EventKind::kPop: {
      const size_t count = e.kind == EventKind::kPop ? e.count : 1;
      Frames& open = frames(e.thread);
      if (count < open.size())
        open.resize(open.size() - count);
      else
        open.assign(1, std::nullopt);
      break;
    }
    case EventKind::kStackSwitch:
    case EventKind::kThreadStart:
      at(e.thread).stack = e.stack.value;
      break;
    default:
      break;
  }
}

void CompactCollector::event(const Event& e, uint64_t index) {
  if (changes_generations(e.kind))
    hand_over_all();
  else if (matters(e.kind))
    hand_over(e.thread);
  change_frames(e);
  if (before_) before_(e, index);
  to_.event(e, index);
  if (e.kind == EventKind::kThreadEnd) forget(e.thread);
}

// It executes nothing any more. What is known by block takes much where threads are many.
void CompactCollector::forget(ThreadId thread) {
  if (thread.value < threads_.size()) {
    count_runtime(thread, threads_[thread.value]);
    threads_[thread.value] = {};
  }
  if (thread.value < frame_of_.size()) frame_of_[thread.value] = FramesByBlock();
}

// --- one execution ---

void CompactCollector::visit(ThreadId thread, BlockId id, uint64_t index) {
  if (!to_.goes_on_in_segment(thread)) hand_over(thread);
  read_words(thread, id, at(thread).executed[id.value]++, index);
  Event e;
  e.kind = EventKind::kBlock;
  e.thread = thread;
  e.block = id;
  e.words = words_;
  to_.block_accesses(e, index, at(thread).kind->roles.accesses[id.value]);
}

// Words that lead to nothing shared are 0.
void CompactCollector::read_words(ThreadId thread, BlockId id, uint64_t execution, uint64_t index) {
  words_.assign(blocks_.exit_of(id).words, 0);
  if (words_.empty()) return;
  const trace::AddressStream* s = epoch_->streams_of(thread, id);
  ThreadRoles::Kind& kind = *at(thread).kind;
  const std::vector<AroundWord>& around = thread_roles_->words(kind, id);
  if (kind.roles.of(id) == BlockRole::kSpecial) {
    bool relative = false;
    for (size_t i = 0; i < words_.size(); ++i) relative |= around[i].any && s[i].relative();
    const uint64_t sp = relative ? frame_sp(thread, id, index) : 0;
    if (!words_of_special_->words(thread, id, sp, words_)) epoch_->fail("a block's words end early");
    for (size_t i = 0; i < words_.size(); ++i)
      if (!around[i].any) words_[i] = 0;
    return;
  }
  for (size_t i = 0; i < words_.size(); ++i) {
    bool absent = false;
    if (!around[i].any) continue;
    if (!epoch_->addresses().word(s[i], execution, words_[i], absent)) epoch_->fail("a block's words end early");
    if (!s[i].relative() || absent) continue;
    words_[i] = may_be_shared(thread, id, around[i], words_[i]) ? words_[i] + frame_sp(thread, id, index) : 0;
  }
}

// Wherever the frame lies.
bool CompactCollector::may_be_shared(ThreadId thread, BlockId id, const AroundWord& around, uint64_t word) {
  const FrameOf* const f = frame_of(thread, id);
  if (!f || f->anywhere()) return true;
  const AddrRange lowest = around.at(word + f->low);
  return roles_.shared.overlaps({lowest.begin, lowest.end + (f->high - f->low)});
}

const FrameOf* CompactCollector::frame_of(ThreadId thread, BlockId id) {
  if (thread.value >= frame_of_.size()) frame_of_.resize(thread.value + 1);
  auto& of_thread = frame_of_[thread.value];
  if (id.value >= of_thread.size()) of_thread.resize(roles_.roles.size());
  std::optional<const FrameOf*>& known = of_thread[id.value];
  if (!known) known = races::frame_of(first_pass_.frames[number_], thread, id);
  return *known;
}

uint64_t CompactCollector::frame_sp(ThreadId thread, BlockId id, uint64_t index) {
  if (const FrameOf* f = frame_of(thread, id); f && f->sp) return *f->sp;
  std::optional<uint64_t>& known = frames(thread).back();
  if (!known) known = frame_sp_at(index);
  return *known;
}

std::vector<uint64_t> CompactCollector::bases_at(ThreadId thread, uint64_t index) {
  std::vector<uint64_t> out;
  for (const analysis::CallFrame& f : analysis::frames_at(seeker_, thread, index)) out.push_back(f.base);
  return out;
}

uint64_t CompactCollector::frame_sp_at(uint64_t index) {
  trace::TracePosition place;
  seeker_.at_index(index, place);
  return seeker_.frame_sp(place);
}

// --- many executions ---

void CompactCollector::hand_over_all() {
  for (uint32_t t = 1; t < threads_.size(); ++t) hand_over(ThreadId(t));
}

void CompactCollector::hand_over(ThreadId thread) {
  if (thread.value >= threads_.size() || threads_[thread.value].pending.empty()) return;
  ThreadExecutions& t = threads_[thread.value];
  handing_over_ = true;
  kept_.clear();
  if (classes_->forget()) {
    handed_over_at_.clear();
    handed_over_.clear();
  }
  for (const Pending& p : t.pending) collect(thread, t, p);
  if (!kept_.empty()) {
    AccessPosition first{~uint64_t{0}, 0};
    for (const Kept& k : kept_)
      if (k.what->first_kept && !(k.stream && k.stream->guarded()))
        first = std::min(first, AccessPosition{k.pending->index, k.number});
    for (const Kept& k : kept_)
      if (AccessPosition{k.pending->index, k.number} < first)
        first = std::min(first, first_place(thread, k, std::nullopt));
    to_.begin_runs(thread, first);
    keep_all(thread);
  }
  for (const Pending& p : t.pending) t.position[p.block.value] = 0;
  t.pending.clear();
  handing_over_ = false;
}

// What came twice is noted, and not looked at again as long as memory does not change hands. The first places of
// streams lie before those of most that come later.
void CompactCollector::keep_all(ThreadId thread) {
  const LockSetId locks = to_.file_locks(thread);
  uint64_t hash = mix64(kept_.size() ^ uint64_t{locks} << 32), first = ~uint64_t{0};
  for (const Kept& k : kept_) {
    hash = mix64(hash ^ k.what->number ^ uint64_t{k.pending->block.value} << 32 ^ uint64_t{k.number} << 56);
    first = std::min(first, k.pending->index);
  }
  const auto [at, added] = handed_over_at_.insert(hash);
  HandedOver* const known = added || *at == 0 ? nullptr : &handed_over_[*at - 1];
  const bool same = known && known->locks == locks && is_kept_as(*known);
  if (same && known->runs->first.event < first && lies_as_before(*known))
    return to_.keep_repeated(thread, *known->runs);
  if (added || (known && !same)) {
    for (const Kept& k : kept_) keep(thread, k);
    return;
  }
  Collector::RepeatedRuns::Parts parts;
  note_parts_ = &parts;
  for (const Kept& k : kept_) keep(thread, k);
  note_parts_ = nullptr;
  HandedOver& h = known ? *known : handed_over_.emplace_back();
  if (!known) {
    *at = static_cast<uint32_t>(handed_over_.size());
    h.locks = locks;
    for (const Kept& k : kept_) h.parts.push_back({k.pending->block, k.number, k.what->number});
  }
  h.version = to_.generations().version();
  h.generations = generations_of_kept();
  h.runs = &to_.repeated(std::move(parts));
}

// Blocks of the heap come and go elsewhere.
bool CompactCollector::lies_as_before(HandedOver& h) {
  const uint64_t now = to_.generations().version();
  if (h.version == now) return true;
  if (h.generations.empty() || generations_of_kept() != h.generations) return false;
  h.version = now;
  return true;
}

std::vector<GenerationId> CompactCollector::generations_of_kept() {
  std::vector<GenerationId> all;
  for (const Kept& k : kept_) {
    const AddrRange bases = bases_of(k.what->runs);
    const Generations::Found found = to_.generation_at(bases.begin);
    if (bases.end > found.range.end) return {};
    all.push_back(found.id);
  }
  return all;
}

bool CompactCollector::is_kept_as(const HandedOver& h) const {
  return std::equal(h.parts.begin(), h.parts.end(), kept_.begin(), kept_.end(),
                    [](const HandedOver::Part& p, const Kept& k) {
                      return p.block == k.pending->block && p.number == k.number && p.what == k.what->number;
                    });
}

void CompactCollector::collect(ThreadId thread, ThreadExecutions& t, const Pending& p) {
  const uint64_t end = t.executed[p.block.value];
  for (const uint16_t number : t.kind->roles.accesses[p.block.value]) {
    const Access& a = blocks_.superblock_of(p.block).accesses[number];
    Kept k;
    k.pending = &p;
    k.access = &a;
    k.number = number;
    if (a.slot == 0) {
      k.what = &classes_->of_constant(static_cast<uint64_t>(a.constant), end - p.begin, a.width);
    } else {
      const trace::AddressStream* s = epoch_->streams_of(thread, p.block);
      k.stream = &s[a.slot - 1u];
      k.plus = static_cast<uint64_t>(a.constant) + (k.stream->relative() ? frame_sp(thread, p.block, p.index) : 0);
      k.value_begin = epoch_->addresses().values_before(*k.stream, p.begin);
      const uint64_t value_end = epoch_->addresses().values_before(*k.stream, end);
      if (k.value_begin == value_end) continue;
      k.what = &classes_->of(*k.stream, k.value_begin, value_end, k.plus, a.width);
    }
    to_.left_out(k.what->left_out);
    if (!k.what->runs.empty()) kept_.push_back(k);
  }
}

// Of the first access that counts; in that generation, if one is given.
AccessPosition CompactCollector::first_place(ThreadId thread, const Kept& k,
                                             std::optional<GenerationId> generation) const {
  if (!k.stream) return {k.pending->index, k.number};
  trace::AddressIndex::Steps steps;
  for (uint64_t v = k.value_begin;; ++v) {
    if (steps.more > 0) {
      steps.value += steps.stride;
      --steps.more;
    } else if (!epoch_->addresses().steps(*k.stream, v, steps)) {
      epoch_->fail("a block's words end early");
    }
    const uint64_t addr = steps.value + k.plus;
    if (!classes_->counts(addr, k.access->width)) continue;
    if (generation && to_.generations().at(addr).id != *generation) continue;
    const uint64_t last = threads_[thread.value].executed[k.pending->block.value] - 1;
    const uint64_t n = epoch_->addresses().execution_of_value(*k.stream, v, k.pending->begin, last);
    if (n == k.pending->begin) return {k.pending->index, k.number};
    return {index_of_execution(thread, k.pending->block, n), k.number};
  }
}

uint64_t CompactCollector::index_of_execution(ThreadId thread, BlockId id, uint64_t n) const {
  const auto index = epoch_->index_of_execution(thread, id, n);
  if (!index) epoch_->fail("a block's words end early");
  return *index;
}

void CompactCollector::keep(ThreadId thread, const Kept& k) {
  const AddrRange bases = bases_of(k.what->runs);
  const Generations::Found all = to_.generation_at(bases.begin);
  if (bases.end <= all.range.end) return keep_part(thread, k, all.id, k.what->runs);
  std::map<GenerationId, std::vector<Progression>> parts;
  for (const Progression& p : k.what->runs)
    for (uint64_t i = 0; i < p.count;) {
      const Generations::Found f = to_.generation_at(p.at(i));
      const uint64_t n = p.count == 1 ? 1 : std::min(p.count - i, (f.range.end - 1 - p.at(i)) / p.stride + 1);
      parts[f.id].push_back({p.at(i), n == 1 ? 0 : p.stride, n, p.width, p.times});
      i += n;
    }
  for (auto& [generation, runs] : parts) keep_part(thread, k, generation, folded(std::move(runs)));
}

void CompactCollector::keep_part(ThreadId thread, const Kept& k, GenerationId generation,
                                 std::span<const Progression> runs) {
  const StreamId stream = to_.plain_stream(thread, k.pending->block, *k.access, generation);
  if (AccessPosition{k.pending->index, k.number} < to_.first_of(stream))
    to_.came_first(stream, first_place(thread, k, generation));
  to_.keep_runs(thread, stream, runs);
  if (note_parts_) note_parts_->emplace_back(stream, std::vector<Progression>(runs.begin(), runs.end()));
}

// The runtime's accesses to shared memory are counted and left out.
void CompactCollector::count_runtime(ThreadId thread, ThreadExecutions& t) {
  for (uint32_t block = 0; block < t.runtime.size(); ++block)
    for (const uint16_t number : t.kind->roles.accesses[block]) {
      if (t.runtime[block].empty()) break;
      const Access& a = blocks_.superblock_of(BlockId(block)).accesses[number];
      for (const Range& r : t.runtime[block]) to_.left_out(count_shared(thread, BlockId(block), a, r));
    }
}

uint64_t CompactCollector::count_shared(ThreadId thread, BlockId id, const Access& a, Range r) {
  if (a.slot == 0) {
    const auto addr = static_cast<uint64_t>(a.constant);
    return roles_.shared.overlaps({addr, addr + a.width}) ? r.end - r.begin : 0;
  }
  const trace::AddressStream* s = epoch_->streams_of(thread, id);
  s += a.slot - 1u;
  if (s->relative()) {
    const FrameOf* f = frame_of(thread, id);
    if (!f || !f->sp) return count_one_by_one(thread, id, *s, a, r);
  }
  const uint64_t plus = static_cast<uint64_t>(a.constant) + (s->relative() ? *frame_of(thread, id)->sp : 0);
  const uint64_t begin = epoch_->addresses().values_before(*s, r.begin);
  const uint64_t end = epoch_->addresses().values_before(*s, r.end);
  if (begin == end) return 0;
  classes_->forget();
  const AccessClass& c = classes_->of(*s, begin, end, plus, a.width);
  uint64_t n = c.left_out;
  for (const Progression& p : c.runs) n += p.count * p.times;
  return n;
}

uint64_t CompactCollector::count_one_by_one(ThreadId thread, BlockId id, const trace::AddressStream& s, const Access& a,
                                            Range r) {
  uint64_t n = 0;
  for (uint64_t i = r.begin; i < r.end; ++i) {
    uint64_t word = 0;
    bool absent = false;
    if (!epoch_->addresses().word(s, i, word, absent)) epoch_->fail("a block's words end early");
    if (absent) continue;
    word += frame_sp_at(index_of_execution(thread, id, i));
    word += static_cast<uint64_t>(a.constant);
    n += roles_.shared.overlaps({word, word + a.width});
  }
  return n;
}

}  // namespace cdr::races
