// SPDX-License-Identifier: GPL-2.0-or-later
// The calls of MPI of a trace, in true order, each with what it was given, what came of it, and how many instructions
// its thread had executed outside of such calls. A compact trace is not unfolded.
#ifndef CDRGRIND_ANALYSIS_MPI_MPI_EVENTS_H
#define CDRGRIND_ANALYSIS_MPI_MPI_EVENTS_H

#include <cstdint>
#include <functional>
#include <vector>

#include "cdrgrind/base/id.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::mpi {

struct RawCall {
  uint32_t function = 0;  // number in base/mpi_calls.h
  ThreadId thread;
  uint64_t index = 0;               // of the event that enters it
  uint64_t site = 0;                // the address that it returns to
  uint64_t clock = 0;               // instructions of the thread before it, without calls of MPI and the wrappers' own
  std::vector<uint64_t> arguments;  // keys and values, see base/mpi_calls.h
  std::vector<uint64_t> results;
  int64_t result = 0;
  bool open = false;  // the trace ends in it
};

// In the order in which they were entered. Throws TraceError where the file is damaged.
std::vector<RawCall> mpi_calls_of(const trace::TraceFile& file);

// A key with its values, one after the other; what is cut off at the end is left out.
class KeyedWords {
 public:
  explicit KeyedWords(const std::vector<uint64_t>& words) : words_(words) {}
  bool next() {
    at_ += 1 + count_;
    if (at_ >= words_.size()) return false;
    count_ = words_[at_] >> 8;
    return count_ < words_.size() - at_;
  }
  uint32_t key() const { return words_[at_] & 0xff; }
  size_t count() const { return count_; }
  uint64_t operator[](size_t i) const { return words_[at_ + 1 + i]; }

 private:
  const std::vector<uint64_t>& words_;
  size_t at_ = static_cast<size_t>(-1);
  size_t count_ = 0;
};

}  // namespace cdr::mpi

#endif
