// SPDX-License-Identifier: GPL-2.0-or-later
// Calls of MPI in one line each, as a trace tells them; ranks of a program made of them.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_MPI_CALLS_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_MPI_CALLS_H

#include <initializer_list>
#include <vector>

#include "cdrgrind/analysis/mpi/program.h"

namespace cdr::mpi {

// Numbers in base/mpi_calls.h.
enum TestFunction : uint32_t {
  kTestInit = 1,
  kTestFinalize = 3,
  kTestSend = 10,
  kTestSsend = 12,
  kTestRecv = 14,
  kTestIsend = 17,
  kTestIrecv = 21,
  kTestSendInit = 22,
  kTestStart = 27,
  kTestWait = 40,
  kTestWaitall = 41,
  kTestBarrier = 50,
  kTestBcast = 51,
  kTestDup = 100
};
constexpr uint64_t kTestWorld = 100, kTestSelf = 200;

class TestRank {
 public:
  TestRank(uint32_t rank, uint32_t ranks) : rank_(rank), ranks_(ranks) {
    call(kTestInit, {}, {CDR_MPI_LIBRARY | 3 << 8, CDR_MPI_MPICH, kTestWorld, kTestSelf});
    auto& words = calls_.back().results;
    const auto made = communicator(kTestWorld, 0, 1, ranks);
    words.insert(words.end(), made.begin(), made.end());
  }

  // Instructions before the next call.
  TestRank& work(uint64_t insns) { return clock_ += insns, *this; }
  TestRank& call(uint32_t function, std::vector<uint64_t> arguments, std::vector<uint64_t> results = {}) {
    RawCall c;
    c.function = function;
    c.thread = ThreadId(1);
    c.index = calls_.size();
    c.site = 0x1000 + calls_.size();
    c.clock = clock_;
    c.arguments = std::move(arguments);
    c.results = std::move(results);
    calls_.push_back(std::move(c));
    return *this;
  }
  TestRank& message(uint32_t function, int64_t peer, int64_t tag, uint64_t bytes = 8, uint64_t comm = kTestWorld) {
    return call(function, {CDR_MPI_PEER | 1 << 8, static_cast<uint64_t>(peer), CDR_MPI_TAG | 1 << 8,
                           static_cast<uint64_t>(tag), CDR_MPI_COMM | 1 << 8, comm, CDR_MPI_BYTES | 1 << 8, bytes});
  }
  // Of the last call.
  TestRank& results(std::initializer_list<uint64_t> words) {
    calls_.back().results.insert(calls_.back().results.end(), words);
    return *this;
  }
  TestRank& request(uint64_t handle) { return results({CDR_MPI_REQUESTS | 1 << 8, handle}); }
  TestRank& status(uint64_t source, uint64_t tag) { return results({CDR_MPI_STATUS | 2 << 8, source, tag}); }
  TestRank& wait(uint64_t handle, uint64_t source = 0, uint64_t tag = 0) {
    return call(kTestWait, {CDR_MPI_REQUESTS | 1 << 8, handle}, {CDR_MPI_DONE | 3 << 8, 0, source, tag});
  }
  TestRank& collective(uint32_t function, int64_t root = -1, uint64_t comm = kTestWorld) {
    call(function, {CDR_MPI_COMM | 1 << 8, comm});
    if (root >= 0)
      calls_.back().arguments.insert(calls_.back().arguments.end(),
                                     {CDR_MPI_ROOT | 1 << 8, static_cast<uint64_t>(root)});
    return *this;
  }
  TestRank& dup(uint64_t handle) {
    return call(kTestDup, {CDR_MPI_COMM | 1 << 8, kTestWorld}, communicator(handle, 0, 1, ranks_));
  }
  // The trace ends in the last call.
  TestRank& stays() { return calls_.back().open = true, *this; }

  RankLog log() const {
    RankLog log = rank_log_of(calls_);
    log.complete = !calls_.back().open;
    return log;
  }

 private:
  std::vector<uint64_t> communicator(uint64_t handle, uint64_t first, uint64_t step, uint64_t count) const {
    return {CDR_MPI_NEW_COMM | 1 << 8,
            handle,
            CDR_MPI_SELF | 3 << 8,
            rank_,
            count,
            0,
            CDR_MPI_MEMBERS | 3 << 8,
            first,
            step,
            count};
  }

  uint32_t rank_, ranks_;
  uint64_t clock_ = 0;
  std::vector<RawCall> calls_;
};

inline Program alone(std::vector<RankLog> logs) {
  static OneProcess one;
  return {one, static_cast<uint32_t>(logs.size()), std::move(logs)};
}
inline Program program_of(std::initializer_list<TestRank> ranks) {
  std::vector<RankLog> logs;
  for (const TestRank& r : ranks) logs.push_back(r.log());
  return alone(std::move(logs));
}

}  // namespace cdr::mpi

#endif
