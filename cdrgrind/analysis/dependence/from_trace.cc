// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/from_trace.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/dependence/event_batch.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::analysis {
namespace {

using depend::CrossingHit;
using depend::Engine;

// Fills `batch` with the trace's events; `next`, given a full batch, takes it and returns the one to fill then. What
// the last one holds is left to the caller.
template <typename Next>
void by_batches(const trace::TraceFile& file, const Progress& progress, EventBatch& batch, Next next) {
  trace::Cursor cursor(file);
  EventBatch* filling = &batch;
  uint64_t done = 0;
  for (Event e; cursor.next(e); ++done) {
    if (filling->add(e)) continue;
    filling = &next(*filling);
    if (progress) progress("dependences", done, file.event_count());
    filling->add(e);
  }
}

// Batches go round: the reader fills them in turn, every engine takes each, and they are filled again when all have.
class Parts {
 public:
  Parts(const trace::TraceFile& file, const depend::Options& options, unsigned parts) : file_(file), taken_(parts) {
    for (size_t i = 0; i < kBatches; ++i) batches_.emplace_back(file.blocks(), parts);
    for (unsigned p = 0; p < parts; ++p) {
      depend::Options o = options;
      o.parts = parts;
      o.part = p;
      engines_.emplace_back(file.modules(), file.blocks(), o);
    }
    for (unsigned p = 0; p < parts; ++p) threads_.emplace_back([this, p] { work(p); });
  }
  ~Parts() { end(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void read(const Progress& progress) {
    by_batches(file_, progress, fresh(), [this](EventBatch&) -> EventBatch& {
      publish();
      return fresh();
    });
    publish();
  }

  depend::ResultTable results(uint32_t granularity) {
    end();
    if (error_) std::rethrow_exception(error_);
    depend::Stats stats = engines_.front().stats();
    stats.imprecise = 0;
    for (Engine& e : engines_) {
      results_.add(e.part_rows());
      stats.imprecise += e.stats().imprecise;
    }
    return results_.table(granularity, stats);
  }

 private:
  static constexpr uint64_t kBatches = 8;

  struct Shared {
    Shared(const BlockTable& blocks, unsigned parts) : events(blocks), crossings(parts) {}
    EventBatch events;
    std::vector<std::vector<CrossingHit>> crossings;  // by part
  };

  // The batch that is to be filled next.
  EventBatch& fresh() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || published_ - slowest() < kBatches; });
    if (error_) std::rethrow_exception(error_);
    EventBatch& b = batches_[published_ % kBatches].events;
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
    Shared& batch = batches_[at % kBatches];
    batch.events.pass_to(engines_[part]);
    const std::lock_guard lock(mutex_);
    batch.crossings[part] = engines_[part].take_crossings(results_);
    ++taken_[part];
    if (slowest() > at) results_.count(batch.crossings);
    changed_.notify_all();
    return true;
  }

  const trace::TraceFile& file_;
  std::deque<Shared> batches_;
  std::deque<Engine> engines_;
  depend::PartResults results_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t published_ = 0;
  std::vector<uint64_t> taken_;  // by part
  bool ended_ = false;           // nothing more is published
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

// In this thread.
depend::ResultTable by_one(const trace::TraceFile& file, const depend::Options& options, const Progress& progress) {
  Engine engine(file.modules(), file.blocks(), options);
  EventBatch batch(file.blocks());
  by_batches(file, progress, batch, [&](EventBatch& full) -> EventBatch& {
    full.pass_to(engine);
    full.clear();
    return full;
  });
  batch.pass_to(engine);
  return engine.lasting_results();
}

}  // namespace

depend::ResultTable dependences_from(const trace::TraceFile& file, const depend::Options& options, unsigned parts,
                                     const Progress& progress) {
  if (parts <= 1) return by_one(file, options, progress);
  Parts all(file, options, std::min(parts, kMostParts));
  all.read(progress);
  return all.results(options.granularity);
}

}  // namespace cdr::analysis
