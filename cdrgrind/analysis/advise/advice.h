// SPDX-License-Identifier: GPL-2.0-or-later
// What is carried by each loop, by class, and what follows from it: the verdict, and what parallel execution would
// bring. docs/advice.md has the definitions.
#ifndef CDRGRIND_ANALYSIS_ADVISE_ADVICE_H
#define CDRGRIND_ANALYSIS_ADVISE_ADVICE_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/analysis/advise/loop_text.h"
#include "cdrgrind/analysis/advise/values.h"
#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/library_names.h"
#include "cdrgrind/base/dataflow.h"

namespace cdr::advise {

using regions::LibraryNames;
using regions::LibraryState;
using regions::LoopId;

// From the best to the worst.
enum class Class : uint8_t {
  kInduction,
  kReduction,
  kPrivate,
  kLastprivate,
  kFirstprivate,
  kOutput,
  kTraversal,
  kExit,
  kAnti,
  kRecurrence,
};

// A piece of memory, or a register, that carries dependences around a loop.
struct Carrier {
  regions::Object object;
  int64_t lowest = 0, highest = 0;  // as of CarriedRow
  Class carried_as = Class::kRecurrence;
  Operation operation = Operation::kOther;  // of a reduction
  bool floating = false;
  bool logical = false;           // a reduction: kOr is `||', kAnd is `&&'
  bool of_truth = false;          // its value becomes 1 wherever it is not 0: right for a `bool' alone
  bool conditional = false;       // kLastprivate: not written by the last iteration of every instance
  bool decides_exit = false;      // the loop counts by it
  bool made_ahead = false;        // kPrivate: the iteration before has made it (made_ahead.h)
  bool one_place = true;          // a scalar: all its rows touch the same bytes
  uint8_t system = 0;             // regions::SystemUse: not memory at all
  bool may_stay = false;          // kLastprivate: some instance had no iteration and leaves it as it was
  std::vector<uint64_t> kept_at;  // of a reduction in a register: instructions that store what it has come to
  std::vector<uint32_t> rows;     // into Regions::rows, heaviest first
  uint64_t count = 0;
};

enum class Verdict : uint8_t { kNone, kUnseen, kParallel, kOrdered, kTasks, kPipeline, kSequential };

// How many times as fast a run of `all` instructions is if `total` of them take as long as `left` (Amdahl 1967).
constexpr double speed_up_of_run(double all, double total, double left) {
  return all > 0 && total <= all ? all / (all - total + left) : 1;
}

struct LoopAdvice {
  LoopId loop;
  Verdict verdict = Verdict::kNone;
  bool counted = false;               // all exits compare an induction with what the loop does not change
  bool loaded_index = false;          // kParallel: it stores where values say that were loaded from changing places
  bool small = false;                 // an instance does less than kSmallInstance instructions
  std::vector<uint64_t> other_exits;  // instructions
  std::vector<Carrier> carriers;      // the worst first
  uint32_t lanes = 1;                 // more: vectors, of so many of the source's iterations each
  uint64_t interval = 0;              // instructions
  double speed_up = 1;                // of the loop
  double of_run = 1;                  // of the whole run, by Amdahl
  static constexpr uint64_t kSmallInstance = 50'000;
};

struct Advisor {
  const BlockTable& blocks;
  const DataflowTable& flows;
  regions::CodeLoops& loops;
  regions::Regions& regions;
  ValueTable& values;
  LibraryNames& names;
  LoopText& text;
  uint64_t threads = 8;
};

// Of every loop that was executed: first those that bring most.
std::vector<LoopAdvice> advise(const Advisor& with);

}  // namespace cdr::advise

#endif
