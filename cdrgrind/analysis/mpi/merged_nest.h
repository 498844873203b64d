// SPDX-License-Identifier: GPL-2.0-or-later
// The loop nests of all classes as one, in which each call and loop knows its ranks. Loops of two nests are one if they
// have as many iterations and a function in common. Items are laid side by side so that as much as possible is common;
// nests are merged class by class, the largest class first.
#ifndef CDRGRIND_ANALYSIS_MPI_MERGED_NEST_H
#define CDRGRIND_ANALYSIS_MPI_MERGED_NEST_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/classes.h"

namespace cdr::mpi {

// O(items of the nest × items of those before it), less where beginnings and ends are equal.
NestItems merged_nest(const RankClasses& classes);

}  // namespace cdr::mpi

#endif
