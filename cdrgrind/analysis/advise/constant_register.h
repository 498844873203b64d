// SPDX-License-Identifier: GPL-2.0-or-later
// Registers that hold one constant whenever a loop's header is come to: it was loaded from one place before the loop,
// or cleared, and is again behind calls in it, through other registers, too. No value goes from one iteration to
// another thereby.
#ifndef CDRGRIND_ANALYSIS_ADVISE_CONSTANT_REGISTER_H
#define CDRGRIND_ANALYSIS_ADVISE_CONSTANT_REGISTER_H

#include <cstdint>
#include <functional>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/analysis/slice/function_graphs.h"

namespace cdr::advise {

// `function`: the loop's; `is_same`: of an instruction of the loop, whether it has loaded the same in every iteration,
// or never ran.
bool holds_one_constant(const regions::Loop& loop, const slice::InsnGraph& function, regions::InsnTable& insns,
                        uint8_t reg, const std::function<bool(uint64_t addr)>& is_same);

}  // namespace cdr::advise

#endif
