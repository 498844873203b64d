// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/source_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::symbols {

namespace {

bool is_readable_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && !error;
}

// The path without its first part; empty when one part is left.
std::string_view shorter_suffix(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
}

}  // namespace

std::optional<std::string> read_text_file(const std::string& path) {
  if (!is_readable_file(path)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

std::optional<SourceFile> SourceFile::read(const std::string& path) {
  std::optional<std::string> text = read_text_file(path);
  if (!text) return std::nullopt;
  return of_text(path, std::move(*text));
}

SourceFile SourceFile::of_text(std::string path, std::string text) {
  SourceFile file;
  file.path_ = std::move(path);
  file.text_ = std::move(text);
  for (std::size_t i = file.text_.find('\n'); i != std::string::npos; i = file.text_.find('\n', i + 1)) {
    file.line_ends_.push_back(i);
  }
  if (!file.text_.empty() && file.text_.back() != '\n') {
    file.line_ends_.push_back(file.text_.size());
  }
  return file;
}

std::string_view SourceFile::line(std::size_t number) const {
  if (number == 0 || number > line_ends_.size()) return {};
  const std::size_t begin = number == 1 ? 0 : line_ends_[number - 2] + 1;
  std::string_view text(text_.data() + begin, line_ends_[number - 1] - begin);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::optional<std::string> find_source_file(std::string_view file, const std::vector<std::string>& dirs) {
  if (std::string path(file); is_readable_file(path)) return path;
  std::string_view suffix = file;
  while (suffix.starts_with('/')) suffix.remove_prefix(1);
  for (; !suffix.empty(); suffix = shorter_suffix(suffix)) {
    for (const std::string& dir : dirs) {
      std::string path = join_path(dir, suffix);
      if (is_readable_file(path)) return path;
    }
  }
  return std::nullopt;
}

}  // namespace cdr::symbols
