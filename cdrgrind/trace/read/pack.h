// SPDX-License-Identifier: GPL-2.0-or-later
// PACK frames: files that travel with a trace. Each frame but the last holds one file's content; the last one says what
// they are: object files by module, and sources. Readers that know nothing of them pass them over. See
// docs/trace-format.md.
#ifndef CDRGRIND_TRACE_READ_PACK_H
#define CDRGRIND_TRACE_READ_PACK_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/base/bytes.h"

namespace cdr::trace {

enum class PackKind : uint8_t { kContent = 0, kList = 1 };

struct PackedFileRef {
  uint32_t content = 0;     // number of the frame among the PACK frames, from 1; 0: there is no such file
  int64_t modified_at = 0;  // seconds
};

// What was found of one module's file.
struct PackedBinaryRow {
  std::string path;  // as recorded
  std::string build_id;
  std::optional<uint64_t> checksum;
  uint64_t bytes = 0;
  uint8_t state = 0;  // 0 as recorded, 1 newer, 2 found elsewhere, 3 changed, 4 missing
  std::string present_build_id;
  uint64_t present_bytes = 0;
  std::string file;  // found elsewhere: where
  PackedFileRef image, debug;
};

struct PackedSourceRow {
  std::string name;  // as debug information has it
  std::string path;  // where it was found
  PackedFileRef file;
};

struct PackList {
  bool has_sources = false;  // all that were found are here
  std::vector<PackedBinaryRow> binaries;
  std::vector<PackedSourceRow> sources;
};

constexpr uint8_t kPackStates = 5;

// Payloads. `content` is put behind the kind.
void encode_pack_content(std::span<const uint8_t> content, ByteWriter& to);
void encode_pack_list(const PackList& list, ByteWriter& to);
// Nothing if it is no content.
std::optional<std::span<const uint8_t>> decode_pack_content(std::span<const uint8_t> payload);
// False if it is no list, or one of contents behind `contents`.
bool decode_pack_list(std::span<const uint8_t> payload, uint32_t contents, PackList& list);

}  // namespace cdr::trace

#endif
