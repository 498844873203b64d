// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Valgrind tool's entry: its name, its callbacks.

#include "cdrgrind/config.h"
#include "cdrgrind/tool/ending.h"
#include "cdrgrind/tool/memory.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/recorder.h"
#include "cdrgrind/tool/requests.h"
#include "cdrgrind/tool/runtime.h"
#include "cdrgrind/tool/superblocks.h"
#include "cdrgrind/tool/threads.h"
#include "cdrgrind/tool/vg.h"

namespace {

using namespace cdr::tool;

void post_clo_init() {
  // Chasing hides calls and fuses branches; unrolling would give ids to copies.
  VG_(clo_vex_control).guest_chase = False;
  VG_(clo_vex_control).iropt_unroll_thresh = 0;
  settle_options();
  start_recorder();
}

void pre_clo_init() {
  cdr::start_runtime();
  VG_(details_name)("cdrgrind");
  VG_(details_version)(CDRGRIND_VERSION);
  VG_(details_description)("a recorder of control flow, data and dependences");
  VG_(details_copyright_author)("Copyright (C) 2026, and GNU GPL'd, by the cdrgrind authors.");
  VG_(details_bug_reports_to)("the cdrgrind authors");
  VG_(details_avg_translation_sizeB)(600);
  VG_(basic_tool_funcs)(post_clo_init, instrument, program_ended);
  VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
  VG_(needs_client_requests)(handle_request);
  register_thread_callbacks();
  register_memory_callbacks();
  VG_(atfork)(before_fork, after_fork_in_parent, after_fork_in_child);
}

}  // namespace

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
