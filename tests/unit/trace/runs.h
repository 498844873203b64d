// SPDX-License-Identifier: GPL-2.0-or-later
// Events as the drain passes them on: in runs where nothing but calls and returns stands between blocks.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_RUNS_H
#define CDRGRIND_TESTS_UNIT_TRACE_RUNS_H

#include <vector>

#include "tests/unit/trace/random_trace.h"

namespace cdr::test {

// Whether the event may stand in a run behind these steps.
inline bool follows(const BlockTable& blocks, const std::vector<RunStep>& steps, const Event& e) {
  if (steps.empty() || !steps.back().block) return false;
  const BlockId b = steps.back().block;
  if (e.kind == EventKind::kCall) return e.ip == exit_addr(blocks.superblock_of(b), blocks.exit_of(b));
  return e.kind == EventKind::kReturn;
}

// In runs of at most `longest` steps.
inline void pass_in_runs(const BlockTable& blocks, const std::vector<OwnedEvent>& events, size_t longest, RunSink& to) {
  std::vector<RunStep> open;
  ThreadId thread;
  const auto pass = [&] {
    if (!open.empty()) to.run(thread, open);
    open.clear();
  };
  for (const OwnedEvent& owned : events) {
    const Event e = owned.view();
    if (open.size() >= longest || thread != e.thread) pass();
    thread = e.thread;
    if (e.kind == EventKind::kBlock) {
      open.push_back({e.block, static_cast<uint32_t>(e.words.size()), {e.words.data()}});
    } else if (follows(blocks, open, e)) {
      open.push_back({BlockId(), static_cast<uint32_t>(e.kind), {}});
      open.back().sp = e.sp;
    } else {
      pass();
      to.event(e);
    }
  }
  pass();
}

}  // namespace cdr::test

#endif
