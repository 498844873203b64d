// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_stores.h"

#include <fstream>
#include <iterator>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

constexpr int kDeepest = 4;          // headers in headers
constexpr int kHighest = 4;          // folders above that of the file
constexpr size_t kMostHeaders = 64;  // of one file

// The places where it may stand, the nearest first.
template <class F>
void for_each_place(const std::string& path, const std::string& header, F stands_there) {
  std::string_view folder = symbols::folder_of(path);
  for (int up = 0; up < kHighest && folder.size() > 1; ++up, folder = symbols::folder_of(folder))
    if (stands_there(symbols::normal_path(symbols::join_path(folder, header)))) return;
}

}  // namespace

std::vector<std::string> headers_beside(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<std::string> found;
  for (const std::string& header : included_headers(code_lines(text)))
    for_each_place(path, header, [&](const std::string& at) {
      const bool is_there = symbols::find_source_file(at, {}).has_value();
      if (is_there) found.push_back(at);
      return is_there;
    });
  return found;
}

races::StoreSource AtomicStores::source_at(CodeAddr at) {
  const auto [known, is_new] = known_.try_emplace(at);
  if (is_new) known->second = read_source(at);
  return known->second;
}

std::string AtomicStores::line_at(CodeAddr at, uint32_t before) {
  if (!modules_.has(at.module)) return {};
  const symbols::SourcePos pos = symbols_.line_of(at.module.value, at.addr);
  const File* f = pos.known() ? file(pos.file) : nullptr;
  return f && pos.line > before && pos.line <= f->lines.size() ? f->lines[pos.line - 1 - before] : std::string();
}

races::StoreSource AtomicStores::read_source(CodeAddr at) {
  if (!modules_.has(at.module)) return races::StoreSource::kNotRead;
  const symbols::SourcePos pos = symbols_.line_of(at.module.value, at.addr);
  const File* f = pos.known() ? file(pos.file) : nullptr;
  if (!f || pos.line > f->lines.size()) return races::StoreSource::kNotRead;
  const bool atomic = names_atomic_operation(statement_around(f->lines, pos.line), f->macros);
  return atomic ? races::StoreSource::kAtomic : races::StoreSource::kPlain;
}

const AtomicStores::File* AtomicStores::file(std::string_view name) {
  const auto [place, is_new] = files_.try_emplace(std::string(name));
  if (!is_new) return place->second ? &*place->second : nullptr;
  const auto path = symbols_.find_source(name);
  const auto text = path ? symbols_.read_file(*path) : std::nullopt;
  if (!text) return nullptr;
  File f{code_lines(*text), {}};
  Macros macros;
  add_macros(f.lines, macros);
  std::map<std::string, bool> seen;
  add_headers(*path, f.lines, 0, seen, macros);
  f.macros = atomic_macros(macros);
  return &place->second.emplace(std::move(f));
}

// A header stands beside the file, or below one of the folders above it.
void AtomicStores::add_headers(const std::string& path, const std::vector<std::string>& lines, int depth,
                               std::map<std::string, bool>& seen, Macros& to) {
  if (depth == kDeepest) return;
  for (const std::string& header : included_headers(lines)) {
    if (seen.size() >= kMostHeaders) return;
    for_each_place(path, header, [&](const std::string& at) {
      if (seen.contains(at)) return true;
      const auto text = symbols_.read_file(at);
      if (!text) return false;
      seen[at] = true;
      const std::vector<std::string> inside = code_lines(*text);
      add_macros(inside, to);
      add_headers(at, inside, depth + 1, seen, to);
      return true;
    });
  }
}

}  // namespace cdr::report
