// SPDX-License-Identifier: GPL-2.0-or-later
// What atomic instructions touch, by address and generation, with their widths: there may be many millions, next to
// each other.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_ATOMIC_SPOTS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_ATOMIC_SPOTS_H

#include <bit>
#include <cstdint>

#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

class AtomicSpots {
 public:
  void add(uint64_t addr, GenerationId generation, uint64_t width) {
    words_[{addr / kBytes, generation}] |= uint64_t{width_bit(width)} << shift(addr);
  }
  bool empty() const { return words_.empty(); }
  // An instruction of that width was there.
  bool has(uint64_t addr, GenerationId generation, uint64_t width) const {
    const uint64_t* const widths = words_.find({addr / kBytes, generation});
    return widths && (*widths >> shift(addr) & width_bit(width));
  }
  // f(bytes, generation) of each, in no order.
  template <class F>
  void for_each(F f) const {
    words_.for_each([&](const Word& word, uint64_t widths) {
      for (uint64_t i = 0; i < kBytes; ++i)
        if (const auto here = static_cast<uint8_t>(widths >> shift(i))) {
          const uint64_t addr = word.number * kBytes + i;
          f(AddrRange{addr, addr + (uint64_t{1} << (std::bit_width(here) - 1))}, word.generation);
        }
    });
  }

 private:
  static constexpr uint64_t kBytes = 8;
  struct Word {
    uint64_t number = 0;
    GenerationId generation = 0;
    bool operator==(const Word&) const = default;
  };
  struct Hash {
    uint64_t operator()(const Word& w) const { return mix64(w.number ^ uint64_t{w.generation} << 40); }
  };
  static unsigned shift(uint64_t addr) { return static_cast<unsigned>(addr % kBytes * 8); }
  // Of 1, 2, 4 bytes and so on; what is between counts as the next one.
  static uint8_t width_bit(uint64_t width) { return static_cast<uint8_t>(1U << (std::bit_width(width - 1) & 7)); }

  FlatMap<Word, uint64_t, Hash> words_;  // by eight bytes: of each of them a byte, a bit for each width
};

}  // namespace cdr::races

#endif
