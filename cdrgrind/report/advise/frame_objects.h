// SPDX-License-Identifier: GPL-2.0-or-later
// Objects without a name in the frame of a loop's function: whether they are the source's, or the compiler's.
#ifndef CDRGRIND_REPORT_ADVISE_FRAME_OBJECTS_H
#define CDRGRIND_REPORT_ADVISE_FRAME_OBJECTS_H

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Compilers name what they keep in the frame by its distance from a register of the frame, but for values and objects
// that they make for calls and names, which each iteration stores anew: those are no arrays.
bool is_array_of_frame(const advise::Carrier& c, const advise::Advisor& with, symbols::Symbols& symbols);

}  // namespace cdr::report

#endif
