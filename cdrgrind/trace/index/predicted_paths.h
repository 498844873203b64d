// SPDX-License-Identifier: GPL-2.0-or-later
// Control paths that were predicted, for random access: a grammar of them (phrase_grammar.h), over stretches of the
// epoch's own, in which the pieces that have a grammar in the file keep its rules. Made once by each reader that
// touches the epoch; 'cdrgrind repack' saves it.
#ifndef CDRGRIND_TRACE_INDEX_PREDICTED_PATHS_H
#define CDRGRIND_TRACE_INDEX_PREDICTED_PATHS_H

#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/index/phrase_grammar.h"
#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/path_pieces.h"

namespace cdr::trace {

class PredictedPaths {
 public:
  // The file's stretches; `threads`: those with a path, ascending.
  PredictedPaths(const StretchIndex& stretches, const std::vector<uint32_t>& threads);

  // False if the columns are damaged. `limit`: stretches that the epoch may use.
  bool read(const Columns& control, const TurnIndex& turns, uint32_t limit);
  // Behind read(): a string for each thread, and the stretches that it refers to.
  Grammar grammar();
  StretchTable stretches() const;

  // For PredictedWalk.
  uint64_t piece(uint32_t thread, const Grammar& pieces, uint32_t string);
  void block(uint32_t thread, const PredictedStep& step);
  void event(uint32_t thread, const PredictedStep& step);
  void end_piece(uint32_t thread) { end_stretch(thread); }
  static bool wants_more() { return true; }

 private:
  struct BlockKey {
    uint64_t operator()(BlockId id) const { return id.value; }
  };
  // A rule of the file's grammar: in the one that is made, and its events. 0: it is empty.
  struct KnownRule {
    uint32_t symbol = 0;
    uint64_t events = 0;
  };
  static constexpr uint32_t kLongestStretch = 16;
  struct OpenStretch {
    uint32_t size = 0;
    std::array<BlockId, kLongestStretch + 1> blocks;  // one for the end of a bare one
    void add(BlockId id) { blocks[size++] = id; }
    BlockId last() const { return blocks[size - 1]; }
  };
  void take_rules(const Grammar& pieces);
  void end_stretch(uint32_t thread, bool bare = false);
  void emit(uint32_t thread, uint32_t terminal) { grammar_.append(thread, {terminal, 1}); }

  const StretchIndex& file_stretches_;
  const std::vector<uint32_t>& threads_;
  std::vector<OpenStretch> open_;         // by thread
  SequenceTable<BlockId, BlockKey> own_;  // stretches; a bare one ends with a block 0
  std::vector<KnownRule> rules_;
  PhraseGrammar grammar_;
};

}  // namespace cdr::trace

#endif
