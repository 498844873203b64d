// SPDX-License-Identifier: GPL-2.0-or-later
// An output file (output_file.h) that is compressed by zstd while it is written.
#ifndef CDRGRIND_CLI_COMPRESSED_FILE_H
#define CDRGRIND_CLI_COMPRESSED_FILE_H

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/cli/output_file.h"

namespace cdr::cli {

class CompressedFile final : public Output {
 public:
  // `keep`: another name of this file must not be overwritten.
  CompressedFile(const std::string& path, const std::string& keep);
  ~CompressedFile();

  // Throws where the file cannot be written.
  bool write(std::span<const uint8_t> bytes) override;
  // Ends the compressed frame, and puts the file in place.
  void finish();

 private:
  struct Stream;
  void compress(std::span<const uint8_t> bytes, bool end);

  OutputFile file_;
  std::unique_ptr<Stream> stream_;
  std::vector<uint8_t> out_;
};

}  // namespace cdr::cli

#endif
