// SPDX-License-Identifier: GPL-2.0-or-later
// The GNU build-id of an ELF file as it is mapped: the first such note in its PT_NOTE segments. Sections do not count,
// so a file has the same one with and without them. The recorder and the reader of a trace must agree: both ask here.
#ifndef CDRGRIND_BASE_ELF_BUILD_ID_H
#define CDRGRIND_BASE_ELF_BUILD_ID_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "cdrgrind/base/module_table.h"

namespace cdr {

// Empty: there is none.
struct BuildId {
  std::array<uint8_t, kMaxFileIdBytes> room = {};
  uint8_t size = 0;

  std::string_view bytes() const { return {reinterpret_cast<const char*>(room.data()), size}; }
};

// Of a little-endian 64-bit file. ReadAt: bool(uint64_t offset, std::span<uint8_t> to), false unless all is there.
template <class ReadAt>
class BuildIdFinder {
 public:
  explicit BuildIdFinder(ReadAt read_at) : read_at_(read_at) {}

  BuildId find() {
    constexpr uint8_t kMagic[] = {0x7f, 'E', 'L', 'F', 2, 1};  // 64 bits, little endian
    std::array<uint8_t, 64> header;
    if (!read_at_(0, header) || std::memcmp(header.data(), kMagic, sizeof kMagic) != 0) return {};
    const auto first = number<uint64_t>(header, 32);
    const auto entry_bytes = number<uint16_t>(header, 54);
    const auto count = number<uint16_t>(header, 56);
    for (uint64_t i = 0; i < count && i < kMostSegments; ++i)
      if (const BuildId id = in_segment(first + i * entry_bytes); id.size != 0) return id;
    return {};
  }

 private:
  static constexpr uint64_t kMostSegments = 256, kMostNotes = 256;
  static constexpr uint32_t kNoteSegment = 4, kBuildIdNote = 3;

  template <class T>
  static T number(std::span<const uint8_t> bytes, size_t at) {
    T v;
    std::memcpy(&v, bytes.data() + at, sizeof v);
    return v;
  }

  BuildId in_segment(uint64_t entry_at) {
    std::array<uint8_t, 56> entry;
    if (!read_at_(entry_at, entry) || number<uint32_t>(entry, 0) != kNoteSegment) return {};
    const auto offset = number<uint64_t>(entry, 8);
    const auto bytes = number<uint64_t>(entry, 32);
    const uint64_t align = number<uint64_t>(entry, 48) == 8 ? 8 : 4;
    uint64_t at = 0;
    for (uint64_t i = 0; i < kMostNotes && at < bytes; ++i) {
      BuildId id;
      if (!in_note(offset, align, at, id) || id.size != 0) return id;
    }
    return {};
  }

  // The note at `at`, which goes on to the next one; false at the end.
  bool in_note(uint64_t segment, uint64_t align, uint64_t& at, BuildId& id) {
    std::array<uint8_t, 16> note;  // lengths of name and content, type, and as much of a name as we look for
    if (!read_at_(segment + at, note)) return false;
    const uint64_t name = number<uint32_t>(note, 0), content = number<uint32_t>(note, 4);
    const uint64_t content_at = aligned(at + 12 + name, align);
    const bool is_build_id =
        number<uint32_t>(note, 8) == kBuildIdNote && name == 4 && std::memcmp(&note[12], "GNU", 4) == 0;
    at = aligned(content_at + content, align);
    if (!is_build_id || content == 0 || content > id.room.size()) return true;
    if (!read_at_(segment + content_at, std::span(id.room).first(content))) return false;
    id.size = static_cast<uint8_t>(content);
    return true;
  }

  static uint64_t aligned(uint64_t at, uint64_t align) { return (at + align - 1) / align * align; }

  ReadAt read_at_;
};

template <class ReadAt>
BuildId find_build_id(ReadAt read_at) {
  return BuildIdFinder<ReadAt>(read_at).find();
}

}  // namespace cdr

#endif
