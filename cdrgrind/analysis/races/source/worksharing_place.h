// SPDX-License-Identifier: GPL-2.0-or-later
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_WORKSHARING_PLACE_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_WORKSHARING_PLACE_H

#include "cdrgrind/analysis/strands/iterations.h"

namespace cdr::races {

// A loop that is, or may be, shared out: of a statement under `omp for' whose loop is not sure, its outermost ones.
struct WorksharingPlace {
  strands::SharedLoop::By by = strands::SharedLoop::By::kRuntime;
  bool in_chunks = false;  // the compiler shares it out so
  bool deals = false;      // not itself: it goes from one chunk to the next
};

}  // namespace cdr::races

#endif
