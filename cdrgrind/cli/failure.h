// SPDX-License-Identifier: GPL-2.0-or-later
// Exit statuses, and the exception that ends a command with one. main catches it and prints the message.
#ifndef CDRGRIND_CLI_FAILURE_H
#define CDRGRIND_CLI_FAILURE_H

#include <stdexcept>
#include <string>

namespace cdr::cli {

enum Status : int {
  kFine = 0,
  kFindings = 1,
  kWrongUse = 2,
  kBadInput = 3,         // not a trace, damaged, or it lacks what is asked; an output that cannot be written
  kNotExecutable = 126,  // record
  kNotFound = 127,       // record
  kInterrupted = 130,    // 128 and SIGINT: ended early, with what was known
};

class Failure : public std::runtime_error {
 public:
  Failure(Status status, const std::string& what) : std::runtime_error(what), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

}  // namespace cdr::cli

#endif
