// SPDX-License-Identifier: GPL-2.0-or-later
// --cdr-capture-raw: the records as they are passed on, in a file of their own, so that they can be consumed again. Per
// batch the number of words, then the words. For this machine and this version only.
#ifndef CDRGRIND_TOOL_RAW_CAPTURE_H
#define CDRGRIND_TOOL_RAW_CAPTURE_H

#include <cstdint>
#include <span>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class RawCapture {
 public:
  // Ends the process with status 1 and a message if it cannot be created. Nothing without a path.
  void create(const HChar* path);
  // A batch that cannot be written is the end of the capture, and is told.
  void write(std::span<const uint64_t> words);
  // A forked child's records are not captured.
  void close();

 private:
  const HChar* path_ = nullptr;
  Int fd_ = -1;
};

// Reads a capture batch by batch.
class RawReplay {
 public:
  // Ends the process with status 1 and a message if it cannot be opened.
  explicit RawReplay(const HChar* path);
  // The words of the next batch. 0 at the end; also if the rest is damaged, which is told.
  uint64_t read(std::span<uint64_t> room);

 private:
  const HChar* path_;
  Int fd_;
};

}  // namespace cdr::tool

#endif
