// SPDX-License-Identifier: GPL-2.0-or-later
// Hashes of the paths of threads, for comparison without unfolding them. What is compared is a sequence of *marks*:
// each block has none, one or two of them (block_marks.h). The hash of a sequence is a polynomial over the field of
// 2^61 - 1 elements with the marks as coefficients, so that of two sequences one behind the other follows from theirs,
// as does that of n copies; two different sequences of up to 2^40 marks have one hash with a probability below 2^-20.
#ifndef CDRGRIND_ANALYSIS_DIFF_PATH_HASH_H
#define CDRGRIND_ANALYSIS_DIFF_PATH_HASH_H

#include <cstdint>

namespace cdr::diff {

constexpr uint64_t kHashModulus = (uint64_t{1} << 61) - 1;
constexpr uint64_t kHashBase = 0x1d8af0c35e9627b4;

constexpr uint64_t hash_product(uint64_t a, uint64_t b) {
  const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
  const uint64_t sum = static_cast<uint64_t>(p & kHashModulus) + static_cast<uint64_t>(p >> 61);
  return sum >= kHashModulus ? sum - kHashModulus : sum;
}
constexpr uint64_t hash_sum(uint64_t a, uint64_t b) {
  const uint64_t sum = a + b;
  return sum >= kHashModulus ? sum - kHashModulus : sum;
}

constexpr uint64_t power_of_base(uint64_t marks) {
  uint64_t power = 1;
  for (uint64_t base = kHashBase; marks != 0; marks >>= 1, base = hash_product(base, base))
    if (marks & 1) power = hash_product(power, base);
  return power;
}

// A piece of a path.
struct PathHash {
  uint64_t blocks = 0;  // with and without marks
  uint64_t marks = 0;
  uint64_t hash = 0;
  uint64_t power = 1;  // kHashBase to the number of marks

  // The rest is that of `then`, `count` times. The result is for GrammarSums: no sum is out of range.
  constexpr bool add(const PathHash& then, uint64_t count) {
    blocks += then.blocks * count;
    marks += then.marks * count;
    for (PathHash copies = then; count != 0; count >>= 1) {
      if (count & 1)
        hash = hash_sum(hash_product(hash, copies.power), copies.hash), power = hash_product(power, copies.power);
      copies.hash = hash_sum(hash_product(copies.hash, copies.power), copies.hash);
      copies.power = hash_product(copies.power, copies.power);
    }
    return true;
  }
  constexpr void add_mark(uint64_t mark) {
    ++marks;
    hash = hash_sum(hash_product(hash, kHashBase), mark);
    power = hash_product(power, kHashBase);
  }
};

}  // namespace cdr::diff

#endif
