// SPDX-License-Identifier: GPL-2.0-or-later
// What the classification of loops asks about their source.
#ifndef CDRGRIND_ANALYSIS_ADVISE_LOOP_TEXT_H
#define CDRGRIND_ANALYSIS_ADVISE_LOOP_TEXT_H

#include <cstdint>
#include <span>

#include "cdrgrind/base/block_table.h"

namespace cdr::advise {

class LoopText {
 public:
  // Whether the branch, one of a loop with that header, is of a statement that leaves a loop in the middle of its body:
  // break, return, goto.
  virtual bool leaves_in_body(CodeAddr header, CodeAddr branch) = 0;
  // Whether the branch, of the loop with that code, is the end of a counted loop of the source that has no other.
  virtual bool is_only_end(ModuleId module, std::span<const uint64_t> body, uint64_t branch) = 0;

 protected:
  ~LoopText() = default;
};

}  // namespace cdr::advise

#endif
