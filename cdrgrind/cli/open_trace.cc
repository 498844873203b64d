// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/open_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cdrgrind/analysis/events/program_modules.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/input_file.h"
#include "cdrgrind/cli/newest_trace.h"
#include "cdrgrind/cli/packed_source.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::cli {

trace::TraceFile read_trace(const std::string& named) {
  const std::string path = trace_or_newest(named);
  if (path != kStandardInput) return trace::TraceFile::open(path);
  InputFile input(path);
  std::vector<uint8_t> bytes;
  for (std::string_view piece; !(piece = input.next()).empty();) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return trace::TraceFile::from_bytes(std::move(bytes), path);
}

trace::TraceFile open_trace(const std::string& path) {
  trace::TraceFile file = read_trace(path);
  if (const std::string text = file.status_text(); !text.empty()) warn(text);
  return file;
}

std::string program_of(const trace::TraceFile& file) {
  return std::string(file.meta().find("program").value_or(std::string_view()));
}

std::vector<std::string> command_of(const trace::TraceFile& file) {
  std::vector<std::string> words = {program_of(file)};
  for (const std::string_view word : file.meta().all("arg")) words.emplace_back(word);
  return words;
}

std::string command_line_of(const trace::TraceFile& file) {
  std::string line;
  for (const std::string& word : command_of(file)) line += (line.empty() ? "" : " ") + quoted_for_shell(word);
  return line;
}

std::string recording_options_of(const trace::TraceFile& file) {
  constexpr std::string_view deciding[] = {
      "--cdr-data=", "--cdr-granularity=", "--cdr-hide=", "--instr-atstart=", "--toggle-collect="};
  std::string line;
  for (const std::string_view option : file.meta().all("option"))
    for (const std::string_view prefix : deciding)
      if (option.starts_with(prefix)) line += (line.empty() ? "" : " ") + quoted_for_shell(std::string(option));
  return line;
}

std::string program_path_of(const trace::TraceFile& file) {
  const std::filesystem::path program = program_of(file);
  std::string same_name;
  for (const Module& m : file.modules()) {
    const std::filesystem::path path = m.path;
    if (path == program) return path;
    if (same_name.empty() && path.filename() == program.filename()) same_name = path;
  }
  if (!same_name.empty()) return same_name;
  // By another name: a link's, or it is a script's interpreter.
  const Module* const executable = analysis::executable_of(file.modules());
  return executable ? std::string(executable->path) : program.string();
}

symbols::Symbols symbols_of(const trace::TraceFile& file, const symbols::SymbolOptions& options) {
  symbols::SymbolOptions with = options;
  with.packed = packed_files_of(file);
  symbols::Symbols symbols(std::move(with));
  report::add_modules(file.modules(), symbols, file.run().wall_ns);
  return symbols;
}

namespace {

bool is_bare(const symbols::Coverage& coverage, const std::string& path) {
  const auto& bare = coverage.without_debug_info;
  return std::find(bare.begin(), bare.end(), path) != bare.end();
}

// Of a program without debug information.
std::string_view hint_of(symbols::Symbols& symbols, const std::string& program) {
  for (const symbols::FoundBinary& f : symbols.found_binaries()) {
    if (f.note.path != program) continue;
    if (f.note.state == symbols::BinaryState::kMissing) return ", the program among them: its file is not there";
    if (f.note.state == symbols::BinaryState::kChanged) return ", the program among them: its file has changed";
  }
  return ", the program among them: compile it with -g";
}

void add_symbols(symbols::Symbols& symbols, const std::string& program, Header& to) {
  const symbols::Coverage coverage = symbols.coverage();
  const std::string_view hint = is_bare(coverage, program) ? hint_of(symbols, program) : "";
  to.emplace_back("Symbols", fmt::format("{}{}", coverage.summary(), hint));
  for (std::string& sentence : report::sentences_of(symbols.binaries()))
    to.emplace_back("Binaries", std::move(sentence));
}

}  // namespace

void warn_of_binaries(const report::BinaryNotes& notes, std::string_view format) {
  report::BinaryNotes left = notes;
  if (format == "text") return;
  if (format == "json")
    std::erase_if(left, [](const symbols::BinaryNote& n) { return n.state != symbols::BinaryState::kNewer; });
  for (const std::string& sentence : report::sentences_of(left)) warn(sentence);
}

bool is_program_bare(const trace::TraceFile& file, symbols::Symbols& symbols) {
  return is_bare(symbols.coverage(), program_path_of(file));
}

Header header_of(const trace::TraceFile& file, symbols::Symbols& symbols) {
  const std::string program = program_path_of(file);
  Header header = {{"Program", program}, {"Command", command_line_of(file)}, {"Trace", file.name()}};
  if (std::string recorded_with = recording_options_of(file); !recorded_with.empty())
    header.emplace_back("Options", std::move(recorded_with));
  add_symbols(symbols, program, header);
  return header;
}

void require_thread(const trace::TraceFile& file, uint32_t thread) {
  const auto threads = file.end() ? file.end()->counter("threads") : std::nullopt;
  if (threads && thread > *threads)
    throw Failure(kBadInput, fmt::format("{}: there is no thread {}", file.name(), thread));
}

void require_data(const trace::TraceFile& file, const char* what) {
  const auto data = file.meta().find("data");
  if (data && *data == "none")
    throw Failure(kBadInput, fmt::format("{}: recorded with --cdr-data=none: it has no {}", file.name(), what));
}

void warn(const std::string& message) {
  std::fprintf(stderr, "cdrgrind: warning: %s\n", report::visible(message).c_str());
}

}  // namespace cdr::cli
