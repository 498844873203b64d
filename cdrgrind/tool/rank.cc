// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/rank.h"

namespace cdr::tool {
namespace {

struct Variables {
  const HChar *rank, *ranks, *launcher;
};
constexpr Variables kVariables[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
    {"PMIX_RANK", "PMIX_SIZE", "a launcher with PMIx"},
    {"PMI_RANK", "PMI_SIZE", "MPICH's mpirun, or another with PMI"},
    {"SLURM_PROCID", "SLURM_NTASKS", "Slurm's srun"},
};

const HChar* number_in(const HChar* variable) {
  constexpr SizeT kLongest = 9;
  const HChar* const value = VG_(getenv)(variable);
  if (!value || !*value) return nullptr;
  for (const HChar* p = value; *p; ++p)
    if (*p < '0' || *p > '9' || p - value >= static_cast<Word>(kLongest)) return nullptr;
  return value;
}

}  // namespace

LauncherRank rank_of_launcher() {
  for (const Variables& v : kVariables)
    if (const HChar* const rank = number_in(v.rank)) return {rank, number_in(v.ranks), v.launcher};
  return {};
}

}  // namespace cdr::tool
