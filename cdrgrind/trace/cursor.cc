// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/cursor.h"

#include <algorithm>
#include <string>

namespace cdr::trace {

Cursor::Cursor(const TraceFile& file, EventDecoder::Words check)
    : file_(file), decoder_(file.modules(), file.blocks(), check, max_serial(file.event_count())) {}

bool Cursor::load(size_t position) {
  position_ = position;
  loaded_ = position < file_.event_frames().size();
  if (!loaded_) return false;
  const Frame& frame = file_.frames()[file_.event_frames()[position]];
  if (frame.header.thread > max_serial(file_.event_count())) fail("thread out of range");
  payload_ = file_.payload(frame);
  decoder_.begin_frame(payload_, ThreadId(frame.header.thread));
  next_index_ = frame.header.first_event;
  frame_end_ = next_index_ + frame.header.event_count;
  return true;
}

bool Cursor::next(Event& e) {
  while (loaded_ || load(position_)) {
    if (decoder_.next(e)) {
      if (next_index_ == frame_end_) fail("more events than it says");
      ++next_index_;
      return true;
    }
    if (decoder_.error()) fail(decoder_.error());
    if (next_index_ != frame_end_) fail("fewer events than it says");
    loaded_ = false;
    ++position_;
  }
  return false;
}

void Cursor::seek(uint64_t event_index) {
  const auto& frames = file_.event_frames();
  const auto behind = std::upper_bound(frames.begin(), frames.end(), event_index, [&](uint64_t index, size_t frame) {
    return index < file_.frames()[frame].header.first_event;
  });
  if (behind == frames.begin() || event_index >= file_.event_count()) {
    loaded_ = false;
    position_ = behind == frames.begin() ? 0 : frames.size();
    next_index_ = behind == frames.begin() ? 0 : file_.event_count();
    return;
  }
  load(static_cast<size_t>(behind - frames.begin()) - 1);
  Event skipped;
  while (next_index_ < event_index)
    if (!next(skipped)) return;
}

bool Cursor::at_frame_end() const { return loaded_ && next_index_ == frame_end_; }

void Cursor::fail(const char* what) {
  const Frame& frame = file_.frames()[file_.event_frames()[position_]];
  file_.fail(Problem::kDamaged, frame.offset,
             "frame " + std::to_string(frame.header.sequence) + " (EVENTS): event " + std::to_string(next_index_) +
                 ": " + what + " (damaged? try 'cdrgrind verify')");
}

}  // namespace cdr::trace
