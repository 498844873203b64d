// SPDX-License-Identifier: GPL-2.0-or-later
// The trace file on disk. A write that cannot be done whole is not begun if that can be known: beyond a
// file-size limit the kernel would send SIGXFSZ to the client.
#ifndef CDRGRIND_TOOL_FILE_OUTPUT_H
#define CDRGRIND_TOOL_FILE_OUTPUT_H

#include <cstdint>
#include <span>

#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class FileOutput final : public Output {
 public:
  // Replaces an existing file. False, with a message, if it cannot be created.
  bool create(const HChar* path);
  void close();

  bool write(std::span<const uint8_t> bytes) override;
  void mark_cut() override;

  const HChar* path() const { return path_; }

 private:
  bool within_limit(uint64_t bytes) const;

  Int fd_ = -1;
  uint64_t offset_ = 0;
  const HChar* path_ = nullptr;
};

}  // namespace cdr::tool

#endif
