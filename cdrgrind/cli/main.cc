// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program cdrgrind: finds the command and runs it; turns what it throws into a message and a status.

#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/config.h"
#include "cdrgrind/report/escape.h"
#include "cdrgrind/report/output.h"
#include "cdrgrind/trace/trace_error.h"

namespace {

using namespace cdr::cli;

struct Command {
  const char* name;
  const char* summary;
  Action (*add)(CLI::App&);  // null: it parses its own arguments
};

constexpr Command kCommands[] = {
    {"record", "run a program and write its trace", nullptr},
    {"annotate", "show the dependences in the source", add_annotate},
    {"races", "show the data races of a trace", add_races},
    {"sync", "show how threads synchronised", add_sync},
    {"sharing", "show what threads share, and what only their caches do", add_sharing},
    {"patterns", "show how source lines walk through memory", add_patterns},
    {"loops", "find the loop nest of a trace or a sequence", add_loops},
    {"paths", "find hot paths and strata", add_paths},
    {"stats", "sizes and counts of a trace", add_stats},
    {"verify", "check a trace", add_verify},
    {"repack", "make a trace smaller", add_repack},
    {"dump", "print the events of a trace", add_dump},
};

bool is_command(const std::string& word) {
  return std::any_of(std::begin(kCommands), std::end(kCommands), [&](const Command& c) { return word == c.name; });
}

int complain(const std::string& what, int status) {
  std::fprintf(stderr, "cdrgrind: error: %s\n", cdr::report::visible(what).c_str());
  return status;
}

// What runs, for messages that come from nowhere in particular.
struct Running {
  std::string command, file;
};

// `where`: the file, and what was being read if anything was; null: not known. There may be no memory for a text.
int complain_of_memory(const Running& running, const char* where) {
  constexpr const char* kWhat = "out of memory";
  const bool file = !where && !running.file.empty();
  std::fprintf(stderr, "cdrgrind: error: %s%s%s (cdrgrind %s; is there a limit, as of 'ulimit -v'?)\n",
               file ? running.file.c_str() : "", file ? ": " : "", where ? where : kWhat, running.command.c_str());
  return kBadInput;
}

// The first word that is no option.
std::string file_of(const CLI::App& command) {
  for (const CLI::Option* o : command.get_options())
    if (o->get_positional() && o->count() > 0) return o->results().front();
  return "";
}

int run_parsed(int argc, char** argv, Running& running) {
  CLI::App app("Record a program's complete execution once, then ask it anything.", "cdrgrind");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", "cdrgrind " PACKAGE_VERSION, "print the version and exit");
  app.footer("'cdrgrind COMMAND --help' lists a command's options.");
  app.require_subcommand(1);
  Action chosen;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    if (!command.add) continue;
    sub->final_callback([&chosen, &running, sub, action = command.add(*sub)] {
      chosen = action;
      running.file = file_of(*sub);
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    const std::string command = is_command(argv[1]) ? std::string(argv[1]) + " " : "";
    return complain(e.what() + ("; try 'cdrgrind " + command + "--help'"), kWrongUse);
  }
  // A reader that goes away is noticed when writing. Not set for `record`: the program would inherit it.
  signal(SIGPIPE, SIG_IGN);
  return chosen();
}

int run(int argc, char** argv, Running& running) {
  if (argc < 2) return complain("no command; try 'cdrgrind --help'", kWrongUse);
  if (argv[1][0] != '-' && !is_command(argv[1]))
    return complain(std::string("no command '") + argv[1] + "'; try 'cdrgrind --help'", kWrongUse);
  running.command = argv[1];
  if (running.command == "record") return run_record({argv + 2, argv + argc});
  return run_parsed(argc, argv, running);
}

}  // namespace

int main(int argc, char** argv) {
  Running running;
  try {
    return run(argc, argv, running);
  } catch (const cdr::report::ClosedPipe&) {
    return kFine;
  } catch (const Failure& e) {
    return complain(e.what(), e.status());
  } catch (const cdr::trace::TraceError& e) {
    if (e.problem() == cdr::trace::Problem::kNoMemory) return complain_of_memory(running, e.what());
    return complain(e.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    return complain_of_memory(running, nullptr);
  } catch (const std::length_error&) {
    return complain_of_memory(running, nullptr);
  } catch (const std::exception& e) {  // what the system refuses
    return complain((running.file.empty() ? "" : running.file + ": ") + "cdrgrind " + running.command + ": unexpected: " +
                        e.what(),
                    kBadInput);
  }
}
