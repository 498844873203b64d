/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This licence applies to this one file only; the rest of cdrgrind is under the GNU General Public License.
 *
 * Copyright (C) 2026 the cdrgrind authors.  All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without modification, are permitted provided that
 * the following conditions are met:
 *
 * 1. Redistributions of source code must retain the above copyright notice, this list of conditions and the
 *    following disclaimer.
 *
 * 2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the
 *    following disclaimer in the documentation and/or other materials provided with the distribution.
 *
 * 3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or
 *    promote products derived from this software without specific prior written permission.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED
 * WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
 * PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY
 * DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO,
 * PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
 * CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE
 * OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH
 * DAMAGE.
 */

/* What a program can tell the recorder. Each macro is a statement: `CDRGRIND_MARK("sorted");'. Outside Valgrind
 * it does nothing and costs a few instructions; compiled with -DNVALGRIND it is not there at all. */
#ifndef CDRGRIND_CDRGRIND_H
#define CDRGRIND_CDRGRIND_H

#include <valgrind/valgrind.h>

/* The requests' numbers are compiled into programs: none of them ever changes. */
enum {
  CDRGRIND_REQ_START_RECORDING = 0x43440100,
  CDRGRIND_REQ_STOP_RECORDING = 0x43440101,
  CDRGRIND_REQ_MARK = 0x43440102,
  CDRGRIND_REQ_HAPPENS_BEFORE = 0x43440103,
  CDRGRIND_REQ_HAPPENS_AFTER = 0x43440104,
  CDRGRIND_REQ_HIDE_BEGIN = 0x43440105,
  CDRGRIND_REQ_HIDE_END = 0x43440106
};

#define CDRGRIND_REQUEST_(code, arg) VALGRIND_DO_CLIENT_REQUEST_STMT(code, arg, 0, 0, 0, 0)

/* Recording on and off, for all threads. While it is off neither code nor accesses are recorded, and no
 * dependence is found across the gap. A program starts with recording on unless --instr-atstart=no is given. */
#define CDRGRIND_START_RECORDING CDRGRIND_REQUEST_(CDRGRIND_REQ_START_RECORDING, 0)
#define CDRGRIND_STOP_RECORDING CDRGRIND_REQUEST_(CDRGRIND_REQ_STOP_RECORDING, 0)

/* Puts a name, a string, into the trace at this place. */
#define CDRGRIND_MARK(name) CDRGRIND_REQUEST_(CDRGRIND_REQ_MARK, name)

/* An order that the recorder cannot see by itself, as that of a lock-free queue. What a thread did before
 * CDRGRIND_HAPPENS_BEFORE(p) happens before what any thread does after a later CDRGRIND_HAPPENS_AFTER(p) of
 * the same address: put the first just before what publishes, the second just after what has seen it. */
#define CDRGRIND_HAPPENS_BEFORE(p) CDRGRIND_REQUEST_(CDRGRIND_REQ_HAPPENS_BEFORE, p)
#define CDRGRIND_HAPPENS_AFTER(p) CDRGRIND_REQUEST_(CDRGRIND_REQ_HAPPENS_AFTER, p)

/* Between the two, this thread's synchronisation is neither logged nor orders anything, and its accesses, which
 * are recorded, take part in no race. For the insides of a synchronisation primitive of one's own. Regions nest; an
 * operation that is under way at either end is logged, or not, as it began. A thread's end closes its region. */
#define CDRGRIND_HIDE_BEGIN CDRGRIND_REQUEST_(CDRGRIND_REQ_HIDE_BEGIN, 0)
#define CDRGRIND_HIDE_END CDRGRIND_REQUEST_(CDRGRIND_REQ_HIDE_END, 0)

#endif
