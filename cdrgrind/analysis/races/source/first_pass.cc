// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/first_pass.h"

#include <algorithm>

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/source/object_lives.h"
#include "cdrgrind/analysis/strands/strand_machine.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::races {

namespace {

// Strands by serial numbers; what they know of each other does not matter.
struct NoRelease {
  void join(const NoRelease&) {}
};
class StrandNumbers final : strands::StrandClient<NoRelease> {
 public:
  explicit StrandNumbers(FirstPass& to) : to_(to), machine_(*this) {}

  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kThreadStart) to_.last_thread = std::max(to_.last_thread, e.thread.value);
    if (e.kind == EventKind::kSyncEnter && is_team_op(e.sync.op)) to_.strands = true;
    if (e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kParallel && e.sync.value)
      to_.region_data[e.sync.object] = e.sync.value;
    machine_.event(e, index);
  }
  ThreadId of(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].empty() ? threads_[t.value].back().number : t;
  }
  bool in_part(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].empty() && threads_[t.value].back().part;
  }

 private:
  struct Running {
    ThreadId number;
    bool part = false;
  };
  // Behind those of all threads that there may be.
  static constexpr uint32_t kFirst = 1 << 20, kMost = 1 << 29;

  NoRelease release(ThreadId) override { return {}; }
  void acquire(ThreadId, const NoRelease&) override {}
  void begins(ThreadId on, const strands::Strand& s, const NoRelease&) override {
    if (on.value >= threads_.size()) threads_.resize(on.value + 1);
    threads_[on.value].push_back({ThreadId(kFirst + last_++ % kMost), s.kind == strands::StrandKind::kPart});
  }
  NoRelease ends(ThreadId on, const strands::Strand&) override {
    threads_[on.value].pop_back();
    return {};
  }

  FirstPass& to_;
  strands::StrandMachine<NoRelease> machine_;
  std::vector<std::vector<Running>> threads_;  // by thread
  uint32_t last_ = 0;
};

class FirstPassReader {
 public:
  FirstPassReader(const BlockTable& blocks, SpinLoops& spins, FirstPass& to)
      : blocks_(blocks), spins_(spins), to_(to), strands_(to) {}

  void event(const Event& e, uint64_t index) {
    if (e.kind == EventKind::kFree || e.kind == EventKind::kResize) touch_block(e);
    if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kGuardAcquire) to_.guards.insert(e.sync.object);
    lives_.event(e, [&](auto... use) { to_.note_object(use...); });
    to_.hide_regions += e.kind == EventKind::kHideBegin;
    to_.gaps += e.kind == EventKind::kGapBegin;
    generations_.event(e, index);
    strands_.event(e, index);
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
  void touch_block(const Event& e) { freed_.push_back({strands_.of(e.thread), e.addr, e.size ? e.size : 1}); }

  void access(const Event& e, const analysis::Seen& seen) {
    to_.sharing.touch(strands_.of(e.thread), seen.addr, seen.width, seen.store);
    if (strands_.in_part(e.thread)) to_.parts.touch(e.thread, seen.addr, seen.width, true);
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
  ObjectLives lives_;
  std::vector<Freed> freed_;
  StrandNumbers strands_;
};

}  // namespace

FirstPass first_pass_of(const trace::TraceFile& file, SpinLoops& spins, uint64_t end, const analysis::Watch& watch) {
  FirstPass first_pass;
  analysis::WatchedPart part(watch, "shared memory", std::min(end, file.event_count()));
  FirstPassReader reader(file.blocks(), spins, first_pass);
  trace::Cursor cursor(file);
  uint64_t& index = first_pass.events;
  for (Event e; index < end && part.goes_on(index) && cursor.next(e); ++index) reader.event(e, index);
  reader.finish();
  return first_pass;
}

}  // namespace cdr::races
