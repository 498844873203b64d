// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/reencode.h"

#include <vector>

#include "cdrgrind/encode/recording.h"
#include "cdrgrind/trace/cursor.h"
#include "cdrgrind/trace/dataflow_reader.h"

namespace cdr::trace {
namespace {

bool made_by_recording(FrameType type) {
  return type == FrameType::kStretches || type == FrameType::kAddress || type == FrameType::kLog ||
         type == FrameType::kTurn || type == FrameType::kRun || type == FrameType::kMeta ||
         type == FrameType::kModule || type == FrameType::kBlocks || type == FrameType::kExits ||
         type == FrameType::kDataflow || type == FrameType::kIndex || type == FrameType::kEnd;
}

std::vector<MetaEntry> views(const Meta& meta) {
  std::vector<MetaEntry> entries;
  for (const auto& [key, value] : meta.entries()) entries.push_back({key, value});
  return entries;
}

// The totals come again from the events, the rest from the file.
void close(const End& end, Recording& to) {
  constexpr size_t kTotals = 5;
  std::vector<Counter> counters;
  for (size_t i = kTotals; i < end.counters.size(); ++i)
    counters.push_back({end.counters[i].first, end.counters[i].second});
  auto texts = views(end.texts);
  const std::string_view exit = texts.empty() ? std::string_view() : texts.front().value;
  if (!texts.empty()) texts.erase(texts.begin());
  to.close({.exit = exit, .counters = counters, .texts = texts});
}

}  // namespace

void reencode(const TraceFile& file, Output& out, int zstd_level) {
  // Frames end where they end in the file, whatever closed them there.
  RecordingOptions options{.zstd_level = zstd_level, .raw_frame_bytes = kMaxEventsBytes};
  if (file.version() >= kFormatVersion3) options.form = RecordingForm::kCompact;
  options.epoch_blocks = options.epoch_bytes = ~uint64_t{0};
  const DataflowTable flows = read_dataflow(file);
  options.dataflow = &flows;
  const auto meta = views(file.meta());
  Recording to(out, file.modules(), file.blocks(), file.run(), meta, options);
  Cursor cursor(file, EventDecoder::Words::kAny);
  for (const Frame& frame : file.frames()) {
    if (frame.header.event_count > 0) {
      Event e;
      for (uint64_t n = frame.header.event_count; n > 0 && cursor.next(e); --n) dispatch(e, to);
      to.flush();
    } else if (!made_by_recording(frame.header.type)) {
      to.add_frame(frame.header.type, file.payload(frame));
    }
  }
  if (file.end()) close(*file.end(), to);
}

}  // namespace cdr::trace
