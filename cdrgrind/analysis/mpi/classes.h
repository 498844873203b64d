// SPDX-License-Identifier: GPL-2.0-or-later
// Ranks that communicate alike. A call is a symbol: its function, its peer as seen from the rank, its bytes, its root,
// its communicator (the k-th that the rank got); not its tag, buffers and requests (Xu and Subhlok 2008, section 2).
// Ranks with equal sequences of symbols are a class, which has one loop nest.
//
// A peer p of rank r, of n in its communicator, is written as one of: r + c; r + c modulo n; r xor c; p itself. Of
// those that hold, the one that holds for most ranks that call the function on that communicator; in doubt the first.
// So the same is written the same on many ranks. O(calls).
#ifndef CDRGRIND_ANALYSIS_MPI_CLASSES_H
#define CDRGRIND_ANALYSIS_MPI_CLASSES_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/common/name_table.h"
#include "cdrgrind/analysis/loops/nest.h"
#include "cdrgrind/analysis/mpi/program.h"
#include "cdrgrind/analysis/mpi/rank_set.h"

namespace cdr::mpi {

struct ClassOptions {
  bool greedy = false;
  bool bytes = true;  // part of a symbol
  bool tags = false;
};

struct RankClass {
  RankSet ranks;
  std::vector<uint32_t> symbols;  // in RankClasses::names
  loops::LoopNest nest;
};

struct RankClasses {
  analysis::NameTable names;       // "Isend(+1, 1024)"
  std::vector<RankClass> classes;  // by their first rank
};

RankClasses classes_of(const Program& program, const ClassOptions& options);

// "Isend", without MPI_.
std::string_view function_name(uint32_t number);

}  // namespace cdr::mpi

#endif
