// SPDX-License-Identifier: GPL-2.0-or-later
// The iterations of a loop that is shared out, as one strand goes through its share of them. Those of one chunk whose
// size the program has asked for (schedule(dynamic, 64)) are always one thread's, and count as one.
//
// There may be very many: behind the first so many some neighbours are taken as one, the more the later they come. So
// there are few strands, and what two iterations far apart do to each other is seen all the same.
#ifndef CDRGRIND_ANALYSIS_STRANDS_ITERATIONS_H
#define CDRGRIND_ANALYSIS_STRANDS_ITERATIONS_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace cdr::strands {

// A loop of the code.
struct SharedLoop {
  enum class By : uint8_t { kRuntime, kCompiler, kTaskloop };
  By by = By::kRuntime;
  uint32_t number = 0;      // of a statement of the program
  bool as_written = false;  // its code is not optimised: it is come to once for each iteration
};

struct Iterations {
  uint64_t arrivals = 0;  // at the loop's header
  uint64_t first = 0;     // arrival of the present strand
  bool pending = false;   // it is no strand yet

  // Whether that is more than the present strand. `chunk`: so many are always one thread's.
  bool arrive(uint64_t chunk = 1) {
    ++arrivals;
    if (arrivals > 1 && group_of(arrivals, chunk) == group_of(arrivals - 1, chunk)) return false;
    first = arrivals;
    return true;
  }

 private:
  static constexpr unsigned kBits = 10;
  static uint64_t group_of(uint64_t arrival, uint64_t chunk) {
    arrival = (arrival - 1) / chunk + 1;
    const auto width = static_cast<unsigned>(std::bit_width(arrival));
    const unsigned shift = width > kBits ? width - kBits : 0;
    return (uint64_t{shift} << kBits) + (arrival >> shift);
  }
};

// Of a loop's variable from begin to end; 0: the step is not told, or it is none.
inline uint64_t count_of(uint64_t begin, uint64_t end, int64_t step) {
  if (step == 0) return 0;
  const auto width = static_cast<int64_t>(end - begin);
  if (width == 0 || (width < 0) != (step < 0)) return 0;
  const uint64_t by = step < 0 ? uint64_t{0} - static_cast<uint64_t>(step) : static_cast<uint64_t>(step);
  return (static_cast<uint64_t>(width < 0 ? -width : width) + by - 1) / by;
}

// In what chunks a loop of `all` iterations, no more than one chunk as the program asks for them, is looked at: the
// largest part of the chunk, without remainder, that gives several. Whoever sees to it that one chunk's iterations
// alone have something of their own, whatever the loop's length (64 of them a word of a bitmap, chunks of 1024), has
// done so for these, too, unless they are smaller than what is had.
inline uint64_t part_of_chunk(uint64_t chunk, uint64_t all) {
  if (all < 2) return 1;
  uint64_t parts = chunk / all + 1;
  for (; parts <= chunk / parts; ++parts)
    if (chunk % parts == 0) return chunk / parts;
  // Their number is above the root of `chunk`, so they are not.
  for (uint64_t part = std::min(chunk / parts + 1, all - 1); part > 1; --part)
    if (chunk % part == 0) return part;
  return 1;
}

}  // namespace cdr::strands

#endif
