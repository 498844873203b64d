// SPDX-License-Identifier: GPL-2.0-or-later
// A trace written so that a fuzzer's changes hit payloads instead of lengths and checksums: frames of
//
//     u8 kind     low 7 bits the frame's type, bit 7 not required
//     u16 length  little endian; the rest of the input if there is less
//     payload
//
// The trace is of the newest version if it has a CONTROL frame, else of the last plain one.
// RUN comes by itself, event counts are counted, sequence numbers and checksums are right.
#ifndef CDRGRIND_TESTS_FUZZ_FRAMES_INPUT_H
#define CDRGRIND_TESTS_FUZZ_FRAMES_INPUT_H

#include <cstdint>
#include <vector>

#include "cdrgrind/trace/read/trace_file.h"
#include "tests/fuzz/targets.h"

namespace cdr::fuzz {

// The trace file that the input stands for.
std::vector<uint8_t> trace_of(Bytes input);

// The input for a trace; INDEX is left out, for its offsets are not those of the file made from the input.
std::vector<uint8_t> frames_of(const trace::TraceFile& file);

// A trace file whose checksums are right and whose lengths stay in the file.
std::vector<uint8_t> repaired(Bytes file);

}  // namespace cdr::fuzz

#endif
