// SPDX-License-Identifier: GPL-2.0-or-later
// The small payloads: RUN, META, EXEC, INDEX, END. Encoders append to a ByteWriter; decoders return false on
// damaged input, and their texts point into the payload that they were given.
#ifndef CDRGRIND_FORMAT_INFO_H
#define CDRGRIND_FORMAT_INFO_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/format/frame_writer.h"

namespace cdr {

// What may differ between two runs that do the same. Fixed width on file.
struct RunInfo {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;     // the process that forked this one while being recorded; 0 none
  uint64_t process_start = 0;  // field 22 of /proc/<pid>/stat: clock ticks since boot
  uint64_t wall_ns = 0;        // since the epoch, at the start of recording
  uint64_t fork_event = 0;     // events in the parent's trace before the fork
  uint32_t number = 0;         // N of F.N: F and those before had a trace of this process, or were being written
  bool operator==(const RunInfo&) const = default;
};
constexpr size_t kRunBytes = 40;

// Keys may repeat (`arg`); order is kept.
struct MetaEntry {
  std::string_view key;
  std::string_view value;
  bool operator==(const MetaEntry&) const = default;
};

struct Counter {
  std::string_view key;
  uint64_t value = 0;
  bool operator==(const Counter&) const = default;
};

// Payload of END. Counters with the keys events, blocks, instructions, accesses, threads come first; then
// the caller's (overflows, `imprecise` …).
struct EndPayload {
  std::vector<Counter> counters;
  std::vector<MetaEntry> texts;  // exit (the reason) and others
};

// EXEC: written before the process tries to execute another program, and again when it could not.
struct ExecInfo {
  uint64_t error = 0;          // errno of the failed call, 0 before the call
  std::string_view path = {};  // as the program gave it; empty after the call
  bool operator==(const ExecInfo&) const = default;
};

void encode_run(const RunInfo& run, ByteWriter& to);
bool decode_run(std::span<const uint8_t> payload, RunInfo& run);
// Changes the number in the RUN frame that the bytes of a trace begin with. False, and nothing is changed, if they do
// not begin with one.
bool renumber_run(std::span<uint8_t> trace, uint32_t number);

void encode_meta(std::span<const MetaEntry> entries, ByteWriter& to);
bool decode_meta(std::span<const uint8_t> payload, std::vector<MetaEntry>& entries);

void encode_exec(const ExecInfo& exec, ByteWriter& to);
bool decode_exec(std::span<const uint8_t> payload, ExecInfo& exec);

void encode_index(std::span<const FrameRow> rows, ByteWriter& to);
bool decode_index(std::span<const uint8_t> payload, std::vector<FrameRow>& rows);

void encode_end(std::span<const Counter> counters, std::span<const MetaEntry> texts, ByteWriter& to);
bool decode_end(std::span<const uint8_t> payload, EndPayload& end);

}  // namespace cdr

#endif
