// SPDX-License-Identifier: GPL-2.0-or-later
// A stretch of the event stream that owns what its events point to, so that several consumers can read it at a time.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_EVENT_BATCH_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_EVENT_BATCH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::analysis {

class EventBatch {
 public:
  explicit EventBatch(const BlockTable& blocks);

  // False: it is full.
  bool add(const Event& e);
  bool empty() const { return pieces_.empty(); }
  void clear();
  void pass_to(RunSink& to) const;

 private:
  static constexpr size_t kSteps = 1 << 15;
  static constexpr size_t kWords = 1 << 17;

  struct Other {
    Event event;
    std::vector<uint64_t> words;
    std::vector<MemorySpan> memory;
    std::string text;
  };
  // A run of steps, or another event.
  struct Piece {
    ThreadId thread;
    uint32_t first = 0, end = 0;  // steps; none: the event `first`
  };

  bool follows_block(const Event& e) const;
  bool add_block(const Event& e);
  void add_step(ThreadId thread, const RunStep& step);

  const BlockTable& blocks_;
  std::vector<uint64_t> words_;  // never grows: steps point into it
  std::vector<RunStep> steps_;
  std::vector<Piece> pieces_;
  std::vector<Other> others_;
};

}  // namespace cdr::analysis

#endif
