// SPDX-License-Identifier: GPL-2.0-or-later
// What a replay knows of long calls (long_calls.h) before it is known what depends on them: returns and ends of
// activations, in order. Several replays may share the memory among them (parted_regions.h); all have the same tape,
// and each finds waits of its own: what counts is each call's earliest.
#ifndef CDRGRIND_ANALYSIS_REGIONS_CALL_TAPE_H
#define CDRGRIND_ANALYSIS_REGIONS_CALL_TAPE_H

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/regions/long_calls.h"

namespace cdr::regions {

// Indices; 0 is none.
using AccountIndex = uint32_t;

// When the replay came to something: the same in all parts.
struct CallMoment {
  uint64_t access = ~uint64_t{0};  // the number of the last access that was made
  uint64_t step = 0;               // of the tape
  uint64_t time = 0;
  // What comes first at one time: waits, what the tape has, waits for registers, which are read before the next access.
  enum class Rank : uint8_t { kWait, kTape, kRegister } rank = Rank::kWait;
  auto operator<=>(const CallMoment&) const = default;
};

// What was found of a call.
struct CallEnd {
  CallMoment waited;
  uint64_t ip = 0;        // before which the wait stands; 0: where the region ends
  uint64_t executed = 0;  // by the thread, there
  CallMoment output;      // when it was clear that it and what ran beside it both write output
};

class CallTape {
 public:
  struct Call {
    AccountIndex caller_account = 0, account = 0;  // of the activations
    uint64_t length = 0;                           // instructions
    uint64_t returned = 0;                         // executed by the thread
    uint64_t site = 0;
    CodeAddr caller, callee;
  };
  // That made long calls, and is no recursion.
  struct Activation {
    AccountIndex account = 0;
    CodeAddr function;
    uint64_t length = 0;
  };

  // Of an activation in which long calls returned: what they won.
  AccountIndex new_account() { return ++accounts_; }
  // What comes next is told at a later moment.
  uint64_t next_step() { return ++steps_; }
  uint64_t step() const { return steps_; }
  // The number of the call, counted from 0.
  uint32_t returned(const CallMoment& at, const Call& call);
  void ended(const CallMoment& at, const Activation& activation);
  // An activation that was no long call has ended within another.
  void passed_on(const CallMoment& at, AccountIndex from, AccountIndex to);

  // With what the parts have found, by call.
  CallerRuns count(std::span<const std::vector<CallEnd>> parts) const;

 private:
  struct Entry {
    CallMoment at;
    enum class Kind : uint8_t { kReturned, kEnded, kPassedOn } kind;
    uint32_t first = 0, second = 0;  // index of the call or activation; accounts
  };

  AccountIndex accounts_ = 0;
  uint64_t steps_ = 0;
  std::vector<Entry> entries_;
  std::vector<Call> calls_;
  std::vector<Activation> activations_;
};

}  // namespace cdr::regions

#endif
