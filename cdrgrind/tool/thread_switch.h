// SPDX-License-Identifier: GPL-2.0-or-later
// A thread switch on demand, for tests: what another thread does inside a wrapper, between its record and the
// operation itself, must not disturb the order of the log.
#ifndef CDRGRIND_TOOL_THREAD_SWITCH_H
#define CDRGRIND_TOOL_THREAD_SWITCH_H

#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// If --cdr-test-switch asks for one here and another thread can run, lets it. The client sees nothing of it but
// the time. References into the tables of threads do not stay valid.
void test_switch(::ThreadId tid, SwitchAt here);

}  // namespace cdr::tool

#endif
