// SPDX-License-Identifier: GPL-2.0-or-later
//
// Valgrind's interface for tools: the only file that includes pub_tool_*.
//
// The headers are C. They compile as C++ with one exception: vki declares a
// template, so it and what it needs stand before the extern "C" block, where
// their own include guards keep the others from including them again.
// 3.27 writes C's _Static_assert.
// pub_tool_addrinfo.h and pub_tool_xtmemory.h are not self-contained and not
// needed.

#ifndef CDRGRIND_TOOL_VG_H
#define CDRGRIND_TOOL_VG_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

#define _Static_assert static_assert
extern "C" {
#include "pub_tool_vkiscnums.h"

#include "pub_tool_aspacehl.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_clreq.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_execontext.h"
#include "pub_tool_gdbserver.h"
#include "pub_tool_guest.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_oset.h"
#include "pub_tool_redir.h"
#include "pub_tool_replacemalloc.h"
#include "pub_tool_seqmatch.h"
#include "pub_tool_signals.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_transtab.h"
#include "pub_tool_wordfm.h"
#include "pub_tool_xarray.h"
#undef _Static_assert

// Not in the public headers, but in libcoregrind and stable since 3.0.
SysRes VG_(am_mmap_anon_float_valgrind)(SizeT length);
SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd, Off64T offset);
SysRes VG_(do_syscall)(UWord sysno, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord);
Int VG_(safe_fd)(Int oldfd);
ThreadId VG_(lwpid_to_vgtid)(Int lwp);
Int VG_(count_living_threads)(void);
Int VG_(count_runnable_threads)(void);
void VG_(release_BigLock)(ThreadId tid, int state, const HChar* who);
void VG_(acquire_BigLock)(ThreadId tid, const HChar* who);
}

#endif
