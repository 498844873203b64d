// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a stretch of an innermost loop's code makes of an object's value old || x, or old && x, of which x does not
// know the old value: found by going all ways through the stretch, which has no loop, with what each leaves.
//
//     cmp dword [rbp-4],0 ; jne 1f      old is not 0:
//     cmp [rbp-32],eax ; jne 2f
//  1: mov eax,1 ; jmp 3f                1 is left, whatever else
//  2: mov eax,0
//  3: mov [rbp-4],eax
#ifndef CDRGRIND_ANALYSIS_ADVISE_TRUTH_FOLD_H
#define CDRGRIND_ANALYSIS_ADVISE_TRUTH_FOLD_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/liveness.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

// The object: a register, or what the instructions load and store.
struct TruthHome {
  uint8_t reg = regions::kNoRegister;
  std::set<uint64_t> loads, stores;
};

class TruthFold {
 public:
  struct Found {
    regions::Operation operation = regions::Operation::kOther;  // kOr: ||, kAnd: &&
    bool keeps_old = false;           // some way leaves the old value where the operation makes 1 of it
    std::set<uint64_t> stretch;       // instructions
    std::vector<uint64_t> put_aside;  // instructions that store into other places of the frame
  };
  // Of the innermost loop that has all of what the object's instructions are. `live`: of its function, for what is read
  // behind the loop counts, too.
  TruthFold(const regions::Loop& loop, const Liveness& live, regions::InsnTable& insns)
      : loop_(loop), live_(live), insns_(insns) {}

  // None if the stretch does anything else by the old value, or calls, or stores elsewhere than in the frame.
  // `put_aside` may be read in the stretch only.
  std::optional<Found> of(const TruthHome& home);

 private:
  // kTruth: 0 or 1.
  enum class Value : uint8_t { kOther, kZero, kOne, kTruth, kOld };
  struct Held {
    Value value = Value::kOther;
    bool in_byte = false;  // the lowest one alone
  };
  enum class Known : uint8_t { kNothing, kZero, kNotZero };  // of the old value
  using Place = std::pair<uint8_t, int64_t>;                 // of the frame: by a register, at a distance
  struct Way {
    uint64_t at = 0;
    Known known = Known::kNothing;
    bool tests_old = false;  // the flags are of the old value, compared with 0
    Held object{Value::kOld};
    std::map<uint8_t, Held> registers;
    std::map<Place, Value> places;
  };
  struct End {
    Known known;
    Held object;
  };
  bool find_stretch(const std::set<uint64_t>& insns);
  bool pass(Way& w);
  bool compare(const regions::MachineInsn& m, Way& w);
  std::optional<Value> read(const regions::MachineInsn& m, uint8_t operand, const Way& w) const;
  bool write(const regions::MachineInsn& m, Value v, Way& w);
  bool is_old(const regions::MachineInsn& m, const Way& w) const;
  bool go_on(const Way& w, std::vector<Way>& open);
  bool leaves_others_alone() const;
  std::optional<Found> joined() const;
  const regions::MachineInsn& insn_at(uint64_t addr) const { return insns_.at({loop_.header.module, addr}); }

  const regions::Loop& loop_;
  const Liveness& live_;
  regions::InsnTable& insns_;
  const TruthHome* home_ = nullptr;
  uint64_t begin_ = 0, end_ = 0;  // the stretch: up to before `end_`, by each way
  uint64_t last_ = 0;             // an instruction that leads to `end_` alone
  bool by_byte_ = true;           // no instruction compares more than the lowest byte of the object
  regions::RegisterSet written_ = 0;
  std::set<uint64_t> seen_;
  std::set<uint64_t> put_aside_;
  std::vector<End> ends_;
  static constexpr size_t kMostWays = 256, kLongestWay = 400, kLongestLoop = 2000;
};

}  // namespace cdr::advise

#endif
