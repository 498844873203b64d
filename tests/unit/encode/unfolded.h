// SPDX-License-Identifier: GPL-2.0-or-later
// A string of a grammar, terminal by terminal.
#ifndef CDRGRIND_TESTS_UNIT_ENCODE_UNFOLDED_H
#define CDRGRIND_TESTS_UNIT_ENCODE_UNFOLDED_H

#include <vector>

#include "cdrgrind/encode/grammar.h"

namespace cdr::test {

using Symbols = std::vector<uint32_t>;

inline Symbols unfolded(const Grammar& g, uint32_t string) {
  Symbols all;
  unfold(g, string, [&](uint32_t terminal, uint32_t count) { all.insert(all.end(), count, terminal); });
  return all;
}

}  // namespace cdr::test

#endif
