// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/cursor.h"

#include <algorithm>
#include <string>

namespace cdr::trace {

Cursor::Cursor(const TraceFile& file, EventDecoder::Words check, EpochDecoder::Words wanted)
    : file_(file),
      exact_(check == EventDecoder::Words::kExact),
      wanted_(wanted),
      decoder_(file.modules(), file.blocks(), check, file.serial_limit()) {}

bool Cursor::load(size_t position) {
  at_ = end_ = nullptr;
  position_ = position;
  loaded_ = position < file_.event_frames().size();
  if (!loaded_) return false;
  const Frame& frame = file_.frames()[file_.event_frames()[position]];
  if (frame.header.thread > file_.serial_limit()) fail("thread out of range");
  file_.reading(frame, [&] {
    if (frame.header.type == FrameType::kControl) {
      load_epoch(file_.epochs()[position]);
    } else {
      payload_ = file_.payload(frame);
      decoder_.begin_frame(payload_, ThreadId(frame.header.thread));
    }
  });
  next_index_ = frame.header.first_event;
  frame_end_ = next_index_ + frame.header.event_count;
  return true;
}

void Cursor::load_epoch(const Epoch& epoch) {
  const auto read = [&](size_t number, Columns& to) {
    const Frame& frame = file_.frames()[number];
    file_.reading(frame, [&] {
      if (!file_.read_columns(frame, to)) fail("its columns are damaged");
    });
  };
  read(epoch.threads, columns_.threads);
  if (wanted_ == EpochDecoder::Words::kRead) read(epoch.address, columns_.addresses);
  read(epoch.log, columns_.log);
  read(epoch.turn, columns_.turns);
  read(epoch.control, columns_.control);
  epoch_.emplace(file_.modules(), file_.blocks(), file_.stretches(), file_.serial_limit(), wanted_);
  if (!epoch_->begin(columns_, epoch.stretches)) fail(epoch_->error());
}

bool Cursor::has_its_words(const Event& e) const {
  if (e.kind == EventKind::kBlock) return !epoch_->is_odd();
  return e.kind != EventKind::kPartial ||
         e.words.size() == executed_before(file_.blocks().superblock_of(e.block), e.ip).words;
}

// Behind its last event.
void Cursor::leave_frame() {
  if (decoding_error()) fail(decoding_error());
  if (next_index_ != frame_end_) fail("fewer events than it says");
  loaded_ = false;
  ++position_;
}

// Of a compact trace many at a time, of which the first is `e`.
bool Cursor::decode(Event& e) {
  if (!epoch_) return decoder_.next(e);
  if (wanted_ == EpochDecoder::Words::kNone) return epoch_->next(e);
  if (!ahead_) ahead_.emplace();
  uint64_t passed = 0;
  if (!epoch_->next_steps(*ahead_, e, passed)) return false;
  at_ = ahead_->steps().data();
  end_ = at_ + ahead_->steps().size();
  return true;
}

uint64_t Cursor::ip_of_call(const RunStep& s) const {
  const BlockId before = (&s)[-1].block;
  return exit_addr(file_.blocks().superblock_of(before), file_.blocks().exit_of(before));
}

uint64_t Cursor::repeats(Repeats which) {
  if (wanted_ != EpochDecoder::Words::kRead || at_ != end_ || !ahead_ || !loaded_ || !ahead_->ends_in_block()) return 0;
  const BlockId last = at_[-1].block;
  return std::min(epoch_->repeats(last, which == Repeats::kSame), frame_end_ - next_index_);
}

void Cursor::pass(uint64_t times) {
  if (times == 0) return;
  if (!epoch_->pass_repeats(at_[-1].block, times)) fail(epoch_->error());
  next_index_ += times;
}

void Cursor::pass_copies(uint64_t times) {
  if (times == 0) return;
  const uint64_t events = epoch_->pass_copies(times);
  if (events > frame_end_ - next_index_) fail("more events than it says");
  next_index_ += events;
}

bool Cursor::next_slowly(Event& e) {
  while (loaded_ || load(position_)) {
    if (decode(e)) {
      if (at_ != end_) return give(e), true;
      if (e.kind == EventKind::kNone) return true;
      if (exact_ && epoch_ && !has_its_words(e)) fail("another number of words than the block has");
      if (next_index_ == frame_end_) fail("more events than it says");
      ++next_index_;
      return true;
    }
    leave_frame();
  }
  return false;
}

bool Cursor::next_steps(DecodedSteps& to, Event& e) {
  if (at_ != end_) {
    to.begin();
    return next(e);
  }
  while (loaded_ || load(position_)) {
    if (!epoch_) {
      to.begin();
      return next(e);
    }
    uint64_t passed = 0;
    if (epoch_->next_steps(to, e, passed)) {
      if (exact_ && to.empty() && !has_its_words(e)) fail("another number of words than the block has");
      if (passed > frame_end_ - next_index_) fail("more events than it says");
      next_index_ += passed;
      return true;
    }
    leave_frame();
  }
  return false;
}

void Cursor::seek(uint64_t event_index) {
  const auto& frames = file_.event_frames();
  const auto behind = std::upper_bound(frames.begin(), frames.end(), event_index, [&](uint64_t index, size_t frame) {
    return index < file_.frames()[frame].header.first_event;
  });
  if (behind == frames.begin() || event_index >= file_.event_count()) {
    at_ = end_ = nullptr;
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
             "frame " + std::to_string(frame.header.sequence) + " (" + frame_type_name(frame.header.type) +
                 "): event " + std::to_string(next_index_) + ": " + what + " (damaged? try 'cdrgrind verify')");
}

}  // namespace cdr::trace
