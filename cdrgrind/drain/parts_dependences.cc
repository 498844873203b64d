// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/parts_dependences.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cdr::drain {
namespace {

// They need not be aligned.
template <class T>
std::vector<T> items_of(std::span<const uint8_t> bytes, uint64_t count) {
  std::vector<T> items(count);
  if (count > 0) std::memcpy(items.data(), bytes.data(), count * sizeof(T));
  return items;
}

uint64_t size_of(const PartMessage& m) {
  const size_t item = m.kind == PartMessage::kRows ? sizeof(depend::PartRow) : sizeof(depend::CrossingHit);
  return m.keys * sizeof(depend::Key) + m.items * item;
}

}  // namespace

void PartsDependences::take(uint32_t number, std::span<const uint8_t> bytes) {
  Part& part = parts_[number];
  part.bytes.insert(part.bytes.end(), bytes.begin(), bytes.end());
  std::span<const uint8_t> rest = part.bytes;
  while (const size_t taken = take_message(part, rest)) rest = rest.subspan(taken);
  part.bytes.erase(part.bytes.begin(), part.bytes.end() - static_cast<std::ptrdiff_t>(rest.size()));
}

size_t PartsDependences::take_message(Part& part, std::span<const uint8_t> bytes) {
  if (bytes.size() < sizeof(PartMessage)) return 0;
  const PartMessage m = items_of<PartMessage>(bytes, 1).front();
  const uint64_t size = sizeof m + size_of(m);
  if (bytes.size() < size) return 0;
  bytes = bytes.subspan(sizeof m);
  if (m.kind == PartMessage::kStretch) {
    take_stretch(part, items_of<depend::Key>(bytes, m.keys),
                 items_of<depend::CrossingHit>(bytes.subspan(m.keys * sizeof(depend::Key)), m.items));
    return size;
  }
  part.ended = true;
  left_ |= m.kind == PartMessage::kLeft;
  stats_.accesses = m.accesses;
  stats_.imprecise += m.imprecise;
  if (m.kind == PartMessage::kRows) results_.add(items_of<depend::PartRow>(bytes, m.items));
  return size;
}

// Hits of a stretch are counted when all parts have told theirs.
void PartsDependences::take_stretch(Part& part, std::span<const depend::Key> keys,
                                    std::vector<depend::CrossingHit> hits) {
  for (const depend::Key& k : keys) part.numbers.push_back(results_.number_of(k));
  for (depend::CrossingHit& h : hits) h.row = part.numbers[h.row];
  part.stretches.push_back(std::move(hits));
  if (std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.stretches.empty(); })) return;
  std::vector<std::vector<depend::CrossingHit>> stretch;
  for (Part& p : parts_) {
    stretch.push_back(std::move(p.stretches.front()));
    p.stretches.erase(p.stretches.begin());
  }
  results_.count(stretch);
}

}  // namespace cdr::drain
