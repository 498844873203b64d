// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program cdrgrind: finds the command and runs it.

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/complaint.h"
#include "cdrgrind/cli/completion.h"
#include "cdrgrind/cli/did_you_mean.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/manual_page.h"
#include "cdrgrind/cli/mpi_share.h"
#include "cdrgrind/cli/pager.h"

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

int run_parsed(CommandParser& parser, const std::vector<std::string>& words, Running& running) {
  const Request request = parser.parse(words);
  if (!request.action) return std::fputs(request.text.c_str(), stdout), kFine;
  running.file = request.first_file;
  // A reader that goes away, and a limit of a file's size, are noticed when writing. Not set for `record`: the program
  // would inherit it.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
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
  if (running.command == "mpi") hand_over_to_mpi_program(words);
  return run_parsed(parser, words, running);
}

}  // namespace

int main(int argc, char** argv) {
  Running running;
  return guarded(running, [&] { return run({argv + std::min(argc, 1), argv + argc}, running); });
}
