// SPDX-License-Identifier: GPL-2.0-or-later
// Writes a trace again from its events, as it was or otherwise: the same events, tables, metadata and other frames. A
// killed or cut trace gives its whole frames.
#ifndef CDRGRIND_TRACE_READ_REENCODE_H
#define CDRGRIND_TRACE_READ_REENCODE_H

#include <functional>

#include "cdrgrind/encode/recording.h"
#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// As it was: equal bytes prove that reader and writer agree and that nothing in the file depends on anything but the
// stream. `zstd_level` must be the one that the file was written with.
void reencode(const TraceFile& file, Output& out, int zstd_level = 1);

// Whether a Recording makes frames of this type by itself. Those that hold events (has_events) are not meant.
bool made_by_recording(FrameType type);

struct RewriteOptions {
  RecordingOptions recording = {};
  bool same_frames = false;  // events are cut into frames as in the file, whatever `recording` says
  std::function<void(uint64_t events)> progress = {};  // now and then: how many are done
};

// Frames that hold no events keep their place only as far as it matters: an EXEC between its events, the others behind
// the last.
void rewrite(const TraceFile& file, Output& out, const RewriteOptions& options);

}  // namespace cdr::trace

#endif
