// SPDX-License-Identifier: GPL-2.0-or-later
// A complete trace as it is, with more frames before INDEX and END.
#ifndef CDRGRIND_TRACE_READ_WITH_FRAME_H
#define CDRGRIND_TRACE_READ_WITH_FRAME_H

#include <cstdint>
#include <span>

#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// Frames of optional types without events. `file` has an END, and must outlive it.
class FrameAppender {
 public:
  FrameAppender(const TraceFile& file, Output& to);
  void add(FrameType type, std::span<const uint8_t> payload);
  // INDEX and END.
  void finish();

 private:
  const TraceFile& file_;
  FrameWriter writer_;
};

// One of them.
void write_with_frame(const TraceFile& file, FrameType type, std::span<const uint8_t> payload, Output& to);

}  // namespace cdr::trace

#endif
