// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/stack_words.h"

#include <algorithm>

namespace cdr::races {

using analysis::CallFrame;

bool WordLives::is_atomic(const StackWord& word, uint64_t index) const {
  const auto known = lives_.find(word);
  if (known == lives_.end()) return true;
  const std::vector<Life>& all = known->second;
  const auto after =
      std::upper_bound(all.begin(), all.end(), index, [](uint64_t i, const Life& l) { return i < l.begin; });
  return (after == all.begin() ? after : after - 1)->atomic;
}

void WordLives::add(const StackWord& word, uint64_t begin, bool atomic) {
  std::vector<Life>& all = lives_[word];
  if (all.empty() || all.back().atomic != atomic) all.push_back({begin, atomic});
}

void StackWords::touch(const StackWord& word, ThreadId owner, uint64_t index, Use use) {
  used(word, owner, index, use);
}

StackWords::Word& StackWords::used(const StackWord& word, ThreadId owner, uint64_t index, Use use) {
  Word& w = live(word, owner, index);
  w.atomic |= use == Use::kAtomic;
  w.presumed |= use == Use::kPresumed;
  return w;
}

void StackWords::touch(const StackWord& word, ThreadId owner, uint64_t index, Use use, ThreadId by, SegmentNumber in,
                       bool store) {
  Word& w = used(word, owner, index, use);
  if (w.by == by && w.in == in && (w.store || !store)) return;  // no more is in order now, or out of it
  w.by = by;
  w.in = in;
  w.store = store;
  look_at_others(w, by, in, store);
  auto mine = std::lower_bound(w.last.begin(), w.last.end(), by,
                               [](const Last& l, ThreadId t) { return l.by.value < t.value; });
  if (mine == w.last.end() || mine->by != by) {
    mine = w.last.insert(mine, Last());
    mine->by = by;
  }
  (store ? mine->store : mine->load) = in;
  mine->in_life = true;
}

// What atomic accesses order does not count: these may be none.
void StackWords::look_at_others(Word& w, ThreadId by, SegmentNumber in, bool store) {
  if (too_much_ || (!w.any_plain && (w.atomic || w.contended))) return;  // nothing would be news
  for (const Last& l : w.last) {
    if (l.by == by) continue;
    too_much_ |= is_unordered(by, in, l.by, l.plain_store) || (store && is_unordered(by, in, l.by, l.plain_load));
    if (!w.atomic && !w.contended)
      w.contended = is_unordered(by, in, l.by, l.store) || (store && is_unordered(by, in, l.by, l.load));
  }
}

StackWords::Word& StackWords::live(const StackWord& word, ThreadId owner, uint64_t index) {
  Word& w = words_[word];
  if (w.lives && w.activation && is_open(w, owner)) return w;
  Word now;
  const bool known = find_call(now, word.addr, owner, index);
  if (w.lives && (!known || !w.activation)) {  // it may be the same
    if (known) w.depth = now.depth, w.activation = now.activation;
    return w;
  }
  end_life(word, w);
  w.depth = now.depth;
  w.activation = now.activation;
  w.begin = index;
  w.lives = true;
  return w;
}

void StackWords::followed(const Event& e) {
  switch (e.kind) {
    case EventKind::kThreadStart:
      own(e.thread) = {&stacks_.frames(e.thread), {}, {}};
      break;
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
    case EventKind::kPop:
      replaced(e.thread, stacks_.frames(e.thread).size());
      break;
    default:
      break;
  }
}

void StackWords::replaced(ThreadId t, size_t depth) {
  if (!is_on_own(t)) return;
  Own& o = own(t);
  if (o.activations.size() > depth) o.activations.resize(depth);
  if (o.bases.size() > depth) o.bases.clear();
}

bool StackWords::is_open(const Word& w, ThreadId owner) {
  const std::vector<uint32_t>& known = own(owner).activations;
  return w.depth < known.size() && known[w.depth] == w.activation;
}

// They are looked for once for each call in which words are touched, not for each word.
bool StackWords::know_bases(Own& o, ThreadId owner, uint64_t index) {
  const std::vector<CallFrame>& frames = stacks_.frames(owner);
  if (o.bases.size() == frames.size()) return true;
  o.bases.clear();
  if (find_bases_)
    o.bases = find_bases_(owner, index);
  else
    for (const CallFrame& f : frames) o.bases.push_back(f.base);
  if (o.bases.size() == frames.size()) return true;
  o.bases.clear();
  return false;
}

// False if the thread is on another stack.
bool StackWords::find_call(Word& w, uint64_t addr, ThreadId owner, uint64_t index) {
  if (!is_on_own(owner)) return false;
  Own& o = own(owner);
  if (!know_bases(o, owner, index)) return false;
  // Nothing is known of what is above the first call.
  size_t depth = o.bases.size() - 1;
  while (depth > 0 && o.bases[depth] <= addr) --depth;
  std::vector<uint32_t>& known = o.activations;
  if (known.size() <= depth) known.resize(depth + 1);
  if (known[depth] == 0) known[depth] = ++activations_;
  w.depth = depth;
  w.activation = known[depth];
  return true;
}

void StackWords::end_life(const StackWord& word, Word& w) {
  if (!w.lives) return;
  const bool plain = w.presumed && !w.atomic;
  too_much_ |= plain && w.contended;
  lives_.add(word, w.begin, !plain);
  for (Last& l : w.last) {
    if (plain && l.in_life) l.plain_load = l.load, l.plain_store = l.store, w.any_plain = true;
    l.in_life = false;
  }
  Word next;
  next.last = std::move(w.last);
  next.any_plain = w.any_plain;
  w = std::move(next);
}

void StackWords::finish() {
  for (auto& [word, w] : words_) end_life(word, w);
}

}  // namespace cdr::races
