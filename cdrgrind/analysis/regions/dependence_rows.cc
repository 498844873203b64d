// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/dependence_rows.h"

#include <utility>

namespace cdr::regions {

[[gnu::flatten]] void DependenceRows::load(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now) {
  const auto depend_on = [&](const Dependence& d) { return depend(d, now); };
  is_crossing_ = shadow.are_shared(addr, width);
  shadow.for_cells(addr, width,
                   [&](Cell& c, uint64_t at) { load_cell(shadow, c, at, addr + width - at, now, depend_on); });
  if (is_crossing_) [[unlikely]]
    end_crossing(now);
}

[[gnu::flatten]] void DependenceRows::store(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now) {
  const auto depend_on = [&](const Dependence& d) { depend(d, now); };
  is_crossing_ = shadow.are_shared(addr, width);
  shadow.for_written_cells(addr, width,
                           [&](Cell& c, uint64_t at) { store_cell(shadow, c, at, addr + width - at, now, depend_on); });
  if (is_crossing_) [[unlikely]]
    end_crossing(now);
}

uint64_t DependenceRows::reach_start(uint64_t time, const Now& now) {
  Join& j = joins_[now.site % kJoins];
  if (j.target == now.site && j.is_fresh(time, now)) return j.begin;
  const size_t reach = now.stack->reach_of(time);
  j.target = now.site;
  j.state = 0;
  j.freshen(reach, 0, now);
  return reach == 0 ? 0 : now.stack->reaches()[reach].start;
}

void DependenceRows::note_near_source(const Cell& c, const Now& now) {
  Near& near = near_[now.site % kNears];
  if (near.target == now.site && near.source == c.site && near.stack == now.stack && near.stamp == now.stamp) return;
  near = {now.site, c.site, now.stack, now.stamp};
  note_source(c, now);
}

void DependenceRows::note_source(const Cell& c, const Now& now) {
  const uint32_t first = now.stack->top().loops;
  Site& site = result_.contexts.site(now.site);
  while (first + site.changing < now.stack->loop_count() && c.time >= now.stack->loop(first + site.changing).start)
    ++site.changing;
  if (site.from != c.site && c.time >= now.stack->loop(0).start) note_flow(c.site, site, now);
}

void DependenceRows::note_flow(SiteIndex source, Site& load, const Now& now) {
  load.from = source;
  const uint64_t flow = uint64_t{source} << 32 | now.site;
  uint64_t& recent = recent_flows_[flow * 0x9e3779b97f4a7c15 >> (64 - kFlowBits)];
  if (std::exchange(recent, flow) == flow) return;
  const auto [known, is_new] = flows_.insert(flow);
  if (is_new) result_.flows.push_back({source, now.site});
}

bool DependenceRows::depend_on_other(Memo*& recent, const Dependence& d, const Now& now) {
  const RegionStack& s = *now.stack;
  if (d.source && s.was_released(d.addr, d.time)) return false;
  const size_t reach = d.source ? s.reach_of(d.time) : 0;
  Memo& m = memos_[memo_index(d.source, now.site, static_cast<unsigned>(d.kind) + 4 * static_cast<unsigned>(reach))];
  const bool known = holds(m, d, reach, now);
  if (known) {
    m.freshen(reach, d.source ? s.watched : 0, now);
    if (m.counts) note_call(d, m.place.frame, now);
    if (m.leaves) repeat(m, d, now);
  } else {
    find(m, d, reach, now);
  }
  recent = &m;
  return known;
}

// Also of a region like the one that it was found in: with the same loops, in activations of the same names; for places
// on the stack, in the same activations.
bool DependenceRows::holds(Memo& m, const Dependence& d, size_t reach, const Now& now) const {
  const RegionStack& s = *now.stack;
  if (m.source != d.source || m.target != now.site || m.kind != d.kind || m.stack != &s || m.reach != reach)
    return false;
  if (d.kind == Kind::kRaw && m.loop_next != (m.next_loop < s.loop_count() ? s.loop(m.next_loop).loop : LoopId()))
    return false;
  if (!holds_at(m, d, now)) return false;
  const RegionStack::Reach& r = s.reaches()[reach];
  if (m.stamp == r.stamp)
    return !m.on_stack || (m.depth == s.frames().size() && (m.top == 0 || m.top == s.top().start));
  if (m.on_stack ? m.frames != s.frames_version() : !is_alike(m, r.place, s)) return false;
  if (m.place != r.place || (m.place.loop != RegionStack::kNoLoop && s.loop(m.place.loop).loop != m.loop_around))
    return false;
  m.stamp = r.stamp;
  m.near = {};
  return true;
}

// What was found of an object holds for all of it, wherever it lies: of a place of allocation for all its blocks.
bool DependenceRows::holds_at(Memo& m, const Dependence& d, const Now& now) const {
  if (m.known.contains(d.addr) && is_of_heap_now(m)) return true;
  const RegionStack& s = *now.stack;
  if (m.heap_version == kAnyVersion || s.range.contains(d.addr)) return false;
  const Located at = locate_elsewhere(d.addr, d.source ? d.source : now.site, now);
  if (at.object != m.object) return false;
  m.known = outside(s, d.addr, at.known);
  m.row_base = m.entry_base = at.base;
  m.heap_version = heap.version();
  return true;
}

// The part of the range that is not the stack's, around an address that is not, either.
AddrRange DependenceRows::outside(const RegionStack& s, uint64_t addr, AddrRange range) {
  return addr < s.range.begin ? AddrRange{range.begin, std::min(range.end, s.range.begin)}
                              : AddrRange{std::max(range.begin, s.range.end), range.end};
}

bool DependenceRows::is_alike(const Memo& m, const RegionStack::Place& place, const RegionStack& s) {
  const Frame& f = s.frame(place.frame);
  return f.context == m.context && f.loops == m.loops;
}

// Notes what has left its loops, and around the time, for how long others are no news.
void DependenceRows::note_new_escapes(Memo& m, uint64_t time) {
  m.escapes_when = loops_closed_;
  uint64_t begin = 0, end = ~uint64_t{0};
  const auto cut = [&](uint64_t at) {
    begin = std::max(begin, at <= time ? at : 0);
    end = std::min(end, at <= time ? ~uint64_t{0} : at);
  };
  escapes_.note(m.escapes, [&](LoopId l) {
    const EndedLoop& ended = ended_[l.value];
    cut(ended.last_iteration);
    cut(ended.end + 1);
    return time >= ended.last_iteration && time <= ended.end;
  });
  m.escape_begin = begin;
  m.escape_end = end;
}

void DependenceRows::stack_moved() {
  std::fill(memos_.begin(), memos_.end(), Memo());
  std::fill(recent_memos_.begin(), recent_memos_.end(), memos_.data());
}

void DependenceRows::repeat(Memo& m, const Dependence& d, const Now& now) {
  if (m.on_stack && now.stack->was_above(d.addr, d.time)) return;
  if (m.escapes) note_escapes(m, d.time);
  if (m.entry) extend(result_.entry_reads[m.entry - 1], d.addr - m.entry_base, d.width);
  if (m.row) count_carried(m, d, now);
}

// What it is, and what can be told of others by it.
void DependenceRows::find(Memo& m, const Dependence& d, size_t reach, const Now& now) {
  const RegionStack& s = *now.stack;
  const RegionStack::Place place = s.reaches()[reach].place;
  Memo found;
  found.source = d.source;
  found.target = now.site;
  found.kind = d.kind;
  found.stack = &s;
  found.depth = static_cast<uint32_t>(s.frames().size());
  found.reach = static_cast<uint32_t>(reach);
  found.stamp = s.reaches()[reach].stamp;
  found.frames = s.frames_version();
  found.context = s.frame(place.frame).context;
  found.loops = s.frame(place.frame).loops;
  found.place = place;
  if (place.loop != RegionStack::kNoLoop) found.loop_around = s.loop(place.loop).loop;
  found.next_loop = place.loop == RegionStack::kNoLoop ? s.frame(place.frame).loops : place.loop + 1;
  if (found.next_loop < s.loop_count()) found.loop_next = s.loop(found.next_loop).loop;
  found.counts = counts(d, now);
  if (found.counts) note(found, d, place, now);
  found.leaves = found.escapes || found.entry || found.row;
  m = found;
}

// Whether dependences of these two sites do.
bool DependenceRows::counts(const Dependence& d, const Now& now) const {
  if (d.source == 0) return true;
  const Site& from = result_.contexts.site(d.source);
  if (result_.contexts[from.context].stack != now.stack->id) return false;
  return !from.linkage || !result_.contexts.site(now.site).linkage;
}

void DependenceRows::note(Memo& m, const Dependence& d, const RegionStack::Place& place, const Now& now) {
  const RegionStack& s = *now.stack;
  if (d.source && !place.carried) note_between(d, place, now);
  if (d.kind != Kind::kRaw && !place.carried && d.time >= s.watched) return;
  m.on_stack = s.range.contains(d.addr);
  m.known = m.on_stack ? s.range : outside(s, d.addr, {0, ~uint64_t{0}});
  if (d.source == 0) m.on_stack = false;
  if (d.kind == Kind::kRaw) {
    if (d.source) {
      m.escapes = escape_record(d.source, place, now);
      if (m.escapes) note_new_escapes(m, d.time);
    }
    if (m.next_loop < s.loop_count()) note_entry(m, d, now);
  }
  note_call(d, place.frame, now);
  if (!place.carried || d.source == 0) return;
  const Key key = key_of(s.loop(place.loop), s.frame(place.frame).context, d.kind, d.source, now.site);
  CarriedRow& row = memory_row(key, d, place, now);
  m.loop = place.loop;
  m.row = static_cast<uint32_t>(&row - result_.rows.data() + 1);
  m.row_base = located_[m.row - 1].base;
  narrow(m, located_[m.row - 1], now);
  count_carried(m, d, now);
}

// A long call of the activation, if it is the source's, is waited for.
void DependenceRows::note_call(const Dependence& d, uint32_t frame, const Now& now) {
  if (d.source && d.time < now.stack->watched) calls_.depends(d.source, d.time, frame, now);
}

// What holds of an object.
void DependenceRows::narrow(Memo& m, const Located& at, const Now& now) const {
  m.known.begin = std::max(m.known.begin, at.known.begin);
  m.known.end = std::min(m.known.end, at.known.end);
  const bool on_stack = at.key & 1;
  if (!on_stack) {
    m.heap_version = heap.version();
    m.object = at.object;
  } else if ((at.key & 3) == 3) {
    m.top = now.stack->top().start;
  }
}

inline void DependenceRows::count_carried(Memo& m, const Dependence& d, const Now& now) {
  CarriedRow& row = result_.rows[m.row - 1];
  const LoopInstance& l = now.stack->loop(m.loop);
  if (d.kind == Kind::kWar) note_read(row, l, d.time, *d.cell, m.near);
  extend(row, d.addr - m.row_base, d.width);
  count_access(row, l, d, m.near, now);
}

// Of several sources of one cell the nearest one's row counts, of several cells the first one's.
inline void DependenceRows::count_access(CarriedRow& row, const LoopInstance& l, const Dependence& d,
                                         IterationLog::Place& near, const Now& now) {
  Ends& e = ends_[row.ends];
  const auto number = static_cast<uint32_t>(&row - result_.rows.data());
  if (e.access != now.access) {
    end_access(e);
    if (is_crossing_) [[unlikely]]
      crossing_ends_.push_back(row.ends);
    e.access = now.access;
    e.addr = d.addr;
    e.distance = distance_of(row, l, d.time, near, now);
    e.time = d.time;
    e.source = d.source;
    e.row = number;
  } else if (e.time != d.time || e.row != number) {
    e.distance = std::min(e.distance, distance_of(row, l, d.time, near, now));
    if (e.addr == d.addr && std::tie(e.time, e.source) < std::tie(d.time, d.source)) {
      e.time = d.time;
      e.source = d.source;
      e.row = number;
    }
  }
}

void DependenceRows::commit(Ends& e) {
  if (e.counted == 0) return;
  CarriedRow& row = result_.rows[e.counted_row];
  row.count += e.counted;
  row.distances.add(e.counted_distance, e.counted);
  e.counted = 0;
}

// And gives back what only accesses need.
void DependenceRows::finish() {
  for (RegisterMemo& m : register_memos_) settle(m);
  for (Ends& e : ends_) {
    end_access(e);
    commit(e);
  }
  ends_.assign(1, {});
  index_ = {};
  located_.release();
  entries_.release();
  memos_ = {};
  recent_memos_ = {};
  near_ = {};
  register_memos_ = {};
  joins_ = {};
  flows_ = {};
  between_ = {};
  entry_index_ = {};
}

// What the access has counted is put together with what other parts know of it.
void DependenceRows::end_crossing(const Now& now) {
  for (const uint32_t number : crossing_ends_) {
    Ends& e = ends_[number];
    crossings_.push_back({now.access, e.row, e.addr, e.distance});
    e.access = 0;
  }
  crossing_ends_.clear();
  is_crossing_ = false;
}

std::vector<CrossingHit> DependenceRows::take_crossings(PartedRegions& all) {
  row_numbers_.resize(result_.rows.size());
  for (CrossingHit& h : crossings_) {
    const CarriedRow& row = result_.rows[h.row];
    uint32_t& number = row_numbers_[h.row];
    if (number == 0) number = all.number_of(row, ends_of(row)) + 1;
    h.row = number - 1;
  }
  return std::exchange(crossings_, {});
}

RowEnds DependenceRows::ends_of(const CarriedRow& row) const {
  const uint32_t depth = result_.contexts[row.context].depth;
  const auto s = result_.contexts.seen_from(row.source, depth), t = result_.contexts.seen_from(row.target, depth);
  const uint64_t loop_and_kind = uint64_t{row.loop.value} << 2 | static_cast<uint64_t>(row.kind);
  return {loop_and_kind, s.ip, s.call, t.ip, t.call};
}

uint32_t DependenceRows::number_of_ends(const CarriedRow& row) {
  const auto [e, is_new] = ends_index_.insert(ends_of(row));
  if (is_new) {
    *e = static_cast<uint32_t>(ends_.size());
    ends_.emplace_back();
  }
  return *e;
}

inline void DependenceRows::note_read(CarriedRow& row, const LoopInstance& l, uint64_t time, const Cell& c,
                                      IterationLog::Place& near) {
  if (!c.site || c.time < l.start) {
    ++row.read_before;
  } else if (c.time <= time) {
    if (time < l.before && (time < near.start || time >= near.end)) near = l.iterations.at(time);
    row.read_own += c.time >= (time >= l.before ? l.before : near.start);
  }
}

void DependenceRows::note_entry(Memo& m, const Dependence& d, const Now& now) {
  const RegionStack& s = *now.stack;
  const LoopId loop = s.loop(m.next_loop).loop;
  uint32_t& index = entry_index_[uint64_t{loop.value} << 32 | now.site];
  const bool is_new = index == 0;
  if (is_new) {
    result_.entry_reads.emplace_back();
    result_.entry_reads.back().loop = loop;
    result_.entry_reads.back().load = now.site;
    index = static_cast<uint32_t>(result_.entry_reads.size());
  }
  EntryRead& e = result_.entry_reads[index - 1];
  RegionStack::Place place;
  place.frame = s.frame_of_loop(m.next_loop);
  const SiteIndex source = d.source ? d.source : now.site;
  if (is_new) entries_.push_back({});
  Located& known = entries_[index - 1];
  if (!known.holds(d.addr, keys_of(d.addr, source, place, now))) {
    known = locate(d.addr, source, place, now);
    e.object = is_new || e.object == known.object ? known.object : Object{};
  }
  m.entry = index;
  m.entry_base = known.base;
  narrow(m, known, now);
  extend(e, d.addr - known.base, d.width);
}

// The loop below `around` that the instruction is in; none: it is in no other.
LoopId DependenceRows::loop_below(LoopId around, const FunctionLoops& function, uint64_t ip) const {
  LoopId l = function.at(ip);
  if (l == around) return {};
  while (l && loops_.parent(l) != around) l = loops_.parent(l);
  return l;
}

void DependenceRows::note_between(const Dependence& d, const RegionStack::Place& place, const Now& now) {
  const RegionStack& s = *now.stack;
  const Contexts& contexts = result_.contexts;
  const LoopId around = place.loop == RegionStack::kNoLoop ? LoopId() : s.loop(place.loop).loop;
  const Frame& f = s.frame(place.frame);
  if (f.function ? f.function->innermost.empty() : !f.library) return;
  LoopId to;
  const size_t next = place.loop == RegionStack::kNoLoop ? f.loops : place.loop + 1;
  const size_t end = place.frame + 1 < s.frames().size() ? s.frame(place.frame + 1).loops : s.loop_count();
  if (next < end) to = s.loop(next).loop;
  const auto is_library_beside = [&](SiteIndex site, ContextIndex by) {
    const ContextIndex c = contexts.site(site).context;
    return contexts[c].library && (c == f.context || contexts[c].parent == by);
  };
  const auto may_be_beside = [&](SiteIndex site, ContextIndex by) {
    return is_library_beside(site, by) || contexts.site(site).context == by;
  };
  if (!to && !f.library && !may_be_beside(now.site, f.context)) return;
  const uint64_t place_and_kind = uint64_t{f.context} << 32 | around.value << 2 | static_cast<uint32_t>(d.kind);
  if (!between_.insert({place_and_kind, uint64_t{d.source} << 32 | now.site}).second) return;
  const uint32_t depth = contexts[f.context].depth;
  const auto activation_of = [&](SiteIndex site) {
    ContextIndex c = contexts.site(site).context;
    while (contexts[c].depth > depth) c = contexts[c].parent;
    return c;
  };
  const ContextIndex by = activation_of(d.source);
  if (contexts[by].depth != depth || contexts[by].library) return;
  // A function that another one has become, by a jump at its end.
  const bool was_left = by != f.context;
  if (was_left ? !f.library : !f.function) return;
  const FunctionLoops& function = was_left ? loops_.of(contexts[by].function) : *f.function;
  const auto is_like_loop = [&](SiteIndex site) { return is_library_beside(site, by) || contexts.repeats_insn(site); };
  const LoopId from = loop_below(around, function, contexts.seen_from(d.source, depth).ip);
  if (from ? from == to : !to && !(is_like_loop(d.source) && is_like_loop(now.site))) return;
  if ((!from && !may_be_beside(d.source, by)) || (!to && !may_be_beside(now.site, by))) return;
  const Located at = locate(d.addr, d.source, place, now);
  const auto first = static_cast<int64_t>(d.addr - at.base);
  result_.between.push_back({from, to, by, d.kind, d.source, now.site, at.object, first,
                             first + static_cast<int64_t>(d.width) - 1, now.time, d.addr});
}

CarriedRow& DependenceRows::row_for(const Key& key, uint32_t& first, Object object) {
  for (uint32_t r = first; r; r = result_.rows[r - 1].next)
    if (result_.rows[r - 1].object == object) return result_.rows[r - 1];
  CarriedRow row;
  const auto loop_and_kind = static_cast<uint32_t>(key.first);
  row.loop = LoopId(loop_and_kind >> 2);
  row.context = static_cast<ContextIndex>(key.first >> 32);
  row.kind = static_cast<Kind>(loop_and_kind & 3);
  row.source = static_cast<SiteIndex>(key.second >> 32);
  row.target = static_cast<SiteIndex>(key.second);
  row.object = object;
  row.next = first;
  if (object.kind != Object::Kind::kRegister) row.ends = number_of_ends(row);
  result_.rows.push_back(row);
  located_.push_back({});
  first = static_cast<uint32_t>(result_.rows.size());
  return result_.rows.back();
}

CarriedRow& DependenceRows::memory_row(const Key& key, const Dependence& d, const RegionStack::Place& place,
                                       const Now& now) {
  uint32_t& first = index_[key];
  for (uint32_t r = first; r; r = result_.rows[r - 1].next)
    if (located_[r - 1].holds(d.addr, keys_of(d.addr, d.source, place, now))) return result_.rows[r - 1];
  const Located at = locate(d.addr, d.source, place, now);
  CarriedRow& row = row_for(key, first, at.object);
  located_[static_cast<size_t>(&row - result_.rows.data())] = at;
  return row;
}

// What places in memory may be known by: on the stack, those outside the place's activation by that, others by the
// activation on top.
DependenceRows::LocatedKeys DependenceRows::keys_of(uint64_t addr, SiteIndex source, const RegionStack::Place& place,
                                                    const Now& now) const {
  const RegionStack& s = *now.stack;
  if (s.range.contains(addr)) return {s.frame(place.frame).start << 2 | 1, s.top().start << 2 | 3};
  const uint64_t key = heap.version() << 2 | (are_inside(source, now.site) ? 2 : 0);
  return {key, key};
}

// Whether a library handles its own.
bool DependenceRows::are_inside(SiteIndex source, SiteIndex target) const {
  const auto of_library = [&](SiteIndex s) { return result_.contexts[result_.contexts.site(s).context].library; };
  return of_library(source) && of_library(target);
}

DependenceRows::Located DependenceRows::locate_on_stack(uint64_t addr, const RegionStack::Place& place,
                                                        const RegionStack& stack) const {
  const auto& frames = stack.frames();
  size_t f = frames.size();
  while (f > 0 && frames[f - 1].sp <= addr) --f;
  const uint64_t by_place = stack.frame(place.frame).start << 2 | 1, by_top = stack.top().start << 2 | 3;
  if (f == 0) return {{Object::Kind::kCaller, place.frame + 1}, 0, {frames[0].sp, stack.range.end}, by_place};
  --f;
  Located at;
  at.known = {f + 1 < frames.size() ? frames[f + 1].sp : stack.range.begin, frames[f].sp};
  at.key = f < place.frame ? by_place : by_top;
  constexpr uint64_t kReturnAddress = 8;
  at.base = frames[f].sp + kReturnAddress;
  if (f == place.frame)
    at.object.kind = Object::Kind::kFrame;
  else if (f > place.frame)
    at.object.kind = Object::Kind::kCallee;
  else
    at.object = {Object::Kind::kCaller, place.frame - static_cast<uint32_t>(f)};
  return at;
}

DependenceRows::Located DependenceRows::locate(uint64_t addr, SiteIndex source, const RegionStack::Place& place,
                                               const Now& now) const {
  if (now.stack->range.contains(addr)) return locate_on_stack(addr, place, *now.stack);
  return locate_elsewhere(addr, source, now);
}

DependenceRows::Located DependenceRows::locate_elsewhere(uint64_t addr, SiteIndex source, const Now& now) const {
  const bool inside = are_inside(source, now.site);
  const uint64_t key = heap.version() << 2 | (inside ? 2 : 0);
  if (const HeapBlocks::Block* b = heap.at(addr)) {
    if (b->library && inside) return {{Object::Kind::kLibrary, 0}, 0, b->range, key};
    return {{Object::Kind::kHeap, b->place}, b->range.begin, b->range, key};
  }
  // Blocks may lie in what is no variable.
  const AddrRange gap = heap.gap_at(addr);
  const auto between = [&](AddrRange r) { return AddrRange{std::max(r.begin, gap.begin), std::min(r.end, gap.end)}; };
  if (inside)
    if (const AddrRange piece = statics_.foreign_piece(addr); !piece.empty())
      return {{Object::Kind::kLibrary, 0}, 0, between(piece), key};
  const StaticPiece& p = statics_.piece_at(addr);
  const AddrRange known = between(p.range);
  if (p.library || (inside && p.id == 0)) return {{Object::Kind::kLibrary, 0}, 0, known, key};
  if (p.id) return {{Object::Kind::kStatic, p.id}, p.range.begin, known, key};
  return {{Object::Kind::kOther, 0}, 0, known, key};
}

void DependenceRows::register_read(uint8_t chunk, const RegisterStamp& written, const Now& now) {
  RegisterMemo& m = register_memos_[memo_index(written.site, now.site, chunk)];
  if (!holds(m, chunk, written, now)) find(m, chunk, written, now);
  m.state = m.seen = now.state;
  m.time = written.time;
  if (m.row) count_register(m, written.time, now);
}

void DependenceRows::repeat_record(uint64_t times) {
  recording_ = false;
  for (const Recorded& r : recorded_) {
    CarriedRow& row = result_.rows[r.row];
    row.count += times;
    if (r.step == 0)
      row.distances.add(r.distance, times);
    else
      for (uint64_t i = 1; i <= times; ++i) row.distances.add(r.distance + i * r.step);
  }
}

void DependenceRows::find(RegisterMemo& m, uint8_t chunk, const RegisterStamp& written, const Now& now) {
  const RegionStack& s = *now.stack;
  const size_t reach = s.reach_of(written.time);
  const RegionStack::Reach& r = s.reaches()[reach];
  const RegionStack::Place place = r.place;
  const ContextIndex context = s.frame(place.frame).context;
  const LoopId loop = place.carried ? s.loop(place.loop).loop : LoopId();
  m.stamp = r.stamp;
  m.reach = static_cast<uint32_t>(reach);
  m.near = {};
  if (m.source == written.site && m.target == now.site && m.chunk == chunk && m.stack == &s && m.context == context &&
      m.loop_around == loop && (!loop || m.loop == place.loop))
    return;
  settle(m);
  m.source = written.site;
  m.target = now.site;
  m.chunk = chunk;
  m.stack = &s;
  m.context = context;
  m.loop_around = loop;
  m.row = 0;
  if (!loop || result_.contexts[result_.contexts.site(written.site).context].stack != s.id) return;
  const Key key = key_of(s.loop(place.loop), context, Kind::kRaw, written.site, now.site);
  CarriedRow& row = row_for(key, index_[key], {Object::Kind::kRegister, chunk});
  row.lowest = chunk * 8;
  row.highest = chunk * 8 + 7;
  row.widest = 8;
  m.loop = place.loop;
  m.row = static_cast<uint32_t>(&row - result_.rows.data() + 1);
}

// The record of what has been left since.
uint32_t DependenceRows::escape_record(SiteIndex source, const RegionStack::Place& place, const Now& now) {
  const RegionStack& s = *now.stack;
  const LoopId around = place.loop == RegionStack::kNoLoop ? LoopId() : s.loop(place.loop).loop;
  const uint32_t record = escapes_.record(source, result_.contexts[s.frame(place.frame).context].depth, around);
  if (result_.runs.size() <= loops_.size()) result_.runs.resize(loops_.size() + 1);
  if (ended_.size() <= loops_.size()) ended_.resize(loops_.size() + 1);
  return record;
}

}  // namespace cdr::regions
