// SPDX-License-Identifier: GPL-2.0-or-later
// A file that a command was told to write. Nothing of the user's is harmed:
// - what is written becomes visible as a whole, by put_in_place(), or not at all;
// - a new file takes an old one's place by rename, in its folder, with its owner and mode. Only a regular file is
//   replaced so; links are followed and stay. A device, a FIFO, a socket and what standard output goes to are written
//   to;
// - where the old file's owner cannot be kept, or its folder is not the user's to write, it is overwritten instead;
// - a file that a recording is writing is left alone, and no recording begins in one that is about to be replaced.
// Errors are Failures that name the file.
#ifndef CDRGRIND_CLI_OUTPUT_FILE_H
#define CDRGRIND_CLI_OUTPUT_FILE_H

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cdrgrind/format/frame_writer.h"

namespace cdr::cli {

// At most one at a time. When the command is interrupted, the unfinished file is removed.
class OutputFile final : public Output {
 public:
  struct Options {
    std::optional<mode_t> mode = {};  // of a file that was not there; not given: as the umask says
    std::string keep = {};            // another name of this file must not be overwritten
    bool only_replace = false;        // rather than overwriting, fail
  };
  OutputFile(const std::string& path, const Options& options);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;

  bool write(std::span<const uint8_t> bytes) override;
  void mark_cut() override;
  // Where what was written so far can be read.
  std::string written_path() const;
  void put_in_place();

 private:
  void open_target();
  bool open_socket();
  void stage();
  bool stage_beside();
  bool replace();
  void overwrite();
  void copy_to_target();
  [[noreturn]] void fail(const char* what) const;

  const std::string path_;    // as the user named it
  const std::string target_;  // what it means, links followed
  const Options options_;
  int old_ = -1;  // what is there: a file to be replaced or overwritten, or what is written to
  struct stat old_state_ = {};
  bool replaces_ = false;
  int fd_ = -1;       // unfinished
  std::string name_;  // its name, if it has one
};

// The folder of `path`, and in it the name that stands at the end of all links; that need not exist.
std::string followed(const std::string& path);

}  // namespace cdr::cli

#endif
