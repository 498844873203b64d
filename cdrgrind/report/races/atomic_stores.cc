// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_stores.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

// The directive before the statement that the line is of, if it says `atomic'; else nothing.
std::string_view atomic_directive(const FortranSource& source, uint32_t line) {
  for (size_t i = 0; i < source.statements.size(); ++i) {
    const FortranStatement& s = source.statements[i];
    if (s.last < line) continue;
    if (s.first > line || (i == 0 && !s.is_directive)) return {};
    const FortranStatement& directive = s.is_directive ? s : source.statements[i - 1];
    const auto words = words_of(directive.text);
    return directive.is_directive && words.contains("atomic") && !words.contains("end") ? directive.text
                                                                                        : std::string_view();
  }
  return {};
}

bool has_flush(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    if (!is_directive(line) && !is_fortran_directive(line)) return false;
    return words_of(line).contains("flush");
  });
}

std::vector<std::string> small_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : small_letters(text))
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

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

races::AtomicOperation AtomicStores::directive_at(CodeAddr at) {
  const auto [known, is_new] = directives_.try_emplace(at);
  if (is_new) known->second = read_directive(at);
  return known->second;
}

races::AtomicOperation AtomicStores::read_directive(CodeAddr at) {
  races::AtomicOperation operation;
  symbols::SourcePos pos;
  const File* f = file_of(at, pos);
  if (f && hands_last_value(*f, pos.line)) return {true, false, false};
  if (!f || f->has_flush) return operation;
  const std::string directive = directive_over(*f, pos.line);
  if (directive.empty()) return operation;
  const auto words = words_of(directive);
  const bool both = words.contains("seq_cst") || words.contains("acq_rel");
  operation.known = true;
  operation.gets = both || words.contains("acquire");
  operation.gives = both || words.contains("release");
  return operation;
}

bool AtomicStores::is_atomic_access(CodeAddr at, bool store) {
  const auto [known, is_new] = accesses_.try_emplace({at, store});
  if (is_new) known->second = read_access(at, store);
  return known->second;
}

bool AtomicStores::read_access(CodeAddr at, bool store) {
  symbols::SourcePos pos;
  const File* f = file_of(at, pos);
  if (!f || pos.line > f->lines.size()) return false;
  if (store && hands_last_value(*f, pos.line)) return true;
  const std::string directive = directive_over(*f, pos.line);
  if (f->fortran || !directive.empty()) return words_of(directive).contains(store ? "write" : "read");
  return names(*f, pos.line, store ? AtomicPart::kStore : AtomicPart::kLoad);
}

bool AtomicStores::hands_last_value(const File& f, uint32_t line) {
  if (line == 0 || line > f.lines.size()) return false;
  std::string directive;
  if (f.fortran) {
    for (const FortranStatement& s : f.fortran->statements)
      if (s.is_directive && s.first <= line && line <= s.last) directive = s.text;
  } else if (is_directive(f.lines[line - 1])) {
    for (size_t i = line - 1; i < f.lines.size(); ++i) {
      directive += f.lines[i] + ' ';
      if (!continues_directive(f.lines[i])) break;
    }
  }
  const auto words = words_of(directive);
  return (f.fortran || words.contains("omp")) && words.contains("lastprivate") && !words.contains("nowait");
}

std::string AtomicStores::directive_over(const File& f, uint32_t line) {
  return f.fortran ? std::string(atomic_directive(*f.fortran, line)) : atomic_pragma_of(f.lines, line);
}

bool AtomicStores::names(const File& f, uint32_t line, AtomicPart part) {
  return names_atomic_operation(statement_around(f.lines, line), f.macros[static_cast<size_t>(part)], part);
}

std::string AtomicStores::line_at(CodeAddr at, uint32_t before) {
  symbols::SourcePos pos;
  const File* f = file_of(at, pos);
  return f && pos.line > before && pos.line <= f->lines.size() ? f->lines[pos.line - 1 - before] : std::string();
}

races::StoreSource AtomicStores::read_source(CodeAddr at) {
  symbols::SourcePos pos;
  const File* f = file_of(at, pos);
  if (!f || pos.line > f->lines.size()) return races::StoreSource::kNotRead;
  const bool atomic =
      f->fortran ? !atomic_directive(*f->fortran, pos.line).empty() : names(*f, pos.line, AtomicPart::kAny);
  return atomic ? races::StoreSource::kAtomic : races::StoreSource::kPlain;
}

const AtomicStores::File* AtomicStores::file_of(CodeAddr at, symbols::SourcePos& pos) {
  if (!modules_.has(at.module)) return nullptr;
  pos = symbols_.line_of(at.module.value, at.addr);
  return pos.known() ? file(pos.file) : nullptr;
}

const AtomicStores::File* AtomicStores::file(std::string_view name) {
  const auto [place, is_new] = files_.try_emplace(std::string(name));
  if (!is_new) return place->second ? &*place->second : nullptr;
  const auto source = symbols_.read_source(name);
  if (!source) return nullptr;
  if (const auto form = fortran_form(name)) {
    File f{small_lines(source->text), {}, FortranSource(source->text, *form), false};
    f.has_flush = has_flush(f.lines);
    return &place->second.emplace(std::move(f));
  }
  File f{code_lines(source->text), {}, {}, false};
  f.has_flush = has_flush(f.lines);
  Macros macros;
  add_macros(f.lines, macros);
  std::map<std::string, bool> seen;
  add_headers(source->path, f.lines, 0, seen, macros);
  for (const AtomicPart part : {AtomicPart::kAny, AtomicPart::kLoad, AtomicPart::kStore})
    f.macros[static_cast<size_t>(part)] = atomic_macros(macros, part);
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
