// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/event_batch.h"

namespace cdr::analysis {

EventBatch::EventBatch() {
  words_.reserve(kWords);
  steps_.reserve(kSteps);
}

void EventBatch::clear() {
  words_.clear();
  steps_.clear();
  pieces_.clear();
  others_.clear();
}

bool EventBatch::add(ThreadId thread, Steps steps) {
  size_t words = 0;
  for (const RunStep& s : steps)
    if (s.block) words += s.count;
  if (!pieces_.empty() && (steps_.size() + steps.size() > kSteps || words_.size() + words > kWords)) return false;
  words_.reserve(words);
  const auto first = static_cast<uint32_t>(steps_.size());
  for (const RunStep& s : steps) {
    RunStep& mine = steps_.emplace_back(s);
    if (!s.block) continue;
    mine.words = words_.data() + words_.size();
    words_.insert(words_.end(), s.words, s.words + s.count);
  }
  if (pieces_.empty() || pieces_.back().end == 0 || pieces_.back().thread != thread)
    pieces_.push_back({thread, first, first});
  pieces_.back().end = static_cast<uint32_t>(steps_.size());
  return true;
}

bool EventBatch::add(const Event& e) {
  if (others_.size() == kSteps) return false;
  Other& o = others_.emplace_back(
      Other{e, {e.words.begin(), e.words.end()}, {e.memory.begin(), e.memory.end()}, std::string(e.text)});
  o.event.text = {};
  pieces_.push_back({e.thread, static_cast<uint32_t>(others_.size() - 1), 0});
  return true;
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
