// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the words of some blocks of a compact trace, execution by execution, and passes over all else that it can.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_WATCHED_ACCESSES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_WATCHED_ACCESSES_H

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/source/frame_bases.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/index/path_walk.h"
#include "cdrgrind/trace/read/address_reader.h"

namespace cdr::races {

class WatchedAccesses final : public trace::PathWalk::Reader {
 public:
  // f(thread, block, words)
  using Visit = std::function<void(ThreadId, BlockId, std::span<const uint64_t>)>;

  // How often, by epoch, thread and block.
  using Executions = std::map<std::tuple<uint32_t, ThreadId, BlockId>, uint64_t>;

  // `watched`, by block: those to be visited, and the calls that push the frames that they are in. `wanted`: when a
  // thread has executed so much, it is passed over; when all have, the walk ends. Others may be visited, too.
  WatchedAccesses(trace::Seeker& seeker, const std::vector<bool>& watched, Executions wanted, Visit visit);

  void begin_epoch(uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes) override;
  void end_epoch() override {}
  uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t) override {
    return is_done(thread) ? copies : frames_.pass(thread, symbol, copies);
  }
  void block(ThreadId thread, BlockId id, uint64_t index) override;
  void follow(const Event& e, uint64_t) override {
    if (!is_done(e.thread)) frames_.follow(e);
  }
  void event(const Event& e, uint64_t index) override;
  // At the execution that is visited.
  const Generations& generations() const { return generations_; }

 private:
  bool is_done(ThreadId thread) const { return thread.value >= left_of_.size() || left_of_[thread.value] == 0; }
  void count(ThreadId thread, BlockId id);
  static uint64_t key(ThreadId thread, BlockId id) { return uint64_t{thread.value} << 32 | id.value; }
  uint64_t frame_sp(ThreadId thread, uint64_t index);

  trace::Seeker& seeker_;
  const std::vector<bool>& watched_;
  Executions wanted_;
  FlatMap<uint64_t, uint64_t> in_epoch_;  // of those, by thread and block: how many are still to come
  std::vector<uint64_t> left_of_;         // by thread, in all epochs
  uint64_t left_ = 0;                     // of all
  Visit visit_;
  FrameBases frames_;
  Generations generations_;
  std::optional<trace::AddressReader> reader_;
  trace::EpochIndex* epoch_ = nullptr;
  std::vector<uint64_t> words_;
};

}  // namespace cdr::races

#endif
