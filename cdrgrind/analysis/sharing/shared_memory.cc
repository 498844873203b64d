// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/shared_memory.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <tuple>

#include "cdrgrind/analysis/sharing/own_accesses.h"
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

void touch_lines(const trace::TraceFile& file, races::Sharing& to) {
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);)
    analysis::visit_accesses(e, file.blocks(),
                             [&](const analysis::Seen& s) { to.touch(e.thread, s.addr, s.width, s.store); });
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

  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) own_.block(e.thread, e.block);
    analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) { access(e, seen); });
    renew(e);
    gaps_ += e.kind == EventKind::kGapBegin;
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) own_.event(e, index);
  }

  SharedMemory take(uint64_t most_lines);

 private:
  void access(const Event& e, const analysis::Seen& seen) {
    if (!touched_.shared(seen.addr, seen.width)) return;
    if (!options_.runtime && own_.is_runtime(e, seen)) {
      ++runtime_;
      return;
    }
    const uint32_t site = site_of(e, seen);
    for_each_line(seen.addr, seen.width, bits_, [&](uint64_t number, uint32_t offset, uint32_t width) {
      if (!touched_.shared(number << bits_, 1)) return;
      Line& line = line_at(number);
      uint32_t group = line.group(offset);
      const uint64_t addr = (number << bits_) + offset;
      if (group == 0) group = group_of(addr);
      piece(line, {e.thread, offset, width, seen.store, site, group});
    });
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

  uint32_t site_of(const Event& e, const analysis::Seen& seen) {
    const ModuleId module = own_.module(e.thread);
    if (!options_.runtime && own_.library(module)) {
      const CodeAddr caller = own_.caller(e.thread);
      if (caller != CodeAddr()) return sites_.of(caller);
    }
    return seen.access ? sites_.of_instruction(e.block, *seen.access) : sites_.of({module, e.ip});
  }

  Line& line_at(uint64_t number) {
    uint32_t& i = *line_index_.insert(number).first;
    if (i == 0) {
      lines_.emplace_back(number, Line(options_.line_size));
      i = static_cast<uint32_t>(lines_.size());
    }
    return lines_[i - 1].second;
  }

  MemoryGroup memory_of(uint64_t addr) {
    MemoryGroup g;
    const races::Generations::Found& f = own_.memory_at(addr);
    const races::Generation& generation = own_.generations()[f.id];
    g.kind = generation.kind;
    if (g.kind == races::MemoryKind::kHeap) {
      g.allocated = own_.allocated_at(f.id);
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
  uint32_t group_of(uint64_t addr) {
    const MemoryGroup g = memory_of(addr);
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
      for (auto& [number, line] : lines_) forget(number, line, range);
    else
      for (uint64_t number = range.begin >> bits_; number <= (range.end - 1) >> bits_; ++number)
        if (const uint32_t* i = line_index_.find(number)) forget(number, lines_[*i - 1].second, range);
  }
  void forget(uint64_t number, Line& line, const AddrRange& range) const {
    const uint64_t begin = number << bits_, end = begin + options_.line_size;
    const uint64_t from = std::max(begin, range.begin), to = std::min(end, range.end);
    if (from < to) line.forget(static_cast<uint32_t>(from - begin), static_cast<uint32_t>(to - from));
  }

  std::vector<LinePart> parts_of(uint64_t addr, const Line& line);
  SharedLine result_of(uint64_t number, const Line& line);
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
  std::vector<std::pair<uint64_t, Line>> lines_;
  std::map<MemoryGroup, uint32_t> groups_;
  std::vector<SharedVariable> variables_;  // by group
  FlatMap<uint64_t, uint64_t> passed_;     // bytes by sites: store << 32 | load
  uint64_t runtime_ = 0, gaps_ = 0;
};

std::vector<LinePart> Observer::parts_of(uint64_t addr, const Line& line) {
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
    part.block = own_.generations()[own_.memory_at(addr + i).id].range;
    LinePart* last = parts.empty() ? nullptr : &parts.back();
    if (last && last->end == i && last->readers == part.readers && last->writers == part.writers &&
        last->memory == part.memory && last->block == part.block)
      last->end = i + 1;
    else
      parts.push_back(std::move(part));
  }
  return parts;
}

SharedLine Observer::result_of(uint64_t number, const Line& line) {
  SharedLine r;
  r.addr = number << bits_;
  r.threads = line.threads();
  r.upgrades = line.upgrades();
  r.updates = line.updates();
  r.misses = line.misses();
  r.false_misses = line.false_misses();
  r.parts = parts_of(r.addr, line);
  return r;
}

void Observer::take_lines(uint64_t most, SharedMemory& to) {
  std::vector<size_t> order;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i].second;
    if (line.threads().size() < 2 || line.stores() == 0) continue;
    order.push_back(i);
    to.misses += line.misses();
    to.false_misses += line.false_misses();
    to.invalidating += line.threads().size() + line.misses() + line.upgrades();
    to.updating += line.threads().size() + line.updates();
  }
  to.counts.shared = order.size();
  const size_t kept = static_cast<size_t>(std::min<uint64_t>(order.size(), most));
  const auto key = [&](size_t i) {
    const Line& line = lines_[i].second;
    return std::tuple(~line.false_misses(), ~line.misses(), lines_[i].first);
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(kept), order.end(),
                    [&](size_t a, size_t b) { return key(a) < key(b); });
  to.lines_left_out = order.size() - kept;
  order.resize(kept);
  for (const size_t i : order) to.lines.push_back(result_of(lines_[i].first, lines_[i].second));
}

void Observer::take_passed(SharedMemory& to) const {
  passed_.for_each([&](uint64_t key, uint64_t bytes) {
    to.passed.push_back({sites_[static_cast<uint32_t>(key >> 32)], sites_[static_cast<uint32_t>(key)], bytes});
  });
  std::sort(to.passed.begin(), to.passed.end(), [](const Passed& a, const Passed& b) {
    return std::tuple(b.bytes, a.from, a.to) < std::tuple(a.bytes, b.from, b.to);
  });
}

SharedMemory Observer::take(uint64_t most_lines) {
  SharedMemory to;
  to.counts = touched_.counts();
  to.runtime = runtime_;
  to.gaps = gaps_;
  take_lines(most_lines, to);
  take_passed(to);
  for (SharedVariable& v : variables_)
    if (v.shared) to.variables.push_back(std::move(v));
  std::stable_sort(to.variables.begin(), to.variables.end(),
                   [](const SharedVariable& a, const SharedVariable& b) { return a.hand_overs > b.hand_overs; });
  return to;
}

}  // namespace

SharedMemory find_shared_memory(const trace::TraceFile& file, SharingFacts& facts, const SharingOptions& options,
                                uint64_t lines) {
  races::Sharing touched(static_cast<unsigned>(std::countr_zero(options.line_size)));
  touch_lines(file, touched);
  Observer observer(file, facts, options, touched);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) observer.event(e, cursor.index());
  return observer.take(lines);
}

}  // namespace cdr::sharing
