// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef CDRGRIND_CLI_LOOP_QUESTION_H
#define CDRGRIND_CLI_LOOP_QUESTION_H

#include <cstdint>
#include <string>
#include <vector>

namespace cdr::cli {

// What is asked about loops.
struct LoopQuestion {
  std::vector<std::string> program;  // modules that are the program's, too
  uint64_t threads = 8;              // that a loop would have
  // Threads that share the work among them; of programs with a parallel runtime it is one. 0: one for each processor.
  unsigned jobs = 0;
};

}  // namespace cdr::cli

#endif
