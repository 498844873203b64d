// SPDX-License-Identifier: GPL-2.0-or-later
// What of a run a report speaks of, as --scope, --function, --file and --program say it, and how it tells what it left
// out: text a line, JSON a member. What is the program is program_scope.h's.
#ifndef CDRGRIND_REPORT_COMMON_REPORT_SCOPE_H
#define CDRGRIND_REPORT_COMMON_REPORT_SCOPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/events/program_part.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

struct ScopeOptions {
  std::optional<bool> all;         // not said: texts speak of the program, documents of all
  std::vector<std::string> files;  // patterns; none: all
  std::vector<std::string> functions;
  std::vector<std::string> program;  // modules that are the program's, too

  bool all_modules(bool document) const { return all.value_or(document); }
  bool narrows() const { return !files.empty() || !functions.empty(); }
  // Whether a place is in one of the files and one of the functions that were asked for.
  bool has(std::string_view file, std::string_view function) const;
};

// `wanted` is the path, its last components, or a shell pattern of either.
bool is_file(std::string_view path, const std::string& wanted);
// A pattern for "f(int)" may leave the parameters out.
bool is_function(std::string_view name, const std::string& pattern);

// What crt1.o, crti.o, crtbegin.o and crtend.o bring.
bool is_start_function(std::string_view name);

// Who owns the code of a trace: of the program's modules all but what the C compiler links to every program, which has
// no lines and is known by its names. In a program without a main that, too, is the program's.
analysis::CodeOwners code_owners(const BlockTable& blocks, const ProgramScope& scope, SymbolNames& names);
// For sequences of what was executed: of all code, or the program's, that of the files and functions asked for is the
// program's, and all other code a library's.
analysis::CodeOwners chosen_owners(const BlockTable& blocks, const ModuleTable& modules, const ScopeOptions& options,
                                   bool all, SymbolNames& names);

// What a report did.
struct ScopeNote {
  bool all = true;
  std::vector<std::string> functions, files;
  uint64_t left_out = 0;
  std::vector<std::string> missing;  // what could not be found out, because it was interrupted
};
ScopeNote note_of(const ScopeOptions& options, bool all);

// `"scope":{"modules","functions","files","left_out"}`, a member of a document; and `"incomplete":[…]` if something is
// missing.
void put_scope(const ScopeNote& note, JsonWriter& to);
// "Incomplete:    only the first 12 of 40 events were looked at", a line for each.
void put_missing(const std::vector<std::string>& missing, Output& out);
// "12 loops of others than the program (--scope=all shows them)"; empty if nothing was left out. `one`: "loop".
std::string left_out_text(const ScopeNote& note, std::string_view one, std::string_view several);

}  // namespace cdr::report

#endif
