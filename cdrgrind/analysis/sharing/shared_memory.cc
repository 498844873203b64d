// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/shared_memory.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "cdrgrind/analysis/sharing/lasting_order.h"
#include "cdrgrind/analysis/sharing/own_accesses.h"
#include "cdrgrind/analysis/sharing/strand_touches.h"
#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::sharing {
namespace {

// Calls f(line number, offset in the line, bytes) for each line that a range lies in.
template <class F>
void for_each_line(uint64_t addr, uint64_t width, unsigned bits, F f) {
  const uint64_t size = uint64_t{1} << bits;
  while (width > 0) {
    const uint64_t offset = addr & (size - 1), here = std::min(width, size - offset);
    f(addr >> bits, static_cast<uint32_t>(offset), static_cast<uint32_t>(here));
    addr += here;
    width -= here;
  }
}

// `strands`: null: threads touch them.
void touch_lines(const trace::TraceFile& file, races::Sharing& to, StrandTouches* strands,
                 analysis::WatchedPart& part) {
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && part.goes_on(cursor.index());) {
    if (strands) strands->event(e, cursor.index());
    analysis::visit_accesses(e, file.blocks(), [&](const analysis::Seen& s) {
      if (strands)
        strands->access(e.thread, s);
      else
        to.touch(e.thread, s.addr, s.width, s.store);
    });
    if (!strands && e.kind == EventKind::kBlock) cursor.pass(cursor.repeats(trace::Cursor::Repeats::kSame));
  }
}

// Instructions, or for a library's the program's calls, by number.
class AccessSites {
 public:
  explicit AccessSites(const BlockTable& blocks) : blocks_(blocks) {}

  uint32_t of(CodeAddr at) {
    const auto [known, is_new] = numbers_.try_emplace(at, static_cast<uint32_t>(sites_.size()));
    if (is_new) sites_.push_back(at);
    return known->second;
  }
  uint32_t of_instruction(BlockId block, const Access& a) {
    const uint32_t superblock = blocks_.block(block).superblock.value;
    if (superblock >= slots_.size()) slots_.resize(superblock + 1);
    const Superblock& sb = blocks_.superblock_of(block);
    if (slots_[superblock].empty()) slots_[superblock].resize(sb.accesses.size());
    uint32_t& slot = slots_[superblock][static_cast<size_t>(&a - sb.accesses.data())];
    if (slot == 0) slot = of({sb.module, sb.insn_addr(a.insn)}) + 1;
    return slot - 1;
  }
  CodeAddr operator[](uint32_t number) const { return sites_[number]; }

 private:
  const BlockTable& blocks_;
  std::map<CodeAddr, uint32_t> numbers_;
  std::vector<CodeAddr> sites_;
  std::vector<std::vector<uint32_t>> slots_;  // by superblock, access: number + 1
};

struct FollowedLine {
  uint64_t number = 0;
  Line seen;
  std::vector<MayThread> may;
  std::map<races::GenerationId, std::vector<MayThread>>
      own;                                 // of memory of a strand's own: it lies elsewhere for others
  std::vector<races::GenerationId> fresh;  // of these some, those that are not over among them
  std::vector<MayPair> pairs;              // in the end
  races::GenerationId block = 0;           // the block that was touched last
};

uint64_t false_sharing(const std::vector<MayPair>& pairs) {
  uint64_t sum = 0;
  for (const MayPair& p : pairs) sum += p.false_sharing;
  return sum;
}

class Observer {
 public:
  Observer(const trace::TraceFile& file, SharingFacts& facts, const SharingOptions& options, races::Sharing& touched)
      : blocks_(file.blocks()),
        facts_(facts),
        options_(options),
        bits_(static_cast<unsigned>(std::countr_zero(options.line_size))),
        touched_(touched),
        own_(file.blocks(), file.modules(), facts),
        sites_(file.blocks()),
        variables_(1) {}
  void follow(StrandTouches& touches) { strands_.emplace(order_, own_, facts_, touches); }

  void event(const Event& e, uint64_t index) {
    index_ = index;
    if (strands_) strands_->before(e, index);
    order_.event(e, index);
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) own_.block(e.thread, e.block);
    analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) { access(e, seen); });
    renew(e);
    gaps_ += e.kind == EventKind::kGapBegin;
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) own_.event(e, index);
    if (strands_) strands_->after(e);
  }

  // Whether the block, if it comes again with the same words, changes nothing.
  bool is_indifferent(const Event& e) {
    if (strands_) return false;
    bool touches = false;
    analysis::visit_accesses(
        e, blocks_, [&](const analysis::Seen& seen) { touches = touches || touched_.shared(seen.addr, seen.width); });
    return !touches;
  }

  SharedMemory take(uint64_t most_lines, const analysis::Watch& watch);

 private:
  void access(const Event& e, const analysis::Seen& seen) {
    if (!touched_.shared(seen.addr, seen.width)) return;
    const bool in_runtime = strands_ && strands_->in_runtime(e.thread);
    if (!options_.runtime && (in_runtime || own_.is_runtime(e, seen) || is_in_library_frame(e, seen.addr))) {
      ++runtime_;
      return;
    }
    const uint32_t site = site_of(e, seen);
    for_each_line(seen.addr, seen.width, bits_, [&](uint64_t number, uint32_t offset, uint32_t width) {
      if (!touched_.shared(number << bits_, 1)) return;
      FollowedLine& line = line_at(number);
      const uint64_t addr = (number << bits_) + offset;
      uint32_t group = on_stack(addr) ? group_on_stack(addr, e, seen) : line.seen.group(offset);
      if (group == 0) group = group_of(addr);
      const LinePiece p = {e.thread, offset, width, seen.store, site, group};
      piece(line.seen, p);
      const races::GenerationId life = own_.memory_at(addr).id;
      if (variables_[group].memory.kind == races::MemoryKind::kHeap) line.block = life;
      if (!in_runtime) may(line, p, life);
    });
  }

  // Library code in the frames of libraries, as those that begin a thread: the memory was another's before.
  bool is_in_library_frame(const Event& e, uint64_t addr) {
    if (!own_.library(own_.module(e.thread)) || !on_stack(addr)) return false;
    const MemoryGroup g = memory_of(addr);
    if (g.part) return false;
    const auto place = own_.frame_place(g.thread, addr, {});
    return !place || own_.library(place->function.module);
  }

  void piece(Line& line, const LinePiece& p) {
    const PieceEffect effect =
        line.access(p, [&](uint32_t from, uint32_t bytes) { passed_[uint64_t{from} << 32 | p.site] += bytes; });
    SharedVariable& v = variables_[p.group];
    SharedVariable::Counts& counts = v.threads[p.thread];
    ++(p.store ? counts.stores : counts.loads);
    v.shared |= effect.shared;
    v.write_runs += effect.begins_run;
    v.repeats += effect.repeats;
    v.read_between += effect.read_between && effect.repeats;
    if (!effect.from) return;
    ++v.hand_overs;
    ++v.pairs[{effect.from, p.thread}];
  }

  void may(FollowedLine& line, const LinePiece& p, races::GenerationId life) {
    const uint64_t addr = (line.number << bits_) + p.offset;
    const ThreadId by = strands_ ? strands_->of(p.thread, addr, p.width, life) : p.thread;
    std::vector<MayThread>& all = strands_ && races::Generations::is_of_strand(life) ? own(line, life) : line.may;
    auto t = std::find_if(all.begin(), all.end(), [&](const MayThread& o) { return o.thread == by; });
    if (t == all.end() && strands_ && all.size() >= SharedMemory::kMostStrands) {
      ++strand_accesses_;
      return;
    }
    if (t == all.end()) t = all.insert(t, MayThread(by));
    const races::SegmentNumber segment = order_.segment(by, index_);
    if (strands_) strands_->note(p.thread, by, segment);
    t->add({segment, life, p.group, static_cast<uint16_t>(p.offset), static_cast<uint16_t>(p.width), p.store, false,
            false, 1});
  }
  // Of lives that are over those remain that several strands have touched.
  std::vector<MayThread>& own(FollowedLine& line, races::GenerationId life) {
    constexpr size_t kMany = 4;
    const auto known = line.own.find(life);
    if (known != line.own.end()) return known->second;
    if (line.fresh.size() >= kMany) {
      std::set<races::GenerationId> present;
      const uint64_t begin = line.number << bits_, end = begin + options_.line_size;
      for (uint64_t at = begin; at < end;) {
        const races::Generations::Found found = own_.memory_at(at);
        present.insert(found.id);
        at = std::max(at + 1, found.range.end);
      }
      std::erase_if(line.fresh, [&](races::GenerationId id) {
        if (present.contains(id)) return false;
        if (const auto old = line.own.find(id); old->second.size() < 2) line.own.erase(old);
        return true;
      });
    }
    line.fresh.push_back(life);
    return line.own[life];
  }

  uint32_t site_of(const Event& e, const analysis::Seen& seen) {
    const ModuleId module = own_.module(e.thread);
    if (!options_.runtime && own_.library(module)) {
      const CodeAddr caller = own_.caller(e.thread);
      if (caller != CodeAddr()) return sites_.of(caller);
    }
    return seen.access ? sites_.of_instruction(e.block, *seen.access) : sites_.of({module, e.ip});
  }

  FollowedLine& line_at(uint64_t number) {
    uint32_t& i = *line_index_.insert(number).first;
    if (i == 0) {
      lines_.push_back({number, Line(options_.line_size), {}, {}, {}, {}});
      i = static_cast<uint32_t>(lines_.size());
    }
    return lines_[i - 1];
  }

  MemoryGroup memory_of(uint64_t addr) { return memory_of(addr, own_.memory_at(addr).id); }
  MemoryGroup memory_of(uint64_t addr, races::GenerationId life) {
    MemoryGroup g;
    const races::Generation& generation = own_.generations()[life];
    g.kind = generation.kind;
    if (g.kind == races::MemoryKind::kHeap) {
      g.allocation = own_.allocation_of(life);
      if (g.allocation) g.allocated = own_.allocations()[g.allocation - 1].from;
      g.size = generation.range.size();
    } else if (g.kind == races::MemoryKind::kStack) {
      g.part = facts_.thread_local_part_at(addr, generation.pthread);
      g.thread = generation.thread;
    } else if (own_.on_first_stack(addr)) {
      g.kind = races::MemoryKind::kStack;
      g.thread = ThreadId(1);
    } else if ((g.part = facts_.part_at(addr)) == 0) {
      g.page = addr >> 12;
    } else {
      g.kind = races::MemoryKind::kMapping;
    }
    return g;
  }
  bool on_stack(uint64_t addr) {
    return own_.generations()[own_.memory_at(addr).id].kind == races::MemoryKind::kStack || own_.on_first_stack(addr);
  }
  // What lies there changes with the calls.
  uint32_t group_on_stack(uint64_t addr, const Event& e, const analysis::Seen& seen) {
    MemoryGroup g = memory_of(addr);
    if (g.part) return number_of(g, addr);
    CodeAddr at;
    if (g.thread == e.thread && seen.access) {
      const Superblock& sb = blocks_.superblock_of(e.block);
      at = {sb.module, sb.insn_addr(seen.access->insn)};
    }
    const auto place = own_.frame_place(g.thread, addr, at);
    if (!place) return number_of(g, addr);
    const auto [part, is_new] = local_parts_.try_emplace(*place, 0);
    if (is_new) part->second = facts_.local_part_at(*place);
    g.part = part->second;
    g.local = g.part != 0;
    if (g.part == 0 && strands_) g.part = region_part(e.thread, addr);
    if (g.part != 0 && !g.local) {
      g.local = true;
      return number_of(g, addr);
    }
    const uint32_t number = number_of(g, addr);
    if (g.local) frames_.try_emplace({addr, number}, *place);
    return number;
  }
  // Of what the thread's region shares: it lies in a frame of whoever began it.
  uint32_t region_part(ThreadId t, uint64_t addr) {
    constexpr uint64_t kLargest = 4096;
    const StrandTouches::Region* const r = strands_->region(t);
    if (!r || r->data == 0 || addr < r->data || addr - r->data >= kLargest) return 0;
    const auto offset = static_cast<int64_t>(addr - r->data);
    const auto [part, is_new] = region_parts_.try_emplace({r->function, offset}, 0);
    if (is_new) part->second = facts_.region_part_at(r->function, offset);
    return part->second;
  }
  uint32_t group_of(uint64_t addr) { return number_of(memory_of(addr), addr); }
  uint32_t number_of(const MemoryGroup& g, uint64_t addr) {
    const auto [known, is_new] = groups_.try_emplace(g, static_cast<uint32_t>(variables_.size()));
    if (is_new) {
      variables_.emplace_back();
      variables_.back().memory = g;
      variables_.back().sample = addr;
    }
    return known->second;
  }

  // Memory that begins a new life: who touched it before has nothing to do with who does now.
  void renew(const Event& e) {
    AddrRange range;
    if (e.kind == EventKind::kAlloc)
      range = {e.addr, e.addr + e.size};
    else if (e.kind == EventKind::kResize)
      range = {e.addr, e.addr + e.value};
    else if ((e.kind == EventKind::kMap && !(e.value & kMapHeap)) || e.kind == EventKind::kUnmap ||
             e.kind == EventKind::kThreadStart)
      range = e.range;
    if (range.empty()) return;
    // As far as somebody has touched it.
    if (range.size() >> bits_ > lines_.size())
      for (FollowedLine& line : lines_) forget(line, range);
    else
      for (uint64_t number = range.begin >> bits_; number <= (range.end - 1) >> bits_; ++number)
        if (const uint32_t* i = line_index_.find(number)) forget(lines_[*i - 1], range);
  }
  void forget(FollowedLine& line, const AddrRange& range) const {
    const uint64_t begin = line.number << bits_, end = begin + options_.line_size;
    const uint64_t from = std::max(begin, range.begin), to = std::min(end, range.end);
    if (from < to) line.seen.forget(static_cast<uint32_t>(from - begin), static_cast<uint32_t>(to - from));
  }

  void name_frame(uint64_t addr, uint32_t group, LinePart& part) const;
  void name_lost_block(const FollowedLine& line, uint32_t byte, LinePart& part);
  std::vector<LinePart> parts_of(uint64_t addr, const FollowedLine& line);
  std::vector<LinePart> may_parts(uint64_t addr, const std::vector<MayThread>& may, bool MayPiece::*taking_part);
  SharedLine result_of(const FollowedLine& line);
  std::vector<MayPair> pairs_of(FollowedLine& line);
  void find_what_may_happen(SharedMemory& to, const analysis::Watch& watch);
  void take_lines(uint64_t most, SharedMemory& to);
  void take_passed(SharedMemory& to) const;

  const BlockTable& blocks_;
  SharingFacts& facts_;
  const SharingOptions& options_;
  unsigned bits_;
  races::Sharing& touched_;
  OwnAccesses own_;
  AccessSites sites_;
  FlatMap<uint64_t, uint32_t> line_index_;  // by number: index in lines_ + 1
  std::vector<FollowedLine> lines_;
  LastingOrder order_;
  std::optional<StrandAccesses> strands_;  // of a parallel runtime, if there are any
  uint64_t strand_accesses_ = 0;
  uint64_t index_ = 0;  // of the event
  std::map<analysis::FramePlace, uint32_t> local_parts_;
  std::map<std::pair<uint64_t, int64_t>, uint32_t> region_parts_;         // by function of a region and offset
  std::map<std::pair<uint64_t, uint32_t>, analysis::FramePlace> frames_;  // by address and group
  std::map<MemoryGroup, uint32_t> groups_;
  std::vector<SharedVariable> variables_;  // by group
  FlatMap<uint64_t, uint64_t> passed_;     // bytes by sites: store << 32 | load
  uint64_t runtime_ = 0, gaps_ = 0;
};

// One byte more; to the last part, if that goes on there and is not before `first`.
void append(LinePart& byte, size_t first, std::vector<LinePart>& parts) {
  LinePart* last = parts.size() == first ? nullptr : &parts.back();
  if (last && last->end == byte.begin && last->readers == byte.readers && last->writers == byte.writers &&
      last->memory == byte.memory && last->block == byte.block)
    last->end = byte.end;
  else
    parts.push_back(std::move(byte));
}

// A byte on a stack is what it was when it was touched.
void Observer::name_frame(uint64_t addr, uint32_t group, LinePart& part) const {
  const MemoryGroup& g = variables_[group].memory;
  if (!g.local) return;
  part.memory = g;
  const auto place = frames_.lower_bound({addr, group});
  if (place != frames_.end() && place->first == std::pair(addr, group)) part.frame = place->second;
}

// A byte of a block that was freed is what it was when it was touched last.
void Observer::name_lost_block(const FollowedLine& line, uint32_t byte, LinePart& part) {
  if (part.memory.kind != races::MemoryKind::kUnknown) return;
  const uint32_t group = line.seen.group(byte);
  races::GenerationId life = 0;
  if (variables_[group].memory.kind == races::MemoryKind::kHeap)
    for (const MayThread& t : line.may)
      for (const MayPiece& p : t.pieces)
        if (p.group == group && p.offset <= byte && byte < uint32_t{p.offset} + p.width) life = std::max(life, p.life);
  // Pieces that can no more be of importance are not kept, nor groups if the memory was given back.
  const uint64_t addr = (line.number << bits_) + byte;
  if (life == 0 && own_.generations()[line.block].range.contains(addr)) life = line.block;
  if (life == 0) return;
  part.memory = memory_of(addr, life);
  part.block = own_.generations()[life].range;
}

std::vector<LinePart> Observer::parts_of(uint64_t addr, const FollowedLine& followed) {
  const Line& line = followed.seen;
  std::vector<LinePart> parts;
  for (uint32_t i = 0; i < options_.line_size; ++i) {
    LinePart part;
    for (const LineThread& t : line.threads()) {
      if (t.loaded[i]) part.readers.push_back(t.thread);
      if (t.stored[i]) part.writers.push_back(t.thread);
    }
    if (part.readers.empty() && part.writers.empty()) continue;
    std::sort(part.readers.begin(), part.readers.end());
    std::sort(part.writers.begin(), part.writers.end());
    part.begin = i;
    part.end = i + 1;
    part.memory = memory_of(addr + i);
    name_frame(addr + i, line.group(i), part);
    part.block = own_.generations()[own_.memory_at(addr + i).id].range;
    name_lost_block(followed, i, part);
    append(part, 0, parts);
  }
  return parts;
}

// Bytes that the same threads touch in the accesses that take part.
std::vector<LinePart> Observer::may_parts(uint64_t addr, const std::vector<MayThread>& may,
                                          bool MayPiece::*taking_part) {
  struct Who {
    std::vector<ThreadId> readers, writers;
    uint32_t group = 0;
  };
  std::map<uint32_t, std::map<uint32_t, Who>> lives;  // by life, byte
  for (const MayThread& t : may) {
    ThreadId by;  // of strands that come one after the other the first
    for (const MayPiece& p : t.pieces) {
      if (!(p.*taking_part)) continue;
      if (!by) by = strands_ ? strands_->id(t.thread, p.segment) : t.thread;
      for (uint32_t i = p.offset; i < uint32_t{p.offset} + p.width; ++i) {
        Who& who = lives[p.life][i];
        who.group = p.group;
        std::vector<ThreadId>& all = p.store ? who.writers : who.readers;
        if (std::find(all.begin(), all.end(), by) == all.end()) all.push_back(by);
      }
    }
  }
  std::vector<LinePart> parts;
  for (auto& [life, bytes] : lives) {
    const size_t first = parts.size();
    for (auto& [i, who] : bytes) {
      std::sort(who.readers.begin(), who.readers.end());
      std::sort(who.writers.begin(), who.writers.end());
      LinePart part{i, i + 1, std::move(who.readers), std::move(who.writers), memory_of(addr + i, life), {}, {}};
      name_frame(addr + i, who.group, part);
      part.block = own_.generations()[life].range;
      append(part, first, parts);
    }
  }
  return parts;
}

SharedLine Observer::result_of(const FollowedLine& line) {
  SharedLine r;
  r.addr = line.number << bits_;
  r.threads = line.seen.threads();
  r.upgrades = line.seen.upgrades();
  r.updates = line.seen.updates();
  r.misses = line.seen.misses();
  r.false_misses = line.seen.false_misses();
  r.parts = parts_of(r.addr, line);
  r.may = line.pairs;
  r.in_true = may_parts(r.addr, line.may, &MayPiece::in_true);
  r.in_false = may_parts(r.addr, line.may, &MayPiece::in_false);
  constexpr size_t kMostLives = 8;  // of strands' own memory that parts are told of
  size_t told = 0;
  for (auto own = line.own.begin(); own != line.own.end() && told < kMostLives; ++own) {
    const size_t before = r.in_true.size() + r.in_false.size();
    for (LinePart& p : may_parts(r.addr, own->second, &MayPiece::in_true)) r.in_true.push_back(std::move(p));
    for (LinePart& p : may_parts(r.addr, own->second, &MayPiece::in_false)) r.in_false.push_back(std::move(p));
    told += r.in_true.size() + r.in_false.size() > before;
  }
  return r;
}

std::vector<MayPair> Observer::pairs_of(FollowedLine& line) {
  std::vector<MayPair> pairs = may_share(order_.segments(), line.may);
  if (!strands_) return pairs;
  for (auto& [life, own] : line.own)
    for (MayPair& p : may_share(order_.segments(), own)) pairs.push_back(std::move(p));
  for (MayPair& p : pairs) {
    p.first = strands_->id(p.first, p.first_in);
    p.second = strands_->id(p.second, p.second_in);
    if (p.second < p.first) std::swap(p.first, p.second);
  }
  return pairs;
}

void Observer::find_what_may_happen(SharedMemory& to, const analysis::Watch& watch) {
  analysis::WatchedPart part(watch, "pairs of threads", lines_.size(), 16);
  uint64_t done = 0;
  for (FollowedLine& line : lines_) {
    if (!part.goes_on(done++)) break;
    line.pairs = pairs_of(line);
    for (const MayPair& p : line.pairs) {
      to.may_true += p.true_sharing;
      to.may_false += p.false_sharing;
      for (const auto& [group, count] : p.by_group) {
        variables_[group].may += count;
        variables_[group].may_pairs[{p.first, p.second}] += count;
      }
    }
  }
  to.pairs = part.end();
}

void Observer::take_lines(uint64_t most, SharedMemory& to) {
  std::vector<size_t> order;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i].seen;
    if ((line.threads().size() < 2 || line.stores() == 0) && lines_[i].pairs.empty()) continue;
    order.push_back(i);
    to.misses += line.misses();
    to.false_misses += line.false_misses();
    to.invalidating += line.threads().size() + line.misses() + line.upgrades();
    to.updating += line.threads().size() + line.updates();
  }
  to.counts.shared = order.size();
  const size_t kept = static_cast<size_t>(std::min<uint64_t>(order.size(), most));
  const auto key = [&](size_t i) {
    const Line& line = lines_[i].seen;
    return std::tuple(~false_sharing(lines_[i].pairs), ~line.false_misses(), ~line.misses(), lines_[i].number);
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(kept), order.end(),
                    [&](size_t a, size_t b) { return key(a) < key(b); });
  to.lines_left_out = order.size() - kept;
  order.resize(kept);
  for (const size_t i : order) to.lines.push_back(result_of(lines_[i]));
}

void Observer::take_passed(SharedMemory& to) const {
  passed_.for_each([&](uint64_t key, uint64_t bytes) {
    to.passed.push_back({sites_[static_cast<uint32_t>(key >> 32)], sites_[static_cast<uint32_t>(key)], bytes});
  });
  std::sort(to.passed.begin(), to.passed.end(), [](const Passed& a, const Passed& b) {
    return std::tuple(b.bytes, a.from, a.to) < std::tuple(a.bytes, b.from, b.to);
  });
}

SharedMemory Observer::take(uint64_t most_lines, const analysis::Watch& watch) {
  SharedMemory to;
  to.counts = touched_.counts();
  to.runtime = runtime_;
  to.gaps = gaps_;
  to.allocations = own_.allocations();
  find_what_may_happen(to, watch);
  if (strands_) {
    to.strands = strands_->all();
    to.last_thread = strands_->last_thread();
    to.strand_accesses = strand_accesses_;
  }
  take_lines(most_lines, to);
  take_passed(to);
  for (SharedVariable& v : variables_)
    if (v.shared || v.may) to.variables.push_back(std::move(v));
  std::stable_sort(to.variables.begin(), to.variables.end(), [](const SharedVariable& a, const SharedVariable& b) {
    return std::tuple(a.may, a.hand_overs) > std::tuple(b.may, b.hand_overs);
  });
  return to;
}

}  // namespace

SharedMemory find_shared_memory(const trace::TraceFile& file, SharingFacts& facts, const SharingOptions& options,
                                uint64_t lines, const analysis::Watch& watch) {
  races::Sharing touched(static_cast<unsigned>(std::countr_zero(options.line_size)));
  analysis::WatchedPart touching(watch, "shared memory", file.event_count(), analysis::kEventsBetween);
  std::optional<StrandTouches> strands;
  if (sync::has_operation(file, is_team_op)) strands.emplace(file.blocks(), facts, touched, options.runtime);
  touch_lines(file, touched, strands ? &*strands : nullptr, touching);
  const uint64_t end = touching.end().value_or(file.event_count());
  Observer observer(file, facts, options, touched);
  if (strands) observer.follow(*strands);
  analysis::WatchedPart part(watch, "accesses", end, analysis::kEventsBetween);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && cursor.index() < end && part.goes_on(cursor.index());) {
    observer.event(e, cursor.index());
    if (e.kind != EventKind::kBlock) continue;
    if (const uint64_t times = cursor.repeats(trace::Cursor::Repeats::kSame); times != 0 && observer.is_indifferent(e))
      cursor.pass(std::min(times, end - cursor.index() - 1));
  }
  SharedMemory memory = observer.take(lines, watch);
  if (part.ended() || touching.ended()) memory.end = part.end().value_or(end);
  return memory;
}

}  // namespace cdr::sharing
