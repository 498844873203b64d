// SPDX-License-Identifier: GPL-2.0-or-later
// The dependence engine without what it is for: all events, frames, contexts, cells and sweeps, but no row is looked
// for and no set of readers kept. It is compiled a second time, in a namespace of its own.
#define CDRGRIND_DEPENDENCES_FLOOR
#define depend depend_floor
#include "tests/bench/floor_engine.h"

#include "cdrgrind/depend/access_contexts.cc"
#include "cdrgrind/depend/activation_tree.cc"
#include "cdrgrind/depend/classifier.cc"
#include "cdrgrind/depend/engine.cc"
#include "cdrgrind/depend/lowered_block.cc"
#include "cdrgrind/depend/machine.cc"
#include "cdrgrind/depend/machine_events.cc"
#include "cdrgrind/depend/memory.cc"
#include "cdrgrind/depend/memory_life.cc"
#include "cdrgrind/depend/owner_map.cc"
#include "cdrgrind/depend/part_results.cc"
#include "cdrgrind/depend/reader_sets.cc"
#include "cdrgrind/depend/result_table.cc"
#include "cdrgrind/depend/row_table.cc"
#include "cdrgrind/depend/shadow.cc"
#include "cdrgrind/depend/sweep.cc"
#include "cdrgrind/depend/visits.cc"

std::shared_ptr<cdr::RunSink> make_floor_engine(const cdr::ModuleTable& modules, const cdr::BlockTable& blocks,
                                                uint32_t granularity, uint64_t memory_bytes) {
  cdr::depend::Options options;
  options.granularity = granularity;
  options.memory_bytes = memory_bytes;
  return std::make_shared<cdr::depend::Engine>(modules, blocks, options);
}
