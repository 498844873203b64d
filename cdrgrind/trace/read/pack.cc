// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/pack.h"

namespace cdr::trace {

namespace {

void put_file(const PackedFileRef& f, ByteWriter& to) {
  to.varint(f.content);
  to.svarint(f.modified_at);
}

PackedFileRef get_file(ByteReader& from, uint32_t contents) {
  PackedFileRef f;
  f.content = static_cast<uint32_t>(from.bounded(contents));
  f.modified_at = from.svarint();
  return f;
}

// A row takes some bytes, so as many as there are bytes is enough.
uint64_t rows(ByteReader& from) { return from.bounded(from.left()); }

}  // namespace

void encode_pack_content(std::span<const uint8_t> content, ByteWriter& to) {
  to.u8(static_cast<uint8_t>(PackKind::kContent));
  to.raw(content.data(), content.size());
}

void encode_pack_list(const PackList& list, ByteWriter& to) {
  to.u8(static_cast<uint8_t>(PackKind::kList));
  to.u8(list.has_sources);
  to.varint(list.binaries.size());
  for (const PackedBinaryRow& b : list.binaries) {
    to.text(b.path);
    to.text(b.build_id);
    to.u8(b.checksum.has_value());
    if (b.checksum) to.u64(*b.checksum);
    to.varint(b.bytes);
    to.u8(b.state);
    to.text(b.present_build_id);
    to.varint(b.present_bytes);
    to.text(b.file);
    put_file(b.image, to);
    put_file(b.debug, to);
  }
  to.varint(list.sources.size());
  for (const PackedSourceRow& s : list.sources) {
    to.text(s.name);
    to.text(s.path);
    put_file(s.file, to);
  }
}

std::optional<std::span<const uint8_t>> decode_pack_content(std::span<const uint8_t> payload) {
  if (payload.empty() || payload.front() != static_cast<uint8_t>(PackKind::kContent)) return std::nullopt;
  return payload.subspan(1);
}

bool decode_pack_list(std::span<const uint8_t> payload, uint32_t contents, PackList& list) {
  ByteReader from(payload);
  if (from.u8() != static_cast<uint8_t>(PackKind::kList)) return false;
  list.has_sources = from.u8() != 0;
  for (uint64_t n = rows(from); n > 0 && from.ok(); --n) {
    PackedBinaryRow& b = list.binaries.emplace_back();
    b.path = from.text();
    b.build_id = from.text();
    if (from.u8() != 0) b.checksum = from.u64();
    b.bytes = from.varint();
    b.state = from.u8();
    if (b.state >= kPackStates) return false;
    b.present_build_id = from.text();
    b.present_bytes = from.varint();
    b.file = from.text();
    b.image = get_file(from, contents);
    b.debug = get_file(from, contents);
  }
  for (uint64_t n = rows(from); n > 0 && from.ok(); --n) {
    PackedSourceRow& s = list.sources.emplace_back();
    s.name = from.text();
    s.path = from.text();
    s.file = get_file(from, contents);
  }
  return from.ok() && from.at_end();
}

}  // namespace cdr::trace
