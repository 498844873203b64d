// SPDX-License-Identifier: GPL-2.0-or-later
// In which frames blocks are executed, so that the addresses of their relative words are known without SP. A frame is
// named by the call that pushes it, since the call's block has a word that tells the frame's SP; or by SP itself. All
// frames of one call are one *base*; mostly they have the same SP. Calls of our own wrappers, which are recorded
// without accesses, have no such word: there SP is followed from where it was told last, be that the entry of the
// wrapper, a word of its own, an event, or the state in which the thread enters the epoch. Who calls else without such
// a word (--cdr-data=nonstack) pushes frames of which nothing is known.
//
// It goes over a path as far as that has something new: a symbol that leaves the frames as they were (path_shapes.h)
// need not be looked into again in the same base, and what any other does to the frames is known from before.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_FRAME_BASES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_FRAME_BASES_H

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/races/source/symbol_effects.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/index/path_shapes.h"

namespace cdr::races {

using FrameBase = uint32_t;

class FrameBases {
 public:
  struct Base {
    ThreadId thread = {};
    // What tells SP: nothing else; or the word of the block's push; or its word of SP, which may be relative to
    // `below`. `sp` is added.
    enum class By : uint8_t { kSp, kPush, kWord, kUnknown } by = By::kSp;
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

  void begin_epoch(trace::EpochIndex& epoch, const trace::PathShapes& shapes, const BlockTable& blocks);
  // As trace::PathWalk tells it.
  uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies);
  void block(ThreadId thread, BlockId id);
  void follow(const Event& e);
  void event(const Event& e);

  // --- SP itself, for some blocks: those that are watched, and those whose calls push the frames that these are in ---

  // No symbol with a watched block is passed over from now on.
  void watch(const std::vector<bool>& blocks) { watched_ = &blocks; }
  // The words of a watched block, behind block().
  void told(ThreadId thread, std::span<const uint64_t> words);
  // Of the thread's frame, at its entry.
  std::optional<uint64_t>& frame_sp(ThreadId thread) { return top(thread, at(thread)).sp; }

  const Base& base(FrameBase b) const { return bases_[b]; }
  // Of blocks with words, sorted by thread and block.
  std::vector<Use> take_uses();

 private:
  struct Frame {
    FrameBase base = 0;
    Base now;              // SP, as far as it was followed; of a frame below another one, where it called that
    bool wrapper = false;  // its last block was a wrapper's
    bool jumped = false;
    std::optional<uint64_t> sp, sp_now;  // at the entry, and now
    bool operator==(const Frame&) const = default;
    bool knows_now() const { return now.by != Base::By::kUnknown; }
    void now_is(const Base& b, std::optional<uint64_t> concrete) {
      now = b;
      sp_now = concrete;
    }
    void forget_now() { now_is({.by = Base::By::kUnknown}, std::nullopt); }
    void add_to_now(uint64_t change) {
      now.sp += change;
      if (sp_now) *sp_now += change;
    }
  };
  struct ThreadStacks {
    std::map<uint32_t, std::vector<Frame>> stacks;
    std::vector<Frame>* frames = nullptr;
    Frame none;  // in place of one
    BlockId last;
    std::optional<uint64_t> pushed;  // by `last`
    uint64_t pending = 0;            // a call before the epoch is bound to follow: its push
  };
  // In place of the frames that a symbol touches.
  struct After {
    std::vector<Frame> frames;
    BlockId last;
    static uint64_t mark(const Frame& f) {
      return f.base ^ f.now.sp << 16 ^ uint64_t { f.now.block.value } << 40;
    }
  };
  using Effects = SymbolEffects<Frame, After>;

  ThreadStacks& at(ThreadId t);
  bool pass_known(ThreadId id, ThreadStacks& t, uint32_t symbol, const trace::PathShape& shape);
  bool note_effect(ThreadId id, ThreadStacks& t, uint32_t symbol, size_t depth);
  Frame& top(ThreadId id, ThreadStacks& t);
  FrameBase base_of(const Base& b);
  static Base base_at(ThreadId t, uint64_t sp) { return {.thread = t, .sp = sp}; }
  Frame frame_at(ThreadId t, uint64_t sp) { return new_frame(base_at(t, sp), sp); }
  Frame new_frame(const Base& b, std::optional<uint64_t> sp) {
    Frame f;
    f.base = base_of(b);
    f.sp = sp;
    f.now_is(b, sp);
    return f;
  }
  void begin_stack(ThreadId t, const StackModel& stack, std::vector<Frame>& to);
  bool is_watched(uint32_t symbol) const;
  void find_watched(const Grammar& g);
  void step(ThreadId id, Frame& f, BlockId block);
  void pop(ThreadStacks& t, uint32_t count);

  const trace::PathShapes* shapes_ = nullptr;
  const trace::PathIndex* paths_ = nullptr;
  const trace::StretchIndex* stretches_ = nullptr;
  const BlockTable* blocks_ = nullptr;
  std::vector<Base> bases_;
  std::map<Base, FrameBase> numbers_;
  FlatMap<uint64_t, uint8_t> passed_;  // symbol, base
  FlatMap<uint64_t, uint8_t> used_;    // block, base
  Effects effects_;
  std::vector<Use> uses_;
  std::vector<ThreadStacks> threads_;
  const std::vector<bool>* watched_ = nullptr;
  std::vector<bool> watched_rules_;
};

}  // namespace cdr::races

#endif
