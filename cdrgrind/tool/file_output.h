// SPDX-License-Identifier: GPL-2.0-or-later
// The trace file on disk. A write that cannot be done whole is not begun if that can be known: beyond a
// file-size limit the kernel would send SIGXFSZ to the client.
#ifndef CDRGRIND_TOOL_FILE_OUTPUT_H
#define CDRGRIND_TOOL_FILE_OUTPUT_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/drain/session.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class FileOutput final : public drain::StreamFile {
 public:
  bool create(std::string_view path, uint32_t number) override;
  uint32_t number() const override { return number_; }
  void hold() override;
  void close() override;
  uint64_t error() const override { return error_; }

  bool write(std::span<const uint8_t> bytes) override;
  void mark_cut() override;

  // -1 if it is not open.
  Int descriptor() const { return fd_; }

 private:
  bool open(std::string_view path, uint32_t number);
  void write_held();

  Int fd_ = -1;
  uint32_t number_ = 0;
  bool regular_ = true;  // what was opened last
  bool child_ = false;
  uint64_t offset_ = 0;
  uint64_t error_ = 0;
  bool held_ = false;
  bool broken_ = false;
  std::vector<uint8_t> kept_;
};

// For a file of this process whose writer is gone.
void mark_file_cut(const HChar* path, const RunInfo& self);
// errno for a process that must not put a file beside what is none.
constexpr uint64_t kNoPlaceBeside = VKI_ESPIPE;
void say_cannot_create(const HChar* path, uint64_t error);
// `path` is being written by another recording.
void say_taken(const HChar* path, const HChar* instead);
void say_cut(const HChar* path);

}  // namespace cdr::tool

#endif
