// SPDX-License-Identifier: GPL-2.0-or-later
// Which long calls could run beside what follows them, and until where (long_calls.h): told by the replay when they
// return and when regions end, asked at every dependence of which they may be the source. What was found is told by the
// tape (call_tape.h).
#ifndef CDRGRIND_ANALYSIS_REGIONS_CALL_LOG_H
#define CDRGRIND_ANALYSIS_REGIONS_CALL_LOG_H

#include "cdrgrind/analysis/regions/call_tape.h"
#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/library_names.h"
#include "cdrgrind/analysis/regions/region_stack.h"
#include "cdrgrind/base/dataflow.h"

namespace cdr::regions {

// The access that is made.
struct Now {
  RegionStack* stack = nullptr;
  uint64_t time = 0;
  uint64_t inner_start = 0;                  // of the innermost open region
  uint64_t settled = 0, stores_settled = 0;  // as of RegionStack
  uint64_t stamp = 0;                        // of that region
  uint64_t state = 0;                        // DependenceRows::state_of
  uint64_t executed_later = 0;               // time - instructions that the thread has executed
  SiteIndex site = 0;
  uint64_t access = 0;  // its number: no two accesses have the same
};

class CallLog {
 public:
  CallLog(const BlockTable& blocks, const DataflowTable& flows, LibraryNames& names, Regions& result)
      : blocks_(blocks), flows_(flows), names_(names), result_(result) {}

  // `executed`: instructions of the thread.

  // The activation has just been taken from the stack; it was called from `site`. Whether it was a long call of the
  // program's.
  bool returned(RegionStack& s, const Frame& ended, uint64_t time, uint64_t executed);
  // The calls that were made in a loop's present iteration, or in the activation on top, are over.
  void end_iteration(RegionStack& s, size_t loop, uint64_t time, uint64_t executed) {
    if (!s.open_calls.empty()) end_region(s, s.frames().size() - 1, loop + 1, time, executed);
  }
  void end_activation(RegionStack& s, uint64_t time, uint64_t executed);
  // An access at `now` depends on something at `time` in the frame of `place`; `source` made that.
  void depends(SiteIndex source, uint64_t time, uint32_t frame, const Now& now) {
    depends(source, time, frame, now, CallMoment::Rank::kWait);
  }
  // So does what reads a register.
  void register_depends(SiteIndex source, uint64_t time, uint32_t frame, const Now& now) {
    depends(source, time, frame, now, CallMoment::Rank::kRegister);
  }
  // The first block of the caller, behind the call that returned last: results that are only put elsewhere still belong
  // to the call. `executed`: before the block.
  void first_block(RegionStack& s, BlockId block, uint64_t clock, uint64_t executed);
  // The registers that the block has only copied a result to, as found by first_block: by chunk.
  const std::vector<uint8_t>& copied() const { return copied_; }
  void copied_at(RegionStack& s, uint64_t time);
  // Something was asked of the system.
  void system_used(RegionStack& s, uint8_t use, uint64_t ip, uint64_t time, uint64_t executed);

  const CallTape& tape() const { return tape_; }
  // By number on the tape.
  const std::vector<CallEnd>& ends() const { return ends_; }

 private:
  CallMoment moment(uint64_t time, CallMoment::Rank rank = CallMoment::Rank::kWait) const {
    return {result_.accesses, tape_.step(), time, rank};
  }
  void end_region(RegionStack& s, size_t frame, size_t loops, uint64_t time, uint64_t executed);
  void wait(RegionStack& s, size_t call, uint64_t ip, uint64_t executed, const CallMoment& at);
  void depends(SiteIndex source, uint64_t time, uint32_t frame, const Now& now, CallMoment::Rank rank);
  bool is_recursive(const RegionStack& s) const;
  static bool last_is_open(const RegionStack& s) {
    return !s.open_calls.empty() && s.open_calls.back().number + 1 == s.last_call;
  }
  bool is_harmless(const OpenCall& c, SiteIndex source, SiteIndex target, const CallMoment& at);
  void note_output(const OpenCall& c, const CallMoment& at) {
    CallEnd& end = ends_[c.number];
    end.output = std::min(end.output, at);
  }
  AccountIndex account_of(Frame& f) { return f.account ? f.account : f.account = tape_.new_account(); }

  const BlockTable& blocks_;
  const DataflowTable& flows_;
  LibraryNames& names_;
  Regions& result_;
  CallTape tape_;
  std::vector<CallEnd> ends_;
  std::vector<uint8_t> copied_;
};

}  // namespace cdr::regions

#endif
