// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/with_frame.h"

#include <utility>
#include <vector>

#include "cdrgrind/encode/recording.h"
#include "cdrgrind/format/info.h"

namespace cdr::trace {

void write_with_frame(const TraceFile& file, FrameType type, std::span<const uint8_t> payload, Output& to) {
  const int level = RecordingOptions().zstd_level;  // as the recorder would have written it
  std::vector<FrameRow> rows;
  uint64_t end = 0;
  for (const Frame& f : file.frames()) {
    end = f.offset;
    if (f.header.type == FrameType::kIndex || f.header.type == FrameType::kEnd) break;
    rows.push_back({f.offset, f.header.type, f.header.first_event, f.header.event_count});
  }
  if (!to.write(file.content().first(end))) return;
  FrameWriter writer(to, level, std::move(rows), end);
  const auto add = [&](FrameType t, std::span<const uint8_t> bytes) {
    const uint16_t flags = is_required(t) ? kFrameRequired : 0;
    writer.write({.type = t, .first_event = file.event_count(), .flags = flags}, bytes);
  };
  add(type, payload);
  ByteWriter index;
  encode_index(writer.rows(), index);
  add(FrameType::kIndex, index.bytes());
  add(FrameType::kEnd, file.payload(*file.find(FrameType::kEnd)));
}

}  // namespace cdr::trace
