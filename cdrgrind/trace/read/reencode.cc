// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/reencode.h"

#include <vector>

#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::trace {
namespace {

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

// One trace being written from another.
class Rewriter {
 public:
  Rewriter(const TraceFile& file, Output& out, const RewriteOptions& options)
      : file_(file),
        options_(options),
        meta_(views(file.meta())),
        flows_(read_dataflow(file)),
        to_(out, file.modules(), file.blocks(), file.run(), meta_, with_flows(options.recording)),
        cursor_(file, EventDecoder::Words::kAny) {}

  void run() {
    for (const Frame& frame : file_.frames()) {
      if (frame.header.event_count > 0)
        copy_events(frame.header.event_count);
      else if (!made_by_recording(frame.header.type))
        copy_frame(frame);
    }
    write_waiting();
    to_.flush();
    if (file_.end()) close(*file_.end(), to_);
  }

 private:
  RecordingOptions with_flows(RecordingOptions options) const {
    options.dataflow = &flows_;
    return options;
  }

  void copy_events(uint64_t n) {
    constexpr uint64_t kBetween = 1 << 16;
    for (Event e; n > 0 && cursor_.next_steps(steps_, e);) {
      const uint64_t events = steps_.empty() ? 1 : steps_.steps().size();
      if (options_.progress && done_ / kBetween != (done_ + events) / kBetween) options_.progress(done_ + 1);
      if (steps_.empty())
        dispatch(e, to_);
      else
        to_.run(steps_.thread, steps_.steps());
      done_ += events;
      n -= events;
    }
    if (options_.same_frames) to_.flush();
  }

  // Every frame that is written ends the open epoch.
  void copy_frame(const Frame& frame) {
    waiting_.push_back(&frame);
    if (options_.same_frames || frame.header.type == FrameType::kExec) write_waiting();
  }
  void write_waiting() {
    for (const Frame* f : waiting_)
      to_.add_frame(f->header.type, file_.payload(*f), static_cast<uint16_t>(f->header.flags & ~kFrameCompressed));
    waiting_.clear();
  }

  const TraceFile& file_;
  const RewriteOptions& options_;
  std::vector<MetaEntry> meta_;
  DataflowTable flows_;
  Recording to_;
  Cursor cursor_;
  DecodedSteps steps_;
  std::vector<const Frame*> waiting_;
  uint64_t done_ = 0;
};

}  // namespace

bool made_by_recording(FrameType type) {
  return type == FrameType::kStretches || type == FrameType::kThread || type == FrameType::kAddress ||
         type == FrameType::kLog || type == FrameType::kTurn || type == FrameType::kRun || type == FrameType::kMeta ||
         type == FrameType::kModule || type == FrameType::kBlocks || type == FrameType::kExits ||
         type == FrameType::kDataflow || type == FrameType::kIndex || type == FrameType::kEnd;
}

void rewrite(const TraceFile& file, Output& out, const RewriteOptions& options) { Rewriter(file, out, options).run(); }

void reencode(const TraceFile& file, Output& out, int zstd_level) {
  RewriteOptions options{.recording = {.zstd_level = zstd_level, .raw_frame_bytes = kMaxEventsBytes},
                         .same_frames = true};
  if (file.version() >= kFormatVersion3) options.recording.form = RecordingForm::kCompact;
  options.recording.epoch_blocks = options.recording.epoch_bytes = ~uint64_t{0};
  rewrite(file, out, options);
}

}  // namespace cdr::trace
