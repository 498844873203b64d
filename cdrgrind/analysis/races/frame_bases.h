// SPDX-License-Identifier: GPL-2.0-or-later
// In which frames blocks are executed, so that the addresses of their relative words are known without SP. A frame is
// named by the call that pushes it, since the call's block has a word that tells the frame's SP; or by SP itself. All
// frames of one call are one *base*; mostly they have the same SP. Calls of our own wrappers, which are recorded
// without accesses, have no such word: there SP is followed from the entry of the wrapper on, or a word of its own
// tells it.
//
// It goes over a path as far as that has something new: a symbol that leaves the frames as they were (path_shapes.h)
// need not be looked into again in the same base.
#ifndef CDRGRIND_ANALYSIS_RACES_FRAME_BASES_H
#define CDRGRIND_ANALYSIS_RACES_FRAME_BASES_H

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/epoch_index.h"
#include "cdrgrind/trace/path_shapes.h"

namespace cdr::analysis {

using FrameBase = uint32_t;

class FrameBases {
 public:
  struct Base {
    ThreadId thread = {};
    // What tells SP: the word of the block's push; or its word of SP, which may be relative to `below`; or `below`; or
    // nothing else. `sp` is added.
    enum class By : uint8_t { kSp, kPush, kWord, kBelow, kUnknown } by = By::kSp;
    BlockId block = {};
    FrameBase below = 0;
    uint64_t sp = 0;
    auto operator<=>(const Base&) const = default;
  };
  // A block and a base that it is executed in.
  struct Use {
    ThreadId thread;
    BlockId block;
    FrameBase base = 0;
  };

  void begin_epoch(trace::EpochIndex& epoch, const trace::PathShapes& shapes, const trace::StretchIndex& stretches,
                   const BlockTable& blocks);
  // As trace::PathWalk tells it.
  bool pass(ThreadId thread, uint32_t symbol);
  void block(ThreadId thread, BlockId id);
  void follow(const Event& e);
  void event(const Event& e);

  // --- SP itself, for some blocks: those that are watched, and those whose calls push the frames that these are in ---

  // No symbol with a watched block is passed over from now on.
  void watch(const std::vector<bool>& blocks) { watched_ = &blocks; }
  // The words of a watched block, behind block(). `frame_sp`: what is relative to the frame is right.
  void told(ThreadId thread, std::span<const uint64_t> words, bool frame_sp);
  // Of the thread's frame, at its entry.
  std::optional<uint64_t> frame_sp(ThreadId thread);

  const Base& base(FrameBase b) const { return bases_[b]; }
  // Of blocks with words, sorted by thread and block.
  std::vector<Use> take_uses();

 private:
  struct Frame {
    FrameBase base = 0;
    BlockId anchor;      // the last block that told SP by a word; none: it was known at the entry
    uint64_t delta = 0;  // SP less what it was there
    bool delta_known = true;
    bool wrapper = false;  // its last block was a wrapper's
    bool jumped = false;
    std::optional<uint64_t> sp, anchor_sp;  // at the entry, at the anchor
  };
  struct Thread {
    std::map<uint32_t, std::vector<Frame>> stacks;
    std::vector<Frame>* frames = nullptr;
    Frame none;  // in place of one
    BlockId last;
    std::optional<uint64_t> pushed;  // by `last`
    uint64_t pending = 0;            // a call before the epoch is bound to follow: its push
  };
  Thread& at(ThreadId t);
  Frame& top(ThreadId id, Thread& t);
  FrameBase base_of(const Base& b);
  Frame frame_at(ThreadId t, uint64_t sp) { return new_frame({.thread = t, .sp = sp}, sp); }
  Frame new_frame(const Base& b, std::optional<uint64_t> sp) {
    Frame f;
    f.base = base_of(b);
    f.sp = sp;
    return f;
  }
  bool is_watched(uint32_t symbol) const;
  void find_watched(const Grammar& g);
  void step(Frame& f, BlockId block);
  void pop(Thread& t, uint32_t count);

  const trace::PathShapes* shapes_ = nullptr;
  const trace::StretchIndex* stretches_ = nullptr;
  const BlockTable* blocks_ = nullptr;
  std::vector<Base> bases_;
  std::map<Base, FrameBase> numbers_;
  FlatMap<uint64_t, uint8_t> passed_;  // symbol, base
  FlatMap<uint64_t, uint8_t> used_;    // block, base
  std::vector<Use> uses_;
  std::vector<Thread> threads_;
  const std::vector<bool>* watched_ = nullptr;
  std::vector<bool> watched_rules_;
};

}  // namespace cdr::analysis

#endif
