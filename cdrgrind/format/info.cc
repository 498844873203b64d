// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/info.h"

#include <algorithm>

#include "cdrgrind/base/checksum.h"

namespace cdr {
namespace {

constexpr uint32_t kRunLayout = 1;  // first word of RUN

void put_texts(std::span<const MetaEntry> entries, ByteWriter& to) {
  to.varint(entries.size());
  for (const MetaEntry& e : entries) {
    to.text(e.key);
    to.text(e.value);
  }
}

void get_texts(ByteReader& from, std::vector<MetaEntry>& entries) {
  for (uint64_t n = from.bounded(from.left() / 2); n > 0 && from.ok(); --n) {
    const auto key = from.text();
    const auto value = from.text();
    entries.push_back({key, value});
  }
}

bool complete(const ByteReader& from) { return from.ok() && from.at_end(); }

}  // namespace

void encode_run(const RunInfo& run, ByteWriter& to) {
  to.u32(kRunLayout);
  to.u32(run.pid);
  to.u32(run.parent_pid);
  to.u32(run.number);
  to.u64(run.process_start);
  to.u64(run.wall_ns);
  to.u64(run.fork_event);
}

bool decode_run(std::span<const uint8_t> payload, RunInfo& run) {
  if (payload.size() != kRunBytes) return false;
  ByteReader from(payload);
  const uint32_t layout = from.u32();
  run.pid = from.u32();
  run.parent_pid = from.u32();
  run.number = from.u32();
  run.process_start = from.u64();
  run.wall_ns = from.u64();
  run.fork_event = from.u64();
  return layout == kRunLayout && complete(from);
}

bool renumber_run(std::span<uint8_t> trace, uint32_t number) {
  if (trace.size() < kFileHeaderBytes + kFrameHeaderBytes + kRunBytes) return false;
  const auto header = trace.subspan(kFileHeaderBytes, kFrameHeaderBytes);
  const auto payload = trace.subspan(kFileHeaderBytes + kFrameHeaderBytes, kRunBytes);
  FrameHeader h;
  RunInfo run;
  if (!decode_frame_header(header, h) || h.type != FrameType::kRun || h.payload_bytes != kRunBytes) return false;
  if (!decode_run(payload, run)) return false;
  run.number = number;
  ByteWriter changed;
  encode_run(run, changed);
  std::ranges::copy(changed.bytes(), payload.begin());
  h.payload_checksum = checksum64(payload);
  std::ranges::copy(encode_frame_header(h), header.begin());
  return true;
}

void encode_meta(std::span<const MetaEntry> entries, ByteWriter& to) { put_texts(entries, to); }

bool decode_meta(std::span<const uint8_t> payload, std::vector<MetaEntry>& entries) {
  ByteReader from(payload);
  get_texts(from, entries);
  return complete(from);
}

void encode_exec(const ExecInfo& exec, ByteWriter& to) {
  to.varint(exec.error);
  to.text(exec.path);
}

bool decode_exec(std::span<const uint8_t> payload, ExecInfo& exec) {
  ByteReader from(payload);
  exec.error = from.varint();
  exec.path = from.text();
  return complete(from);
}

void encode_index(std::span<const FrameRow> rows, ByteWriter& to) {
  to.varint(rows.size());
  FrameRow before;
  for (const FrameRow& row : rows) {
    to.varint(row.offset - before.offset);
    to.varint(static_cast<uint64_t>(row.type));
    to.varint(row.first_event - before.first_event);
    to.varint(row.event_count);
    before = row;
  }
}

bool decode_index(std::span<const uint8_t> payload, std::vector<FrameRow>& rows) {
  ByteReader from(payload);
  FrameRow row;
  for (uint64_t n = from.bounded(from.left() / 4); n > 0 && from.ok(); --n) {
    row.offset += from.varint();
    row.type = static_cast<FrameType>(from.bounded(0xffff));
    row.first_event += from.varint();
    row.event_count = from.varint();
    rows.push_back(row);
  }
  return complete(from);
}

void encode_end(std::span<const Counter> counters, std::span<const MetaEntry> texts, ByteWriter& to) {
  to.varint(counters.size());
  for (const Counter& c : counters) {
    to.text(c.key);
    to.varint(c.value);
  }
  put_texts(texts, to);
}

bool decode_end(std::span<const uint8_t> payload, EndPayload& end) {
  ByteReader from(payload);
  for (uint64_t n = from.bounded(from.left() / 2); n > 0 && from.ok(); --n) {
    const auto key = from.text();
    const auto value = from.varint();
    end.counters.push_back({key, value});
  }
  get_texts(from, end.texts);
  return complete(from);
}

}  // namespace cdr
