// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/predicted_paths.h"

#include <algorithm>

namespace cdr::trace {
bool PredictedPaths::read(const Columns& control, const TurnIndex& turns, const std::vector<uint32_t>& threads,
                          uint32_t limit) {
  if (!pieces_.read(control, threads.size(), limit, blocks_)) return false;
  piece_ = pieces_.count > 0;
  predicting_ = piece_ == 0;
  threads_.assign(threads.size(), {});
  for (uint32_t i = 0; i < threads.size(); ++i) threads_[i].string = i * pieces_.count;
  for (const TurnIndex::Segment& s : turns.segments()) {
    if (s.events == 0) continue;
    const auto at = std::lower_bound(threads.begin(), threads.end(), s.thread);
    if (at == threads.end() || *at != s.thread) return false;
    if (!read_segment(threads_[static_cast<size_t>(at - threads.begin())], s.events)) return false;
  }
  if (piece_ != pieces_.count || !pieces_.prediction->at_end()) return false;
  return std::all_of(threads_.begin(), threads_.end(), [&](ThreadPath& t) { return take_piece(t) && t.ready == 0; });
}

bool PredictedPaths::read_segment(ThreadPath& t, uint64_t events) {
  while (events > 0) {
    if (t.ready == 0 && !predicting_) {
      if (!take_piece(t)) return false;
      predicting_ = t.ready == 0;
    }
    if (t.ready > 0) {
      const uint64_t n = std::min(events, t.ready);
      t.ready -= n;
      events -= n;
    } else if (!predicted(t, events)) {
      return false;
    }
  }
  return true;
}

// All of the thread's string of the open piece, if it was not taken before.
bool PredictedPaths::take_piece(ThreadPath& t) {
  if (t.taken == piece_) return true;
  if (t.ready > 0) return false;
  t.taken = piece_;
  unfold(pieces_.grammar, t.string + piece_ - 1, [&](uint32_t terminal, uint32_t count) {
    if (is_stretch(terminal)) {
      t.ready += uint64_t{file_stretches_.counts(stretch_of(terminal)).events} * count;
      cutter_.emit(t.path, terminal_of_stretch(own_stretch(stretch_of(terminal))), count);
    } else {
      if (terminal != kNameTerminal) t.ready += count;
      cutter_.emit(t.path, terminal, count);
    }
  });
  return true;
}

// The next step of the thread: one or two events, or that the grammar goes on.
bool PredictedPaths::predicted(ThreadPath& t, uint64_t& events) {
  PredictedStep step;
  if (pieces_.next(t.context, step)) return false;
  if (step.symbol == kGrammarSymbol) return begin_grammar();
  if (!is_block(step.symbol)) {
    cutter_.end_stretch(t.path);
    if (step.naming != 0) cutter_.emit(t.path, kNameTerminal);
    cutter_.emit(t.path, step.symbol);
    --events;
    return true;
  }
  const BlockId id = block_of(step.symbol);
  const uint32_t told = 1 + (!step.bare && file_stretches_.model(id).then != EventKind::kNone);
  if (told > events) return false;
  events -= told;
  if (step.naming == kNameTerminal) cutter_.end_stretch(t.path);
  cutter_.block(t.path, id, step.naming != 0);
  if (step.bare) cutter_.end_stretch(t.path, true);
  return true;
}

bool PredictedPaths::begin_grammar() {
  if (piece_ == pieces_.count) return false;
  for (ThreadPath& t : threads_) {
    if (!take_piece(t) || t.ready > 0) return false;
    cutter_.end_stretch(t.path);
  }
  ++piece_;
  predicting_ = false;
  return true;
}

uint32_t PredictedPaths::own_stretch(uint32_t of_file) {
  const auto [own, added] = own_.insert(of_file);
  if (added) {
    Stretches::Open open;
    for (const BlockId id : file_stretches_.blocks(of_file)) cutter_.stretches().advance(open, id);
    *own = cutter_.stretches().finish(open, file_stretches_.bare(of_file));
  }
  return *own;
}

Grammar PredictedPaths::grammar() {
  std::vector<uint32_t> strings;
  for (ThreadPath& t : threads_) {
    cutter_.end_stretch(t.path);
    cutter_.close_run(t.path);
    strings.push_back(t.path.string == 0 ? cutter_.strings().open_string() : t.path.string - 1);
  }
  return cutter_.strings().grammar(strings);
}

StretchTable PredictedPaths::stretches() const {
  StretchTable table;
  std::vector<BlockId> blocks;
  const Stretches& stretches = cutter_.stretches();
  for (uint32_t id = 1; id <= stretches.count(); ++id) {
    stretches.blocks_of(id, blocks);
    table.add(blocks, stretches.bare(id));
  }
  return table;
}

}  // namespace cdr::trace
