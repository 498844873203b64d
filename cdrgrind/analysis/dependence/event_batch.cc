// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/event_batch.h"

namespace cdr::analysis {

EventBatch::EventBatch(const BlockTable& blocks) : blocks_(blocks) {
  words_.reserve(kWords);
  steps_.reserve(kSteps);
}

void EventBatch::clear() {
  words_.clear();
  steps_.clear();
  pieces_.clear();
  others_.clear();
}

bool EventBatch::add(const Event& e) {
  if (e.kind == EventKind::kBlock) return add_block(e);
  if (steps_.size() == kSteps || others_.size() == kSteps) return false;
  if (follows_block(e)) {
    RunStep step;
    step.count = static_cast<uint32_t>(e.kind);
    step.sp = e.sp;
    add_step(e.thread, step);
    return true;
  }
  Other& o = others_.emplace_back(
      Other{e, {e.words.begin(), e.words.end()}, {e.memory.begin(), e.memory.end()}, std::string(e.text)});
  o.event.text = {};
  pieces_.push_back({e.thread, static_cast<uint32_t>(others_.size() - 1), 0});
  return true;
}

// A Call or Return that is a step of the open run.
bool EventBatch::follows_block(const Event& e) const {
  if (e.kind != EventKind::kCall && e.kind != EventKind::kReturn) return false;
  if (pieces_.empty() || pieces_.back().end == 0 || pieces_.back().thread != e.thread) return false;
  const BlockId before = steps_.back().block;
  if (!before) return false;
  return e.kind == EventKind::kReturn || e.ip == exit_addr(blocks_.superblock_of(before), blocks_.exit_of(before));
}

bool EventBatch::add_block(const Event& e) {
  if (steps_.size() == kSteps || words_.size() + e.words.size() > kWords) return false;
  RunStep step;
  step.block = e.block;
  step.count = static_cast<uint32_t>(e.words.size());
  step.words = words_.data() + words_.size();
  words_.insert(words_.end(), e.words.begin(), e.words.end());
  add_step(e.thread, step);
  return true;
}

void EventBatch::add_step(ThreadId thread, const RunStep& step) {
  const auto at = static_cast<uint32_t>(steps_.size());
  steps_.push_back(step);
  if (pieces_.empty() || pieces_.back().end == 0 || pieces_.back().thread != thread)
    pieces_.push_back({thread, at, at});
  pieces_.back().end = at + 1;
}

void EventBatch::pass_to(RunSink& to) const {
  for (const Piece& p : pieces_) {
    if (p.end > 0) {
      to.run(p.thread, Steps(steps_).subspan(p.first, p.end - p.first));
      continue;
    }
    const Other& o = others_[p.first];
    Event e = o.event;
    e.words = o.words;
    e.memory = o.memory;
    e.text = o.text;
    to.event(e);
  }
}

}  // namespace cdr::analysis
