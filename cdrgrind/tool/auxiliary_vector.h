// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel tells a process when it begins: pairs of words behind the environment.
#ifndef CDRGRIND_TOOL_AUXILIARY_VECTOR_H
#define CDRGRIND_TOOL_AUXILIARY_VECTOR_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

constexpr UWord kAtNull = 0, kAtEntry = 9, kAtRandom = 25;

// Its first pair, the last one has kAtNull. `sp` is that of the first instruction: it points to argc.
inline const UWord* auxiliary_vector(Addr sp) {
  const auto* p = reinterpret_cast<const UWord*>(sp);
  p += 1 + p[0] + 1;  // argc, argv and its null
  while (*p++ != 0) {
  }  // the environment and its null
  return p;
}

}  // namespace cdr::tool

#endif
