// SPDX-License-Identifier: GPL-2.0-or-later
// What is asked of races that may go away with others (staying.h).
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_LOCKED_RACES_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_LOCKED_RACES_H

#include <vector>

#include "cdrgrind/analysis/races/core/sites.h"

namespace cdr::races {

// What is put under one lock, and races that may go away with it.
struct LockedRaces {
  std::vector<StreamIds> locked;
  std::vector<std::vector<StreamIds>> others;
};

}  // namespace cdr::races

#endif
