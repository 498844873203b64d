// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/dataflow_reader.h"

#include "cdrgrind/format/dataflow_codec.h"

namespace cdr::trace {

DataflowTable read_dataflow(const TraceFile& file) {
  DataflowTable flows;
  for (const Frame& frame : file.frames()) {
    if (frame.header.type != FrameType::kDataflow) continue;
    const char* wrong = file.reading(frame, [&] { return decode_dataflow(file.payload(frame), file.blocks(), flows); });
    if (wrong)
      file.fail(Problem::kDamaged, frame.offset,
                "frame " + std::to_string(frame.header.sequence) + " (DATAFLOW): " + wrong +
                    " (damaged? try 'cdrgrind verify')");
  }
  return flows;
}

}  // namespace cdr::trace
