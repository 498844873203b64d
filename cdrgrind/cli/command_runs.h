// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of this program, each run in a process of its own, several at a time, and what they print. So whoever shows
// their documents shows what they say, to the byte, and one that fails takes no other with it.
#ifndef CDRGRIND_CLI_COMMAND_RUNS_H
#define CDRGRIND_CLI_COMMAND_RUNS_H

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace cdr::cli {

struct CommandRun {
  std::vector<std::string> words;  // the command first
  int status = -1;                 // 128 and the signal that ended it; -1: not run
  std::string output, messages;    // standard output and standard error
};

class CommandRuns {
 public:
  // `input`: a file that is each command's standard input, from its beginning; none if empty.
  CommandRuns(std::vector<std::vector<std::string>> commands, std::string input, unsigned at_a_time);
  // Those that have not ended are killed.
  ~CommandRuns();
  CommandRuns(const CommandRuns&) = delete;

  size_t count() const { return runs_.size(); }
  // Waits for the end of number `i`. Throws Failure if it could not be started.
  CommandRun& result(size_t i);

 private:
  void work();
  void run(CommandRun& run);

  std::vector<CommandRun> runs_;
  const std::string input_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t next_ = 0;
  bool stopped_ = false;
  std::vector<bool> done_;
  std::set<pid_t> running_;
};

}  // namespace cdr::cli

#endif
