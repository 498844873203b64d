// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/mpi_events.h"

#include <algorithm>
#include <map>

#include "cdrgrind/analysis/events/event_rows.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::mpi {
namespace {

using trace::TraceFile;

struct Step {
  Event e;
  std::vector<uint64_t> words;
  uint64_t index = 0;
  uint64_t insns = 0;  // of the thread, without the wrappers' own
};

Step step_of(const Event& e, uint64_t index, uint64_t insns) {
  Step s{e, {e.words.begin(), e.words.end()}, index, insns};
  s.e.words = {};
  return s;
}

// Brackets of calls, thread by thread.
class Calls {
 public:
  void add(Step s) {
    Thread& t = threads_[s.e.thread];
    switch (s.e.kind) {
      case EventKind::kMpiEnter:
        t.call = calls_.size();
        t.open = true;
        t.entered = s.insns;
        calls_.push_back({s.e.count, s.e.thread, s.index, s.e.value, s.insns - t.inside, {}, {}, 0, true});
        return;
      case EventKind::kMpiWords:
        if (t.open) append(s.e.count == 0 ? calls_[t.call].arguments : calls_[t.call].results, s.words);
        return;
      default:
        if (!t.open) return;
        t.open = false;
        t.inside += s.insns - t.entered;
        calls_[t.call].open = false;
        calls_[t.call].result = s.e.result;
    }
  }
  std::vector<RawCall> take() { return std::move(calls_); }

 private:
  struct Thread {
    size_t call = 0;
    bool open = false;
    uint64_t entered = 0, inside = 0;  // instructions: at the call, and in all those before
  };
  static void append(std::vector<uint64_t>& to, const std::vector<uint64_t>& words) {
    to.insert(to.end(), words.begin(), words.end());
  }

  std::map<ThreadId, Thread> threads_;
  std::vector<RawCall> calls_;
};

void read_compact(const TraceFile& file, Calls& to) {
  std::vector<Step> steps;
  for (analysis::EventRows rows(file); !rows.at_end();) {
    steps.clear();
    rows.read_epoch(is_mpi,
                    [&](const Event& e, uint64_t index, uint64_t insns) { steps.push_back(step_of(e, index, insns)); });
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.index < b.index; });
    for (Step& s : steps) to.add(std::move(s));
  }
}

void read_plain(const TraceFile& file, Calls& to) {
  std::map<ThreadId, uint64_t> insns;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.kind == EventKind::kBlock) {
      if (!(file.blocks().superblock_of(e.block).flags & kBlockShim))
        insns[e.thread] += file.blocks().exit_of(e.block).insns_executed();
    } else if (is_mpi(e.kind)) {
      to.add(step_of(e, cursor.index(), insns[e.thread]));
    }
  }
}

}  // namespace

std::vector<RawCall> mpi_calls_of(const TraceFile& file) {
  Calls calls;
  (file.epochs().empty() ? read_plain : read_compact)(file, calls);
  return calls.take();
}

}  // namespace cdr::mpi
