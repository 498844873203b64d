// SPDX-License-Identifier: GPL-2.0-or-later
// What a reason is made of.
#ifndef CDRGRIND_ANALYSIS_SLICE_FLOW_STEP_H
#define CDRGRIND_ANALYSIS_SLICE_FLOW_STEP_H

#include <cstdint>

#include "cdrgrind/analysis/events/access_position.h"
#include "cdrgrind/base/id.h"

namespace cdr::slice {

using analysis::AccessPosition;

// One step of a reason: what came from where, later first. A report names the instructions' lines.
struct FlowStep {
  enum class Kind : uint8_t {
    kAddress,    // the address of the access `at` was made from what follows
    kCondition,  // whether it happened was decided at the exit at `ip`
    kLoad,       // the value that `at` loaded
    kStore,      // the value that `at` stored, read by the step before
    kBefore,     // `at` came before, in the same thread
  };
  Kind kind = Kind::kLoad;
  ThreadId thread;
  AccessPosition at;
  uint64_t ip = 0;  // instruction; 0 where the kernel stored, and of kBefore
  ModuleId module;
};

}  // namespace cdr::slice

#endif
