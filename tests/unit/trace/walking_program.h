// SPDX-License-Identifier: GPL-2.0-or-later
// Random but sensible programs: threads that call, return, loop, jump into functions, jump out of them, change stacks,
// take signals and synchronise, with SP and frames as base/event.h says.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_WALKING_PROGRAM_H
#define CDRGRIND_TESTS_UNIT_TRACE_WALKING_PROGRAM_H

#include "tests/unit/trace/memory_trace.h"

namespace cdr::test {

struct WalkingProgram {
  Tables tables;
  std::vector<OwnedEvent> events;
};

// About `steps` steps, the same for the same seed.
WalkingProgram walking_program(uint32_t seed, uint32_t steps);
// The threads also touch common memory and each other's stacks, with atomic instructions, too; blocks of the heap come
// and go; and functions are called through wrappers, which have no accesses.
WalkingProgram sharing_program(uint32_t seed, uint32_t steps);

}  // namespace cdr::test

#endif
