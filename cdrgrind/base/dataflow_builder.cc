// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/dataflow_builder.h"

#include <algorithm>

namespace cdr {

DataflowBuilder::DataflowBuilder() {
  for (uint32_t i = 0; i < kGuestStateBytes; ++i) state_[i] = kEntryBit | i;
  rows_.push_back({});
}

DataflowBuilder::Set DataflowBuilder::load(uint16_t access) {
  const auto begin = static_cast<uint32_t>(elements_.size());
  elements_.push_back(kLoadBit | access);
  return intern(begin, false);
}

DataflowBuilder::Set DataflowBuilder::piece(uint32_t offset, uint32_t size) {
  const auto begin = static_cast<uint32_t>(elements_.size());
  elements_.push_back(offset << 16 | size);
  return intern(begin, false);
}

// Behind the elements of the set under construction, which it may extend.
void DataflowBuilder::append(uint32_t element) {
  uint32_t& last = elements_.back();
  if (!((last | element) & kLoadBit)) {
    const uint32_t offset = element >> 16, size = element & 0xffff;
    const uint32_t last_offset = last >> 16, last_end = last_offset + (last & 0xffff);
    if (offset <= last_end && register_of(offset) == register_of(last_offset)) {
      last = last_offset << 16 | (std::max(last_end, offset + size) - last_offset);
      return;
    }
  }
  if (last != element) elements_.push_back(element);
}

DataflowBuilder::Set DataflowBuilder::unite(Set a, Set b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  const bool weak = rows_[a].weak || rows_[b].weak;
  const auto begin = static_cast<uint32_t>(elements_.size());
  uint32_t i = rows_[a].begin, j = rows_[b].begin;
  const uint32_t i_end = rows_[a].end, j_end = rows_[b].end;
  while (i < i_end || j < j_end) {
    const bool first = j == j_end || (i < i_end && elements_[i] <= elements_[j]);
    const uint32_t next = elements_[first ? i++ : j++];
    if (elements_.size() == begin)
      elements_.push_back(next);
    else
      append(next);
  }
  return intern(begin, weak);
}

DataflowBuilder::Set DataflowBuilder::weaken(Set s) {
  if (rows_[s].weak) return s;
  const auto begin = static_cast<uint32_t>(elements_.size());
  for (uint32_t i = rows_[s].begin; i < rows_[s].end; ++i) elements_.push_back(elements_[i]);
  return intern(begin, true);
}

// The elements from `begin` on become a set, or go if there is such a set.
DataflowBuilder::Set DataflowBuilder::intern(uint32_t begin, bool weak) {
  const auto end = static_cast<uint32_t>(elements_.size());
  if (begin == end && !weak) return kEmpty;
  uint32_t hash = weak;
  for (uint32_t i = begin; i < end; ++i) hash = (hash ^ elements_[i]) * 0x9e3779b1u + (hash >> 15);
  uint32_t& bucket = buckets_[(hash ^ hash >> 16) % kBuckets];
  for (uint32_t s = bucket; s != 0; s = rows_[s].next) {
    const Row& r = rows_[s];
    if (r.hash != hash || r.weak != weak || r.end - r.begin != end - begin) continue;
    if (!std::equal(elements_.begin() + r.begin, elements_.begin() + r.end, elements_.begin() + begin)) continue;
    elements_.resize(begin);
    return s;
  }
  rows_.push_back({begin, end, hash, bucket, weak});
  return bucket = static_cast<Set>(rows_.size() - 1);
}

// The length of the run at the front: bytes of one set, or a piece of one register at the entry.
size_t DataflowBuilder::run(std::span<const Origin> bytes) const {
  const Origin first = bytes[0];
  const uint32_t step = first & kEntryBit ? 1 : 0, r = step ? register_of(first & ~kEntryBit) : 0;
  size_t n = 1;
  while (n < bytes.size() && bytes[n] == first + n * step && (!step || register_of(bytes[n] & ~kEntryBit) == r)) ++n;
  return n;
}

DataflowBuilder::Set DataflowBuilder::set_of_run(std::span<const Origin> run) {
  if (!(run[0] & kEntryBit)) return run[0];
  return piece(run[0] & ~kEntryBit, static_cast<uint32_t>(run.size()));
}

DataflowBuilder::Set DataflowBuilder::unite(std::span<const Origin> bytes) {
  Set all = kEmpty;
  for (size_t n = 0; !bytes.empty(); bytes = bytes.subspan(n)) {
    n = run(bytes);
    all = unite(all, set_of_run(bytes.first(n)));
  }
  return all;
}

void DataflowBuilder::read(uint32_t offset, std::span<Origin> to) const {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = register_of(offset + static_cast<uint32_t>(i)) == kGuestRegisterCount ? kEmpty : state_[offset + i];
}

void DataflowBuilder::write(uint32_t offset, std::span<const Origin> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto at = static_cast<uint32_t>(offset + i);
    if (register_of(at) == kGuestRegisterCount) continue;
    state_[at] = bytes[i];
    changed_.push_back(static_cast<uint16_t>(at));
  }
}

DataflowBuilder::Set DataflowBuilder::read(uint32_t offset, uint32_t size) {
  return unite(std::span<const Origin>(state_).subspan(offset, size));
}

void DataflowBuilder::write(uint32_t offset, uint32_t size, Set s) {
  for (; size > 0; --size, ++offset) write(offset, std::span<const Origin>(&s, 1));
}

void DataflowBuilder::exit(Set condition) {
  std::sort(changed_.begin(), changed_.end());
  const auto end = std::unique(changed_.begin(), changed_.end());
  changed_.erase(
      std::remove_if(changed_.begin(), end, [&](uint16_t at) { return !told_[at] && state_[at] == (kEntryBit | at); }),
      changed_.end());
  for (size_t i = 0; i < changed_.size();) {
    const uint16_t from = changed_[i];
    const uint32_t r = register_of(from);
    uint16_t size = 0;
    for (; i < changed_.size() && changed_[i] == from + size && register_of(changed_[i]) == r; ++i, ++size) {
    }
    std::span<const Origin> bytes = std::span<const Origin>(state_).subspan(from, size);
    std::fill_n(told_.begin() + from, size, uint8_t{1});
    for (uint16_t at = from; !bytes.empty();) {
      const auto n = static_cast<uint16_t>(run(bytes));
      writes_.push_back({{at, n}, set_of_run(bytes.first(n))});
      at = static_cast<uint16_t>(at + n);
      bytes = bytes.subspan(n);
    }
  }
  changed_.clear();
  exits_.push_back({condition, static_cast<uint32_t>(writes_.size())});
}

uint16_t DataflowBuilder::number(Set s) {
  if (s == kEmpty || numbers_[s] != 0) return numbers_[s];
  for (const uint32_t e : elements(s)) {
    const bool is_load = e & kLoadBit;
    out_inputs_.push_back(is_load ? FlowInput::load(static_cast<uint16_t>(e))
                                  : FlowInput::state({static_cast<uint16_t>(e >> 16), static_cast<uint16_t>(e)}));
  }
  out_ends_.push_back(static_cast<uint32_t>(out_inputs_.size()) * 2 + (rows_[s].weak ? 1 : 0));
  return numbers_[s] = static_cast<uint16_t>(out_ends_.size());
}

Dataflow DataflowBuilder::finish() {
  numbers_.assign(rows_.size(), 0);
  for (const Set s : slots_) out_slots_.push_back(number(s));
  for (const Pair& a : accesses_) {
    const uint16_t value = number(a.first);
    out_accesses_.push_back({value, number(a.second)});
  }
  size_t w = 0;
  for (const Pair& e : exits_) {
    for (; w < e.second; ++w) out_writes_.push_back({writes_[w].piece, number(writes_[w].set)});
    out_exits_.push_back({number(e.first), static_cast<uint16_t>(e.second)});
  }
  return {out_inputs_, out_ends_, out_slots_, out_accesses_, out_writes_, out_exits_};
}

}  // namespace cdr
