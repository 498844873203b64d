// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/analysis/slice/execution_log.h"

#include <algorithm>

#include "cdrgrind/analysis/slice/label_flow.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::slice {
namespace {

constexpr uint64_t kKnown = uint64_t{1} << 63;
static_assert(kGuestRegisterCount < 63);

constexpr uint64_t kLargeArea = 256;  // bytes

uint64_t bit_of(uint32_t offset) { return uint64_t{1} << register_of(offset); }

}  // namespace

ExecutionLog::ExecutionLog(const trace::TraceFile& file, const DataflowTable& flows)
    : blocks_(file.blocks()), flows_(flows), entries_(1), activations_(1) {
  written_.resize(blocks_.block_count() + 1);
  executions_.resize(blocks_.superblock_count() + 1);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) see(e, cursor.index());
}

ExecutionLog::ThreadHistory& ExecutionLog::at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  threads_[t.value].writers.resize(kGuestRegisterCount);
  return threads_[t.value];
}

void ExecutionLog::see(const Event& e, uint64_t index) {
  if (event_threads_.empty() || event_threads_.back().second != e.thread) event_threads_.push_back({index, e.thread});
  switch (e.kind) {
    case EventKind::kBlock:
    case EventKind::kPartial:
      return block(e, index);
    case EventKind::kSyscall:
    case EventKind::kMap:
      return memory(e, index);
    case EventKind::kGapEnd: {
      const LogEntryId id = add(LogEntry::Kind::kGapEnd, e, index);
      if (e.count == 1) return write_all(at(e.thread), id);
      areas_.push_back({id, {0, ~uint64_t{0}}});
      for (ThreadHistory& t : threads_) write_all(t, id);
      return;
    }
    default:
      return frames(e, index);
  }
}

LogEntryId ExecutionLog::add(LogEntry::Kind kind, const Event& e, uint64_t index) {
  LogEntry entry;
  entry.kind = kind;
  entry.thread = e.thread;
  entry.block = e.block;
  entry.event = index;
  entry.words = words_.size();
  if (const auto& f = frames_of(e.thread); !f.empty()) entry.activation = f.back();
  entries_.push_back(entry);
  const auto id = static_cast<LogEntryId>(entries_.size() - 1);
  at(e.thread).last = id;
  return id;
}

void ExecutionLog::block(const Event& e, uint64_t index) {
  note_frame(e);
  const LogEntryId id = add(e.kind == EventKind::kBlock ? LogEntry::Kind::kBlock : LogEntry::Kind::kPartial, e, index);
  LogEntry& entry = entries_[id];
  entry.accesses = static_cast<uint16_t>(trace::extent_of(e, blocks_).accesses.size());
  words_.insert(words_.end(), e.words.begin(), e.words.end());
  if (Activation& a = activations_[entry.activation]; a.first == 0) a.first = id;
  executions_[blocks_.block(e.block).superblock.value].push_back(id);
  note_writes(at(e.thread), id);
  note_stores(id);
}

// The block names its activation.
void ExecutionLog::note_frame(const Event& e) {
  const auto& f = frames_of(e.thread);
  const uint32_t activation = f.empty() ? 0 : f.back();
  if (activations_[activation].entry == 0) activations_[activation].entry = blocks_.superblock_of(e.block).addr;
}

// Registers by bit; what the kernel or Valgrind writes at the exit is among them.
uint64_t ExecutionLog::written_registers(const LogEntry& e) {
  uint64_t& mask = written_[e.block.value];
  if (mask & kKnown) return mask;
  mask = kKnown;
  const Dataflow& f = flow(e);
  for (const StateWrite& w : f.writes.first(f.exits[exit(e)].writes))
    if (!is_neutral(w, f)) mask |= bit_of(w.piece.offset);
  for (const uint16_t r : {kStateRax, kStateRcx, kStateR11, kStateRdx})
    if (written_by_kernel(blocks_.exit_of(e.block).kind, r)) mask |= bit_of(r);
  return mask;
}

void ExecutionLog::note_writes(ThreadHistory& t, LogEntryId id) {
  if (entries_[id].kind != LogEntry::Kind::kBlock) return write_all(t, id);
  uint64_t mask = written_registers(entries_[id]) & ~kKnown;
  for (; mask != 0; mask &= mask - 1) t.writers[static_cast<size_t>(__builtin_ctzll(mask))].push_back(id);
}

void ExecutionLog::write_all(ThreadHistory& t, LogEntryId id) {
  for (auto& writers : t.writers) writers.push_back(id);
}

void ExecutionLog::note_stores(LogEntryId id) {
  const LogEntry& e = entries_[id];
  const auto w = words(e);
  const auto accesses = superblock(e).accesses.first(e.accesses);
  for (uint32_t a = 0; a < accesses.size(); ++a) {
    if (!accesses[a].store() || !happened(accesses[a], w)) continue;
    const uint64_t addr = address_of(accesses[a], w);
    for (uint64_t g = addr / 8; g <= (addr + accesses[a].width - 1) / 8; ++g) stores_[g].push_back({id, a});
  }
}

void ExecutionLog::memory(const Event& e, uint64_t index) {
  const LogEntryId id = add(LogEntry::Kind::kMemory, e, index);
  const auto store = [&](AddrRange r) {
    if (r.begin >= r.end) return;
    if (r.end - r.begin > kLargeArea) return areas_.push_back({id, r});
    for (uint64_t g = r.begin / 8; g * 8 < r.end; ++g) stores_[g].push_back({id, StoredBy::kOther});
    small_areas_[id].push_back(r);
  };
  if (e.kind == EventKind::kMap) return store(e.range);
  for (const MemorySpan& s : e.memory)
    if (s.store) store({s.addr, s.addr + s.size});
}

void ExecutionLog::push_frame(ThreadId t, bool signal) {
  Activation a;
  a.call = at(t).last;
  a.signal = signal;
  activations_.push_back(a);
  frames_of(t).push_back(static_cast<uint32_t>(activations_.size() - 1));
}

// A root frame stays.
void ExecutionLog::pop_frames(ThreadId t, uint32_t count) {
  auto& f = frames_of(t);
  for (; count > 0 && f.size() > 1; --count) f.pop_back();
}

void ExecutionLog::frames(const Event& e, uint64_t index) {
  ThreadHistory& t = at(e.thread);
  switch (e.kind) {
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch:
      t.stack = e.stack;
      if (frames_of(e.thread).empty()) push_frame(e.thread, e.kind == EventKind::kStackSwitch);
      break;
    case EventKind::kCall:
      push_frame(e.thread, false);
      break;
    case EventKind::kReturn:
      pop_frames(e.thread, 1);
      break;
    case EventKind::kPop:
      pop_frames(e.thread, e.count);
      break;
    case EventKind::kSignalEnter: {
      const LogEntryId id = add(LogEntry::Kind::kSignalBegin, e, index);
      t.signals.push_back(id);
      push_frame(e.thread, true);
      for (const uint16_t r : {kStateRax, kStateRdx, kStateRsi, kStateRdi}) t.writers[register_of(r)].push_back(id);
      break;
    }
    case EventKind::kSignalLeave: {
      pop_frames(e.thread, 1);
      const LogEntryId id = add(LogEntry::Kind::kSignalEnd, e, index);
      if (!t.signals.empty()) {
        entries_[id].begin = t.signals.back();
        t.signals.pop_back();
      }
      write_all(t, id);
      break;
    }
    default:
      break;
  }
}

LogEntryId ExecutionLog::entry_of(uint64_t event) const {
  const ThreadId thread = thread_of(event);
  auto e = std::upper_bound(entries_.begin() + 1, entries_.end(), event,
                            [](uint64_t i, const LogEntry& x) { return i < x.event; });
  while (e != entries_.begin() + 1)
    if ((--e)->thread == thread) return static_cast<LogEntryId>(e - entries_.begin());
  return 0;
}

LogEntryId ExecutionLog::entry_before(LogEntryId id) const {
  const ThreadId thread = entries_[id].thread;
  while (--id != 0 && entries_[id].thread != thread) {
  }
  return id;
}

ThreadId ExecutionLog::thread_of(uint64_t event) const {
  auto e = std::upper_bound(event_threads_.begin(), event_threads_.end(), event,
                            [](uint64_t i, const auto& x) { return i < x.first; });
  return e == event_threads_.begin() ? ThreadId() : (e - 1)->second;
}

LogEntryId ExecutionLog::last_writer(ThreadId thread, uint32_t reg, LogEntryId before) const {
  if (thread.value >= threads_.size() || threads_[thread.value].writers.empty()) return 0;
  const auto& writers = threads_[thread.value].writers[reg];
  const auto e = std::lower_bound(writers.begin(), writers.end(), before);
  return e == writers.begin() ? 0 : *(e - 1);
}

LogEntryId ExecutionLog::last_execution(SuperblockId superblock, uint32_t activation, LogEntryId before) const {
  const auto& all = executions_[superblock.value];
  for (auto e = std::lower_bound(all.begin(), all.end(), before); e != all.begin();)
    if (entries_[*--e].activation == activation) return *e;
  return 0;
}

// Takes from `missing` (bit i: byte i of range) what the store wrote; whether there was any.
bool ExecutionLog::covered(AddrRange range, const StoredBy& s, uint64_t& missing) const {
  uint64_t mine = 0;
  const auto add = [&](uint64_t begin, uint64_t end) {
    for (uint64_t at = std::max(begin, range.begin); at < std::min(end, range.end); ++at)
      mine |= uint64_t{1} << (at - range.begin);
  };
  const LogEntry& e = entries_[s.entry];
  if (s.access == StoredBy::kOther) {
    for (const AddrRange& r : small_areas_.at(s.entry)) add(r.begin, r.end);
  } else {
    const Access& a = superblock(e).accesses[s.access];
    const uint64_t begin = address_of(a, words(e));
    add(begin, begin + a.width);
  }
  const bool any = missing & mine;
  missing &= ~mine;
  return any;
}

// Within eight aligned bytes.
void ExecutionLog::last_stores_in(AddrRange range, LogEntryId before, uint32_t access,
                                  std::vector<StoredBy>& to) const {
  uint64_t missing = (uint64_t{1} << (range.end - range.begin)) - 1;
  LogEntryId area = 0;  // the last that wrote here in the large
  for (auto a = areas_.rbegin(); a != areas_.rend() && area == 0; ++a)
    if (a->entry < before && a->range.begin < range.end && range.begin < a->range.end) area = a->entry;
  if (const auto found = stores_.find(range.begin / 8); found != stores_.end()) {
    const auto& all = found->second;
    auto s = std::partition_point(all.begin(), all.end(), [&](const StoredBy& x) {
      return x.entry < before || (x.entry == before && x.access < access);
    });
    for (; missing != 0 && s != all.begin() && (--s)->entry > area;)
      if (covered(range, *s, missing)) to.push_back(*s);
  }
  if (missing != 0 && area != 0) to.push_back({area, StoredBy::kOther});
}

void ExecutionLog::last_stores(AddrRange range, LogEntryId before, uint32_t access, std::vector<StoredBy>& to) const {
  while (range.begin < range.end) {
    const uint64_t next = std::min(range.end, (range.begin / 8 + 1) * 8);
    last_stores_in({range.begin, next}, before, access, to);
    range.begin = next;
  }
}

}  // namespace cdr::slice
