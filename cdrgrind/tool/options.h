// SPDX-License-Identifier: GPL-2.0-or-later
// The tool's command line: one aggregate, filled once before the client starts.
#ifndef CDRGRIND_TOOL_OPTIONS_H
#define CDRGRIND_TOOL_OPTIONS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/drain/stream_start.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

using drain::DataMode;
using drain::DepsMode;
constexpr Int kHelpersByProcessors = -1;
// Where --cdr-test-switch forces a thread switch in every wrapper.
enum class SwitchAt { kNowhere, kEnter, kLeave };

// Bool is Valgrind's own: from 3.23 on VG_BOOL_CLO takes no other type.
struct Options {
  const HChar* out_file = "cdrgrind.out.%p";
  DataMode data = DataMode::kAll;
  DepsMode deps = DepsMode::kAuto;
  Bool dataflow = True;  // summaries; recorded with all data only
  SwitchAt test_switch = SwitchAt::kNowhere;
  uint64_t granularity = 1;
  uint64_t memory_mb = 64;
  uint64_t deps_memory_mb = 1024;
  ControlForm control = ControlForm::kAuto;
  uint64_t chunk_blocks = 1 << 24;
  Bool mpi = True;     // log the calls of MPI
  Bool openmp = True;  // log the operations of parallel runtimes
  Bool instr_atstart = True;
  Int helpers = kHelpersByProcessors;  // processes
  const HChar* capture_raw = nullptr;
  Bool discard = False;
  const HChar* replay_raw = nullptr;
  Bool successor = False;  // set by a recorded program that executed this one
  std::vector<const HChar*> hide;
  std::vector<const HChar*> toggles;
};

extern Options options;

// A bad value ends the process with Valgrind's message: only here does VG_(fmsg_bad_option) do so.
Bool process_option(const HChar* arg);
// What the options mean together.
void settle_options();
void print_usage();
void print_debug_usage();

}  // namespace cdr::tool

#endif
