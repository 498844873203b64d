// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/epoch_footprint.h"

#include <algorithm>
#include <array>

#include "cdrgrind/trace/index/path_executions.h"

namespace cdr::races {

AddrRange hull_of(std::span<const Progression> runs) {
  AddrRange all{~uint64_t{0}, 0};
  for (const Progression& p : runs) {
    all.begin = std::min(all.begin, p.base);
    all.end = std::max(all.end, p.end());
  }
  return all;
}

const FrameOf* frame_of(std::span<const FrameOf> frames, ThreadId thread, BlockId id) {
  const auto at = std::partition_point(frames.begin(), frames.end(), [&](const FrameOf& f) {
    return std::pair(f.thread, f.block) < std::pair(thread, id);
  });
  return at != frames.end() && at->thread == thread && at->block == id ? &*at : nullptr;
}

void EpochFootprint::collect(const std::vector<FrameBases::Use>& uses, const FrameBases& bases, const Visit& visit,
                             std::vector<AccessHull>& hulls, std::vector<FrameOf>& frames) {
  uses_ = &uses;
  bases_ = &bases;
  visit_ = &visit;
  hulls_ = &hulls;
  const auto& threads = epoch_.paths().threads();
  const trace::PathExecutions executions(epoch_.paths(), file_.blocks().block_count());
  for (uint32_t s = 0; s < threads.size(); ++s) executions_.push_back(executions.of(s));
  for (uint32_t s = 0; s < threads.size(); ++s) collect_thread(ThreadId(threads[s]), s);
  for (size_t i = 0; i < uses.size();) {
    const auto of_block = uses_of(uses[i].thread, uses[i].block);
    i += of_block.size();
    const auto [thread, block, unused] = of_block[0];
    const trace::AddressStream* s = epoch_.addresses().directory().streams_of(thread, block);
    if (!s || !trace::any_relative({s, file_.blocks().exit_of(block).words})) continue;
    const Spread sp = spread_of(of_block);
    FrameOf& f = frames.emplace_back(FrameOf{thread, block, std::nullopt});
    if (sp.one()) f.sp = sp.low;
    if (sp.known) f.low = sp.low, f.high = sp.high;
  }
}

void EpochFootprint::collect_thread(ThreadId thread, uint32_t string) {
  for (uint32_t b = 1; b <= file_.blocks().block_count(); ++b)
    if (executions_[string][b] != 0) collect_block(thread, BlockId(b), executions_[string][b]);
}

void EpochFootprint::collect_block(ThreadId thread, BlockId id, uint64_t executions) {
  const auto accesses = file_.blocks().superblock_of(id).accesses.first(file_.blocks().exit_of(id).accesses);
  const trace::AddressStream* streams = epoch_.addresses().directory().streams_of(thread, id);
  of_block_ = uses_of(thread, id);
  executions_of_block_ = executions;
  const size_t first_hull = hulls_->size();
  std::vector<uint16_t> numbers;
  for (uint16_t a = 0; a < accesses.size(); ++a) {
    const uint16_t slot = accesses[a].slot;
    const auto same = [&](const Access& other) { return other.slot == slot && other.width != 0; };
    if (accesses[a].width == 0) continue;
    if (slot == 0) {
      AddrRange hull{~uint64_t{0}, 0};
      visit(thread, id, a, 0, std::array{Progression{0, 0, 1, 1, executions}}, hull);
      note(thread, id, a, hull, true, 0);
      continue;
    }
    if (!streams) epoch_.fail("a block has no words");
    if (std::any_of(accesses.begin(), accesses.begin() + a, same)) continue;
    numbers.clear();
    for (uint16_t other = a; other < accesses.size(); ++other)
      if (same(accesses[other])) numbers.push_back(other);
    const trace::AddressStream& s = streams[slot - 1u];
    const uint64_t values = epoch_.addresses().values_before(s, executions);
    if (values == 0) continue;
    if (s.relative())
      relative(thread, id, numbers, s, values);
    else
      absolute(thread, id, numbers, 0, s, values);
  }
  std::stable_sort(hulls_->begin() + static_cast<ptrdiff_t>(first_hull), hulls_->end(),
                   [](const AccessHull& x, const AccessHull& y) { return x.access < y.access; });
}

std::span<const FrameBases::Use> EpochFootprint::uses_of(ThreadId thread, BlockId id) {
  const auto before = [](const FrameBases::Use& a, const FrameBases::Use& b) {
    return std::pair(a.thread, a.block) < std::pair(b.thread, b.block);
  };
  const auto [begin, end] = std::equal_range(uses_->begin(), uses_->end(), FrameBases::Use{thread, id, 0}, before);
  return {begin, end};
}

EpochFootprint::Spread EpochFootprint::spread_of(FrameBase b) {
  if (b >= spreads_.size()) spreads_.resize(b + 1);  // bases lie above those with lower numbers
  if (spreads_[b]) return *spreads_[b];
  const FrameBases::Base& base = bases_->base(b);
  Spread found{0, 0};
  switch (base.by) {
    case FrameBases::Base::By::kUnknown:
      found = kAnywhere;
      break;
    case FrameBases::Base::By::kSp:
      break;
    case FrameBases::Base::By::kPush:
    case FrameBases::Base::By::kWord:
      found = spread_of_block(base);
      break;
  }
  if (found.known) {
    found.low += base.sp;
    found.high += base.sp;
  }
  return *(spreads_[b] = found);
}

EpochFootprint::Spread EpochFootprint::spread_of_block(const FrameBases::Base& base) {
  const BlockTable& blocks = file_.blocks();
  Push told = push_of(blocks, base.block);
  if (base.by == FrameBases::Base::By::kWord) {
    const SpChange& last = blocks.superblock_of(base.block).sp_changes[blocks.exit_of(base.block).sp_changes - 1u];
    told = {last.slot, last.constant};
  }
  const trace::AddressStream* s = epoch_.addresses().directory().streams_of(base.thread, base.block);
  const auto string = epoch_.paths().string_of(base.thread);
  if (!s || !string) epoch_.fail("a block has no words");
  s += told.slot - 1u;
  const Spread below = s->relative() ? spread_of(base.below) : Spread{0, 0};
  if (s->guarded() || !below.known) return kAnywhere;
  const Outline hull = outline_of(*s, executions_[*string][base.block.value]);
  if (hull.runs == 0) epoch_.fail("a block's words end early");
  const auto constant = static_cast<uint64_t>(told.constant);
  const ValueSpans::Span all = hull.spans.all();
  return {static_cast<uint64_t>(all.least) + constant + below.low,
          static_cast<uint64_t>(all.most) + constant + below.high};
}

EpochFootprint::Spread EpochFootprint::spread_of(std::span<const FrameBases::Use> uses) {
  Spread all;
  for (const FrameBases::Use& u : uses) all.add(spread_of(u.base));
  return all;
}

EpochFootprint::Outline EpochFootprint::outline_of(const trace::AddressStream& s, uint64_t values) {
  Outline o;
  runs_.for_each_part(s, 0, values, [&](std::span<const Progression> part) {
    for (const Progression& p : part) o.spans.add(p);
    o.runs += part.size();
    o.last = part.back();
  });
  return o;
}

void EpochFootprint::visit(ThreadId thread, BlockId id, uint16_t number, uint64_t plus,
                           std::span<const Progression> values, AddrRange& hull) {
  const Access& a = file_.blocks().superblock_of(id).accesses[number];
  addresses_.clear();
  plus += static_cast<uint64_t>(a.constant);
  for (const Progression& v : values) addresses_.push_back(moved(v, plus, a.width));
  (*visit_)(thread, id, a, plus, addresses_);
  const AddrRange some = hull_of(addresses_);
  hull = {std::min(hull.begin, some.begin), std::max(hull.end, some.end)};
}

void EpochFootprint::absolute(ThreadId thread, BlockId id, Numbers numbers, uint64_t plus,
                              const trace::AddressStream& s, uint64_t values) {
  std::vector<AddrRange> hulls(numbers.size(), AddrRange{~uint64_t{0}, 0});
  runs_.for_each_part(s, 0, values, [&](std::span<const Progression> part) {
    for (size_t i = 0; i < numbers.size(); ++i) visit(thread, id, numbers[i], plus, part, hulls[i]);
  });
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!hulls[i].empty()) note(thread, id, numbers[i], hulls[i], true, values);
}

// Exact if all frames lie at one place, or if the access has one place in all frames of a base, whose frames lie at
// one.
void EpochFootprint::relative(ThreadId thread, BlockId id, Numbers numbers, const trace::AddressStream& s,
                              uint64_t values) {
  if (of_block_.empty()) epoch_.fail("a block is in no frame");
  const Spread all = spread_of(of_block_);
  if (all.one()) return absolute(thread, id, numbers, all.low, s, values);
  const Outline outline = outline_of(s, values);
  if (outline.runs == 0) return;
  const bool one_place = outline.is_one() && std::all_of(of_block_.begin(), of_block_.end(),
                                                         [&](const auto& use) { return spread_of(use.base).one(); });
  for (const uint16_t number : numbers) {
    const Access& a = file_.blocks().superblock_of(id).accesses[number];
    if (one_place && !(a.flags & kAccessAtomic)) {
      for (const FrameBases::Use& u : of_block_) {
        AddrRange hull{~uint64_t{0}, 0};
        visit(thread, id, number, spread_of(u.base).low, std::array{outline.last}, hull);
        note(thread, id, number, hull, true, values);
      }
      continue;
    }
    note_inexact(thread, id, number, all, outline.spans, values);
  }
}

// Somewhere around each of the places where the values lie.
void EpochFootprint::note_inexact(ThreadId thread, BlockId id, uint16_t number, const Spread& sp,
                                  const ValueSpans& values, uint64_t count) {
  const Access& a = file_.blocks().superblock_of(id).accesses[number];
  const auto constant = static_cast<uint64_t>(a.constant);
  const size_t first = hulls_->size();
  for (const ValueSpans::Span& s : values.spans()) {
    const AddrRange range{sp.low + static_cast<uint64_t>(s.least) + constant,
                          sp.high + static_cast<uint64_t>(s.most) + constant + a.width};
    if (!sp.known || range.empty()) {
      hulls_->resize(first);
      return note(thread, id, number, {0, ~uint64_t{0}}, false, count);
    }
    note(thread, id, number, range, false, count);
  }
}

void EpochFootprint::note(ThreadId thread, BlockId id, uint16_t number, AddrRange range, bool exact, uint64_t values) {
  const Access& a = file_.blocks().superblock_of(id).accesses[number];
  hulls_->push_back({thread, id, number_, number, a.store(), exact, range, values, executions_of_block_});
}

}  // namespace cdr::races
