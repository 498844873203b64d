// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/event_parts.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "cdrgrind/analysis/events/event_batch.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::analysis {
namespace {

// run(thread, steps), event(e): all of the trace.
template <typename Run, typename Other>
void for_steps(const trace::TraceFile& file, const EventsRead& read, Run run, Other event) {
  trace::Cursor cursor(file);
  trace::DecodedSteps steps;
  for (Event e; cursor.next_steps(steps, e);) {
    if (!steps.empty())
      run(steps.thread, steps.steps());
    else if (e.kind == EventKind::kBlock)
      run(e.thread, Steps(std::array{step_of(e.block, e.words)}));
    else
      event(e);
    if (read) read(cursor.index());
  }
}

// Batches go round: the reader fills them in turn, every part takes each, and they are filled again when all have.
class Round {
 public:
  explicit Round(EventParts& to) : to_(to), taken_(to.count()) {
    try {
      for (unsigned p = 0; p < to.count(); ++p) threads_.emplace_back([this, p] { work(p); });
    } catch (...) {  // the system has no more threads
      end();
      throw;
    }
  }
  ~Round() { end(); }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  void read(const trace::TraceFile& file, const EventsRead& read) {
    EventBatch* filling = &fresh();
    const auto add = [&](const auto&... what) {
      if (filling->add(what...)) return;
      publish();
      filling = &fresh();
      filling->add(what...);
    };
    for_steps(
        file, read, [&](ThreadId t, Steps steps) { add(t, steps); }, [&](const Event& e) { add(e); });
    publish();
    end();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // The batch that is to be filled next.
  EventBatch& fresh() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || published_ - slowest() < EventParts::kBatches; });
    if (error_) std::rethrow_exception(error_);
    EventBatch& b = batches_[published_ % EventParts::kBatches];
    b.clear();
    return b;
  }
  void publish() {
    const std::lock_guard lock(mutex_);
    ++published_;
    changed_.notify_all();
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_all();
    }
    for (std::thread& t : threads_)
      if (t.joinable()) t.join();
  }
  uint64_t slowest() const { return *std::min_element(taken_.begin(), taken_.end()); }

  void work(unsigned part) {
    try {
      while (take(part)) continue;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      changed_.notify_all();
    }
  }
  // False: there will be no more.
  bool take(unsigned part) {
    uint64_t at = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return error_ || ended_ || taken_[part] < published_; });
      at = taken_[part];
      if (error_ || at == published_) return false;
    }
    const size_t place = at % EventParts::kBatches;
    batches_[place].pass_to(to_.part(part));
    const std::lock_guard lock(mutex_);
    to_.taken(part, place);
    ++taken_[part];
    if (slowest() > at) to_.taken_by_all(place);
    changed_.notify_all();
    return true;
  }

  EventParts& to_;
  std::array<EventBatch, EventParts::kBatches> batches_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t published_ = 0;
  std::vector<uint64_t> taken_;  // by part
  bool ended_ = false;           // nothing more is published
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace

void hand_out(const trace::TraceFile& file, RunSink& to, const EventsRead& read) {
  for_steps(
      file, read, [&](ThreadId t, Steps steps) { to.run(t, steps); }, [&](const Event& e) { to.event(e); });
}

void hand_out(const trace::TraceFile& file, EventParts& to, const EventsRead& read) { Round(to).read(file, read); }

}  // namespace cdr::analysis
