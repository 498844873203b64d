// SPDX-License-Identifier: GPL-2.0-or-later
// Words of stacks that atomic instructions touch. Such a place is many variables, one after the other: a *life* of it
// lasts as long as the call is open in whose frame it lay when it was first touched. Plain accesses are presumed to be
// atomic only in lives in which atomic instructions touch it, before or after.
//
// Which these are is known only at the end: who has presumed too much collects again, with WordLives.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_STACK_WORDS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_STACK_WORDS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::races {

// An address on a stack, in the generation of that.
struct StackWord {
  uint64_t addr = 0;
  GenerationId generation = 0;
  bool operator==(const StackWord&) const = default;
  struct Hash {
    size_t operator()(const StackWord& w) const { return mix64(w.addr ^ uint64_t{w.generation} << 40); }
  };
};

// Lives that follow each other and are alike count as one.
class WordLives {
 public:
  // In the life that the word has at that event. True of one that is not known.
  bool is_atomic(const StackWord& word, uint64_t index) const;
  void add(const StackWord& word, uint64_t begin, bool atomic);

 private:
  struct Life {
    uint64_t begin = 0;  // number of the event that touched it first
    bool atomic = false;
  };
  std::unordered_map<StackWord, std::vector<Life>, StackWord::Hash> lives_;
};

class StackWords {
 public:
  // Where the frames of the thread's own stack begin before an event, outermost first, by CallFrame::base; of as many
  // as its CallStacks have.
  using FindBases = std::function<std::vector<uint64_t>(ThreadId, uint64_t)>;
  enum class Use : uint8_t { kPlain, kPresumed, kAtomic };

  StackWords(analysis::CallStacks& stacks, const Segments& segments) : stacks_(stacks), segments_(segments) {}
  // Else the calls have their bases.
  void find_bases(FindBases f) { find_bases_ = std::move(f); }

  // Behind each event that the calls follow.
  void followed(const Event& e);
  // In place of the thread's innermost calls, but `depth` of them, are others now.
  void replaced(ThreadId t, size_t depth);

  // An access in the segment `in` of thread, or strand, `by`. `owner`: whose stack it is.
  void touch(const StackWord& word, ThreadId owner, uint64_t index, Use use);
  void touch(const StackWord& word, ThreadId owner, uint64_t index, Use use, ThreadId by, SegmentNumber in, bool store);
  // No more is touched.
  void finish();
  // Something was presumed to be atomic that is not, and is not in order with another thread's access.
  bool has_presumed_too_much() const { return too_much_; }
  WordLives take_lives() { return std::move(lives_); }

 private:
  // Of a thread's accesses to a word: the last ones, and the last ones in lives that turned out plain. 0: none.
  struct Last {
    ThreadId by;
    SegmentNumber load = 0, store = 0;
    SegmentNumber plain_load = 0, plain_store = 0;
    bool in_life = false;  // the present one
  };
  struct Word {
    std::vector<Last> last;   // by thread, ascending
    bool any_plain = false;   // of these
    size_t depth = 0;         // of the call in whose frame it lies
    uint32_t activation = 0;  // 0: not known
    uint64_t begin = 0;
    bool lives = false, atomic = false, presumed = false;
    bool contended = false;  // an access of the life is not in order with another thread's
    ThreadId by;             // whose access was the last one, in which segment
    SegmentNumber in = 0;
    bool store = false;
  };

  // Of the stack on which the thread started: its calls are numbered as words are found in their frames; 0: not yet.
  struct Own {
    const std::vector<analysis::CallFrame>* frames = nullptr;
    std::vector<uint32_t> activations;  // by depth; that may be fewer
    std::vector<uint64_t> bases;        // as they were found last, if the innermost call of then is open
  };

  Own& own(ThreadId t) {
    if (t.value >= own_.size()) own_.resize(t.value + 1);
    return own_[t.value];
  }
  bool is_on_own(ThreadId t) { return own(t).frames == &stacks_.frames(t); }
  Word& used(const StackWord& word, ThreadId owner, uint64_t index, Use use);
  Word& live(const StackWord& word, ThreadId owner, uint64_t index);
  bool is_open(const Word& w, ThreadId owner);
  bool find_call(Word& w, uint64_t addr, ThreadId owner, uint64_t index);
  bool know_bases(Own& o, ThreadId owner, uint64_t index);
  void end_life(const StackWord& word, Word& w);
  void look_at_others(Word& w, ThreadId by, SegmentNumber in, bool store);
  bool is_unordered(ThreadId by, SegmentNumber in, ThreadId other, SegmentNumber before) const {
    return before != 0 && segments_.known(by, in, other, Order::kSync) < before;
  }

  analysis::CallStacks& stacks_;
  const Segments& segments_;
  FindBases find_bases_;
  std::unordered_map<StackWord, Word, StackWord::Hash> words_;
  WordLives lives_;
  std::vector<Own> own_;  // by thread
  uint32_t activations_ = 0;
  bool too_much_ = false;
};

}  // namespace cdr::races

#endif
