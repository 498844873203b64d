// SPDX-License-Identifier: GPL-2.0-or-later
// Accesses that are atomic ones of the source, though their instructions are as any others.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_TOLD_ATOMIC_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_TOLD_ATOMIC_H

#include <cstdint>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::races {

// By the function that it is in, by its variable's type, or by its statement. The C library is no C++: its debug
// information, which is large, is not read to learn that.
inline bool is_told_atomic(CodeFacts& facts, const RuntimeCode& runtime, CodeAddr ip, const Access& a) {
  return runtime.atomics[ip.module.value] || (!runtime.clib[ip.module.value] && facts.is_atomic_code(ip)) ||
         (a.slot == 0 && facts.is_atomic_data(static_cast<uint64_t>(a.constant))) ||
         (!runtime.library[ip.module.value] && facts.is_atomic_in_source(ip, a.store()));
}

}  // namespace cdr::races

#endif
