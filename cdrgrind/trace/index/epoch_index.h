// SPDX-License-Identifier: GPL-2.0-or-later
// One epoch of a compact trace, for random access. The paths and the true order are read at once, the rest when it is
// first asked for. Not thread-safe.
#ifndef CDRGRIND_TRACE_INDEX_EPOCH_INDEX_H
#define CDRGRIND_TRACE_INDEX_EPOCH_INDEX_H

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cdrgrind/trace/index/address_index.h"
#include "cdrgrind/trace/index/block_weights.h"
#include "cdrgrind/trace/index/frame_finder.h"
#include "cdrgrind/trace/index/log_index.h"
#include "cdrgrind/trace/index/path_index.h"
#include "cdrgrind/trace/index/turn_index.h"
#include "cdrgrind/trace/read/thread_state_reader.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// Blocks that tell SP, up to a place, and the changes of SP by the others.
struct SpSum {
  uint64_t tellers = 0, change = 0;
  bool add(const SpSum& s, uint64_t count) {
    tellers += s.tellers * count;
    change += s.change * count;
    return true;
  }
};

class EpochIndex {
 public:
  // `number` in file.epochs(). Throws TraceError where the file is damaged, as everything here does.
  EpochIndex(const TraceFile& file, const StretchIndex& stretches, size_t number);

  const PathIndex& paths() const { return paths_; }
  const TurnIndex& turns() const { return turns_; }
  // As they are in the file, for those who read one after the other.
  const Columns& log_columns() { return columns(file_.epochs()[number_].log, log_columns_); }
  const Columns& address_columns() { return columns(file_.epochs()[number_].address, address_columns_); }
  LogIndex& log();
  AddressIndex& addresses();
  // Of a block that has words and that the thread executes: its first slot's, the others follow.
  const AddressStream* streams_of(ThreadId thread, BlockId id) {
    const AddressStream* s = addresses().directory().streams_of(thread, id);
    if (!s) fail("a block has no words");
    return s;
  }
  const FrameFinder& frames();
  const std::vector<ThreadAtStart>& states();
  // Null if the thread was not there when the epoch began.
  const ThreadAtStart* state(ThreadId thread);
  // Executions of the block.
  const EpochWeights& executions(BlockId id);
  // Index of the event that is execution n of the block by the thread, from the start of the trace; none if there is no
  // such execution.
  std::optional<uint64_t> index_of_execution(ThreadId thread, BlockId id, uint64_t n);
  EpochWeights weights(std::span<const BlockWeight> of) { return {paths_, uses(), of}; }
  // Of SP: see SpSum.
  const GrammarSums<SpSum>& sp_sums();
  SpSum weigh_sp(uint32_t terminal) const;
  bool tells_sp(BlockId id) const;

  [[noreturn]] void fail(const char* what) const;

 private:
  void read_paths(const Epoch& epoch);
  void read(size_t frame, Columns& to) const;
  const Columns& columns(size_t frame, std::optional<Columns>& known) const;
  const PathUses& uses();

  const TraceFile& file_;
  const StretchIndex& stretches_;
  size_t number_;
  PathIndex paths_;
  TurnIndex turns_;
  std::optional<Columns> log_columns_, address_columns_;  // read when first asked for
  std::unique_ptr<LogIndex> log_;
  std::unique_ptr<AddressIndex> addresses_;
  std::unique_ptr<FrameFinder> frames_;
  std::unique_ptr<PathUses> uses_;
  std::unique_ptr<GrammarSums<SpSum>> sp_sums_;
  std::optional<std::vector<ThreadAtStart>> states_;
  std::unordered_map<uint32_t, std::unique_ptr<EpochWeights>> executions_;  // by block
  size_t executions_bytes_ = 0;
};

}  // namespace cdr::trace

#endif
