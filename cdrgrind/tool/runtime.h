// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the C++ compiler, the standard library's headers and libzstd expect to
// find at link time, made from Valgrind's own functions: operator new and
// delete, malloc and free, memcmp and its kin, panics for std::__throw_*.

#ifndef CDRGRIND_TOOL_RUNTIME_H
#define CDRGRIND_TOOL_RUNTIME_H

namespace cdr {

// The first thing to call in pre_clo_init: code that was compiled with the
// stack protector (libzstd.a) crashes before it.
void start_runtime();

}  // namespace cdr

#endif
