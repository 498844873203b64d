// SPDX-License-Identifier: GPL-2.0-or-later
// A text input of any length, a piece at a time; "-" is standard input. What cannot be read is a Failure
// (kBadInput) that names the file.
#ifndef CDRGRIND_CLI_INPUT_FILE_H
#define CDRGRIND_CLI_INPUT_FILE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::cli {

class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // The next bytes, valid until the next call; empty at the end.
  std::string_view next();

  const std::string& name() const { return name_; }
  uint64_t bytes() const { return bytes_; }        // so far
  uint64_t expected() const { return expected_; }  // 0 if not known

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string name_;
  int fd_;
  uint64_t bytes_ = 0;
  uint64_t expected_ = 0;
  std::vector<char> buffer_;
};

}  // namespace cdr::cli

#endif
