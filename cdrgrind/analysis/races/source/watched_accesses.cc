// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/watched_accesses.h"

#include <algorithm>

namespace cdr::races {

WatchedAccesses::WatchedAccesses(trace::Seeker& seeker, const std::vector<bool>& watched, Executions wanted,
                                 Visit visit)
    : seeker_(seeker), watched_(watched), wanted_(std::move(wanted)), visit_(std::move(visit)) {
  frames_.watch(watched);
  for (const auto& [of, executions] : wanted_) {
    const uint32_t thread = std::get<ThreadId>(of).value;
    if (thread >= left_of_.size()) left_of_.resize(thread + 1);
    left_of_[thread] += executions;
    left_ += executions;
  }
}

void WatchedAccesses::begin_epoch(uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes) {
  const trace::TraceFile& file = seeker_.file();
  epoch_ = &epoch;
  in_epoch_.clear();
  for (auto i = wanted_.lower_bound({number, ThreadId(), BlockId()}); i != wanted_.end(); ++i) {
    const auto& [of_epoch, thread, block] = i->first;
    if (of_epoch != number) break;
    in_epoch_[key(thread, block)] = i->second;
  }
  frames_.begin_epoch(epoch, shapes, file.blocks());
  if (!reader_.emplace(file.blocks()).begin(epoch.address_columns())) epoch.fail("its addresses are damaged");
}

void WatchedAccesses::event(const Event& e, uint64_t index) {
  if (!is_done(e.thread)) frames_.event(e);
  generations_.event(e, index);
}

void WatchedAccesses::block(ThreadId thread, BlockId id, uint64_t index) {
  if (is_done(thread)) return;
  frames_.block(thread, id);
  if (!watched_[id.value]) return;
  count(thread, id);
  words_.resize(seeker_.model(id).words);
  if (words_.empty()) return;
  const bool relative = trace::any_relative({epoch_->streams_of(thread, id), words_.size()});
  if (!reader_->words(thread, id, relative ? frame_sp(thread, index) : 0, words_))
    epoch_->fail("a block's words end early");
  frames_.told(thread, words_);
  visit_(thread, id, words_);
}

void WatchedAccesses::count(ThreadId thread, BlockId id) {
  uint64_t* const to_come = in_epoch_.find(key(thread, id));
  if (!to_come || *to_come == 0) return;
  --*to_come;
  --left_of_[thread.value];
  if (--left_ == 0) stop();
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
