// SPDX-License-Identifier: GPL-2.0-or-later
// What instructions walk over (analysis/patterns/pattern_objects.h), with names: what has the same name is one object.
#ifndef CDRGRIND_REPORT_PATTERNS_WALKED_OBJECTS_H
#define CDRGRIND_REPORT_PATTERNS_WALKED_OBJECTS_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/analysis/patterns/pattern_objects.h"
#include "cdrgrind/report/common/numbered_objects.h"

namespace cdr::report {

struct WalkedName {
  ObjectName object;
  uint64_t accesses = 0;
};

// Of one pattern: most accesses first.
struct NamedWalk {
  std::vector<WalkedName> objects;
  uint64_t others = 0;  // accesses to objects that were not told apart
};
NamedWalk named(const patterns::WalkedObjects& walk, const NumberedObjects& names);

// "a[…]", "a[…] (80.0 %); b[…] (12.0 %); 3 others"; empty if nothing is known.
std::string walk_text(const NamedWalk& walk);

}  // namespace cdr::report

#endif
