// SPDX-License-Identifier: GPL-2.0-or-later
// Where in the source a loop stands: in the innermost function, inlined or not, that all its instructions have in
// common; if no loop of the source begins there, in that of the branches that make it one.
#ifndef CDRGRIND_REPORT_COMMON_LOOP_PLACE_H
#define CDRGRIND_REPORT_COMMON_LOOP_PLACE_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

class LoopPlace {
 public:
  LoopPlace(const regions::Loop& loop, const ModuleTable& modules, symbols::Symbols& symbols);

  const SourcePlace& place() const { return place_; }  // the line where it begins
  uint32_t last_line() const { return last_line_; }
  // Of an instruction, in the function where the loop stands; 0: not known.
  uint32_t line_of(uint64_t addr) { return pos_of(addr).line; }
  symbols::SourcePos pos_of(uint64_t addr);
  // In the line where it begins, of branches that leave it. Of one statement of the source compilers make several
  // loops, which have these in common.
  const std::set<uint32_t>& head_columns() const { return head_columns_; }
  // The calls by which it is inlined: what tells it from the same loop inlined elsewhere.
  std::string inlined_by() const;
  // These calls, innermost first.
  std::vector<symbols::InlineFrame> inlining_calls() const;
  // Whether the instruction stands in the same function, inlined by the same calls.
  bool has_beside(uint64_t addr) const;
  // From the function where the loop stands inwards, to that whose line the instruction is; empty if it is elsewhere.
  std::vector<symbols::InlineFrame> frames_within(uint64_t addr) const;

 private:
  using Chain = std::vector<symbols::InlineFrame>;
  Chain chain_of(uint64_t addr) const;
  bool is_beside(const Chain& c) const;
  static size_t common_level(const Chain& a, const Chain& b);
  void set_lines(const regions::Loop& loop);
  bool may_begin_otherwise() const;
  Chain frames_of_ways(const regions::Loop& loop) const;
  bool set_place(const regions::Loop& loop, const Chain& frames);
  uint32_t line_of_head(const regions::Loop& loop);
  uint32_t first_call(const regions::Loop& loop);

  symbols::Symbols& symbols_;
  ModuleId module_;
  size_t level_ = 0;       // of inlining, outermost 0
  bool narrowed_ = false;  // not all of its instructions are in that: it has some that save registers around calls
  Chain around_;           // outermost first, with that level
  SourcePlace place_;
  uint32_t last_line_ = 0;
  std::set<uint32_t> head_columns_;
};

}  // namespace cdr::report

#endif
