// SPDX-License-Identifier: GPL-2.0-or-later
// The one exception of the reader: what is wrong, where in the user's file, what to do.
#ifndef CDRGRIND_TRACE_READ_TRACE_ERROR_H
#define CDRGRIND_TRACE_READ_TRACE_ERROR_H

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace cdr::trace {

enum class Problem {
  kCannotOpen,
  kEmpty,
  kNotATrace,
  kNewerVersion,
  kUnknownFrame,  // a required one
  kDamaged,
  kNoMemory,  // this process may not have as much as the file needs
};

class TraceError : public std::runtime_error {
 public:
  TraceError(Problem problem, const std::string& message) : std::runtime_error(message), problem_(problem) {}
  Problem problem() const { return problem_; }

 private:
  Problem problem_;
};

// As messages have it.
inline std::string hex(uint64_t v) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

}  // namespace cdr::trace

#endif
