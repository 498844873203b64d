// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an ELF file says about itself, without its debug information: build-id,
// links to debug files, segments, which debug sections it has. Read once, the
// file is closed again.
#ifndef CDRGRIND_SYMBOLS_ELF_ELF_IMAGE_H
#define CDRGRIND_SYMBOLS_ELF_ELF_IMAGE_H

#include <libelf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cdr::symbols {

// An open ELF file. Invalid (false) when it is not a 64-bit ELF file.
class ElfHandle {
 public:
  explicit ElfHandle(const std::string& path);
  ~ElfHandle();
  ElfHandle(const ElfHandle&) = delete;
  ElfHandle& operator=(const ElfHandle&) = delete;

  explicit operator bool() const { return elf_ != nullptr; }
  Elf* get() const { return elf_; }

 private:
  int fd_ = -1;
  Elf* elf_ = nullptr;
};

// The content of a debug section, uncompressed: `name` is ".debug_line". Empty
// when there is none or it cannot be read.
std::vector<std::uint8_t> read_debug_section(const std::string& path, const std::string& name);

struct ElfSegment {
  std::uint64_t begin = 0;  // address in the file
  std::uint64_t end = 0;
  bool executable = false;
  std::uint64_t offset = 0;         // in the file's bytes
  std::uint64_t bytes_in_file = 0;  // the rest is zero
};

struct DebugLink {
  std::string name;
  std::uint32_t crc = 0;
};

struct ElfImage {
  std::string path;
  std::string build_id;     // lower-case hex, empty = none
  std::uint64_t bytes = 0;  // the file's size
  std::optional<DebugLink> debug_link;
  std::optional<std::string> alternate_link;  // .gnu_debugaltlink, made by dwz -m
  std::vector<ElfSegment> segments;           // PT_LOAD
  bool has_debug_info = false;
  bool is_only_debug = false;      // its code was left out: a separate debug file
  bool has_zstd_sections = false;  // debug sections that libdwarf cannot read
  std::int64_t modified_at = 0;    // seconds

  // Nothing when the file is not there or not a 64-bit ELF file.
  static std::optional<ElfImage> read(const std::string& path);

  bool contains(std::uint64_t address) const;
  bool has_code_at(std::uint64_t address) const;
  // The bytes of a segment; fewer when the file has become shorter.
  std::vector<std::uint8_t> content(const ElfSegment& segment) const;
};

}  // namespace cdr::symbols

#endif
