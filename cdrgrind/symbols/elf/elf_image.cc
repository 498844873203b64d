// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/elf/elf_image.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "cdrgrind/base/elf_build_id.h"

namespace cdr::symbols {

ElfHandle::ElfHandle(const std::string& path) {
  elf_version(EV_CURRENT);
  // A path may come from a trace that anybody made: a named pipe would keep us waiting.
  fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) return;
  struct stat status;
  if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return;
  elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
  if (elf_ && (elf_kind(elf_) != ELF_K_ELF || gelf_getclass(elf_) != ELFCLASS64)) {
    elf_end(elf_);
    elf_ = nullptr;
  }
}

ElfHandle::~ElfHandle() {
  if (elf_) elf_end(elf_);
  if (fd_ >= 0) ::close(fd_);
}

namespace {

constexpr std::uint32_t kCompressedByZstd = 2;  // ELFCOMPRESS_ZSTD, missing in older <elf.h>

std::string hex(const unsigned char* bytes, std::size_t count) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

std::string_view raw_content(Elf_Scn* section) {
  Elf_Data* data = elf_rawdata(section, nullptr);
  if (!data || !data->d_buf) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

std::string read_build_id(Elf_Scn* section) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (!data || !data->d_buf) return {};
  GElf_Nhdr note;
  std::size_t name_at = 0;
  std::size_t content_at = 0;
  std::size_t at = 0;
  while ((at = gelf_getnote(data, at, &note, &name_at, &content_at)) > 0) {
    const auto* bytes = static_cast<const unsigned char*>(data->d_buf);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(bytes + name_at, "GNU", 4) == 0) {
      return hex(bytes + content_at, note.n_descsz);
    }
  }
  return {};
}

std::optional<DebugLink> read_debug_link(std::string_view content) {
  const std::size_t end = content.find('\0');
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  const std::size_t crc_at = (end + 4) & ~std::size_t{3};
  if (crc_at + 4 > content.size()) return std::nullopt;
  DebugLink link{std::string(content.substr(0, end)), 0};
  std::memcpy(&link.crc, content.data() + crc_at, 4);
  return link;
}

bool is_debug_section(std::string_view name) { return name.starts_with(".debug_") || name.starts_with(".zdebug_"); }

// zlib makes at most 1,032 bytes of one.
bool can_expand_to(std::uint64_t bytes, std::uint64_t stored) { return bytes / 1032 <= stored; }

// Whether its length when decompressed can be as it says.
bool has_sound_size(Elf_Scn* section, const GElf_Shdr& header) {
  GElf_Chdr compression;
  return gelf_getchdr(section, &compression) && can_expand_to(compression.ch_size, header.sh_size);
}

// The same of the older form: "ZLIB", and the length from its highest byte on.
bool has_sound_old_size(Elf_Scn* section) {
  const std::string_view content = raw_content(section);
  if (content.size() < 12) return false;
  std::uint64_t bytes = 0;
  for (const char c : content.substr(4, 8)) bytes = bytes << 8 | static_cast<unsigned char>(c);
  return can_expand_to(bytes, content.size());
}

bool is_compressed_by_zstd(Elf_Scn* section, const GElf_Shdr& header) {
  GElf_Chdr compression;
  return (header.sh_flags & SHF_COMPRESSED) && gelf_getchdr(section, &compression) &&
         compression.ch_type == kCompressedByZstd;
}

void note_debug_section(ElfImage& image, Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
  if (header.sh_type == SHT_NOBITS || header.sh_size == 0) return;
  if (name == ".debug_info" || name == ".zdebug_info") image.has_debug_info = true;
  if (is_compressed_by_zstd(section, header)) image.has_zstd_sections = true;
}

void read_section(ElfImage& image, Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
  if (header.sh_type == SHT_NOBITS && (header.sh_flags & SHF_EXECINSTR) && header.sh_size != 0) {
    image.is_only_debug = true;
  } else if (header.sh_type == SHT_NOTE && image.build_id.empty()) {
    image.build_id = read_build_id(section);
  } else if (name == ".gnu_debuglink") {
    image.debug_link = read_debug_link(raw_content(section));
  } else if (name == ".gnu_debugaltlink") {
    const std::string_view content = raw_content(section);
    image.alternate_link = std::string(content.substr(0, content.find('\0')));
  } else if (is_debug_section(name)) {
    note_debug_section(image, section, header, name);
  }
}

template <class Visit>
void for_each_section(Elf* elf, Visit visit) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header)) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name) visit(section, header, std::string_view(name));
  }
}

void read_segments(ElfImage& image, Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (!gelf_getphdr(elf, static_cast<int>(i), &header) || header.p_type != PT_LOAD) continue;
    image.segments.push_back({header.p_vaddr, header.p_vaddr + header.p_memsz, (header.p_flags & PF_X) != 0,
                              header.p_offset, header.p_filesz});
  }
}

// As the recorder sees it. What is said of the segments of a debug file need not be true.
void read_mapped_build_id(ElfImage& image, Elf* elf) {
  std::size_t size = 0;
  const char* file = elf_rawfile(elf, &size);
  if (!file || image.is_only_debug) return;
  const cdr::BuildId id = cdr::find_build_id([&](std::uint64_t offset, std::span<std::uint8_t> to) {
    if (offset > size || to.size() > size - offset) return false;
    std::memcpy(to.data(), file + offset, to.size());
    return true;
  });
  if (id.size != 0) image.build_id = hex(id.room.data(), id.size);
}

}  // namespace

std::optional<ElfImage> ElfImage::read(const std::string& path) {
  ElfHandle elf(path);
  if (!elf) return std::nullopt;
  ElfImage image;
  image.path = path;
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    image.modified_at = status.st_mtime;
    image.bytes = static_cast<std::uint64_t>(status.st_size);
  }
  for_each_section(elf.get(), [&](Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
    read_section(image, section, header, name);
  });
  read_segments(image, elf.get());
  read_mapped_build_id(image, elf.get());
  return image;
}

std::vector<std::uint8_t> read_debug_section(const std::string& path, const std::string& name) {
  std::vector<std::uint8_t> content;
  ElfHandle elf(path);
  if (!elf) return content;
  const std::string old_compressed_name = ".z" + name.substr(1);
  for_each_section(elf.get(), [&](Elf_Scn* section, const GElf_Shdr& header, std::string_view found) {
    if (header.sh_type == SHT_NOBITS) return;
    if (found == old_compressed_name) {
      if (!has_sound_old_size(section) || elf_compress_gnu(section, 0, 0) < 0) return;
    } else if (found != name) {
      return;
    } else if (header.sh_flags & SHF_COMPRESSED) {
      if (!has_sound_size(section, header) || elf_compress(section, 0, 0) < 0) return;
    }
    Elf_Data* data = elf_rawdata(section, nullptr);
    if (!data || !data->d_buf) return;
    const auto* bytes = static_cast<const std::uint8_t*>(data->d_buf);
    content.assign(bytes, bytes + data->d_size);
  });
  return content;
}

bool ElfImage::contains(std::uint64_t address) const {
  return std::any_of(segments.begin(), segments.end(),
                     [&](const ElfSegment& s) { return address >= s.begin && address < s.end; });
}

bool ElfImage::has_code_at(std::uint64_t address) const {
  return std::any_of(segments.begin(), segments.end(),
                     [&](const ElfSegment& s) { return s.executable && address >= s.begin && address < s.end; });
}

std::vector<std::uint8_t> ElfImage::content(const ElfSegment& segment) const {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {};
  std::vector<std::uint8_t> bytes;
  struct stat status;
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && segment.offset <= std::uint64_t(status.st_size)) {
    bytes.resize(std::min(segment.bytes_in_file, std::uint64_t(status.st_size) - segment.offset));
    const ssize_t got = ::pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(segment.offset));
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  ::close(fd);
  return bytes;
}

}  // namespace cdr::symbols
