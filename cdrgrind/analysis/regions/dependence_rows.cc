// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/dependence_rows.h"

namespace cdr::regions {

void DependenceRows::load(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now) {
  shadow.for_cells(addr, width, [&](Cell& c, uint64_t at) {
    if (c.site) {
      if (c.time < now.settled) depend(Kind::kRaw, c.site, c.time, at, addr + width - at, c, now);
      if (now.stack->loop_count() > 0) note_source(c, now);
    } else if (now.stack->loop_count() > 0) {
      note_entry(0, at, addr + width - at, 0, now);
    }
    if (c.readers) {
      const Reader& r = shadow.readers[c.readers];
      if (r.site == now.site && r.time >= now.inner_start) return;
    }
    join(shadow, c, at, now);
  });
}

void DependenceRows::store(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now) {
  shadow.for_cells(addr, width, [&](Cell& c, uint64_t at) {
    for (uint32_t r = c.readers; r; r = shadow.readers[r].next) {
      const Reader reader = shadow.readers[r];
      if (reader.time < now.stores_settled) depend(Kind::kWar, reader.site, reader.time, at, addr + width - at, c, now);
    }
    if (c.site && c.time < now.stores_settled) depend(Kind::kWaw, c.site, c.time, at, addr + width - at, c, now);
    shadow.readers.free_list(c.readers);
    c = {now.time, now.site, 0};
  });
}

// The site's readers in one region, but the last, can no more be told from it.
void DependenceRows::join(Shadow& shadow, Cell& c, uint64_t addr, const Now& now) {
  const uint32_t last = shadow.last_reader(c, addr, now.site);
  if (last) {
    if (shadow.readers[last].time >= now.inner_start) return;
    RegionStack::Place place = now.stack->place_of(shadow.readers[last].time);
    for (uint32_t kept = last; const uint32_t r = shadow.readers[kept].older;) {
      const RegionStack::Place at = now.stack->place_of(shadow.readers[r].time);
      if (at == place) {
        shadow.readers.remove_older(kept);
      } else {
        place = at;
        kept = r;
      }
    }
  }
  shadow.add_reader(c, addr, now.site, now.time, last);
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
  const auto [known, is_new] = flows_.insert(uint64_t{source} << 32 | now.site);
  if (is_new) result_.flows.push_back({source, now.site});
}

void DependenceRows::depend(Kind kind, SiteIndex source, uint64_t time, uint64_t addr, uint64_t width, const Cell& c,
                            const Now& now) {
  const Site& from = result_.contexts.site(source);
  if (result_.contexts[from.context].stack != now.stack->id) {
    ++result_.other_stacks;
    return;
  }
  if (from.linkage && result_.contexts.site(now.site).linkage) return;
  if (now.stack->was_released(addr, time)) {
    ++result_.false_ones;
    return;
  }
  const RegionStack::Place place = now.stack->place_of(time);
  if (kind == Kind::kRaw) {
    escape(source, time, place, now);
    if (time < now.inner_start) note_entry(time, addr, width, source, now);
  }
  if (time < now.stack->watched) calls_.depends(source, time, place.frame, now);
  if (!place.carried) return;
  const LoopInstance& l = now.stack->loop(place.loop);
  const ContextIndex context = now.stack->frames[place.frame].context;
  CarriedRow& row = memory_row(key_of(l, context, kind, source, now.site), source, addr, place, now);
  if (kind == Kind::kWar) note_read(row, l, time, c);
  const auto at = static_cast<int64_t>(addr - known_keys_[2 * (&row - result_.rows.data()) + 1]);
  row.widest = std::max(row.widest, width);
  row.lowest = std::min(row.lowest, at);
  row.highest = std::max(row.highest, at + static_cast<int64_t>(width) - 1);
  count_access(row, l, time, now);
}

void DependenceRows::count_access(CarriedRow& row, const LoopInstance& l, uint64_t time, const Now& now) {
  Ends& e = ends_[row.ends];
  const auto number = static_cast<uint32_t>(&row - result_.rows.data());
  if (e.access != now.access) {
    commit(e);
    e = {now.access, distance_of(row, l, time, now), time, number};
  } else if (e.time != time || e.row != number) {
    e.distance = std::min(e.distance, distance_of(row, l, time, now));
  }
}

void DependenceRows::commit(Ends& e) {
  if (e.access == 0) return;
  CarriedRow& row = result_.rows[e.row];
  ++row.count;
  row.distances.add(e.distance);
}

void DependenceRows::finish() {
  for (Ends& e : ends_) commit(e);
  ends_.assign(1, {});
}

// In iterations; and what the row's interval is of it.
uint64_t DependenceRows::distance_of(CarriedRow& row, const LoopInstance& l, uint64_t time, const Now& now) const {
  uint64_t distance = 1, begin = l.before;
  if (time < l.before) {
    const IterationLog::Place p = l.iterations.at(time);
    distance = l.iterations.count() - p.number;
    begin = p.start;
  }
  const uint64_t source = time - begin, target = now.time - l.iteration;
  if (row.kind != Kind::kWaw && source > target)
    row.interval = std::max(row.interval, (source - target + distance - 1) / distance);
  return distance;
}

uint32_t DependenceRows::ends_of(const CarriedRow& row) {
  const uint32_t depth = result_.contexts[row.context].depth;
  const auto s = result_.contexts.seen_from(row.source, depth), t = result_.contexts.seen_from(row.target, depth);
  const uint64_t loop_and_kind = uint64_t{row.loop.value} << 2 | static_cast<uint64_t>(row.kind);
  const auto [e, is_new] =
      ends_index_.try_emplace({loop_and_kind, s.ip, s.call, t.ip, t.call}, static_cast<uint32_t>(ends_.size()));
  if (is_new) ends_.emplace_back();
  return e->second;
}

void DependenceRows::note_read(CarriedRow& row, const LoopInstance& l, uint64_t time, const Cell& c) const {
  if (!c.site || c.time < l.start)
    ++row.read_before;
  else if (c.time <= time && c.time >= l.iterations.at(time).start)
    ++row.read_own;
}

void DependenceRows::note_entry(uint64_t time, uint64_t addr, uint64_t width, SiteIndex source, const Now& now) {
  const RegionStack& s = *now.stack;
  size_t l = s.loop_count();
  while (l > 0 && s.loop(l - 1).start > time) --l;
  if (l == s.loop_count()) return;
  const LoopId loop = s.loop(l).loop;
  Recent& recent = recent_[now.site % kRecent];
  bool is_new = false;
  if (recent.entry_site != now.site || recent.entry_loop != loop) {
    recent.entry_site = now.site;
    recent.entry_loop = loop;
    uint32_t& index = entry_index_[uint64_t{loop.value} << 32 | now.site];
    is_new = index == 0;
    if (is_new) index = static_cast<uint32_t>(result_.entry_reads.size() + 1);
    recent.entry = index;
  }
  if (is_new) {
    result_.entry_reads.emplace_back();
    result_.entry_reads.back().loop = loop;
    result_.entry_reads.back().load = now.site;
  }
  EntryRead& e = result_.entry_reads[recent.entry - 1];
  const bool on_stack = s.range.contains(addr);
  RegionStack::Place place;
  place.frame = s.frame_of_loop(l);
  const uint64_t key = on_stack ? s.frames[place.frame].start << 1 | 1 : heap.version() << 1;
  if (e.known_key != key || !e.known.contains(addr)) {
    const Located at = locate(addr, source ? source : now.site, place, now);
    e.known_key = key;
    e.known = at.known;
    e.base = at.base;
    e.object = is_new || e.object == at.object ? at.object : Object{};
  }
  const auto first = static_cast<int64_t>(addr - e.base);
  e.lowest = std::min(e.lowest, first);
  e.highest = std::max(e.highest, first + static_cast<int64_t>(width) - 1);
}

CarriedRow& DependenceRows::row_for(const Key& key, Object object) {
  uint32_t& first = index_[key];
  for (uint32_t r = first; r; r = result_.rows[r - 1].next)
    if (result_.rows[r - 1].object == object) return result_.rows[r - 1];
  CarriedRow row;
  const auto loop_and_kind = static_cast<uint32_t>(key.loop_and_kind);
  row.loop = LoopId(loop_and_kind >> 2);
  row.context = static_cast<ContextIndex>(key.loop_and_kind >> 32);
  row.kind = static_cast<Kind>(loop_and_kind & 3);
  row.source = static_cast<SiteIndex>(key.sites >> 32);
  row.target = static_cast<SiteIndex>(key.sites);
  row.object = object;
  row.next = first;
  if (object.kind != Object::Kind::kRegister) row.ends = ends_of(row);
  result_.rows.push_back(row);
  known_keys_.resize(2 * result_.rows.size());
  first = static_cast<uint32_t>(result_.rows.size());
  return result_.rows.back();
}

CarriedRow& DependenceRows::memory_row(const Key& key, SiteIndex source, uint64_t addr, const RegionStack::Place& place,
                                       const Now& now) {
  const uint64_t known_key =
      now.stack->range.contains(addr) ? now.stack->frames[place.frame].start << 1 | 1 : heap.version() << 1;
  const uint32_t* first = index_.find(key);
  for (uint32_t r = first ? *first : 0; r; r = result_.rows[r - 1].next)
    if (result_.rows[r - 1].known.contains(addr) && known_keys_[2 * (r - 1)] == known_key) return result_.rows[r - 1];
  const Located at = locate(addr, source, place, now);
  CarriedRow& row = row_for(key, at.object);
  row.known = at.known;
  const auto i = static_cast<size_t>(&row - result_.rows.data());
  known_keys_[2 * i] = known_key;
  known_keys_[2 * i + 1] = at.base;
  return row;
}

DependenceRows::Located DependenceRows::locate_on_stack(uint64_t addr, const RegionStack::Place& place,
                                                        const RegionStack& stack) const {
  const auto& frames = stack.frames;
  size_t f = frames.size();
  while (f > 0 && frames[f - 1].sp <= addr) --f;
  if (f == 0) return {{Object::Kind::kCaller, place.frame + 1}, 0, {frames[0].sp, stack.range.end}};
  --f;
  Located at;
  at.known = {f + 1 < frames.size() ? frames[f + 1].sp : stack.range.begin, frames[f].sp};
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
                                               const Now& now) {
  if (now.stack->range.contains(addr)) return locate_on_stack(addr, place, *now.stack);
  const auto of_library = [&](SiteIndex s) { return result_.contexts[result_.contexts.site(s).context].library; };
  const bool inside = of_library(source) && of_library(now.site);
  if (const HeapBlocks::Block* b = heap.at(addr)) {
    if (b->library && inside) return {{Object::Kind::kLibrary, 0}, 0, b->range};
    return {{Object::Kind::kHeap, b->place}, b->range.begin, b->range};
  }
  const StaticPiece p = statics_.piece_at(addr);
  if (inside && (p.library || p.id == 0)) return {{Object::Kind::kLibrary, 0}, 0, p.range};
  if (p.id) return {{Object::Kind::kStatic, p.id}, p.range.begin, p.range};
  return {{Object::Kind::kOther, 0}, 0, p.range};
}

void DependenceRows::register_read(uint8_t chunk, const RegisterStamp& written, const Now& now) {
  const RegionStack::Place place = now.stack->place_of(written.time);
  if (!place.carried) return;
  if (result_.contexts[result_.contexts.site(written.site).context].stack != now.stack->id) return;
  const LoopInstance& l = now.stack->loop(place.loop);
  RecentRegister& recent = recent_registers_[(now.site * 16 + chunk) % kRecent];
  const Key key = key_of(l, now.stack->frames[place.frame].context, Kind::kRaw, written.site, now.site);
  if (recent.row == 0 || recent.chunk != chunk || !(recent.key == key)) {
    CarriedRow& found = row_for(key, {Object::Kind::kRegister, chunk});
    recent = {key, chunk, static_cast<uint32_t>(&found - result_.rows.data() + 1)};
  }
  CarriedRow& row = result_.rows[recent.row - 1];
  row.lowest = chunk * 8;
  row.highest = chunk * 8 + 7;
  row.widest = 8;
  ++row.count;
  row.distances.add(distance_of(row, l, written.time, now));
}

void DependenceRows::escape(SiteIndex source, uint64_t time, const RegionStack::Place& place, const Now& now) {
  const uint64_t loop = place.loop == RegionStack::kNoLoop ? 0 : now.stack->loop(place.loop).loop.value;
  const uint32_t depth = result_.contexts[now.stack->frames[place.frame].context].depth;
  Recent& recent = recent_[now.site % kRecent];
  const uint64_t where = loop << 32 | depth;
  if (recent.escape_site != now.site || recent.escape_source != source || recent.escape_place != where) {
    const auto [list, is_new] = escape_index_.insert({where, source});
    if (is_new) {
      *list = static_cast<uint32_t>(escape_lists_.size());
      escape_lists_.push_back(escapes_of(source, place, *now.stack));
    }
    recent.escape_site = now.site;
    recent.escape_source = source;
    recent.escape_place = where;
    recent.escapes = *list;
  }
  for (const uint32_t i : escape_lists_[recent.escapes]) {
    Escape& e = result_.escapes[i];
    const LoopRun& run = result_.runs[e.loop.value];
    if (time >= run.last_iteration && time <= run.end)
      ++e.by_last;
    else
      ++e.by_others;
  }
}

// Of the loops around the source those that have ended since.
std::vector<uint32_t> DependenceRows::escapes_of(SiteIndex source, const RegionStack::Place& place,
                                                 const RegionStack& stack) {
  std::vector<uint32_t> list;
  const uint32_t depth = result_.contexts[stack.frames[place.frame].context].depth;
  const LoopId around = place.loop == RegionStack::kNoLoop ? LoopId() : stack.loop(place.loop).loop;
  uint64_t ip = result_.contexts.ip_of(source);
  for (ContextIndex c = result_.contexts.site(source).context; c && result_.contexts[c].depth >= depth;) {
    const Context& context = result_.contexts[c];
    LoopId l = context.library ? LoopId() : loops_.of(context.function).at(ip);
    for (; l && !(context.depth == depth && l == around); l = loops_[l].parent) {
      const auto [e, is_new] = escape_of_.insert(uint64_t{l.value} << 32 | source);
      if (is_new) {
        *e = static_cast<uint32_t>(result_.escapes.size());
        result_.escapes.push_back({l, source});
      }
      list.push_back(*e);
    }
    ip = context.site;
    c = context.parent;
  }
  if (result_.runs.size() <= loops_.size()) result_.runs.resize(loops_.size() + 1);
  return list;
}

}  // namespace cdr::regions
