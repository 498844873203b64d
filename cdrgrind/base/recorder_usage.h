// SPDX-License-Identifier: GPL-2.0-or-later
// What the recorder's options mean: for valgrind --tool=cdrgrind --help, and for cdrgrind record --help.
#ifndef CDRGRIND_BASE_RECORDER_USAGE_H
#define CDRGRIND_BASE_RECORDER_USAGE_H

namespace cdr {

inline constexpr const char kRecorderUsage[] =
    R"(    --cdr-out-file=<file>     write the trace to <file>; %p is the process, %q{VAR}
                              a variable of the environment, %r the rank of an
                              MPI program [cdrgrind.out.%p]
    --cdr-data=all|nonstack|none
                              addresses to keep: all, all but the accesses of a
                              thread to its own stack, or none [all]
    --cdr-dataflow=yes|no     record which register and load goes into what, for
                              artifact races; with --cdr-data=all only [yes]
    --deps=auto|yes|later|no  compute dependences while recording, as long as the
                              helper keeps up, or always; else leave that to the
                              first command that asks for them; or never [auto]
    --cdr-granularity=<bytes> round addresses for dependences: 1, 2, 4 ... 64 [1]
    --cdr-hide=<pattern>      hide functions whose demangled name matches the
                              shell pattern; repeatable
    --cdr-memory=<MB>         memory for encoding [64]
    --cdr-control=auto|grammar|predict
                              how control paths are written: whatever is smaller,
                              always a grammar, or always a list of runs [auto]
    --cdr-openmp=yes|no       log what OpenMP's runtime library is asked for, and
                              nothing of what it does itself [yes]
    --cdr-mpi=yes|no          log calls of MPI, and nothing of what its library does
                              itself [yes]
    --cdr-chunk-blocks=<N>    write the trace in pieces in which no thread executes
                              more than so many blocks [16777216]
    --cdr-deps-memory=<MB>    memory for dependences [1024]
    --helpers=auto|0|1|2|3|4|5
                              processes that record beside the program: none; one
                              that does all; one that encodes and others that share
                              the dependences; or as many as there are processors
                              besides the program's, up to 3, of 8 up to 5 [auto]
    --helper=auto|yes|no      the same as --helpers=auto, 1 and 0
    --instr-atstart=yes|no    record from the start [yes]
    --toggle-collect=<func>   switch recording on and off at entry to and exit
                              from <func> (shell pattern); repeatable
)";

inline constexpr const char kRecorderTestUsage[] =
    R"(    --cdr-test-switch=enter|leave
                              let another thread run inside every wrapper: after
                              its enter record or before its leave record
    --cdr-capture-raw=<file>  write what the recorder's buffer held to <file>
    --cdr-replay-raw=<file>   write the trace of such a file; the program does not
                              run
    --cdr-discard=yes|no      throw away what the recorder's buffer holds, unread: no
                              trace [no]
    --cdr-successor=yes|no    this program was executed by a recorded one; cdrgrind
                              itself says so [no]
)";

}  // namespace cdr

#endif
