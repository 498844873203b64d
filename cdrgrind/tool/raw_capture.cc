// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/raw_capture.h"

namespace cdr::tool {
namespace {

Int open_or_end(const HChar* path, Int flags) {
  const SysRes r = VG_(open)(path, flags, 0666);
  if (!sr_isError(r)) return VG_(safe_fd)(static_cast<Int>(sr_Res(r)));
  VG_(umsg)("cdrgrind: error: cannot open %s\n", path);
  VG_(exit)(1);
}

bool write_all(Int fd, const void* data, uint64_t bytes) {
  const auto* p = static_cast<const char*>(data);
  while (bytes) {
    const Int n = VG_(write)(fd, p, static_cast<Int>(bytes));
    if (n == -VKI_EINTR) continue;
    if (n <= 0) return false;
    p += n;
    bytes -= static_cast<uint64_t>(n);
  }
  return true;
}

// Bytes read; fewer at the end of the file.
uint64_t read_all(Int fd, void* data, uint64_t bytes) {
  auto* const p = static_cast<char*>(data);
  uint64_t done = 0;
  while (done < bytes) {
    const Int n = VG_(read)(fd, p + done, static_cast<Int>(bytes - done));
    if (n == -VKI_EINTR) continue;
    if (n <= 0) break;
    done += static_cast<uint64_t>(n);
  }
  return done;
}

}  // namespace

void RawCapture::create(const HChar* path) {
  path_ = path;
  if (path) fd_ = open_or_end(path, VKI_O_CREAT | VKI_O_WRONLY | VKI_O_TRUNC);
}

void RawCapture::write(std::span<const uint64_t> words) {
  if (fd_ < 0 || words.empty()) return;
  const uint64_t size = words.size();
  if (write_all(fd_, &size, sizeof size) && write_all(fd_, words.data(), words.size_bytes())) return;
  VG_(umsg)("cdrgrind: warning: %s: cannot write any more, the capture ends here\n", path_);
  close();
}

void RawCapture::close() {
  if (fd_ >= 0) VG_(close)(fd_);
  fd_ = -1;
}

RawReplay::RawReplay(const HChar* path) : path_(path), fd_(open_or_end(path, VKI_O_RDONLY)) {}

uint64_t RawReplay::read(std::span<uint64_t> room) {
  uint64_t words = 0;
  const uint64_t head = read_all(fd_, &words, sizeof words);
  if (head == 0) return 0;
  const uint64_t bytes = words * sizeof(uint64_t);
  if (head == sizeof words && words <= room.size() && read_all(fd_, room.data(), bytes) == bytes) return words;
  VG_(umsg)("cdrgrind: error: %s is no capture, or is cut\n", path_);
  return 0;
}

}  // namespace cdr::tool
