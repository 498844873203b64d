// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Valgrind tool's entry: its name, its callbacks.

#include "cdrgrind/config.h"
#include "cdrgrind/tool/runtime.h"
#include "cdrgrind/tool/vg.h"

namespace {

void post_clo_init() {}

IRSB* instrument(VgCallbackClosure*, IRSB* block, const VexGuestLayout*, const VexGuestExtents*,
                 const VexArchInfo*, IRType, IRType) {
  return block;
}

void fini(Int) {}

void pre_clo_init() {
  cdr::start_runtime();
  VG_(details_name)("cdrgrind");
  VG_(details_version)(CDRGRIND_VERSION);
  VG_(details_description)("a recorder of control flow, data and dependences");
  VG_(details_copyright_author)("Copyright (C) 2026, and GNU GPL'd, by the cdrgrind authors.");
  VG_(details_bug_reports_to)("the cdrgrind authors");
  VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
}

}  // namespace

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
