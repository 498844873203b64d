// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/mpi_events.h"

#include <algorithm>
#include <map>

#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::mpi {
namespace {

using trace::EpochIndex;
using trace::EventRow;
using trace::TraceFile;

struct Step {
  Event e;
  std::vector<uint64_t> words;
  uint64_t index = 0;
  uint64_t insns = 0;  // of the thread, without the wrappers' own
};

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

class CompactCalls {
 public:
  explicit CompactCalls(const TraceFile& file) : file_(file), stretches_(file.stretches(), file.blocks()) {
    for (uint32_t id = 1; id <= file.blocks().block_count(); ++id)
      if (file.blocks().superblock_of(BlockId(id)).flags & kBlockShim)
        if (const uint32_t insns = file.blocks().exit_of(BlockId(id)).insns_executed())
          shims_.push_back({BlockId(id), insns});
  }

  void read(size_t number, Calls& to) {
    EpochIndex epoch(file_, stretches_, number);
    const uint64_t first = file_.first_event(file_.epochs()[number]);
    const trace::EpochWeights shims = epoch.weights(shims_);
    const auto& threads = epoch.paths().threads();
    std::vector<Step> steps;
    for (uint32_t s = 0; s < threads.size(); ++s) {
      const ThreadId thread(threads[s]);
      for (const EventRow& row : epoch.log().rows(s)) {
        if (!is_mpi(row.kind())) continue;
        trace::PathPosition place;
        epoch.paths().find(s, trace::Weight::kEvents, row.event, place);
        Step step;
        if (!epoch.log().read(row, 0, step.e)) epoch.fail("an event's members are damaged");
        step.e.thread = thread;
        step.words.assign(step.e.words.begin(), step.e.words.end());
        step.e.words = {};
        step.index = first + epoch.turns().index_of(thread, row.event);
        step.insns = before_[thread] + place.before.insns - shims.before(place);
        steps.push_back(std::move(step));
      }
    }
    for (uint32_t s = 0; s < threads.size(); ++s)
      before_[ThreadId(threads[s])] += epoch.paths().total(s).insns - shims.total(s);
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.index < b.index; });
    for (Step& s : steps) to.add(std::move(s));
  }

 private:
  const TraceFile& file_;
  trace::StretchIndex stretches_;
  std::vector<trace::BlockWeight> shims_;
  std::map<ThreadId, uint64_t> before_;  // instructions in earlier epochs
};

void read_plain(const TraceFile& file, Calls& to) {
  std::map<ThreadId, uint64_t> insns;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.kind == EventKind::kBlock) {
      if (!(file.blocks().superblock_of(e.block).flags & kBlockShim))
        insns[e.thread] += file.blocks().exit_of(e.block).insns_executed();
    } else if (is_mpi(e.kind)) {
      Step s{e, {e.words.begin(), e.words.end()}, cursor.index(), insns[e.thread]};
      s.e.words = {};
      to.add(std::move(s));
    }
  }
}

}  // namespace

std::vector<RawCall> mpi_calls_of(const TraceFile& file) {
  Calls calls;
  if (file.epochs().empty()) {
    read_plain(file, calls);
  } else {
    CompactCalls compact(file);
    for (size_t i = 0; i < file.epochs().size(); ++i) compact.read(i, calls);
  }
  return calls.take();
}

}  // namespace cdr::mpi
