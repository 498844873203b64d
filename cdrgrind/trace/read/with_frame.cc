// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/with_frame.h"

#include <utility>
#include <vector>

#include "cdrgrind/encode/recording.h"
#include "cdrgrind/format/info.h"

namespace cdr::trace {

namespace {

struct Kept {
  std::vector<FrameRow> rows;
  uint64_t bytes = 0;
};

Kept before_the_end(const TraceFile& file) {
  Kept kept;
  for (const Frame& f : file.frames()) {
    kept.bytes = f.offset;
    if (f.header.type == FrameType::kIndex || f.header.type == FrameType::kEnd) break;
    kept.rows.push_back({f.offset, f.header.type, f.header.first_event, f.header.event_count});
  }
  return kept;
}

// What cannot be written is noticed by who owns the output.
FrameWriter going_on(const TraceFile& file, Output& to) {
  Kept kept = before_the_end(file);
  to.write(file.content().first(kept.bytes));
  return {to, RecordingOptions().zstd_level, std::move(kept.rows), kept.bytes};  // as the recorder would write
}

}  // namespace

FrameAppender::FrameAppender(const TraceFile& file, Output& to) : file_(file), writer_(going_on(file, to)) {}

void FrameAppender::add(FrameType type, std::span<const uint8_t> payload) {
  const uint16_t flags = is_required(type) ? kFrameRequired : 0;
  writer_.write({.type = type, .first_event = file_.event_count(), .flags = flags}, payload);
}

void FrameAppender::finish() {
  ByteWriter index;
  encode_index(writer_.rows(), index);
  add(FrameType::kIndex, index.bytes());
  add(FrameType::kEnd, file_.payload(*file_.find(FrameType::kEnd)));
}

void write_with_frame(const TraceFile& file, FrameType type, std::span<const uint8_t> payload, Output& to) {
  FrameAppender frames(file, to);
  frames.add(type, payload);
  frames.finish();
}

}  // namespace cdr::trace
