// SPDX-License-Identifier: GPL-2.0-or-later
// Reads what --cdr-capture-raw wrote.
#ifndef CDRGRIND_TESTS_PROGRAMS_TRACES_CAPTURED_H
#define CDRGRIND_TESTS_PROGRAMS_TRACES_CAPTURED_H

#include <cstdint>
#include <cstdio>
#include <vector>

// False at the end, and where the rest is no batch.
inline bool read_batch(std::FILE* from, std::vector<uint64_t>& words) {
  uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, from) != 1) return false;
  words.resize(size);
  return std::fread(words.data(), sizeof(uint64_t), size, from) == size;
}

#endif
