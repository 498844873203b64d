// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/predicted_paths.h"

#include <algorithm>

namespace cdr::trace {
namespace {

constexpr uint32_t kMaxRun = ~0u;

}  // namespace

bool PredictedPaths::read(const Columns& control, const TurnIndex& turns, const std::vector<uint32_t>& threads,
                          uint32_t limit) {
  if (!pieces_.read(control, threads.size(), limit, blocks_)) return false;
  piece_ = pieces_.count > 0;
  predicting_ = piece_ == 0;
  threads_.assign(threads.size(), {});
  for (uint32_t i = 0; i < threads.size(); ++i) {
    threads_[i].string = i * pieces_.count;
    paths_.open_string();
  }
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
      emit(t, terminal_of_stretch(own_stretch(stretch_of(terminal))), count);
    } else {
      if (terminal != kNameTerminal) t.ready += count;
      emit(t, terminal, count);
    }
  });
  return true;
}

// The next symbol of the thread that tells events, or that the grammar goes on.
bool PredictedPaths::predicted(ThreadPath& t, uint64_t& events) {
  uint32_t named = 0;
  bool bare = false;
  for (;;) {
    const uint32_t symbol = pieces_.prediction->get(t.context);
    if (!pieces_.prediction->ok()) return false;
    if (symbol == kNameTerminal || symbol == kRenameSymbol) {
      if (named != 0 || bare) return false;
      named = symbol;
      continue;
    }
    if (symbol == kBareSymbol) {
      if (bare) return false;
      bare = true;
      continue;
    }
    if (is_block(symbol)) {
      const BlockId id = block_of(symbol);
      const uint32_t n = 1 + (!bare && file_stretches_.model(id).then != EventKind::kNone);
      if (n > events) return false;
      events -= n;
      return predicted_block(t, id, named, bare);
    }
    if (bare) return false;
    if (symbol == kGrammarSymbol) return named == 0 && begin_grammar();
    end_stretch(t);
    if (named != 0) emit(t, kNameTerminal);
    emit(t, symbol);
    --events;
    return true;
  }
}

bool PredictedPaths::begin_grammar() {
  if (piece_ == pieces_.count) return false;
  for (ThreadPath& t : threads_) {
    if (!take_piece(t) || t.ready > 0) return false;
    end_stretch(t);
  }
  ++piece_;
  predicting_ = false;
  return true;
}

// As the recorder cuts paths into stretches (encode/epoch.cc).
bool PredictedPaths::predicted_block(ThreadPath& t, BlockId id, uint32_t named, bool bare) {
  if (named == kNameTerminal) end_stretch(t);
  if (named != 0 && t.open.node == 0) emit(t, kNameTerminal);
  if (const uint32_t ended = stretches_.advance(t.open, id)) {
    emit(t, terminal_of_stretch(ended));
    if (named != 0) emit(t, kNameTerminal);
  }
  if (bare) end_stretch(t, true);
  return true;
}

uint32_t PredictedPaths::own_stretch(uint32_t of_file) {
  const auto [own, added] = own_.insert(of_file);
  if (added) {
    Stretches::Open open;
    for (const BlockId id : file_stretches_.blocks(of_file)) stretches_.advance(open, id);
    *own = stretches_.finish(open, file_stretches_.bare(of_file));
  }
  return *own;
}

void PredictedPaths::emit(ThreadPath& t, uint32_t terminal, uint32_t count) {
  if (t.terminal == terminal && t.count > 0 && t.count <= kMaxRun - count) {
    t.count += count;
    return;
  }
  close_run(t);
  t.terminal = terminal;
  t.count = count;
}

void PredictedPaths::end_stretch(ThreadPath& t, bool bare) {
  if (const uint32_t stretch = stretches_.finish(t.open, bare)) emit(t, terminal_of_stretch(stretch));
}

void PredictedPaths::close_run(ThreadPath& t) {
  if (t.count != 0) paths_.append(static_cast<uint32_t>(&t - threads_.data()), t.terminal, t.count);
  t.count = 0;
}

Grammar PredictedPaths::grammar() {
  for (ThreadPath& t : threads_) {
    end_stretch(t);
    close_run(t);
  }
  return paths_.grammar();
}

StretchTable PredictedPaths::stretches() const {
  StretchTable table;
  std::vector<BlockId> blocks;
  for (uint32_t id = 1; id <= stretches_.count(); ++id) {
    stretches_.blocks_of(id, blocks);
    table.add(blocks, stretches_.bare(id));
  }
  return table;
}

}  // namespace cdr::trace
