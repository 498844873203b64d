// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that wait look, and store, again and again at the same places. Of copies of a symbol of the paths that come one
// behind the other, where nobody else comes between, the third and those behind it do what the second did, if they have
// the same addresses: nobody has given anything to get. What they give, the last one gives; until then nobody gets it.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_REPEATED_LOOKS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_REPEATED_LOOKS_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/walk/patience.h"
#include "cdrgrind/analysis/walk/stream_runs.h"
#include "cdrgrind/encode/thread_model.h"
#include "cdrgrind/trace/index/epoch_index.h"

namespace cdr::races {

class RepeatedLooks {
 public:
  // All must outlive it.
  RepeatedLooks(const BlockTable& blocks, trace::EpochIndex& epoch)
      : epoch_(epoch), models_(blocks), runs_(epoch.addresses()) {}

  // The thread is about to execute a copy of a symbol that begins with this event, and touches so many of its frames:
  // whether two came right before, of which the second has left them as they were, and more questions are worth it.
  bool are_due(analysis::CallStacks& stacks, ThreadId thread, uint32_t symbol, size_t depth, uint64_t index);
  // They were not alike.
  void refuse(uint32_t symbol) { asked_[symbol].patience.refused(); }

  // Of a copy that has the `count` values from `begin` on, and `copies` behind it: how many of these have the same one.
  uint32_t alike(const trace::AddressStream& s, uint64_t begin, uint64_t count, uint32_t copies);
  // Whether frames that it opens, in the copy before, too, lie at one place.
  bool frames_stay(ThreadId thread, uint32_t symbol);

 private:
  bool pushes_alike(ThreadId thread, BlockId by);
  struct Asked {
    uint64_t end = 0;                         // before which event the last copy ended that came
    uint32_t in_turn = 0;                     // one behind the other
    std::vector<analysis::CallFrame> before;  // the second of these
    bool jumped = false;
    analysis::Patience patience;
  };

  trace::EpochIndex& epoch_;
  BlockModels models_;
  analysis::StreamRuns runs_;
  std::unordered_map<uint32_t, Asked> asked_;  // by symbol
};

}  // namespace cdr::races

#endif
