// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/output_place.h"

#include "cdrgrind/tool/processes.h"

namespace cdr::tool {
namespace {

constexpr UInt kTypeBits = 0170000, kRegular = 0100000, kFolder = 0040000;
constexpr Int kNotMyTerminal = 0400;  // O_NOCTTY, which Valgrind's headers leave out
constexpr int kAttempts = 100;

bool stat_of(const HChar* path, struct vg_stat& s) { return !sr_isError(VG_(stat)(path, &s)); }

// The path may mean another file by now: repack puts one in its place.
bool still_named(const HChar* path, const struct vg_stat& opened) {
  struct vg_stat now;
  return stat_of(path, now) && now.dev == opened.dev && now.ino == opened.ino;
}

}  // namespace

Opened open_output(const HChar* path, OutputPlace& place) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const SysRes r = VG_(open)(path, VKI_O_CREAT | VKI_O_WRONLY | kNotMyTerminal, 0666);
    if (sr_isError(r)) {
      place.error = sr_Err(r);
      return Opened::kNo;
    }
    Int fd = static_cast<Int>(sr_Res(r));
    struct vg_stat s;
    place.regular = VG_(fstat)(fd, &s) == 0 && (s.mode & kTypeBits) == kRegular;
    if (place.regular && !lock_file(fd)) {
      close_descriptor(fd);
      return Opened::kTaken;
    }
    if (place.regular && !still_named(path, s)) {
      close_descriptor(fd);
      continue;
    }
    if (place.regular) empty_file(fd);
    place.fd = VG_(safe_fd)(fd);
    return place.fd >= 0 ? Opened::kYes : Opened::kNo;
  }
  place.error = VKI_EAGAIN;
  return Opened::kNo;
}

bool is_special(const HChar* path) {
  struct vg_stat s;
  return stat_of(path, s) && (s.mode & kTypeBits) != kRegular && (s.mode & kTypeBits) != kFolder;
}

bool is_regular(const HChar* path) {
  struct vg_stat s;
  return stat_of(path, s) && (s.mode & kTypeBits) == kRegular;
}

}  // namespace cdr::tool
