// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/frames_input.h"

#include <algorithm>
#include <cstring>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/event_codec.h"
#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/format/info.h"
#include "cdrgrind/format/tables.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::fuzz {
namespace {

constexpr uint8_t kTypeBits = 0x7f, kOptionalBit = 0x80;

struct Bytestring final : Output {
  std::vector<uint8_t> bytes;
  bool write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
};

// Counts the events of a payload with the tables of the frames before.
class Counter {
 public:
  explicit Counter(bool compact) : compact_(compact) {}
  void read_table(FrameType type, Bytes payload) {
    if (type == FrameType::kModule) decode_modules(payload, modules_, compact_ ? kFormatVersion : kFormatVersion2);
    if (type == FrameType::kBlocks && !compact_) decode_superblocks(payload, modules_, blocks_);
    if (type == FrameType::kExits) decode_blocks(payload, blocks_);
  }
  // Of the epoch whose TURN frame came last.
  uint64_t events_of_turns() const { return turns_; }
  void read_turns(Bytes payload) {
    turns_ = 0;
    trace::Columns columns;
    if (!columns.read(payload, 1 << 20)) return;
    ByteReader events(columns[kTurnEvents]);
    while (!events.at_end()) turns_ += events.bounded(1 << 20);
    for (const uint8_t flags : columns[kTurnFlags]) turns_ += flags & 1;
  }
  uint64_t events_in(Bytes payload) const {
    EventDecoder decoder(modules_, blocks_, EventDecoder::Words::kAny);
    decoder.begin_frame(payload, ThreadId(1));
    uint64_t n = 0;
    for (Event e; decoder.next(e);) ++n;
    // A payload that ends in damage claims one event more, so that the damage is met.
    return decoder.error() ? n + 1 : n;
  }

 private:
  bool compact_;  // its events are not decoded here
  ModuleTable modules_;
  BlockTable blocks_;
  uint64_t turns_ = 0;
};

template <class T>
T number_at(const std::vector<uint8_t>& bytes, size_t at) {
  T v;
  std::memcpy(&v, bytes.data() + at, sizeof v);
  return v;
}
template <class T>
void put_at(std::vector<uint8_t>& bytes, size_t at, T v) {
  std::memcpy(bytes.data() + at, &v, sizeof v);
}

// Places in a frame header (docs/trace-format.md).
constexpr size_t kFlagsAt = 6, kPayloadBytesAt = 32, kRawBytesAt = 40, kPayloadSumAt = 48, kHeaderSumAt = 56;

}  // namespace

namespace {

struct Part {
  uint8_t kind = 0;
  Bytes payload;
  FrameType type() const { return static_cast<FrameType>(kind & kTypeBits); }
};

std::vector<Part> parts_of(Bytes input) {
  std::vector<Part> parts;
  while (input.size() >= 3) {
    const size_t length = std::min<size_t>(input[1] | input[2] << 8, input.size() - 3);
    parts.push_back({input[0], input.subspan(3, length)});
    input = input.subspan(3 + length);
  }
  return parts;
}

}  // namespace

std::vector<uint8_t> trace_of(Bytes input) {
  const std::vector<Part> parts = parts_of(input);
  const bool compact =
      std::any_of(parts.begin(), parts.end(), [](const Part& p) { return p.type() == FrameType::kControl; });
  Bytestring out;
  FrameWriter plain(out, 1, compact ? kFormatVersion : kFormatVersion2);
  ByteWriter run;
  encode_run({.pid = 71}, run);
  plain.write({.type = FrameType::kRun}, run.bytes());
  Counter counter(compact);
  uint64_t events = 0;
  for (const Part& part : parts) {
    const Bytes payload = part.payload;
    const FrameType type = part.type();
    counter.read_table(type, payload);
    if (type == FrameType::kTurn) counter.read_turns(payload);
    const uint64_t count = type == FrameType::kEvents    ? counter.events_in(payload)
                           : type == FrameType::kControl ? counter.events_of_turns()
                                                         : 0;
    const uint16_t flags = part.kind & kOptionalBit ? 0 : kFrameRequired;
    plain.write({.type = type,
                 .thread = type == FrameType::kEvents,
                 .first_event = events,
                 .event_count = count,
                 .flags = flags},
                payload);
    events += count;
  }
  return out.bytes;
}

std::vector<uint8_t> frames_of(const trace::TraceFile& file) {
  std::vector<uint8_t> input;
  for (const trace::Frame& frame : file.frames()) {
    const FrameType type = frame.header.type;
    if (type == FrameType::kRun || type == FrameType::kIndex) continue;
    const auto payload = file.payload(frame);
    const auto length = static_cast<uint16_t>(std::min<size_t>(payload.size(), 0xffff));
    const bool optional = !(frame.header.flags & kFrameRequired);
    input.push_back(static_cast<uint8_t>(static_cast<uint8_t>(type) | (optional ? kOptionalBit : 0)));
    input.push_back(static_cast<uint8_t>(length));
    input.push_back(static_cast<uint8_t>(length >> 8));
    input.insert(input.end(), payload.begin(), payload.begin() + length);
  }
  return input;
}

std::vector<uint8_t> repaired(Bytes file) {
  std::vector<uint8_t> bytes(file.begin(), file.end());
  if (bytes.size() < kFileHeaderBytes) return bytes;
  put_at(bytes, 16, checksum64({bytes.data(), 12}));
  for (size_t at = kFileHeaderBytes; bytes.size() - at >= kFrameHeaderBytes;) {
    const size_t room = bytes.size() - at - kFrameHeaderBytes;
    const uint64_t length = std::min<uint64_t>(number_at<uint64_t>(bytes, at + kPayloadBytesAt), room);
    put_at(bytes, at + kPayloadBytesAt, length);
    if (!(number_at<uint16_t>(bytes, at + kFlagsAt) & kFrameCompressed)) put_at(bytes, at + kRawBytesAt, length);
    put_at(bytes, at + kPayloadSumAt, checksum64({bytes.data() + at + kFrameHeaderBytes, length}));
    put_at(bytes, at + kHeaderSumAt, checksum64({bytes.data() + at, kHeaderSumAt}));
    at += kFrameHeaderBytes + length;
  }
  return bytes;
}

}  // namespace cdr::fuzz
