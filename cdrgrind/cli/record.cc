// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind record`: finds Valgrind and the tool, looks whether the program can be recorded, and becomes
// Valgrind. Everything that happens afterwards is the tool's.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cdrgrind/base/recorder_usage.h"
#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/plugin_dir.h"
#include "cdrgrind/cli/program_file.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/cli/valgrind_launcher.h"
#include "cdrgrind/config.h"

namespace cdr::cli {

namespace {

constexpr const char* kHelp = R"(Usage: cdrgrind record [OPTIONS] [--] PROG [ARGS...]
Run PROG under Valgrind's tool cdrgrind and write a trace, cdrgrind.out.<pid>.
OPTIONS are those below and Valgrind's own.

Options of record:
    -h --help                 print this help and exit
    --version                 print the version and exit
    --print-command           print the command that would be run, and stop

Options of the recorder, with their defaults in brackets:
{}
For tests:
{}
Of Valgrind's options ('valgrind --help' lists them) these are often of use:
    --trace-children=yes      record the programs that PROG executes, too
    --max-threads=<N>         how many threads there can be at a time [500]
    --main-stacksize=<bytes>  the size of the first thread's stack
    --log-file=<file>         where messages go
    -q                        nothing but warnings and errors
    --vgdb=yes                take commands while the program runs [no]

Exit status: the program's. Before it is started: 2 wrong use, 126 or 127 PROG
cannot be executed or found, 3 it cannot be recorded.
)";

// PROG as Valgrind will see it; throws if it cannot be recorded.
void check_program(const std::string& name) { check_recordable(find_program(name)); }

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  throw Failure(kBadInput, fmt::format("{}: {}", command[0], std::strerror(errno)));
}

}  // namespace

std::string record_help() { return fmt::format(kHelp, kRecorderUsage, kRecorderTestUsage); }

int run_record(const std::vector<std::string>& arguments) {
  const RecordArguments parsed = parse_record(arguments);
  if (parsed.help || parsed.version) {
    fmt::print("{}", parsed.help ? record_help() : "cdrgrind " PACKAGE_VERSION "\n");
    return kFine;
  }
  check_program(parsed.program[0]);
  const std::string plugin_dir = find_plugin_dir();
  if (plugin_dir.empty())
    throw Failure(kBadInput, "the Valgrind tool is not installed: no cdrgrind-amd64-linux in " CDRGRIND_PLUGIN_DIR
                             "; run 'make install' again");
  const auto command = valgrind_command(find_valgrind(), parsed);
  if (parsed.print_command) {
    fmt::print("{}\n", as_shell_line("VALGRIND_LIB", plugin_dir, command));
    return kFine;
  }
  setenv("VALGRIND_LIB", plugin_dir.c_str(), 1);
  become(command);
}

}  // namespace cdr::cli
