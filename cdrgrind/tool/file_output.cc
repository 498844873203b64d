// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/file_output.h"

#include "cdrgrind/format/info.h"
#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/output_place.h"
#include "cdrgrind/tool/shown_text.h"
#include "cdrgrind/tool/trace_path.h"

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
    case kNoPlaceBeside:
      return "--cdr-out-file is not a regular file, so only the first process is recorded";
    default:
      return "the system refused";
  }
}

void write_cut_mark(Int fd) {
  if (VG_(lseek)(fd, kCutMarkOffset, VKI_SEEK_SET) != static_cast<Off64T>(kCutMarkOffset)) return;  // a FIFO
  VG_(write)(fd, kCutMark.data(), static_cast<Int>(kCutMark.size()));
}

}  // namespace

bool FileOutput::create(std::string_view path, uint32_t number) {
  if (child_ && !regular_)
    error_ = kNoPlaceBeside;
  else if (open(path, number))
    write_held();
  return fd_ >= 0;
}

bool FileOutput::open(std::string_view path, uint32_t number) {
  for (number_ = number;; ++number_) {
    OutputPlace place;
    const Opened opened = open_output(numbered_path(path, number_).data(), place);
    if (opened == Opened::kTaken) continue;
    // A folder that is named F.1 is not meant.
    if (opened == Opened::kNo && place.error == VKI_EISDIR && number_ != number) continue;
    fd_ = place.fd;
    error_ = place.error;
    regular_ = place.regular;
    return opened == Opened::kYes;
  }
}

void FileOutput::hold() {
  close();
  offset_ = 0;
  child_ = true;
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
  renumber_run(kept, number_);
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
  if (fd_ < 0 || broken_ || (regular_ && !within_size_limit(offset_ + bytes.size()))) return false;
  offset_ += bytes.size();
  return write_all(fd_, bytes);
}

void FileOutput::mark_cut() {
  if (fd_ >= 0) write_cut_mark(fd_);
}

void mark_file_cut(const HChar* path, const RunInfo& self) {
  if (!is_trace_of(path, self)) return;
  const SysRes r = VG_(open)(path, VKI_O_WRONLY, 0);
  if (sr_isError(r)) return;
  write_cut_mark(static_cast<Int>(sr_Res(r)));
  VG_(close)(static_cast<Int>(sr_Res(r)));
}

void say_cannot_create(const HChar* path, uint64_t error) {
  VG_(umsg)("cdrgrind: error: cannot create %s: %s (choose another place with --cdr-out-file)\n",
            ShownText(path).text(), reason(error));
}

void say_taken(const HChar* path, const HChar* instead) {
  RunInfo run;
  if (read_run(path, run))
    VG_(umsg)("cdrgrind: warning: %s is still being written by process %u; this trace goes to %s\n",
              ShownText(path).text(), run.pid, ShownText(instead).text());
  else
    VG_(umsg)("cdrgrind: warning: %s is still being written; this trace goes to %s\n", ShownText(path).text(),
              ShownText(instead).text());
}

void say_cut(const HChar* path) {
  VG_(umsg)
  ("cdrgrind: warning: %s: cannot write any more (no space, a size limit, or a pipe that nobody reads); "
   "the program runs on, the trace ends here\n",
   ShownText(path).text());
}

}  // namespace cdr::tool
