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

std::optional<std::string> text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

}  // namespace

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
  const auto text = path ? text_of(*path) : std::nullopt;
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
    std::string_view folder = symbols::folder_of(path);
    for (int up = 0; up < kHighest && folder.size() > 1; ++up, folder = symbols::folder_of(folder)) {
      const std::string at = symbols::normal_path(symbols::join_path(folder, header));
      if (seen.size() >= kMostHeaders) return;
      if (seen.contains(at)) break;
      const auto text = symbols::find_source_file(at, {}) ? text_of(at) : std::nullopt;
      if (!text) continue;
      seen[at] = true;
      const std::vector<std::string> inside = code_lines(*text);
      add_macros(inside, to);
      add_headers(at, inside, depth + 1, seen, to);
      break;
    }
  }
}

}  // namespace cdr::report
