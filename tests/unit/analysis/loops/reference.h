// SPDX-License-Identifier: GPL-2.0-or-later
// Loop nests by the definitions alone (Xu and Subhlok 2008, sections 3 and 4), in cubic time and worse: the
// judge of the fast algorithms. Shares nothing with them; works on words and prints the nest.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_LOOPS_REFERENCE_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_LOOPS_REFERENCE_H

#include <string>
#include <vector>

namespace cdr::reference {

using Words = std::vector<std::string>;

struct Choice {
  bool by_span = false;  // else the longest body first
  bool strict = false;   // PM-triples as they are; else runs clipped to what is free
};

std::string optimal_nest(const Words& text, const Choice& choice = {});
std::string greedy_nest(const Words& text);

// "abc" as {"a", "b", "c"}.
Words letters(const std::string& text);
// The input of a nest: "(a b)^2 c" as {"a", "b", "a", "b", "c"}.
Words unfolded(const std::string& nest);

}  // namespace cdr::reference

#endif
