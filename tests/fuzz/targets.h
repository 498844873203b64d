// SPDX-License-Identifier: GPL-2.0-or-later
// What is fuzzed: functions that take any bytes whatever and return. A target ends the program (abort, a
// sanitizer's report) where a promise is broken; an input that is refused in order is fine.
//
// The same functions run in two ways: under libFuzzer (`make fuzz` in a tree configured for clang, see run.sh),
// and once over each file of corpus/ in the unit tests.
#ifndef CDRGRIND_TESTS_FUZZ_TARGETS_H
#define CDRGRIND_TESTS_FUZZ_TARGETS_H

#include <cstdint>
#include <span>

namespace cdr::fuzz {

using Bytes = std::span<const uint8_t>;

struct Target {
  const char* name;  // and the folder in corpus/
  void (*run)(Bytes input);
  bool is_trace = false;  // a file that can be changed behind its checksums (mutation.h)
};

// The file as it is, after its checksums were made right; then everything that commands do with a trace.
void trace_file(Bytes input);
// The same with payloads in a simpler frame (frames_input.h), so that changes reach what is inside.
void trace_frames(Bytes input);
// As trace_file, for traces of programs that are on the machine: names come from the object files that the trace tells.
void trace_libraries(Bytes input);
// Payload of DEPEND, and what annotate makes of it.
void dependences(Bytes input);
// A payload of EVENTS with small fixed tables: what was decoded, encoded again, is the same.
void events(Bytes input);
// An ELF file: every address and line of it.
void symbols(Bytes input);
// A .debug_line section, and the headers of list sections.
void line_program(Bytes input);
// Words of the command line, each ended by a zero byte.
void options(Bytes input);

constexpr Target kTargets[] = {
    {"trace_file", trace_file, true},
    {"trace_frames", trace_frames},
    {"trace_libraries", trace_libraries, true},
    {"dependences", dependences},
    {"events", events},
    {"symbols", symbols},
    {"line_program", line_program},
    {"options", options},
};

}  // namespace cdr::fuzz

#endif
