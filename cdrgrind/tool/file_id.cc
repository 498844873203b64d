// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/file_id.h"

#include <algorithm>
#include <span>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/elf_build_id.h"
#include "cdrgrind/tool/files.h"

namespace cdr::tool {
namespace {

// One thread at a time runs here.
constinit std::array<uint8_t, 64 * 1024> piece = {};
constexpr size_t kHead = 4096;  // holds headers and notes of nearly all files

bool read_at(Int fd, uint64_t offset, std::span<uint8_t> to) {
  return offset < uint64_t{1} << 62 && VG_(lseek)(fd, static_cast<Off64T>(offset), VKI_SEEK_SET) >= 0 &&
         read_all(fd, to) == to.size();
}

BuildId build_id_of(Int fd) {
  const uint64_t head = read_all(fd, std::span(piece).first(kHead));
  return find_build_id([fd, head](uint64_t offset, std::span<uint8_t> to) {
    if (offset > head || to.size() > head - offset) return read_at(fd, offset, to);
    std::copy_n(piece.begin() + offset, to.size(), to.begin());
    return true;
  });
}

// False if not all of it could be read.
bool checksum_of(Int fd, uint64_t bytes, uint64_t& checksum) {
  Checksum sum;
  if (VG_(lseek)(fd, 0, VKI_SEEK_SET) != 0) return false;
  for (uint64_t left = bytes; left > 0;) {
    const auto some = std::span(piece).first(std::min<uint64_t>(left, piece.size()));
    if (read_all(fd, some) != some.size()) return false;
    sum.add(some);
    left -= some.size();
  }
  checksum = sum.value();
  return true;
}

void identify(Int fd, FileId& id) {
  if (const BuildId build_id = build_id_of(fd); build_id.size != 0) {
    id.kind = FileIdKind::kBuildId;
    id.room = build_id.room;
    id.size = build_id.size;
    return;
  }
  uint64_t checksum = 0;
  if (!checksum_of(fd, id.file_bytes, checksum)) return;
  id.kind = FileIdKind::kChecksum;
  id.size = sizeof checksum;
  std::memcpy(id.room.data(), &checksum, sizeof checksum);
}

}  // namespace

FileId file_id_of(const HChar* path, const NSegment& mapping) {
  FileId id;
  const SysRes opened = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);
  if (sr_isError(opened)) return id;
  const auto fd = static_cast<Int>(sr_Res(opened));
  struct vg_stat now;
  if (VG_(fstat)(fd, &now) == 0 && VKI_S_ISREG(now.mode) && now.dev == mapping.dev && now.ino == mapping.ino) {
    id.file_bytes = static_cast<uint64_t>(now.size);
    identify(fd, id);
  }
  VG_(close)(fd);
  return id;
}

}  // namespace cdr::tool
