// SPDX-License-Identifier: GPL-2.0-or-later
// Accesses that go where a pointer leads.
#ifndef CDRGRIND_REPORT_ADVISE_POINTED_ACCESS_H
#define CDRGRIND_REPORT_ADVISE_POINTED_ACCESS_H

#include "cdrgrind/analysis/advise/advice.h"

namespace cdr::report {

const regions::MachineInsn& insn_of_access(const advise::Advisor& with, SuperblockId id, uint16_t access);
// Whether it goes to where a register points that was so at the beginning, or was loaded from the frame.
bool is_by_argument(const advise::Advisor& with, SuperblockId id, uint16_t access);
// Whether it goes, to the function's frame if `in_frame`, else to a static variable, by a pointer that was loaded.
bool is_behind_pointer(const advise::Advisor& with, SuperblockId id, uint16_t access, bool in_frame);

}  // namespace cdr::report

#endif
