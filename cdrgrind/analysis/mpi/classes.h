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
#include "cdrgrind/analysis/mpi/program.h"
#include "cdrgrind/analysis/mpi/rank_set.h"

namespace cdr::mpi {

struct ClassOptions {
  bool greedy = false;
  bool bytes = true;  // part of a symbol
  bool tags = false;
};

struct NestItem {
  uint32_t symbol = 0;         // in RankClasses::names, of a call
  uint32_t count = 0;          // of a loop; 0: a call
  std::vector<NestItem> body;  // of a loop
  RankSet ranks;               // only in a merged nest

  template <class S>
  static auto fields(S& s) {
    return std::tie(s.symbol, s.count, s.body, s.ranks);
  }
};
using NestItems = std::vector<NestItem>;

struct RankClass {
  RankSet ranks;
  uint64_t calls = 0;  // of one of them
  NestItems nest;

  template <class S>
  static auto fields(S& s) {
    return std::tie(s.ranks, s.calls, s.nest);
  }
};

struct RankClasses {
  analysis::NameTable names;       // "Isend(+1, 1024)"
  std::vector<RankClass> classes;  // by their first rank
};

// In the first process; elsewhere it is empty.
RankClasses classes_of(const Program& program, const ClassOptions& options);

// "Isend", without MPI_.
std::string_view function_name(uint32_t number);

}  // namespace cdr::mpi

#endif
