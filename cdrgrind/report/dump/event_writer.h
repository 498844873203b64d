// SPDX-License-Identifier: GPL-2.0-or-later
// The event stream as a listing. EventLister counts the events, knows each thread's SP and passes what was
// selected to an EventWriter; one writer per format: text, JSON lines (docs/events.md), lackey's lines.
// Non-goal: reading the trace.
#ifndef CDRGRIND_REPORT_DUMP_EVENT_WRITER_H
#define CDRGRIND_REPORT_DUMP_EVENT_WRITER_H

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::report {

// What one event executed of a superblock.
struct BlockRun {
  BlockId id;
  const Superblock* superblock = nullptr;
  const Exit* exit = nullptr;  // null: a fault stopped it (Partial)
  uint32_t begun = 0;          // instructions begun
  uint32_t insns = 0;          // instructions executed
  std::span<const Access> accesses;
  std::span<const SpChange> sp_changes;
  std::span<const uint64_t> words;
  uint64_t sp_in = 0;  // SP at the entry
};

// `e` is a Block or a Partial; sp_in is left at 0.
BlockRun run_of(const Event& e, const BlockTable& blocks);

class EventWriter {
 public:
  virtual ~EventWriter() = default;
  virtual void block(uint64_t index, ThreadId thread, const BlockRun& run) = 0;
  // `run` for the events that name a block, null for all others. Partial: what was executed before the fault.
  virtual void event(uint64_t index, const Event& e, const BlockRun* run) = 0;
};

struct ListOptions {
  uint64_t from = 0;
  uint64_t count = ~uint64_t{0};
  ThreadId thread;       // none: all
  uint64_t at_sync = 0;  // begin at this synchronisation event of `thread`, counted from 1; 0: no
  EventSet events = all_events();
};

// Feed it every event in order, from the first, or from `first_index` after tell_sp().
class EventLister {
 public:
  EventLister(const BlockTable& blocks, const ListOptions& options, EventWriter& to, uint64_t first_index = 0);

  void list(const Event& e);
  // The event with this index; those before it need not have come.
  void list_at(uint64_t index, const Event& e) {
    index_ = index;
    list(e);
  }
  // SP of a thread whose earlier events do not come.
  void tell_sp(ThreadId thread, uint64_t sp);

  // Nothing more will be written, whatever comes.
  bool done() const { return index_ >= end_; }
  uint64_t syncs() const { return syncs_; }  // synchronisation events of the thread so far
  const trace::Replay& replay() const { return replay_; }

 private:
  void count_sync(const Event& e);
  bool wanted(const Event& e) const;
  bool wanted_kind(const Event& e) const;

  const BlockTable& blocks_;
  ListOptions options_;
  EventWriter& to_;
  trace::Replay replay_;
  uint64_t index_;
  uint64_t end_;
  uint64_t syncs_ = 0;
  bool begun_;
};

struct DumpHeader {
  std::string_view program;
  std::vector<std::string> command;
};

enum class DumpFormat : uint8_t { kText, kJson, kLackey };

// Writes the format's header, if it has one, at once.
std::unique_ptr<EventWriter> make_event_writer(DumpFormat format, const ModuleTable& modules, const EventSet& events,
                                               const DumpHeader& header, Output& out);
std::unique_ptr<EventWriter> make_text_writer(const ModuleTable& modules, Output& out);
std::unique_ptr<EventWriter> make_json_writer(const ModuleTable& modules, const DumpHeader& header, Output& out);
std::unique_ptr<EventWriter> make_lackey_writer(const EventSet& events, Output& out);

}  // namespace cdr::report

#endif
