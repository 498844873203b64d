// SPDX-License-Identifier: GPL-2.0-or-later
// What the symbols of a trace's sequence are called, and where in the source a loop of them stands.
//
//   blocks  main+0x1c        lines  lu.c:88           calls  daxpy@lu.c:95 (what is called, and where)
//   paths   P17@lu.c:88      sync   mutex-lock(queue.lock)
//
// No name has a blank, and no two symbols have the same. For people a symbol is its place and what it is besides.
#ifndef CDRGRIND_REPORT_LOOPS_TRACE_SYMBOLS_H
#define CDRGRIND_REPORT_LOOPS_TRACE_SYMBOLS_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/common/name_table.h"
#include "cdrgrind/analysis/loops/nest.h"
#include "cdrgrind/analysis/loops/trace_sequence.h"
#include "cdrgrind/report/common/symbol_names.h"
#include "cdrgrind/report/loops/loop_nest.h"

namespace cdr::report {

// All arguments must outlive it. Not thread-safe.
class TraceSymbols {
 public:
  TraceSymbols(const loops::TraceSequence& sequence, const paths::BasicBlocks& blocks, SymbolNames& names);

  analysis::NameTable names();
  // Lines of the loop's own level, that is where fewest calls are open; of the function, inlined or not, to which
  // most of its symbols there belong. `symbols` is the sequence. O(the loop's period).
  LoopLocation place_of(const loops::Loop& loop, const analysis::SymbolArray& symbols) const;
  SymbolText text_of(uint32_t symbol);

 private:
  LoopLocation place_of(const loops::TraceSymbol& symbol);
  LoopLocation place_at(CodeAddr at);
  LoopLocation place_of_block(uint32_t block);
  LoopLocation place_of_path(const std::vector<uint32_t>& path);
  std::string name_of(uint32_t symbol);
  std::string block_name(uint32_t block);
  std::string sync_name(const Sync& sync);

  const loops::TraceSequence& sequence_;
  const paths::BasicBlocks& blocks_;
  SymbolNames& names_;
  std::vector<LoopLocation> places_;  // by symbol
};

}  // namespace cdr::report

#endif
