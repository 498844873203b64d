// SPDX-License-Identifier: GPL-2.0-or-later
// Where in the source a loop's code stores: what its text changes (changed_places.h) and no store stands for, the
// compiler keeps elsewhere.
#ifndef CDRGRIND_REPORT_ADVISE_STORE_PLACES_H
#define CDRGRIND_REPORT_ADVISE_STORE_PLACES_H

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/report/advise/changed_places.h"
#include "cdrgrind/report/common/loop_place.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// What the program's code did, of all loops.
class CodeStores {
 public:
  CodeStores(const advise::Advisor& with, symbols::Symbols& symbols);

  // Of code that ran; of other code, whether it may.
  bool stores(CodeAddr insn) const;
  // Functions that were called there; none if no call was.
  const std::set<CodeAddr>& called_at(uint64_t insn) const;
  // Of the module: calls of functions that fill and copy memory, and instructions that do so by themselves.
  const std::vector<uint64_t>& fills(ModuleId module) const;
  const regions::MachineInsn& insn(CodeAddr at) const { return with_.values.insns().at(at); }
  bool is_fill(CodeAddr function) const;
  // Whether it gives back more than registers hold: it stores that itself.
  bool returns_object(CodeAddr function) const;
  std::string_view name_of(CodeAddr function) const;

 private:
  const advise::Advisor& with_;
  symbols::Symbols& symbols_;
  std::unordered_set<uint64_t> ran_, stores_;
  std::map<uint64_t, std::set<CodeAddr>> called_;
  std::map<uint32_t, std::vector<uint64_t>> fills_;  // by module
};

// Of one loop.
class StorePlaces {
 public:
  StorePlaces(const regions::Loop& loop, const LoopPlace& lines, const CodeStores& code);

  // Whether the code stores at that place, or calls what the text says there. `in_frame`: the object may lie in the
  // frame; `by_line`: whatever stands in the same lines.
  bool shows(const ChangedPlace& place, bool in_frame, bool by_line) const;
  // How many instructions of the loop's own in each line store elsewhere than in the frame.
  std::map<uint32_t, size_t> lines() const;

 private:
  struct Store {
    TextPosition at;
    std::string_view inlined;  // the function put in line there, whose code it is; empty: none
    bool by_frame = false;     // at a place that RSP or RBP tells
    bool in_frame = false;     // at a place that RSP alone tells
    bool calls = false;        // instead of storing
    bool unknown = false;      // what it calls is not known
    bool assigns = false;      // what it calls stores what an assignment does
    std::vector<std::string_view> callees;
  };
  static bool matches(const Store& s, const ChangedPlace& place, bool in_frame);
  static Store call_at(CodeAddr at, const CodeStores& code);

  std::vector<Store> stores_;
};

}  // namespace cdr::report

#endif
