// SPDX-License-Identifier: GPL-2.0-or-later
// Writes a trace again from its events: equal bytes prove that reader and writer agree and that nothing in
// the file depends on anything but the stream. A killed or cut trace gives its whole frames.
#ifndef CDRGRIND_TRACE_REENCODE_H
#define CDRGRIND_TRACE_REENCODE_H

#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/trace/trace_file.h"

namespace cdr::trace {

// `zstd_level` must be the one that the file was written with.
void reencode(const TraceFile& file, Output& out, int zstd_level = 1);

}  // namespace cdr::trace

#endif
