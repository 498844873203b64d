// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/strand_touches.h"

#include <algorithm>

namespace cdr::sharing {

using races::Generations;
using races::PhaseSharing;

void StrandTouches::event(const Event& e, uint64_t index) {
  index_ = index;
  control_.see(e);
  if (e.kind == EventKind::kThreadStart) last_thread_ = std::max(last_thread_, e.thread.value);
  if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kParallel)
    regions_[e.sync.object].function = e.sync.object2;
  if (e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kParallel) regions_[e.sync.object].data = e.sync.value;
  machine_.event(e, index);
  phases_.event(e, machine_);
  parts_.begin(generations_.event(e, index), index);
}

void StrandTouches::begins(ThreadId on, const strands::Strand& s, const strands::NoRelease&) {
  phases_.begins(on, s);
  memory_.begins(on, s, index_);
}

strands::NoRelease StrandTouches::ends(ThreadId on, const strands::Strand& s) {
  phases_.ends(on);
  memory_.ends(on, s, index_);
  return {};
}

// Memory of a strand's own that another one touches, or nobody's own.
bool StrandTouches::is_others(ThreadId t, const analysis::Seen& seen) {
  const races::GenerationId g = recent_.at(seen.addr);
  if (!Generations::is_of_strand(g)) return true;
  const ThreadId owner = owners_.other(g, phases_.strand(t));
  if (!owner) return false;
  to_.touch_since(owner, phases_.floor(), seen.addr, seen.width, true);
  return true;
}

void StrandTouches::access(ThreadId t, const analysis::Seen& seen) {
  if (machine_.in_runtime(t) && !runtime_) return;
  const PhaseSharing::Actor member = phases_.member(t);
  if (phases_.in_part(t) && member.number) parts_.touch(member, seen.addr, seen.width, true);
  if (is_others(t, seen)) to_.touch_since(phases_.strand(t), phases_.floor(), seen.addr, seen.width, seen.store);
}

}  // namespace cdr::sharing
