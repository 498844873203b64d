// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program cdrgrind: finds the command and runs it; turns what it throws into a message and a status.

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/completion.h"
#include "cdrgrind/cli/did_you_mean.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/manual_page.h"
#include "cdrgrind/cli/pager.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/trace/read/trace_error.h"

namespace {

using namespace cdr::cli;

constexpr Command kCommands[] = {
    {"record", "run a program and write its trace", nullptr},
    {"annotate", "show the dependences in the source", add_annotate},
    {"advise", "say which loops are parallel, and what others carry", add_advise},
    {"races", "show the data races of a trace", add_races},
    {"sync", "show how threads synchronised", add_sync},
    {"sharing", "show what threads share, and what only their caches do", add_sharing},
    {"patterns", "show how source lines walk through memory", add_patterns},
    {"loops", "find the loop nest of a trace or a sequence", add_loops},
    {"mpi", "show how the ranks of an MPI program communicated", add_mpi},
    {"paths", "find hot paths and strata", add_paths},
    {"diff", "compare two runs", add_diff},
    {"report", "write all that the commands say as a page for browsers", add_report},
    {"stats", "sizes and counts of a trace", add_stats},
    {"verify", "check a trace", add_verify},
    {"pack", "put what names a trace's addresses into it", add_pack},
    {"repack", "make a trace smaller", add_repack},
    {"dump", "print the events of a trace", add_dump},
    {"export", "write a trace, or what follows from it, as a table", add_export},
    {"help", "show the manual page of a command", nullptr},
};

std::vector<std::string> names_of_commands() {
  std::vector<std::string> names;
  for (const Command& c : kCommands) names.emplace_back(c.name);
  return names;
}

int complain(const std::string& what, int status) {
  std::fprintf(stderr, "cdrgrind: error: %s\n", cdr::report::visible(what).c_str());
  return status;
}

// What runs, for messages that come from nowhere in particular.
struct Running {
  std::string command, file;
  bool paged = true;
};

// `where`: the file, and what was being read if anything was; null: not known. There may be no memory for a text.
int complain_of_memory(const Running& running, const char* where) {
  constexpr const char* kWhat = "out of memory";
  const bool file = !where && !running.file.empty();
  std::fprintf(stderr, "cdrgrind: error: %s%s%s (cdrgrind %s; is there a limit, as of 'ulimit -v'?)\n",
               file ? running.file.c_str() : "", file ? ": " : "", where ? where : kWhat, running.command.c_str());
  return kBadInput;
}

int run_parsed(CommandParser& parser, const std::vector<std::string>& words, Running& running) {
  const Request request = parser.parse(words);
  if (!request.action) return std::fputs(request.text.c_str(), stdout), kFine;
  running.file = request.first_file;
  // A reader that goes away is noticed when writing. Not set for `record`: the program would inherit it.
  signal(SIGPIPE, SIG_IGN);
  Pager pager;
  const bool prints = running.command != "verify" && running.command != "repack" && running.command != "report";
  if (running.paged && prints) pager.start();
  return request.action();
}

// `help COMMAND` is COMMAND --help, if it is not the manual page that is shown.
std::vector<std::string> explained(const CommandParser& parser, const std::vector<std::string>& words) {
  if (words[0] != "help") return words;
  if (words.size() > 2) throw Failure(kWrongUse, "help: one command at a time");
  if (words.size() == 1) return {"--help"};
  const std::string& command = words[1];
  if (command.starts_with('-')) return {command};
  if (command == "help") return show_manual_page("cdrgrind"), std::vector<std::string>{"--help"};
  if (parser.is_command(command)) show_manual_page("cdrgrind-" + command);
  return {command, "--help"};
}

int run(std::vector<std::string> words, Running& running) {
  CommandParser parser(kCommands);
  if (words.empty()) return complain("no command; try 'cdrgrind --help'", kWrongUse);
  if (words[0] == "completion") return print_completion(parser, {words.begin() + 1, words.end()});
  if (words[0] == "--no-pager" && words.size() > 1) {
    words.erase(words.begin());
    if (words[0] != "record") words.emplace_back("--no-pager");
  }
  words = explained(parser, words);
  if (words[0][0] != '-' && !parser.is_command(words[0]))
    return complain(
        "no command '" + words[0] + "'" + did_you_mean(words[0], names_of_commands()) + "; try 'cdrgrind --help'",
        kWrongUse);
  running.command = words[0];
  if (running.command != "record") running.paged = std::erase(words, "--no-pager") == 0;
  if (running.command == "record") return run_record({words.begin() + 1, words.end()});
  return run_parsed(parser, words, running);
}

}  // namespace

int main(int argc, char** argv) {
  Running running;
  try {
    return run({argv + std::min(argc, 1), argv + argc}, running);
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
    return complain(
        (running.file.empty() ? "" : running.file + ": ") + "cdrgrind " + running.command + ": unexpected: " + e.what(),
        kBadInput);
  }
}
