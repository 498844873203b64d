// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/info.h"

#include <string>

#include "tests/unit/properties.h"

using namespace cdr;

namespace {

std::span<const uint8_t> but_last(const ByteWriter& w) { return w.bytes().first(w.size() - 1); }

}  // namespace

TEST_CASE("RUN has a fixed width and comes back") {
  const RunInfo run{.pid = 71, .parent_pid = 70, .process_start = 123456, .wall_ns = ~uint64_t{0}, .fork_event = 9};
  ByteWriter w;
  encode_run(run, w);
  CHECK(w.size() == kRunBytes);
  RunInfo back;
  CHECK(decode_run(w.bytes(), back));
  CHECK(back == run);
  CHECK_FALSE(decode_run(but_last(w), back));
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
