// SPDX-License-Identifier: GPL-2.0-or-later
// Passes a stream on with fewer addresses (--cdr-data=nonstack|none). It has a block table of its own, with
// the same ids; what SP needs is always kept.
//
// Nothing: blocks and system calls without accesses. NonStack: without the accesses of a thread to the stack that
// it runs on. Which these are is known only as the program runs, so every access that had a base slot becomes a
// guarded one with a slot of its own: its word is the address, or 0 if the access is not in the trace.
#ifndef CDRGRIND_ENCODE_DATA_FILTER_H
#define CDRGRIND_ENCODE_DATA_FILTER_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr {

class DataFilter final : public RunSink {
 public:
  enum class Keep { kNothing, kNonStack };

  // Where a word of the filtered block comes from: slot `from` of the full one, plus the access's constant.
  struct Word {
    uint16_t from = 0;
    bool access = false;  // else it tells SP
    int64_t constant = 0;
  };

  DataFilter(const BlockTable& from, Keep keep) : from_(from), keep_(keep) {}

  const BlockTable& blocks() const { return to_; }
  void set_sink(RunSink& sink) { sink_ = &sink; }

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override;
  void run(ThreadId thread, Steps run) override;
  void event(const Event& e) override;

 private:
  using Plan = std::vector<Word>;  // of a superblock

  void follow(BlockId id);
  void add_superblock(const Superblock& sb);
  void syscall(const Event& e);
  void keep_words(ThreadId thread, const Plan& plan, uint32_t count, const uint64_t* words);
  AddrRange& stack_of(ThreadId t);

  const BlockTable& from_;
  Keep keep_;
  BlockTable to_;
  RunSink* sink_ = nullptr;
  std::vector<Plan> plans_;        // by superblock id - 1
  std::vector<uint16_t> kept_;     // words, by block id
  std::vector<AddrRange> stacks_;  // by thread serial
  std::vector<uint64_t> words_;    // those that are kept
  std::vector<RunStep> steps_;
  std::vector<MemorySpan> spans_;
};

}  // namespace cdr

#endif
