// SPDX-License-Identifier: GPL-2.0-or-later
//
// Source text for listings: a file's lines, and the search for a file that is
// no longer where it was compiled. Warnings are data; printing is the report's.
#ifndef CDRGRIND_SYMBOLS_FILES_SOURCE_FILE_H
#define CDRGRIND_SYMBOLS_FILES_SOURCE_FILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::symbols {

// The text of one source file, read once.
class SourceFile {
 public:
  // Nothing when the file cannot be read.
  static std::optional<SourceFile> read(const std::string& path);
  static SourceFile of_text(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::size_t line_count() const { return line_ends_.size(); }

  // The text of a line, counted from 1, without its end; empty outside.
  std::string_view line(std::size_t number) const;

  // The file was changed after the program was linked: its lines may be wrong.
  bool newer_than_program() const { return newer_than_program_; }
  void mark_newer_than_program() { newer_than_program_ = true; }

 private:
  std::string path_;
  std::string text_;
  std::vector<std::size_t> line_ends_;  // offset of each line's end
  bool newer_than_program_ = false;
};

// The content of a regular file; nothing when it cannot be read.
std::optional<std::string> read_text_file(const std::string& path);

// Where the file stands now: its own path, or below one of `dirs` the longest
// trailing part of the path that exists there. Nothing when there is none.
std::optional<std::string> find_source_file(std::string_view file, const std::vector<std::string>& dirs);

}  // namespace cdr::symbols

#endif
