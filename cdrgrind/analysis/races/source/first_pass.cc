// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/first_pass.h"

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::races {

namespace {

class FirstPassReader {
 public:
  FirstPassReader(const BlockTable& blocks, SpinLoops& spins, FirstPass& to)
      : blocks_(blocks), spins_(spins), to_(to) {}

  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kFree || e.kind == EventKind::kResize) touch_block(e);
    if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kGuardAcquire) to_.guards.insert(e.sync.object);
    to_.hide_regions += e.kind == EventKind::kHideBegin;
    to_.gaps += e.kind == EventKind::kGapBegin;
    generations_.event(e, index);
    analysis::visit_accesses(e, blocks_, [&](const analysis::Seen& seen) { access(e, seen); });
    analysis::visit_awaited_word(e, [&](uint64_t addr, uint64_t width) { to_.note_atomic(generations_, addr, width); });
  }

  void finish() {
    for (const Freed& f : freed_) to_.sharing.touch_known(f.thread, f.addr, f.size);
  }

 private:
  struct Freed {
    ThreadId thread;
    uint64_t addr = 0, size = 0;
  };
  // A free is a store to the whole block. It matters where somebody else was, at any time; large blocks of one thread
  // are not worth their lines.
  void touch_block(const Event& e) { freed_.push_back({e.thread, e.addr, e.size ? e.size : 1}); }

  void access(const Event& e, const analysis::Seen& seen) {
    to_.sharing.touch(e.thread, seen.addr, seen.width, seen.store);
    if (!seen.access) return;
    const SuperblockId sb = blocks_.block(e.block).superblock;
    if ((seen.access->flags & kAccessAtomic) || spins_.is_told(sb, *seen.access))
      to_.note_atomic(generations_, seen.addr, seen.width);
    if (!seen.store && e.kind == EventKind::kBlock && spins_.is_flag(sb, *seen.access))
      to_.spin_flags.insert(seen.addr);
  }

  const BlockTable& blocks_;
  SpinLoops& spins_;
  FirstPass& to_;
  Generations generations_;
  std::vector<Freed> freed_;
};

}  // namespace

FirstPass first_pass_of(const trace::TraceFile& file, SpinLoops& spins) {
  FirstPass first_pass;
  FirstPassReader reader(file.blocks(), spins, first_pass);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e); ++first_pass.events) reader.event(e, first_pass.events);
  reader.finish();
  return first_pass;
}

}  // namespace cdr::races
