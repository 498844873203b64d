// SPDX-License-Identifier: GPL-2.0-or-later
// A complete trace as it is, with one frame more before INDEX and END.
#ifndef CDRGRIND_TRACE_READ_WITH_FRAME_H
#define CDRGRIND_TRACE_READ_WITH_FRAME_H

#include <cstdint>
#include <span>

#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// Of an optional type without events. `file` has an END.
void write_with_frame(const TraceFile& file, FrameType type, std::span<const uint8_t> payload, Output& to);

}  // namespace cdr::trace

#endif
