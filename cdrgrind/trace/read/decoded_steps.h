// SPDX-License-Identifier: GPL-2.0-or-later
// Events of one thread as a cursor hands them out by the hundred: blocks, and the calls and returns that follow from
// them, with nothing between.
#ifndef CDRGRIND_TRACE_READ_DECODED_STEPS_H
#define CDRGRIND_TRACE_READ_DECODED_STEPS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::trace {

class DecodedSteps {
 public:
  static constexpr size_t kMost = 512;

  ThreadId thread;
  // Pointers in it are valid until the next begin(). The words of blocks that follow each other follow each other, too.
  Steps steps() const { return {steps_.data(), count_}; }
  bool empty() const { return count_ == 0; }
  bool ends_in_block() const { return count_ > 0 && steps_[count_ - 1].block; }

  void begin() { count_ = words_used_ = 0; }
  // How many more blocks of so many words have room; of an empty one at least one.
  size_t room(uint32_t words) {
    size_t n = kMost - count_;
    if (words > 0) n = std::min(n, (words_.size() - words_used_) / words);
    if (n == 0 && count_ == 0) {
      words_.resize(words);
      n = 1;
    }
    return n;
  }
  // Where the words of the next block go.
  uint64_t* words_to_come() { return words_.data() + words_used_; }
  // In that room: the words of so many executions of the block, one behind the other, which are to be filled in.
  uint64_t* add_blocks(BlockId id, uint32_t words, size_t times) {
    uint64_t* const first = words_.data() + words_used_;
    for (size_t i = 0; i < times; ++i) {
      RunStep& s = steps_[count_++];
      s.block = id;
      s.count = words;
      s.words = first + i * words;
    }
    words_used_ += times * words;
    return first;
  }
  // A call or return; room for a block of no words is room for it.
  void add(EventKind kind, uint64_t sp) {
    RunStep& s = steps_[count_++];
    s.block = {};
    s.count = static_cast<uint32_t>(kind);
    s.sp = sp;
  }
  void drop_last_block() { --count_; }

 private:
  static constexpr size_t kWords = 4096;
  size_t count_ = 0, words_used_ = 0;
  std::vector<RunStep> steps_ = std::vector<RunStep>(kMost);
  std::vector<uint64_t> words_ = std::vector<uint64_t>(kWords);
};

}  // namespace cdr::trace

#endif
