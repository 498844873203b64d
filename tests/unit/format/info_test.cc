// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/info.h"

#include <string>
#include <vector>

#include "cdrgrind/base/checksum.h"

#include "tests/unit/properties.h"

using namespace cdr;

namespace {

struct MemoryOutput final : Output {
  bool write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
  std::vector<uint8_t> bytes;
};

std::span<const uint8_t> but_last(const ByteWriter& w) { return w.bytes().first(w.size() - 1); }

}  // namespace

TEST_CASE("RUN has a fixed width and comes back") {
  const RunInfo run{
      .pid = 71, .parent_pid = 70, .process_start = 123456, .wall_ns = ~uint64_t{0}, .fork_event = 9, .number = 2};
  ByteWriter w;
  encode_run(run, w);
  CHECK(w.size() == kRunBytes);
  RunInfo back;
  CHECK(decode_run(w.bytes(), back));
  CHECK(back == run);
  CHECK_FALSE(decode_run(but_last(w), back));
}

TEST_CASE("a trace gets another number, and its RUN frame stays whole") {
  MemoryOutput out;
  FrameWriter writer(out, 1);
  const RunInfo run{.pid = 71, .process_start = 9, .fork_event = 3};
  ByteWriter w;
  encode_run(run, w);
  writer.write({.type = FrameType::kRun}, w.bytes());
  const auto behind = std::vector<uint8_t>{1, 2, 3};
  out.bytes.insert(out.bytes.end(), behind.begin(), behind.end());
  const std::vector<uint8_t> before = out.bytes;
  REQUIRE(renumber_run(out.bytes, 5));
  const std::span<const uint8_t> bytes = out.bytes;
  FrameHeader h;
  REQUIRE(decode_frame_header(bytes.subspan(kFileHeaderBytes), h));
  const auto payload = bytes.subspan(kFileHeaderBytes + kFrameHeaderBytes, kRunBytes);
  CHECK(h.payload_checksum == checksum64(payload));
  RunInfo back;
  REQUIRE(decode_run(payload, back));
  CHECK(back.number == 5);
  back.number = 0;
  CHECK(back == run);
  REQUIRE(renumber_run(out.bytes, 0));
  CHECK(out.bytes == before);
}

TEST_CASE("what does not begin with RUN gets no number") {
  std::vector<uint8_t> bytes(kFileHeaderBytes + kFrameHeaderBytes + kRunBytes, 7);
  const std::vector<uint8_t> before = bytes;
  CHECK_FALSE(renumber_run(bytes, 1));
  CHECK_FALSE(renumber_run(std::span(bytes).first(20), 1));
  CHECK(bytes == before);
}

TEST_CASE("EXEC names a program, or the error of the call that failed") {
  for (const ExecInfo& exec : {ExecInfo{.path = "/bin/echo"}, ExecInfo{.error = 2}}) {
    ByteWriter w;
    encode_exec(exec, w);
    ExecInfo back;
    CHECK(decode_exec(w.bytes(), back));
    CHECK(back == exec);
    CHECK_FALSE(decode_exec(but_last(w), back));
  }
}

TEST_CASE("META keeps order and repeated keys") {
  const std::vector<MetaEntry> entries = {{"arg", "a"}, {"arg", ""}, {"", "x"}, {"arg", "a"}};
  ByteWriter w;
  encode_meta(entries, w);
  std::vector<MetaEntry> back;
  CHECK(decode_meta(w.bytes(), back));
  CHECK(back == entries);
  CHECK_FALSE(decode_meta(but_last(w), back));
}

TEST_CASE("INDEX and END come back") {
  rc::prop("index", [](std::vector<std::tuple<uint32_t, uint16_t, uint32_t, uint32_t>> values) {
    std::vector<FrameRow> rows, back;
    FrameRow row;
    for (const auto& [offset, type, first, count] : values) {
      row = {row.offset + offset, static_cast<FrameType>(type), row.first_event + first, count};
      rows.push_back(row);
    }
    ByteWriter w;
    encode_index(rows, w);
    RC_ASSERT(decode_index(w.bytes(), back));
    RC_ASSERT(back == rows);
  });
  const std::vector<Counter> counters = {{"events", 1}, {"imprecise", ~uint64_t{0}}};
  const std::vector<MetaEntry> texts = {{"exit", "signal 11"}};
  ByteWriter w;
  encode_end(counters, texts, w);
  EndPayload end;
  CHECK(decode_end(w.bytes(), end));
  CHECK(end.counters == counters);
  CHECK(end.texts == texts);
  CHECK_FALSE(decode_end(but_last(w), end));
}

TEST_CASE("counts that cannot be are refused before anything is allocated") {
  ByteWriter w;
  w.varint(uint64_t{1} << 60);
  std::vector<MetaEntry> entries;
  std::vector<FrameRow> rows;
  EndPayload end;
  CHECK_FALSE(decode_meta(w.bytes(), entries));
  CHECK_FALSE(decode_index(w.bytes(), rows));
  CHECK_FALSE(decode_end(w.bytes(), end));
}
