// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/file_output.h"

#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/shown_text.h"

namespace cdr::tool {
namespace {

const HChar* reason(uint64_t error) {
  switch (error) {
    case VKI_ENOENT:
      return "no such folder";
    case VKI_EACCES:
      return "permission denied";
    case VKI_ENOTDIR:
      return "a part of the path is not a folder";
    case VKI_EISDIR:
      return "it is a folder";
    case VKI_ENOSPC:
      return "no space left";
    case VKI_EROFS:
      return "the file system is read-only";
    default:
      return "the system refused";
  }
}

std::vector<HChar> terminated(std::string_view text) {
  std::vector<HChar> copy(text.begin(), text.end());
  copy.push_back(0);
  return copy;
}

void write_cut_mark(Int fd) {
  VG_(lseek)(fd, kCutMarkOffset, VKI_SEEK_SET);
  VG_(write)(fd, kCutMark.data(), static_cast<Int>(kCutMark.size()));
}

}  // namespace

bool FileOutput::create(std::string_view path) {
  const std::vector<HChar> text = terminated(path);
  const SysRes r = VG_(open)(text.data(), VKI_O_CREAT | VKI_O_WRONLY | VKI_O_TRUNC, 0666);
  if (sr_isError(r)) {
    error_ = sr_Err(r);
    return false;
  }
  fd_ = VG_(safe_fd)(static_cast<Int>(sr_Res(r)));
  if (fd_ >= 0) write_held();
  return fd_ >= 0;
}

void FileOutput::hold() {
  close();
  offset_ = 0;
  held_ = true;
  broken_ = false;
  kept_.clear();
}

// If it cannot be written, nothing more is: the next write fails and marks the trace as cut.
void FileOutput::write_held() {
  if (!held_) return;
  held_ = false;
  std::vector<uint8_t> kept;
  kept.swap(kept_);
  if (!write(kept)) broken_ = true;
}

void FileOutput::close() {
  if (fd_ >= 0) VG_(close)(fd_);
  fd_ = -1;
}

bool FileOutput::write(std::span<const uint8_t> bytes) {
  if (held_) {
    kept_.insert(kept_.end(), bytes.begin(), bytes.end());
    return true;
  }
  if (fd_ < 0 || broken_ || !within_size_limit(offset_ + bytes.size())) return false;
  offset_ += bytes.size();
  return write_all(fd_, bytes);
}

void FileOutput::mark_cut() {
  if (fd_ >= 0) write_cut_mark(fd_);
}

void mark_file_cut(const HChar* path) {
  const SysRes r = VG_(open)(path, VKI_O_WRONLY, 0);
  if (sr_isError(r)) return;
  write_cut_mark(static_cast<Int>(sr_Res(r)));
  VG_(close)(static_cast<Int>(sr_Res(r)));
}

void say_cannot_create(const HChar* path, uint64_t error) {
  VG_(umsg)("cdrgrind: error: cannot create %s: %s (choose another place with --cdr-out-file)\n",
            ShownText(path).text(), reason(error));
}

void say_cut(const HChar* path) {
  VG_(umsg)
  ("cdrgrind: warning: %s: cannot write any more (no space or a size limit); the program runs on, "
   "the trace ends here\n",
   ShownText(path).text());
}

}  // namespace cdr::tool
