// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/sync_edges.h"

namespace cdr::races {

void SyncEdges::event(const Event& e) {
  switch (e.kind) {
    case EventKind::kSyncEnter:
      return machine_.enter(e.thread, e.sync, ignored_(e.sync.object));
    case EventKind::kSyncLeave:
      return machine_.leave(e.thread, e.sync);
    case EventKind::kThreadCreate:
      return machine_.create(e.thread, e.child);
    case EventKind::kThreadStart:
      return machine_.start(e.thread);
    case EventKind::kThreadEnd:
      return machine_.end(e.thread);
    default:
      return;
  }
}

}  // namespace cdr::races
