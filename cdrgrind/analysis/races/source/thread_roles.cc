// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/thread_roles.h"

#include <algorithm>
#include <utility>

namespace cdr::races {

void AroundWord::add(const Access& a) {
  if (!any) {
    *this = {true, static_cast<uint64_t>(a.constant), a.width};
    return;
  }
  const auto first = static_cast<int64_t>(least), end = first + static_cast<int64_t>(size);
  const int64_t low = std::min(first, a.constant), high = std::max(end, a.constant + int64_t{a.width});
  *this = {true, static_cast<uint64_t>(low), static_cast<uint64_t>(high - low)};
}

ThreadRoles::ThreadRoles(const BlockTable& blocks, const BlockRoles& all, const CompactFirstPass& first_pass,
                         uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes)
    : blocks_(blocks), all_(all), frames_(first_pass.frames.at(number)), epoch_(epoch), shapes_(shapes) {
  add_kind({}, all);
  const auto& hulls = first_pass.hulls;
  auto h = std::partition_point(hulls.begin(), hulls.end(), [&](const AccessHull& x) { return x.epoch < number; });
  while (h != hulls.end() && h->epoch == number) {
    const ThreadId thread = h->thread;
    std::vector<uint64_t> touches;
    while (h != hulls.end() && h->epoch == number && h->thread == thread) {
      const auto begin = h;
      while (h != hulls.end() && h->epoch == number && h->thread == thread && h->block == begin->block) ++h;
      if (all.of(begin->block) != BlockRole::kPrivate) add_block({begin, h}, touches);
    }
    std::sort(touches.begin(), touches.end());
    touches.erase(std::unique(touches.begin(), touches.end()), touches.end());
    if (thread.value >= kind_of_.size()) kind_of_.resize(thread.value + 1);
    kind_of_[thread.value] = kind_with(std::move(touches));
  }
}

// Of one block and thread.
void ThreadRoles::add_block(std::span<const AccessHull> hulls, std::vector<uint64_t>& touches) {
  const BlockId id = hulls[0].block;
  const auto accesses = blocks_.superblock_of(id).accesses;
  const auto of_slot = [&](uint16_t slot) -> OfSlot& {
    const auto at = std::find_if(slots_.begin(), slots_.end(), [&](const OfSlot& s) { return s.slot == slot; });
    return at != slots_.end() ? *at : slots_.emplace_back(OfSlot{slot, 0, false, {}});
  };
  slots_.clear();
  for (const AccessHull& h : hulls) {
    if (!all_.shared.overlaps(h.range)) continue;
    OfSlot& s = of_slot(accesses[h.access].slot);
    s.values = h.values;
    s.around.add(accesses[h.access]);
  }
  for (OfSlot& s : slots_) s.meets = s.slot == 0 || meets_shared(hulls[0].thread, id, s);
  for (const AccessHull& h : hulls)
    if (all_.shared.overlaps(h.range) && of_slot(accesses[h.access].slot).meets)
      touches.push_back(uint64_t{id.value} << 16 | h.access);
}

// Most that do meet it do so soon.
bool ThreadRoles::meets_shared(ThreadId thread, BlockId id, const OfSlot& s) {
  constexpr uint64_t kFirst = 64;  // values
  const trace::AddressStream* stream = epoch_.streams_of(thread, id);
  stream += s.slot - 1u;
  AddrRange sp{0, 0};
  if (stream->relative()) {
    const FrameOf* const f = frame_of(frames_, thread, id);
    if (!f || f->anywhere()) return true;
    sp = {f->low, f->high};
  }
  StreamRuns runs(epoch_.addresses());
  for (uint64_t begin = 0, size = kFirst; begin < s.values; begin += size, size *= 2)
    for (const Progression& p : runs.of(*stream, begin, std::min(s.values, begin + size)))
      if (all_.shared.meets(moved(p, sp.begin + s.around.least, sp.size() + s.around.size))) return true;
  return false;
}

uint32_t ThreadRoles::kind_with(std::vector<uint64_t> touches) {
  for (const Kind& k : kinds_)
    if (k.number > 0 && k.touches == touches) return k.number;
  if (kinds_.size() > kMostKinds) return 0;
  RolesOfBlocks& of = roles_.emplace_back();
  of.roles.resize(all_.roles.size());
  of.accesses.resize(all_.roles.size());
  for (const BlockId id : all_.everywhere) of.roles[id.value] = all_.of(id);
  for (const uint64_t touch : touches) {
    const BlockId id(static_cast<uint32_t>(touch >> 16));
    of.roles[id.value] = all_.of(id);
    of.accesses[id.value].push_back(static_cast<uint16_t>(touch));
  }
  add_kind(std::move(touches), of);
  return kinds_.back().number;
}

void ThreadRoles::add_kind(std::vector<uint64_t> touches, const RolesOfBlocks& roles) {
  const auto number = static_cast<uint32_t>(kinds_.size());
  kinds_.push_back(Kind{number, std::move(touches), roles, SymbolCounts(epoch_.paths(), shapes_, roles), {}});
}

const std::vector<AroundWord>& ThreadRoles::words(Kind& kind, BlockId id) const {
  if (id.value >= kind.words.size()) kind.words.resize(id.value + 1);
  std::vector<AroundWord>& words = kind.words[id.value];
  if (!words.empty()) return words;
  words.resize(blocks_.exit_of(id).words);
  for (const uint16_t number : kind.roles.accesses[id.value]) {
    const Access& a = blocks_.superblock_of(id).accesses[number];
    if (a.slot != 0) words[a.slot - 1u].add(a);
  }
  return words;
}

}  // namespace cdr::races
