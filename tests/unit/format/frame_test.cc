// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/frame.h"

#include <vector>

#include "tests/unit/catch.h"

using namespace cdr;

namespace {

FrameHeader some_header() {
  FrameHeader h;
  h.type = FrameType::kEvents;
  h.flags = kFrameRequired | kFrameCompressed;
  h.thread = 3;
  h.sequence = 9;
  h.first_event = 1234567890123;
  h.event_count = 77;
  h.payload_bytes = 4096;
  h.raw_bytes = 1 << 20;
  h.payload_checksum = 0x1122334455667788;
  return h;
}

}  // namespace

TEST_CASE("a frame header comes back as it was") {
  FrameHeader h;
  REQUIRE(decode_frame_header(encode_frame_header(some_header()), h));
  CHECK(h == some_header());
}

TEST_CASE("a frame header with any changed byte is refused") {
  const auto bytes = encode_frame_header(some_header());
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto changed = bytes;
    changed[i] ^= 0x10;
    FrameHeader h;
    CHECK_FALSE(decode_frame_header(changed, h));
  }
}

TEST_CASE("a frame header whose lengths cannot be is refused") {
  FrameHeader h = some_header(), out;
  h.raw_bytes = h.payload_bytes * kMaxRatio + 1;
  CHECK_FALSE(decode_frame_header(encode_frame_header(h), out));
  h.raw_bytes = kMaxRawBytes + 1;
  CHECK_FALSE(decode_frame_header(encode_frame_header(h), out));
  h = some_header();
  h.flags = kFrameRequired;
  CHECK_FALSE(decode_frame_header(encode_frame_header(h), out));
  h.raw_bytes = h.payload_bytes;
  CHECK(decode_frame_header(encode_frame_header(h), out));
}

TEST_CASE("a file header tells its version and the mark of a cut file") {
  auto bytes = encode_file_header(42);
  uint32_t version = 0;
  CHECK(decode_file_header(bytes, version) == FileHeaderState::kOk);
  CHECK(version == 42);
  std::copy(kCutMark.begin(), kCutMark.end(), bytes.begin() + kCutMarkOffset);
  CHECK(decode_file_header(bytes, version) == FileHeaderState::kCut);
  bytes[kCutMarkOffset] ^= 1;
  CHECK(decode_file_header(bytes, version) == FileHeaderState::kDamaged);
}

TEST_CASE("a file header that is short, foreign or damaged is told apart") {
  const auto bytes = encode_file_header(kFormatVersion);
  uint32_t version = 0;
  CHECK(decode_file_header({bytes.data(), 5}, version) == FileHeaderState::kTooShort);
  CHECK(decode_file_header({bytes.data(), bytes.size() - 1}, version) == FileHeaderState::kTooShort);
  const std::vector<uint8_t> foreign = {0x7f, 'E', 'L', 'F'};
  CHECK(decode_file_header(foreign, version) == FileHeaderState::kNotATrace);
  auto changed = bytes;
  changed[8] ^= 1;
  CHECK(decode_file_header(changed, version) == FileHeaderState::kDamaged);
}
