// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/watched_accesses.h"

#include <algorithm>

namespace cdr::races {

void WatchedAccesses::begin_epoch(uint32_t, trace::EpochIndex& epoch, const trace::PathShapes& shapes) {
  const trace::TraceFile& file = seeker_.file();
  epoch_ = &epoch;
  frames_.begin_epoch(epoch, shapes, file.blocks());
  if (!reader_.emplace(file.blocks()).begin(epoch.address_columns())) epoch.fail("its addresses are damaged");
}

void WatchedAccesses::event(const Event& e, uint64_t index) {
  frames_.event(e);
  generations_.event(e, index);
}

void WatchedAccesses::block(ThreadId thread, BlockId id, uint64_t index) {
  frames_.block(thread, id);
  if (!watched_[id.value]) return;
  words_.resize(seeker_.model(id).words);
  if (words_.empty()) return;
  const trace::AddressStream* s = epoch_->addresses().directory().streams_of(thread, id);
  if (!s) epoch_->fail("a block has no words");
  const bool relative =
      std::any_of(s, s + words_.size(), [](const trace::AddressStream& one) { return one.relative(); });
  if (!reader_->words(thread, id, relative ? frame_sp(thread, index) : 0, words_))
    epoch_->fail("a block's words end early");
  frames_.told(thread, words_);
  visit_(thread, id, words_);
}

// Where no call told it, it is looked for, once in a frame.
uint64_t WatchedAccesses::frame_sp(ThreadId thread, uint64_t index) {
  std::optional<uint64_t>& sp = frames_.frame_sp(thread);
  if (!sp) {
    trace::TracePosition place;
    seeker_.at_index(index, place);
    sp = seeker_.frame_sp(place);
  }
  return *sp;
}

}  // namespace cdr::races
