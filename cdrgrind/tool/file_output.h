// SPDX-License-Identifier: GPL-2.0-or-later
// The trace file on disk. A write that cannot be done whole is not begun if that can be known: beyond a
// file-size limit the kernel would send SIGXFSZ to the client.
#ifndef CDRGRIND_TOOL_FILE_OUTPUT_H
#define CDRGRIND_TOOL_FILE_OUTPUT_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class FileOutput final : public Output {
 public:
  // Replaces an existing file. False, with a message, if it cannot be created.
  bool create(const HChar* path);
  void close();

  // For a forked child, which may never need a file: what is written is kept in memory until create().
  void hold() { held_ = true; }
  bool held() const { return held_; }

  bool write(std::span<const uint8_t> bytes) override;
  void mark_cut() override;

  const HChar* path() const { return path_; }

 private:
  bool within_limit(uint64_t bytes) const;
  bool write_held();

  Int fd_ = -1;
  uint64_t offset_ = 0;
  const HChar* path_ = nullptr;
  bool held_ = false;
  bool broken_ = false;
  std::vector<uint8_t> kept_;
};

}  // namespace cdr::tool

#endif
