// SPDX-License-Identifier: GPL-2.0-or-later
// Where control was seen to go within a function that its code alone does not tell.
#ifndef CDRGRIND_ANALYSIS_SLICE_JUMP_TARGETS_H
#define CDRGRIND_ANALYSIS_SLICE_JUMP_TARGETS_H

#include <cstdint>
#include <span>

#include "cdrgrind/base/id.h"

namespace cdr::slice {

class JumpTargets {
 public:
  // Where dynamic jumps at the end of the superblock went within their activation.
  virtual std::span<const uint64_t> jump_targets(SuperblockId superblock) const = 0;
  // Where an activation that the superblock left by a call went on, other than behind it: a handler of exceptions.
  virtual std::span<const uint64_t> landings(SuperblockId) const { return {}; }

 protected:
  ~JumpTargets() = default;
};

}  // namespace cdr::slice

#endif
