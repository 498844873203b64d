// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/team_loops.h"

namespace cdr::advise {

void TeamLoops::event(const Event& e, uint64_t index) {
  Counts& c = counts(e.thread);
  switch (e.kind) {
    case EventKind::kBlock:
    case EventKind::kPartial: {
      if (counter_.is_in_runtime(e.thread)) return;
      const Superblock& sb = blocks_.superblock_of(e.block);
      const uint64_t insns =
          e.kind == EventKind::kBlock ? blocks_.exit_of(e.block).insns_executed() : executed_before(sb, e.ip).insns;
      if (!executed_[e.block.value] && counter_.is_in_team(e.thread)) executed_[e.block.value] = true;
      c.executed += insns;
      c.shim += sb.flags & kBlockShim ? insns : 0;
      return;
    }
    case EventKind::kSyncEnter:
    case EventKind::kSyncLeave:
    case EventKind::kThreadCreate: {
      sync::SyncStep step;
      step.index = index;
      step.insns = c.executed - c.shim;
      step.thread = e.thread;
      step.kind = e.kind;
      step.child = e.child;
      step.sync = e.sync;
      return counter_.step(step);
    }
    default:
      return;
  }
}

}  // namespace cdr::advise
