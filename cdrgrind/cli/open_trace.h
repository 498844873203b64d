// SPDX-License-Identifier: GPL-2.0-or-later
// What every command does with the file that it is given: opens it, warns once if it is cut, and knows what
// its metadata says.
#ifndef CDRGRIND_CLI_OPEN_TRACE_H
#define CDRGRIND_CLI_OPEN_TRACE_H

#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

constexpr const char* kStandardInput = "-";

// The file, or all of standard input; without a name the newest trace of this folder.
trace::TraceFile read_trace(const std::string& named);
// Warns on standard error if not all of it is there.
trace::TraceFile open_trace(const std::string& path);

std::string program_of(const trace::TraceFile& file);
std::vector<std::string> command_of(const trace::TraceFile& file);  // the program first
std::string command_line_of(const trace::TraceFile& file);          // for people and shells

// The recorder's options that decide what is in the trace ("--toggle-collect=work"), empty if none was given.
std::string recording_options_of(const trace::TraceFile& file);

// The file that was executed, as it was mapped: the module with the program's path, or at least its name.
std::string program_path_of(const trace::TraceFile& file);

// The modules of the trace, to be named; by the files that came with it, if it is packed. `file` must outlive it.
symbols::Symbols symbols_of(const trace::TraceFile& file, const symbols::SymbolOptions& options);

using Header = std::vector<std::pair<std::string, std::string>>;

// Whether the program's own file has no debug information.
bool is_program_bare(const trace::TraceFile& file, symbols::Symbols& symbols);

// What a report begins with: the program, its command line, the trace, the options that decide what is in it, which
// debug information was found, and which binaries are not what was recorded.
Header header_of(const trace::TraceFile& file, symbols::Symbols& symbols);

// Warns of them where a document of this format does not say it: text has a head, and json has a key for those that
// are known to be others.
void warn_of_binaries(const report::BinaryNotes& notes, std::string_view format);

// Throws with status 3 if there is no such thread; 0 is any.
void require_thread(const trace::TraceFile& file, uint32_t thread);

// Throws with status 3 if the trace was recorded without all addresses.
void require_data(const trace::TraceFile& file, const char* what);

void warn(const std::string& message);

}  // namespace cdr::cli

#endif
