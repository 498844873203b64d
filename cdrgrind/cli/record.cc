// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind record`: finds Valgrind and the tool, looks whether the program can be recorded, and becomes
// Valgrind. Everything that happens afterwards is the tool's.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

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
OPTIONS are those below, the tool's, and Valgrind's.

Options of record:
  -h, --help                   print this help and exit
  --version                    print the version and exit
  --print-command              print the command that would be run, and stop

Options of the tool (defaults in brackets):
  --cdr-out-file=FILE          the trace; %p is the pid, %q{VAR} a variable
                               [cdrgrind.out.%p]
  --cdr-data=all|nonstack|none which addresses are recorded [all]
  --cdr-dataflow=yes|no        record which registers and loads go into what, with
                               --cdr-data=all [yes]
  --deps=yes|no                compute dependences while recording [yes]
  --cdr-granularity=N          dependences by blocks of N bytes [1]
  --cdr-hide=PATTERN           a hidden function: shell pattern on its demangled
                               name; repeatable
  --instr-atstart=yes|no       record from the start [yes]
  --toggle-collect=FUNCTION    record inside FUNCTION only; repeatable
  --cdr-memory=MB              memory of the encoder [64]
  --cdr-deps-memory=MB         memory of the dependence tables [1024]

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

int run_record(const std::vector<std::string>& arguments) {
  const RecordArguments parsed = parse_record(arguments);
  if (parsed.help || parsed.version) {
    fmt::print("{}", parsed.help ? kHelp : "cdrgrind " PACKAGE_VERSION "\n");
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
