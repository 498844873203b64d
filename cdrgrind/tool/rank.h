// SPDX-License-Identifier: GPL-2.0-or-later
// Which rank of an MPI program this process is, as its launcher's environment says.
#ifndef CDRGRIND_TOOL_RANK_H
#define CDRGRIND_TOOL_RANK_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

struct LauncherRank {
  const HChar* rank = nullptr;   // decimal; null: not said
  const HChar* ranks = nullptr;  // how many there are; null: not said
  const HChar* launcher = nullptr;
};
// Of Open MPI, PMIx, PMI (Hydra) and Slurm: the first whose rank is set to a number.
LauncherRank rank_of_launcher();

}  // namespace cdr::tool

#endif
