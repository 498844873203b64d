// SPDX-License-Identifier: GPL-2.0-or-later
// The events of a run for who looks at its accesses: all of them, or (event_walk.h) those that its reader does not want
// passed over.
#ifndef CDRGRIND_ANALYSIS_WALK_EVENT_STREAM_H
#define CDRGRIND_ANALYSIS_WALK_EVENT_STREAM_H

#include <cstdint>
#include <span>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

struct BlockCount {
  BlockId block;
  uint64_t count = 0;
  uint64_t first = 0;  // events before the first execution
};

class EventWalk;

// Blocks that a thread executes, so many copies of them one after the other.
struct Passage {
  ThreadId thread;
  std::span<const BlockCount> blocks;  // of a copy, each once, in no order
  bool orders = false;                 // one of them may (WalkedBlocks)
  bool entry = false;                  // the first one enters a function
  BlockId last;
  bool jumped = false;  // it leaves by a jump
  uint32_t copies = 0;
  uint64_t begin = 0, events = 0;  // the index of the first one, and how many a copy has
  uint64_t end() const { return begin + events * copies; }
};

class EventReader {
 public:
  static constexpr uint32_t kAskAgain = ~uint32_t{0};
  virtual void event(const Event& e, uint64_t index) = 0;
  // Whether it is passed over. If not it may be asked for fewer copies; else they come as events.
  virtual bool pass(EventWalk& walk, const Passage& p) = 0;
  // Asked at least before each event.
  virtual bool goes_on(uint64_t index) = 0;
  // For how many of these copies it is enough to see the first, which all do what the two did that came just before as
  // events: have the same addresses. From then on events stand for `copies` like them, until that is 1 again. Asked
  // when a copy begins; of kAskAgain the next one, too.
  virtual uint32_t may_stand_for(EventWalk& /*walk*/, const Passage& /*p*/) { return 0; }
  virtual void stand_for(uint32_t /*copies*/) {}

 protected:
  ~EventReader() = default;
};

class EventStream {
 public:
  virtual ~EventStream() = default;
  virtual const trace::TraceFile& file() const = 0;
  // The events before `end`. Returns the index of the first that was not read. Throws TraceError where the trace is
  // damaged.
  virtual uint64_t run(EventReader& reader, uint64_t end) = 0;
};

// One after the other.
class AllEvents final : public EventStream {
 public:
  explicit AllEvents(const trace::TraceFile& file) : file_(file) {}
  const trace::TraceFile& file() const override { return file_; }
  uint64_t run(EventReader& reader, uint64_t end) override;

 private:
  const trace::TraceFile& file_;
};

}  // namespace cdr::analysis

#endif
