// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/mpi_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/symbol_input.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::cli {

namespace {

// The names of an operation's own fields; with `*` behind: not part of the symbol by default; `…`: the last one
// repeated, any number of times.
struct Operation {
  std::string_view number;
  char kind;
  std::vector<std::string_view> fields;
};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> table = {
      {"1", 'M', {"comm"}},
      {"2", 'M', {"buffer*", "count", "type", "root", "comm"}},
      {"3", 'M', {"sendbuf*", "recvbuf*", "count", "type", "op", "root", "comm"}},
      {"7", 'P', {"buffer*", "count", "type", "peer", "tag*", "comm", "request*"}},
      {"9", 'P', {"buffer*", "count", "type", "peer", "tag*", "comm", "request*"}},
      {"21", 'O', {"request*"}},
      {"22", 'O', {"n*", "requests*", "…"}},
  };
  return table;
}

constexpr char kUnknownKind = 'O';
constexpr size_t kLeading = 2;   // operation, running number
constexpr size_t kTrailing = 3;  // error, start, end

// "12. 7#…" without the "12. ".
std::string_view without_number(std::string_view line) {
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && line.substr(digits, 2) == ". " ? report::trimmed(line.substr(digits + 2)) : line;
}

void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (size_t from = 0; from <= line.size();) {
    const size_t to = std::min(line.find('#', from), line.size());
    fields.push_back(report::trimmed(line.substr(from, to - from)));
    from = to + 1;
  }
}

bool is_number(std::string_view s) { return !s.empty() && s.find_first_not_of("0123456789") == s.npos; }

class LogReader {
 public:
  LogReader(InputFile& file, const MpiLogOptions& options) : file_(file), options_(options) {}

  void take(std::string_view line) {
    ++line_;
    line = report::trimmed(line);
    if (line.empty() || line.starts_with('#') || line.starts_with("Node=")) return;
    split(without_number(line), fields_);
    if (fields_.size() < kLeading + kTrailing || !is_number(fields_[0]))
      fail("not a call: operation#number#…#error#start#end wanted");
    add(fields_[0], std::span(fields_).subspan(kLeading, fields_.size() - kLeading - kTrailing));
  }

  analysis::SymbolSequence sequence() { return std::move(sequence_); }

 private:
  void add(std::string_view number, std::span<const std::string_view> own) {
    const auto known = std::find_if(operations().begin(), operations().end(),
                                    [&](const Operation& operation) { return operation.number == number; });
    key_.assign(number);
    if (known == operations().end()) {
      warn_once(number);
      for (const std::string_view field : own) key_.append("#").append(field);
    } else {
      append_fields(*known, own);
    }
    append_symbol(sequence_, name_of(known == operations().end() ? kUnknownKind : known->kind), file_);
  }

  void append_fields(const Operation& operation, std::span<const std::string_view> own) {
    const bool open = operation.fields.back() == "…";
    const size_t named = operation.fields.size() - (open ? 1 : 0);
    if (open ? own.size() + 1 < named : own.size() != named)
      fail(fmt::format("operation {} has {} fields of its own, not {}", operation.number, named, own.size()));
    for (size_t i = 0; i < own.size(); ++i)
      if (counts(operation.fields[std::min(i, named - 1)])) key_.append("#").append(own[i]);
  }
  bool counts(std::string_view field) const {
    if (!field.ends_with('*')) return true;
    field.remove_suffix(1);
    return std::find(options_.more_fields.begin(), options_.more_fields.end(), field) != options_.more_fields.end();
  }

  // The name of the symbol whose fields are in key_.
  const std::string& name_of(char kind) {
    const uint32_t id = keys_.id_of(key_);
    if (id == names_.size()) names_.push_back(fmt::format("{}{}", kind, ++last_[static_cast<unsigned char>(kind)]));
    return names_[id];
  }

  void warn_once(std::string_view number) {
    if (!warned_ && options_.warn)
      options_.warn(fmt::format("{}: line {}: operation {} is not known; all fields of such calls count", file_.name(),
                                line_, number));
    warned_ = true;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Failure(kBadInput, fmt::format("{}: line {}: {}", file_.name(), line_, what));
  }

  InputFile& file_;
  const MpiLogOptions& options_;
  analysis::SymbolSequence sequence_;
  analysis::NameTable keys_;
  std::vector<std::string> names_;  // by key
  std::array<unsigned, 256> last_ = {};
  std::vector<std::string_view> fields_;
  std::string key_;
  uint64_t line_ = 0;
  bool warned_ = false;
};

}  // namespace

std::vector<std::string> optional_mpi_fields() {
  std::vector<std::string> names;
  for (const Operation& operation : operations())
    for (const std::string_view field : operation.fields)
      if (field.ends_with('*')) names.emplace_back(field.substr(0, field.size() - 1));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

analysis::SymbolSequence read_mpi_log(InputFile& file, const MpiLogOptions& options,
                                      const analysis::Progress& progress) {
  LogReader reader(file, options);
  std::string begun;  // a line that lies across two pieces
  for (std::string_view piece; !(piece = file.next()).empty();) {
    for (size_t end; (end = piece.find('\n')) != piece.npos; piece.remove_prefix(end + 1)) {
      reader.take(begun.append(piece.substr(0, end)));
      begun.clear();
    }
    begun.append(piece);
    if (progress) progress("reading", file.bytes(), file.expected());
  }
  if (!begun.empty()) reader.take(begun);
  return reader.sequence();
}

}  // namespace cdr::cli
