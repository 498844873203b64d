// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/dump/event_writer.h"

#include <algorithm>

namespace cdr::report {

BlockRun run_of(const Event& e, const BlockTable& blocks) {
  const trace::Extent extent = trace::extent_of(e, blocks);
  const Exit* exit = e.kind == EventKind::kBlock ? &blocks.exit_of(e.block) : nullptr;
  return {e.block,           extent.superblock, exit, exit ? exit->insns : extent.insns, extent.insns, extent.accesses,
          extent.sp_changes, e.words,           0};
}

EventLister::EventLister(const BlockTable& blocks, const ListOptions& options, EventWriter& to, uint64_t first_index)
    : blocks_(blocks),
      options_(options),
      to_(to),
      replay_(blocks),
      index_(first_index),
      end_(options.count > ~options.from ? ~uint64_t{0} : options.from + options.count),
      begun_(options.at_sync == 0) {}

void EventLister::list(const Event& e) {
  count_sync(e);
  if (wanted(e)) {
    BlockRun run;
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      run = run_of(e, blocks_);
      run.sp_in = replay_.sp(e.thread);
    } else if (e.kind == EventKind::kEnter) {
      run.id = e.block;
      run.superblock = &blocks_.superblock_of(e.block);
    }
    if (e.kind == EventKind::kBlock)
      to_.block(index_, e.thread, run);
    else
      to_.event(index_, e, run.superblock ? &run : nullptr);
  }
  replay_.apply(e);
  ++index_;
}

void EventLister::tell_sp(ThreadId thread, uint64_t sp) {
  Event e;
  e.kind = EventKind::kStackPointer;
  e.thread = thread;
  e.sp = sp;
  replay_.apply(e);
}

bool EventLister::wanted(const Event& e) const {
  if (index_ < options_.from || done() || !begun_) return false;
  return (!options_.thread || e.thread == options_.thread) && wanted_kind(e);
}

bool EventLister::wanted_kind(const Event& e) const {
  if (options_.events.has(e.kind)) return true;
  if (!options_.events.accesses) return false;
  if (e.kind == EventKind::kBlock) return blocks_.exit_of(e.block).accesses != 0;
  return e.kind == EventKind::kPartial || !e.memory.empty();
}

void EventLister::count_sync(const Event& e) {
  if (e.kind != EventKind::kSyncEnter && e.kind != EventKind::kSyncLeave) return;
  if (options_.thread && e.thread != options_.thread) return;
  if (++syncs_ == options_.at_sync) begun_ = true;
}

std::unique_ptr<EventWriter> make_event_writer(DumpFormat format, const ModuleTable& modules, const EventSet& events,
                                               const DumpHeader& header, Output& out) {
  switch (format) {
    case DumpFormat::kJson:
      return make_json_writer(modules, header, out);
    case DumpFormat::kLackey:
      return make_lackey_writer(events, out);
    case DumpFormat::kText:
      break;
  }
  return make_text_writer(modules, out);
}

}  // namespace cdr::report
