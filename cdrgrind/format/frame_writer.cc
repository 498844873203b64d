// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/frame_writer.h"

#include "cdrgrind/base/checksum.h"

namespace cdr {

FrameWriter::FrameWriter(Output& out, int zstd_level, uint32_t version)
    : out_(out), compressor_(zstd_level, version >= kFormatVersion8) {
  put(encode_file_header(version));
}

void FrameWriter::write(const FrameHeading& place, std::span<const uint8_t> payload) {
  if (cut_) return;
  const auto stored = place.type == FrameType::kRun ? payload : compressor_.compress(payload);
  FrameHeader h;
  h.type = place.type;
  h.flags = static_cast<uint16_t>(place.flags | (stored.data() != payload.data() ? kFrameCompressed : 0));
  h.thread = place.thread;
  h.sequence = static_cast<uint32_t>(rows_.size());
  h.first_event = place.first_event;
  h.event_count = place.event_count;
  h.payload_bytes = stored.size();
  h.raw_bytes = payload.size();
  h.payload_checksum = checksum64(stored);
  const FrameRow row{offset_, place.type, place.first_event, place.event_count};
  put(encode_frame_header(h));
  put(stored);
  if (!cut_) rows_.push_back(row);
}

void FrameWriter::put(std::span<const uint8_t> bytes) {
  if (cut_ || bytes.empty()) return;
  if (out_.write(bytes)) {
    offset_ += bytes.size();
    return;
  }
  cut_ = true;
  out_.mark_cut();
}

}  // namespace cdr
