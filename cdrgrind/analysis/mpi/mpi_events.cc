// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/mpi_events.h"

#include <algorithm>
#include <map>

#include "cdrgrind/analysis/events/counted_events.h"

namespace cdr::mpi {
namespace {

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

}  // namespace

std::vector<RawCall> mpi_calls_of(const trace::TraceFile& file) {
  Calls calls;
  std::vector<Step> steps;
  for (analysis::CountedEvents events(file); !events.at_end();) {
    steps.clear();
    events.read_part(is_mpi, [&](const Event& e, uint64_t index, uint64_t insns) {
      steps.push_back({e, {e.words.begin(), e.words.end()}, index, insns});
      steps.back().e.words = {};
    });
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.index < b.index; });
    for (Step& s : steps) calls.add(std::move(s));
  }
  return calls.take();
}

}  // namespace cdr::mpi
