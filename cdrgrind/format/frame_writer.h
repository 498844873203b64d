// SPDX-License-Identifier: GPL-2.0-or-later
// Writes frames one behind the other. Invariant: the output has been given a prefix of the file that ends
// with a whole frame, or, after a failed write, nothing more is given to it and cut() is true.
#ifndef CDRGRIND_FORMAT_FRAME_WRITER_H
#define CDRGRIND_FORMAT_FRAME_WRITER_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/format/columns.h"
#include "cdrgrind/format/frame.h"

namespace cdr {

class Output {
 public:
  // Appends all of `bytes`, or returns false; what was written of them then does not matter.
  virtual bool write(std::span<const uint8_t> bytes) = 0;
  // Called once after a write failed. An output that can seek writes kCutMark at kCutMarkOffset.
  virtual void mark_cut() {}

 protected:
  ~Output() = default;
};

// Where a frame stands: a row of INDEX.
struct FrameRow {
  uint64_t offset = 0;
  FrameType type = FrameType::kNone;
  uint64_t first_event = 0;
  uint64_t event_count = 0;
  bool operator==(const FrameRow&) const = default;
};

class FrameWriter {
 public:
  // `zstd_level` 1..19, or negative: faster and larger; from kFormatVersion8 on columns may be modelled.
  FrameWriter(Output& out, int zstd_level, uint32_t version = kFormatVersion2);
  // Goes on behind frames that the output has been given already, and what stands before them.
  FrameWriter(Output& out, int zstd_level, std::vector<FrameRow> rows, uint64_t bytes)
      : out_(out), compressor_(zstd_level), rows_(std::move(rows)), offset_(bytes) {}
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  // What a frame's header says beside its lengths and checksums.
  struct FrameHeading {
    FrameType type = FrameType::kNone;
    uint32_t thread = 0;
    uint64_t first_event = 0;
    uint64_t event_count = 0;
    uint16_t flags = kFrameRequired;
  };
  // Compressed if that makes it smaller; never for RUN.
  void write(const FrameHeading& place, std::span<const uint8_t> payload);

  Compressor& compressor() { return compressor_; }

  bool cut() const { return cut_; }
  uint64_t bytes_written() const { return offset_; }
  std::span<const FrameRow> rows() const { return rows_; }

 private:
  void put(std::span<const uint8_t> bytes);

  Output& out_;
  Compressor compressor_;
  std::vector<FrameRow> rows_;
  uint64_t offset_ = 0;
  bool cut_ = false;
};

}  // namespace cdr

#endif
