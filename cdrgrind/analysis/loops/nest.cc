// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/nest.h"

namespace cdr::loops {

uint64_t LoopNest::compressed_length() const { return length - covered() + top_count; }

const Loop* LoopNest::major() const {
  const Loop* best = nullptr;
  for (const Loop& loop : top())
    if (!best || loop.span() > best->span()) best = &loop;
  return best;
}

uint64_t LoopNest::covered() const {
  uint64_t symbols = 0;
  for (const Loop& loop : top()) symbols += loop.span();
  return symbols;
}

}  // namespace cdr::loops
