// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a compact trace in true order, as a Cursor does, but a whole rule of the control paths at a time where the
// reader has no need to look into it. Words of blocks are not read, nor is SP.
#ifndef CDRGRIND_TRACE_INDEX_PATH_WALK_H
#define CDRGRIND_TRACE_INDEX_PATH_WALK_H

#include <cstdint>
#include <vector>

#include "cdrgrind/trace/index/path_shapes.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/read/event_log_reader.h"

namespace cdr::trace {

class PathWalk {
 public:
  class Reader {
   public:
    // `epoch` and `shapes` stay until end_epoch() is over.
    virtual void begin_epoch(uint32_t number, EpochIndex& epoch, const PathShapes& shapes) = 0;
    virtual void end_epoch() = 0;
    // The thread is about to execute `copies` times a symbol that is plain (path_shapes.h), nobody else comes between,
    // and the first event of it has this index. Returns how often it is passed over; 0: it is opened.
    virtual uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t index) = 0;
    virtual void block(ThreadId thread, BlockId id, uint64_t index) = 0;
    // The call or return that follows from the thread's last block; without SP.
    virtual void follow(const Event& e, uint64_t index) = 0;
    // Any other event; Block: one with another number of words than its exit says.
    virtual void event(const Event& e, uint64_t index) = 0;
    bool stopped() const { return stopped_; }

   protected:
    ~Reader() = default;
    // The walk ends soon; end_epoch() comes still.
    void stop() { stopped_ = true; }

   private:
    bool stopped_ = false;
  };

  explicit PathWalk(Seeker& seeker) : seeker_(seeker) {}
  // The events before `end`. Returns the index of the first event that was not read. Throws TraceError where the trace
  // is damaged.
  uint64_t run(Reader& reader, uint64_t end = ~uint64_t{0});

 private:
  struct Level {
    const Run* at;
    const Run* end;
    uint32_t copy;
  };
  // Where a thread is in its path.
  struct ThreadWay {
    std::vector<Level> way;
    uint32_t block = 0;    // in the open stretch
    bool follows = false;  // its call or return comes next
    uint64_t last_ip = 0;
    uint32_t passed = 0;  // the last thing was this symbol, passed over; 0: it was not
  };

  void run_epoch(uint32_t number);
  void begin_threads(const PathIndex& paths);
  uint64_t run_thread(ThreadId thread, uint64_t events, uint64_t index);
  bool pass(ThreadId thread, ThreadWay& t, uint64_t& events, uint64_t& index);
  void open_stretch(ThreadId thread, ThreadWay& t, uint32_t stretch, uint64_t& events, uint64_t& index);
  void terminal(ThreadId thread, ThreadWay& t, uint32_t terminal, uint64_t& events, uint64_t& index);
  void follow(ThreadId thread, ThreadWay& t, EventKind kind, uint64_t index);
  uint64_t last_ip(ThreadWay& t) const;

  Seeker& seeker_;
  Reader* reader_ = nullptr;
  uint64_t end_ = 0, next_ = 0;
  EpochPin epoch_;
  const PathShapes* shapes_ = nullptr;
  EventLogReader* log_ = nullptr;
  std::vector<ThreadWay> threads_;  // by serial
};

}  // namespace cdr::trace

#endif
