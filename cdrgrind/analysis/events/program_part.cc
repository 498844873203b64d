// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/program_part.h"

namespace cdr::analysis {

Whose ProgramPart::see(const Event& e) {
  if (e.thread.value >= last_.size()) last_.resize(e.thread.value + 1, CodeOwner::kLibrary);
  CodeOwner& last = last_[e.thread.value];
  if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) {
    stacks_.event(e);
    if (e.kind == EventKind::kCall && last == CodeOwner::kStart) start_calls_.insert({stacks_.module(e.thread), e.ip});
    return Whose::kOthers;
  }
  stacks_.block(e.thread, e.block);
  last = owners_.superblocks[blocks_.block(e.block).superblock.value];
  if (last == CodeOwner::kProgram) return Whose::kOwn;
  return last == CodeOwner::kLibrary && called(e.thread) ? Whose::kForProgram : Whose::kOthers;
}

}  // namespace cdr::analysis
