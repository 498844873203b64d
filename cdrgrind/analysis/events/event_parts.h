// SPDX-License-Identifier: GPL-2.0-or-later
// A trace's events read once, and handed to several consumers, each in a thread of its own: analyses that share the
// memory among them, each with all events. What concerns several of them is put together batch by batch.
#ifndef CDRGRIND_ANALYSIS_EVENTS_EVENT_PARTS_H
#define CDRGRIND_ANALYSIS_EVENTS_EVENT_PARTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

class EventParts {
 public:
  // Batches that are under way at a time: they go round.
  static constexpr size_t kBatches = 8;

  virtual unsigned count() const = 0;
  virtual RunSink& part(unsigned number) = 0;
  // The part has taken the batch in that place; one is told at a time.
  virtual void taken(unsigned part, size_t batch) = 0;
  // And so have all others: at the same time.
  virtual void taken_by_all(size_t batch) = 0;

 protected:
  ~EventParts() = default;
};

// Parts that count for themselves what lies with one of them, and leave what concerns several to `All`:
// Part::take_crossings(All&) is what the part has found since, and All::count() takes what all have found in one batch.
template <class Part, class All>
class CountedParts : public EventParts {
 public:
  unsigned count() const final { return static_cast<unsigned>(parts_.size()); }
  Part& part(unsigned number) final { return parts_[number]; }
  void taken(unsigned part, size_t batch) final {
    found_[batch].resize(parts_.size());
    found_[batch][part] = parts_[part].take_crossings(all_);
  }
  void taken_by_all(size_t batch) final { all_.count(found_[batch]); }

 protected:
  ~CountedParts() = default;
  std::deque<Part> parts_;
  All all_;

 private:
  using Found = decltype(std::declval<Part&>().take_crossings(std::declval<All&>()));
  std::array<std::vector<Found>, kBatches> found_;  // by part
};

// Called now and then with the number of events read; what it throws ends the reading.
using EventsRead = std::function<void(uint64_t events)>;

// All of the trace, to one consumer in this thread.
void hand_out(const trace::TraceFile& file, RunSink& to, const EventsRead& read);
// To all parts. Throws what they throw, and what reading throws; their threads have ended by then.
void hand_out(const trace::TraceFile& file, EventParts& to, const EventsRead& read);

}  // namespace cdr::analysis

#endif
