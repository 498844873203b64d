// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/frame_writer.h"

#include "tests/unit/catch.h"
#include "tests/unit/trace/memory_trace.h"

using namespace cdr;
using namespace cdr::test;

namespace {

FrameHeader header_at(const std::vector<uint8_t>& bytes, uint64_t offset) {
  FrameHeader h;
  REQUIRE(decode_frame_header(std::span(bytes).subspan(offset), h));
  return h;
}

}  // namespace

TEST_CASE("frames stand one behind the other and are numbered") {
  MemoryOutput out;
  FrameWriter writer(out, 1);
  const std::vector<uint8_t> zeros(1000), one = {1};
  writer.write({.type = FrameType::kMeta}, zeros);
  writer.write({.type = FrameType::kEvents, .thread = 2, .first_event = 5, .event_count = 3}, one);
  CHECK(writer.bytes_written() == out.bytes.size());
  REQUIRE(writer.rows().size() == 2);
  const FrameHeader first = header_at(out.bytes, writer.rows()[0].offset);
  CHECK(first.compressed());
  CHECK(first.raw_bytes == 1000);
  CHECK(first.payload_bytes < 100);
  CHECK(writer.rows()[1].offset == kFileHeaderBytes + kFrameHeaderBytes + first.payload_bytes);
  const FrameHeader second = header_at(out.bytes, writer.rows()[1].offset);
  CHECK_FALSE(second.compressed());
  CHECK(second.sequence == 1);
  CHECK(second.thread == 2);
  CHECK(second.first_event == 5);
  CHECK(second.event_count == 3);
}

TEST_CASE("RUN is never compressed") {
  MemoryOutput out;
  FrameWriter writer(out, 1);
  writer.write({.type = FrameType::kRun}, std::vector<uint8_t>(1000));
  CHECK_FALSE(header_at(out.bytes, kFileHeaderBytes).compressed());
}

TEST_CASE("after a failed write nothing more is written and the file is marked") {
  MemoryOutput out;
  out.room = kFileHeaderBytes + kFrameHeaderBytes + 3;
  FrameWriter writer(out, 1);
  const std::vector<uint8_t> payload = {1, 2, 3, 4};
  writer.write({.type = FrameType::kMark}, payload);
  CHECK(writer.cut());
  CHECK(writer.rows().empty());
  writer.write({.type = FrameType::kMark}, payload);
  CHECK(out.writes_after_failure == 0);
  uint32_t version = 0;
  CHECK(decode_file_header(out.bytes, version) == FileHeaderState::kCut);
}
