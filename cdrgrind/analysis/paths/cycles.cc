// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/cycles.h"

#include "cdrgrind/base/checksum.h"

namespace cdr::paths {

bool ElementSet::insert(Element e) {
  if (size_ * 2 >= slots_.size()) grow();
  Slot& slot = slot_of(e);
  if (slot.round == round_) return false;
  slot = {e, round_};
  ++size_;
  return true;
}

ElementSet::Slot& ElementSet::slot_of(Element e) {
  const size_t mask = slots_.size() - 1;
  size_t at = mix64(e.id * 0x9e3779b97f4a7c15u + e.count) & mask;
  while (slots_[at].round == round_ && slots_[at].element != e) at = (at + 1) & mask;
  return slots_[at];
}

void ElementSet::grow() {
  std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.round == round_) slot_of(slot.element) = slot;
}

void CycleCutter::leave_before() {
  for (; following_ > 0 && open_.size() < following_;) {
    open_.push_back(before_[open_.size()]);
    seen_.insert(open_.back());
  }
  following_ = 0;
}

}  // namespace cdr::paths
