// SPDX-License-Identifier: GPL-2.0-or-later
// What a symbol of an epoch's paths that leaves its thread's frames as they were executes: how often which blocks, and
// in which frames that it opens and closes again.
#ifndef CDRGRIND_ANALYSIS_WALK_SYMBOL_FRAMES_H
#define CDRGRIND_ANALYSIS_WALK_SYMBOL_FRAMES_H

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/walk/event_stream.h"
#include "cdrgrind/encode/thread_model.h"
#include "cdrgrind/trace/index/path_shapes.h"

namespace cdr::analysis {

// By block.
struct WalkedBlocks {
  WalkedBlocks() = default;
  // None of these.
  explicit WalkedBlocks(const BlockTable& blocks) : watched(blocks.block_count() + 1), ordering(watched.size()) {}

  std::vector<bool> watched;   // comes as an event always
  std::vector<bool> ordering;  // orders, or may end a loop that waits, whatever it touches
};

class SymbolFrames {
 public:
  struct Frame {
    uint32_t around = 0;  // number of the frame in which it was called; 0: the one in which the symbol begins
    BlockId by;           // that called
    bool operator==(const Frame&) const = default;
  };
  struct Code {
    bool usable = false;
    bool orders = false;
    uint64_t executions = 0;
    uint64_t sp_change = 0;
    std::vector<BlockCount> blocks;  // each once
    std::vector<uint32_t> frame_of;  // by position in blocks: number of the first frame that executes it
    std::vector<std::pair<uint32_t, uint32_t>> others;  // further ones: position in blocks, number of the frame
    std::vector<Frame> frames;                          // by number - 1
  };

  // What has a watched block is not usable; nor is what opens too many frames, or moves SP by a word. All must outlive
  // it.
  SymbolFrames(const trace::PathIndex& paths, const trace::PathShapes& shapes, const WalkedBlocks& blocks)
      : paths_(paths), shapes_(shapes), blocks_(blocks), rules_(paths.grammar().rules()) {}

  // Stays. The first time O(what it and its parts have, and the length of what does not leave the frames).
  const Code& of(uint32_t symbol);

 private:
  class Builder;
  static constexpr size_t kMostEntries = size_t{1} << 22;
  static constexpr unsigned kDeepest = 64;
  using Known = std::vector<std::unique_ptr<Code>>;

  std::unique_ptr<Code>& known(uint32_t symbol);
  const Code& find(uint32_t symbol, unsigned deep);
  bool add(Builder& to, Run run, unsigned deep);
  bool add_stretch(Builder& to, uint32_t stretch);

  const trace::PathIndex& paths_;
  const trace::PathShapes& shapes_;
  const WalkedBlocks& blocks_;
  Known rules_, stretches_;
  size_t entries_ = 0;
};

}  // namespace cdr::analysis

#endif
