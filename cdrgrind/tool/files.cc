// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/files.h"

#include <algorithm>

#include "cdrgrind/tool/processes.h"

namespace cdr::tool {
namespace {

constexpr Int kFileSizeLimit = 1;  // RLIMIT_FSIZE, which Valgrind's headers leave out

Int at_once(size_t bytes) { return static_cast<Int>(std::min<size_t>(bytes, 1u << 30)); }

}  // namespace

// A pipe's signal comes also with a write that was done in part.
bool write_all(Int fd, std::span<const uint8_t> bytes) {
  HeldSignal pipe(VKI_SIGPIPE);
  while (!bytes.empty()) {
    const Int n = VG_(write)(fd, bytes.data(), at_once(bytes.size()));
    if (n < at_once(bytes.size())) pipe.take_back();
    if (n == -VKI_EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

uint64_t read_all(Int fd, std::span<uint8_t> room) {
  uint64_t done = 0;
  while (done < room.size()) {
    const Int n = VG_(read)(fd, room.data() + done, at_once(room.size() - done));
    if (n == -VKI_EINTR) continue;
    if (n <= 0) break;
    done += static_cast<uint64_t>(n);
  }
  return done;
}

std::string_view read_text(const HChar* path, std::span<HChar> room) {
  room[0] = 0;
  const SysRes r = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(r)) return {};
  const auto fd = static_cast<Int>(sr_Res(r));
  const uint64_t n = read_all(fd, {reinterpret_cast<uint8_t*>(room.data()), room.size() - 1});
  VG_(close)(fd);
  room[n] = 0;
  return {room.data(), n};
}

bool within_size_limit(uint64_t bytes) {
  struct vki_rlimit limit;
  if (VG_(getrlimit)(kFileSizeLimit, &limit) != 0) return true;
  return limit.rlim_cur == static_cast<decltype(limit.rlim_cur)>(-1) || bytes <= limit.rlim_cur;
}

}  // namespace cdr::tool
