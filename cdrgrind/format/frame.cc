// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/frame.h"

#include <algorithm>
#include <cstring>

#include "cdrgrind/base/checksum.h"

namespace cdr {
namespace {

template <class T>
void put(uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof value);
}
template <class T>
T get(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Offsets in the file header.
constexpr size_t kVersionAt = 8, kFileSumAt = 16;
// Offsets in a frame's header.
constexpr size_t kTypeAt = 4, kFlagsAt = 6, kThreadAt = 8, kSequenceAt = 12, kFirstEventAt = 16, kEventCountAt = 24,
                 kPayloadBytesAt = 32, kRawBytesAt = 40, kPayloadSumAt = 48, kHeaderSumAt = 56;
static_assert(kHeaderSumAt + 8 == kFrameHeaderBytes);

bool lengths_possible(const FrameHeader& h) {
  if (h.raw_bytes > kMaxRawBytes || h.payload_bytes > 2 * kMaxRawBytes) return false;
  return h.compressed() ? h.raw_bytes <= h.payload_bytes * kMaxRatio : h.raw_bytes == h.payload_bytes;
}

}  // namespace

const char* frame_type_name(FrameType type) {
  switch (type) {
    case FrameType::kNone:
      break;
    case FrameType::kRun:
      return "RUN";
    case FrameType::kMeta:
      return "META";
    case FrameType::kModule:
      return "MODULE";
    case FrameType::kBlocks:
      return "BLOCKS";
    case FrameType::kExits:
      return "EXITS";
    case FrameType::kDataflow:
      return "DATAFLOW";
    case FrameType::kEvents:
      return "EVENTS";
    case FrameType::kStretches:
      return "STRETCHES";
    case FrameType::kControl:
      return "CONTROL";
    case FrameType::kAddress:
      return "ADDRESS";
    case FrameType::kSync:
      return "SYNC";
    case FrameType::kTurn:
      return "TURN";
    case FrameType::kThread:
      return "THREAD";
    case FrameType::kAlloc:
      return "ALLOC";
    case FrameType::kMap:
      return "MAP";
    case FrameType::kSignal:
      return "SIGNAL";
    case FrameType::kGap:
      return "GAP";
    case FrameType::kMark:
      return "MARK";
    case FrameType::kSyscall:
      return "SYSCALL";
    case FrameType::kLog:
      return "LOG";
    case FrameType::kDepend:
      return "DEPEND";
    case FrameType::kExec:
      return "EXEC";
    case FrameType::kPack:
      return "PACK";
    case FrameType::kIndex:
      return "INDEX";
    case FrameType::kEnd:
      return "END";
  }
  return "unknown";
}

FileHeaderBytes encode_file_header(uint32_t version) {
  FileHeaderBytes b = {};
  std::memcpy(b.data(), kFileMagic.data(), kFileMagic.size());
  put(b.data() + kVersionAt, version);
  put(b.data() + kFileSumAt, checksum64({b.data(), kVersionAt + 4}));
  return b;
}

FileHeaderState decode_file_header(std::span<const uint8_t> bytes, uint32_t& version) {
  const size_t n = std::min(bytes.size(), kFileMagic.size());
  if (std::memcmp(bytes.data(), kFileMagic.data(), n) != 0) return FileHeaderState::kNotATrace;
  if (bytes.size() < kFileHeaderBytes) return FileHeaderState::kTooShort;
  if (get<uint64_t>(bytes.data() + kFileSumAt) != checksum64(bytes.first(kVersionAt + 4)))
    return FileHeaderState::kDamaged;
  version = get<uint32_t>(bytes.data() + kVersionAt);
  constexpr std::array<uint8_t, 4> kNoMark = {};
  const uint8_t* mark = bytes.data() + kCutMarkOffset;
  if (std::memcmp(mark, kNoMark.data(), kNoMark.size()) == 0) return FileHeaderState::kOk;
  return std::memcmp(mark, kCutMark.data(), kCutMark.size()) == 0 ? FileHeaderState::kCut : FileHeaderState::kDamaged;
}

FrameHeaderBytes encode_frame_header(const FrameHeader& h) {
  FrameHeaderBytes b = {};
  std::memcpy(b.data(), kFrameMagic.data(), kFrameMagic.size());
  put(b.data() + kTypeAt, static_cast<uint16_t>(h.type));
  put(b.data() + kFlagsAt, h.flags);
  put(b.data() + kThreadAt, h.thread);
  put(b.data() + kSequenceAt, h.sequence);
  put(b.data() + kFirstEventAt, h.first_event);
  put(b.data() + kEventCountAt, h.event_count);
  put(b.data() + kPayloadBytesAt, h.payload_bytes);
  put(b.data() + kRawBytesAt, h.raw_bytes);
  put(b.data() + kPayloadSumAt, h.payload_checksum);
  put(b.data() + kHeaderSumAt, checksum64({b.data(), kHeaderSumAt}));
  return b;
}

bool decode_frame_header(std::span<const uint8_t> bytes, FrameHeader& h) {
  const uint8_t* b = bytes.data();
  if (bytes.size() < kFrameHeaderBytes) return false;
  if (std::memcmp(b, kFrameMagic.data(), kFrameMagic.size()) != 0) return false;
  if (get<uint64_t>(b + kHeaderSumAt) != checksum64({b, kHeaderSumAt})) return false;
  h.type = static_cast<FrameType>(get<uint16_t>(b + kTypeAt));
  h.flags = get<uint16_t>(b + kFlagsAt);
  h.thread = get<uint32_t>(b + kThreadAt);
  h.sequence = get<uint32_t>(b + kSequenceAt);
  h.first_event = get<uint64_t>(b + kFirstEventAt);
  h.event_count = get<uint64_t>(b + kEventCountAt);
  h.payload_bytes = get<uint64_t>(b + kPayloadBytesAt);
  h.raw_bytes = get<uint64_t>(b + kRawBytesAt);
  h.payload_checksum = get<uint64_t>(b + kPayloadSumAt);
  return lengths_possible(h);
}

}  // namespace cdr
