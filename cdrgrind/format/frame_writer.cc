// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/frame_writer.h"

#include <zstd.h>

#include "cdrgrind/base/checksum.h"

namespace cdr {

void FrameWriter::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

FrameWriter::FrameWriter(Output& out, int zstd_level) : out_(out), level_(zstd_level), zstd_(ZSTD_createCCtx()) {
  put(encode_file_header());
}

FrameWriter::~FrameWriter() = default;

void FrameWriter::write(const Place& place, std::span<const uint8_t> payload) {
  if (cut_) return;
  const auto stored = place.type == FrameType::kRun ? payload : compress(payload);
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

// The payload itself if zstd does not make it smaller, or cannot run.
std::span<const uint8_t> FrameWriter::compress(std::span<const uint8_t> payload) {
  if (!zstd_ || payload.empty()) return payload;
  const size_t bound = ZSTD_compressBound(payload.size());
  if (compressed_.size() < bound) compressed_.resize(bound);
  const size_t n = ZSTD_compressCCtx(zstd_.get(), compressed_.data(), compressed_.size(), payload.data(),
                                     payload.size(), level_);
  if (ZSTD_isError(n) || n >= payload.size()) return payload;
  return {compressed_.data(), n};
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
