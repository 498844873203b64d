// SPDX-License-Identifier: GPL-2.0-or-later
// Goes through the control paths of an epoch some of whose pieces are predicted (trace/read/path_pieces.h), in true
// order. `Sink` is told, of thread i (of those with a path):
//
//   uint64_t piece(i, grammar, string)   its string of a piece of the grammar; returns its events
//   void block(i, step)                  a predicted block
//   void event(i, step)                  another predicted symbol
//   void end_piece(i)                    the grammar goes on: what was predicted of the thread is at its end
//   bool wants_more()                    if not, the walk ends there, and what is behind is not looked at
#ifndef CDRGRIND_TRACE_INDEX_PREDICTED_WALK_H
#define CDRGRIND_TRACE_INDEX_PREDICTED_WALK_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/path_pieces.h"

namespace cdr::trace {

template <class Sink>
class PredictedWalk {
 public:
  // The file's stretches.
  PredictedWalk(const StretchIndex& stretches, Sink& sink)
      : stretches_(stretches), sink_(sink), follows_(stretches.block_table().block_count() + 1) {}

  // False if the columns are damaged. `threads`: those with a path, ascending; `limit`: stretches that the epoch may
  // use.
  bool run(const Columns& control, const TurnIndex& turns, const std::vector<uint32_t>& threads, uint32_t limit) {
    if (!pieces_.read(control, threads.size(), limit, stretches_.block_table())) return false;
    piece_ = pieces_.count > 0;
    predicting_ = piece_ == 0;
    threads_.assign(threads.size(), {});
    for (uint32_t i = 0; i < threads.size(); ++i) threads_[i].string = i * pieces_.count;
    for (const TurnIndex::Segment& s : turns.segments()) {
      if (s.events == 0) continue;
      const auto at = std::lower_bound(threads.begin(), threads.end(), s.thread);
      if (at == threads.end() || *at != s.thread) return false;
      if (!read_segment(static_cast<uint32_t>(at - threads.begin()), s.events)) return false;
      if (!sink_.wants_more()) return true;
    }
    if (piece_ != pieces_.count || !pieces_.prediction->at_end()) return false;
    for (uint32_t i = 0; i < threads_.size(); ++i)
      if (!take_piece(i) || threads_[i].ready != 0) return false;
    return true;
  }

 private:
  struct ThreadPath {
    PathPredictor::Context context;
    uint32_t string = 0;  // of its first piece, in the grammar
    uint32_t taken = 0;   // pieces of the grammar
    uint64_t ready = 0;   // events of what was taken that no segment has had yet
  };

  bool read_segment(uint32_t i, uint64_t events) {
    ThreadPath& t = threads_[i];
    while (events > 0 && sink_.wants_more()) {
      if (t.ready == 0 && !predicting_) {
        if (!take_piece(i)) return false;
        predicting_ = t.ready == 0;
      }
      if (t.ready > 0) {
        const uint64_t n = std::min(events, t.ready);
        t.ready -= n;
        events -= n;
      } else if (!predicted(i, events)) {
        return false;
      }
    }
    return true;
  }

  // All of the thread's string of the open piece, if it was not taken before.
  bool take_piece(uint32_t i) {
    ThreadPath& t = threads_[i];
    if (t.taken == piece_) return true;
    if (t.ready > 0) return false;
    t.taken = piece_;
    t.ready = sink_.piece(i, pieces_.grammar, t.string + piece_ - 1);
    return true;
  }

  // The next step of the thread: one or two events, or that the grammar goes on.
  bool predicted(uint32_t i, uint64_t& events) {
    PredictedStep step;
    if (pieces_.next(threads_[i].context, step)) return false;
    if (step.symbol == kGrammarSymbol) return begin_grammar();
    if (!is_block(step.symbol)) {
      sink_.event(i, step);
      --events;
      return true;
    }
    const uint32_t told = 1 + (!step.bare && follows(block_of(step.symbol)));
    if (told > events) return false;
    events -= told;
    sink_.block(i, step);
    return true;
  }

  // Whether a call or return is bound to follow the block: a model is far more than the byte that is kept.
  bool follows(BlockId id) {
    uint8_t& known = follows_[id.value];
    if (known == 0) known = stretches_.model(id).then != EventKind::kNone ? 2 : 1;
    return known == 2;
  }

  bool begin_grammar() {
    if (piece_ == pieces_.count) return false;
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      if (!take_piece(i) || threads_[i].ready > 0) return false;
      sink_.end_piece(i);
    }
    ++piece_;
    predicting_ = false;
    return true;
  }

  const StretchIndex& stretches_;
  Sink& sink_;
  PathPieces pieces_;
  uint32_t piece_ = 0;  // how many of the grammar's have begun
  bool predicting_ = false;
  std::vector<ThreadPath> threads_;
  std::vector<uint8_t> follows_;  // by block: 0 not asked, 1 no, 2 yes
};

}  // namespace cdr::trace

#endif
