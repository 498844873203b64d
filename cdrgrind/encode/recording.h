// SPDX-License-Identifier: GPL-2.0-or-later
// The event stream as a trace file. Frames are closed by size of the encoded events only, table entries are
// written in front of the EVENTS frame that needs them first, so the same stream always gives the same
// bytes and every prefix of whole frames can be decoded.
//
// Invariant: after flush() everything passed on is with the Output. Nothing is written by the destructor: a
// recording that is dropped (fork) leaves the Output alone.
#ifndef CDRGRIND_ENCODE_RECORDING_H
#define CDRGRIND_ENCODE_RECORDING_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/event_codec.h"
#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/format/info.h"
#include "cdrgrind/format/tables.h"

namespace cdr {

enum class RecordingForm : uint8_t {
  kPlain,    // format version 2: EVENTS frames
  kCompact,  // epochs
};

struct RecordingOptions {
  int zstd_level = 1;
  bool models = false;  // columns, which makes the format version the newest
  RecordingForm form = RecordingForm::kPlain;
  uint32_t raw_frame_bytes = 1 << 20;  // an EVENTS payload is at most this, unless one event is larger
  // An epoch ends when a thread has executed so many blocks in it, or when it takes so much memory.
  uint64_t epoch_blocks = 1 << 24;
  size_t epoch_bytes = 64 << 20;
  ControlForm control = ControlForm::kAuto;
  uint32_t control_window = EpochOptions().window;
  // Summaries of the superblocks, written beside them as far as the table has them. May be null.
  const DataflowTable* dataflow = nullptr;
};

struct EndInfo {
  std::string_view exit = {};              // why the recording ended: "exit 0", "signal 11", "exec" …
  std::span<const Counter> counters = {};  // overflows and the like, beside the totals
  std::span<const MetaEntry> texts = {};
};

struct RecordingTotals {
  uint64_t events = 0;
  uint64_t blocks = 0;
  uint64_t instructions = 0;
  uint64_t accesses = 0;  // those that happened
  uint64_t threads = 0;
  std::array<uint64_t, kEventKindCount> kinds = {};
};

class Recording final : public RunSink {
 public:
  // Writes the file header, RUN and META. The tables must outlive the recording and know, at each event,
  // every id in it.
  Recording(Output& out, const ModuleTable& modules, const BlockTable& blocks, const RunInfo& run,
            std::span<const MetaEntry> meta, const RecordingOptions& options = {});

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override;
  void run(ThreadId thread, Steps run) override;
  void event(const Event& e) override;

  // Writes the open EVENTS frame or epoch, if it has events.
  void flush();
  // Another frame behind everything passed on so far; flushes first.
  void add_frame(FrameType type, std::span<const uint8_t> payload) {
    add_frame(type, payload, is_required(type) ? kFrameRequired : 0);
  }
  void add_frame(FrameType type, std::span<const uint8_t> payload, uint16_t flags);
  // INDEX and END. Nothing may be passed on after it.
  void close(const EndInfo& end);

  bool cut() const { return writer_.cut(); }
  uint64_t events() const { return written_events_ + open_events(); }
  uint64_t bytes_written() const { return writer_.bytes_written(); }
  // O(blocks in the table).
  RecordingTotals totals() const;

 private:
  uint64_t open_events() const { return epoch_ ? epoch_->events() : encoder_.event_count(); }
  void compact_run(ThreadId thread, Steps run);
  bool epoch_is_full();
  void write_epoch();
  void write_columns_frame(FrameType type, uint64_t event_count, std::span<const std::span<const uint8_t>> columns);
  void note(const Event& e);
  void need_block(BlockId id);
  void need_module(ModuleId id);
  void write_tables();

  const ModuleTable& modules_;
  const BlockTable& blocks_;
  FrameWriter writer_;
  EventEncoder encoder_;
  std::optional<EpochEncoder> epoch_;  // kCompact; encoder_ is idle then
  RecordingOptions options_;
  uint32_t until_look_ = 0;  // events until the epoch's memory is looked at again
  ByteWriter scratch_;
  ThreadId frame_thread_;        // thread of the event before the open frame
  uint64_t written_events_ = 0;  // in frames already written
  uint32_t needed_modules_ = 0, written_modules_ = 0;
  uint32_t needed_superblocks_ = 0, written_superblocks_ = 0, written_flows_ = 0;
  uint32_t needed_blocks_ = 0, written_blocks_ = 0;
  uint64_t threads_ = 0;
  uint64_t partial_instructions_ = 0, partial_accesses_ = 0;
  std::array<uint64_t, kEventKindCount> kinds_ = {};
};

}  // namespace cdr

#endif
