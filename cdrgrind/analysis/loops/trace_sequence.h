// SPDX-License-Identifier: GPL-2.0-or-later
// What each thread of a trace did as a sequence of symbols, for loop nests: its basic blocks, source lines, calls,
// cyclic paths or operations of synchronisation. Symbols are serial from 0 by first appearance in the thread; what they
// are called is the caller's matter.
//
//  lines   a symbol wherever another line begins, but one for each line of a basic block, for its last piece there, and
//          where a backward jump leads to an instruction of the same line again, executed since it began; code without
//          lines is one symbol for each function
//  calls   the call instruction and the function that it reached. What the preload and ld.so call is left out: a
//          call through them is one of what they lead to
//  paths   each execution of a path, so that repeated paths are loops
//  sync    each operation by its kind and object, where it is entered
//
// Code of the preload (shims) is left out; of the program alone, so are the stubs through which it calls libraries.
#ifndef CDRGRIND_ANALYSIS_LOOPS_TRACE_SEQUENCE_H
#define CDRGRIND_ANALYSIS_LOOPS_TRACE_SEQUENCE_H

#include <functional>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/common/symbol_array.h"
#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/analysis/events/program_part.h"
#include "cdrgrind/analysis/loops/depths.h"
#include "cdrgrind/analysis/paths/basic_blocks.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::loops {

enum class SequenceOf : uint8_t { kBlocks, kLines, kCalls, kPaths, kSync };

// What fits the kind of sequence is set.
struct TraceSymbol {
  std::vector<uint32_t> blocks;  // numbers of basic blocks: one, or those of the path
  CodeAddr at;                   // lines, calls, sync: the first instruction, the call, the operation's call
  CodeAddr callee;               // calls
  Sync sync;                     // sync: operation and object
  bool operator==(const TraceSymbol& other) const;
};

struct TraceSequence {
  SequenceOf of = SequenceOf::kBlocks;
  ThreadId thread;
  analysis::SymbolArray symbols;
  Depths depths;                      // calls that are open at each symbol, at most 65,535; of paths none
  std::vector<TraceSymbol> meanings;  // by symbol
  uint64_t left_out = 0;              // instructions of others than the program
};

// Whether two threads did the same.
bool same_sequence(const TraceSequence& a, const TraceSequence& b);

// Of one thread, or (none named) of all that executed anything, in their order. With `part`, fresh, the program's code
// alone makes symbols; of calls those that it makes. `blocks` is empty before and knows the basic blocks afterwards.
// `others`, if any: of operations, whether their object is others'. Throws std::length_error if a thread has more than
// `most` symbols.
std::vector<TraceSequence> read_trace_sequences(const trace::TraceFile& file, SequenceOf of, ThreadId only,
                                                uint32_t most, analysis::CodeNames& names, paths::BasicBlocks& blocks,
                                                analysis::ProgramPart* part,
                                                const std::function<bool(const Sync&)>& others,
                                                analysis::WatchedPart& watched);

}  // namespace cdr::loops

#endif
