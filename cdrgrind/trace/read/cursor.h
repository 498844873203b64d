// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the events of a trace in true order, from any place. Not thread-safe; several cursors on one file are.
#ifndef CDRGRIND_TRACE_READ_CURSOR_H
#define CDRGRIND_TRACE_READ_CURSOR_H

#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/encode/event_codec.h"
#include "cdrgrind/trace/read/epoch_decoder.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

class Cursor {
 public:
  explicit Cursor(const TraceFile& file, EventDecoder::Words check = EventDecoder::Words::kExact,
                  EpochDecoder::Words wanted = EpochDecoder::Words::kRead);

  // False at the end. Spans and text in `e` are valid until the next call, and `e` is as the last call left it, or new.
  // Throws TraceError if the frame is damaged.
  bool next(Event& e) {
    if (at_ == end_) return next_slowly(e);
    give(e);
    return true;
  }
  // The event last returned is a block: how many of the events that follow are the same block again, which differ from
  // it in their words alone, and after which SP is again what it was (kAll), or do not differ at all (kSame). As far as
  // it is known without going through them: of a block that comes often, sooner or later.
  enum class Repeats : uint8_t { kAll, kSame };
  uint64_t repeats(Repeats which = Repeats::kAll);
  // Passes over so many of these.
  void pass(uint64_t times);
  // Of a cursor with kNoneInCopies, when next() was true and the event is of kind kNone, which is none of the trace:
  // what begins or ends here.
  const EpochDecoder::Copy& copy() const { return epoch_->copy(); }
  // A copy ends: passes over so many of those that come.
  void pass_copies(uint64_t times);
  // The next events, of a compact trace many at a time (EpochDecoder): steps, or if there are none one event.
  bool next_steps(DecodedSteps& to, Event& e);
  // Of the event last returned; counts from 0.
  uint64_t index() const { return next_index_ - 1; }
  // The next event returned is number `event_index`; next() returns false if there is none.
  // O(events in a frame or epoch).
  void seek(uint64_t event_index);
  // Whether the event last returned was the last of its frame.
  bool at_frame_end() const;

 private:
  bool load(size_t position);  // in event_frames(); false behind the last
  void load_epoch(const Epoch& epoch);
  bool decode(Event& e);
  bool next_slowly(Event& e);
  const char* decoding_error() const { return epoch_ ? epoch_->error() : decoder_.error(); }
  [[noreturn]] void fail(const char* what);

  void leave_frame();
  bool has_its_words(const Event& e) const;
  void give(Event& e) {
    const RunStep& s = *at_;
    if (next_index_ == frame_end_) fail("more events than it says");
    ++next_index_;
    EpochDecoder::clear(e);
    e.kind = s.kind();
    e.thread = ahead_->thread;
    if (s.block) [[likely]] {
      e.block = s.block;
      e.words = {s.words, s.count};
    } else {
      e.sp = s.sp;
      if (e.kind == EventKind::kCall) e.ip = ip_of_call(s);
    }
    ++at_;
  }
  uint64_t ip_of_call(const RunStep& s) const;

  const TraceFile& file_;
  bool exact_;
  EpochDecoder::Words wanted_;
  EventDecoder decoder_;
  std::optional<EpochDecoder> epoch_;  // of a compact trace
  // Its next events, as far as they are decoded.
  std::optional<DecodedSteps> ahead_;
  const RunStep *at_ = nullptr, *end_ = nullptr;
  EpochDecoder::Payloads columns_;
  std::vector<uint8_t> payload_;
  size_t position_ = 0;  // of the loaded frame, or behind it
  bool loaded_ = false;
  uint64_t next_index_ = 0;
  uint64_t frame_end_ = 0;  // first event behind the loaded frame
};

}  // namespace cdr::trace

#endif
