// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/raw_capture.h"

#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/output_place.h"
#include "cdrgrind/tool/shown_text.h"

namespace cdr::tool {
namespace {

[[noreturn]] void end_without(const HChar* path, const HChar* why) {
  VG_(umsg)("cdrgrind: error: cannot open %s%s\n", ShownText(path).text(), why);
  VG_(exit)(1);
}

Int create_or_end(const HChar* path) {
  OutputPlace place;
  const Opened opened = open_output(path, place);
  if (opened != Opened::kYes) end_without(path, opened == Opened::kTaken ? ": it is still being written" : "");
  return place.fd;
}

Int open_or_end(const HChar* path) {
  const SysRes r = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(r)) end_without(path, "");
  return VG_(safe_fd)(static_cast<Int>(sr_Res(r)));
}

}  // namespace

void RawCapture::create(const HChar* path) {
  path_ = path;
  if (path) fd_ = create_or_end(path);
}

void RawCapture::write(std::span<const uint64_t> words) {
  if (fd_ < 0 || words.empty()) return;
  const uint64_t size[] = {words.size()};
  if (write_all(fd_, bytes_of(std::span<const uint64_t>(size))) && write_all(fd_, bytes_of(words))) return;
  VG_(umsg)("cdrgrind: warning: %s: cannot write any more, the capture ends here\n", ShownText(path_).text());
  close();
}

void RawCapture::close() {
  if (fd_ >= 0) VG_(close)(fd_);
  fd_ = -1;
}

RawReplay::RawReplay(const HChar* path) : path_(path), fd_(open_or_end(path)) {}

uint64_t RawReplay::read(std::span<uint64_t> room) {
  const auto got = [this](std::span<uint64_t> to) {
    return read_all(fd_, {reinterpret_cast<uint8_t*>(to.data()), to.size_bytes()});
  };
  uint64_t words[1] = {};
  const uint64_t head = got(words);
  if (head == 0) return 0;
  if (head == sizeof words && words[0] <= room.size() && got(room.first(words[0])) == words[0] * sizeof(uint64_t))
    return words[0];
  VG_(umsg)("cdrgrind: error: %s is no capture, or is cut\n", ShownText(path_).text());
  return 0;
}

}  // namespace cdr::tool
