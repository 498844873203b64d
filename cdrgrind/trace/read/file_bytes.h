// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of a file: mapped if it can be, read otherwise; or bytes given. A file that shrinks while it is
// mapped is the user's doing: touching the lost pages ends the program.
#ifndef CDRGRIND_TRACE_READ_FILE_BYTES_H
#define CDRGRIND_TRACE_READ_FILE_BYTES_H

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cdr::trace {

class FileBytes {
 public:
  explicit FileBytes(std::vector<uint8_t> bytes) : owned_(std::move(bytes)), bytes_(owned_) {}
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes();

  // Throws TraceError if the file cannot be opened or read.
  static std::unique_ptr<FileBytes> open(const std::string& path);

  std::span<const uint8_t> bytes() const { return bytes_; }
  // Pages of a mapped file that lie within a part of bytes() take no memory until they are read again.
  void give_back(std::span<const uint8_t> part) const;
  // When the file was opened.
  bool being_written() const { return being_written_; }

 private:
  static std::unique_ptr<FileBytes> map(int fd, size_t size);

  std::vector<uint8_t> owned_;
  std::span<const uint8_t> bytes_;
  bool mapped_ = false;
  bool being_written_ = false;
};

}  // namespace cdr::trace

#endif
