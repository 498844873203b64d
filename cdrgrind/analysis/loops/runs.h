// SPDX-License-Identifier: GPL-2.0-or-later
// All runs of a string: the substrings of at least two periods that extend neither way with the same (smallest)
// period. There are fewer runs than symbols (Bannai and others 2017), and each shows in one of two Lyndon arrays.
//
// Take an order of the symbols. The next smaller suffix nss(i) of a position i is the first position right of it
// whose suffix is smaller; text[i, nss(i)) is the longest Lyndon word at i. A run with period p holds Lyndon
// words of length p, and these are longest ones at their starts, in the order in which the symbol behind the run
// is smaller than the one a period before it. So in each of the two orders (that of the ids, and its reverse;
// the end of the text is smaller than all in both) every pair (i, r = nss(i)) is tried: extended to the right and
// left as far as period r - i reaches, it is a run if it spans two periods. Of the Lyndon words of one run only
// the leftmost reports it.
//
//     a a b a a b     a < b: pair (0, 3), period 3, reaches 3 to the right, 0 to the left: run [0, 6);
//     0 1 2 3 4 5            (1, 3) reaches 1 + 0 < 2, (2, 3) nothing
//                     b < a: (0, 1) reaches 1 + 0: run [0, 2); (3, 4) likewise: run [3, 5); (1, 2) and (4, 5)
//                            are not leftmost; (2, 5) reaches 1 + 2, but to the end: told in the first order
//
// Few positions matter. A Lyndon word of two symbols or more begins in a *valley*: after a greater symbol and before
// one that is no smaller. (The first of a run may follow anything, but then there is a second one.) So the pairs come
// from a stack of previous smaller suffixes that begin in valleys; runs of one symbol are seen by looking. Where the
// next smaller suffix of i begins in no valley, it begins on the descent before the next one, and text tells where: at
// the first symbol that is no greater than text[i]. Sequences of lines have a valley for each backward jump, which is
// why this takes much less memory than the string has symbols.
//
// What makes it linear: the common prefix of the suffixes compared is known but for symbols beyond the furthest
// position that any comparison has reached. If suffixes a < b share everything up to there, all that happens between b
// and there happened before, a period b - a to the left, and is looked up: whether a position is a valley is told by
// its neighbours, so the valleys are the same ones, too. The extension to the left is by comparing; it is short since
// Lyndon words have no borders.
#ifndef CDRGRIND_ANALYSIS_LOOPS_RUNS_H
#define CDRGRIND_ANALYSIS_LOOPS_RUNS_H

#include <cstdint>
#include <span>

#include "cdrgrind/analysis/common/big_array.h"
#include "cdrgrind/analysis/common/progress.h"

namespace cdr::loops {

struct Run {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t period = 0;  // the smallest
  bool operator==(const Run&) const = default;
};

// Its memory, 16 bytes a valley, is kept for the next text until release(). Not thread-safe.
class RunFinder {
 public:
  static constexpr size_t kMuchMemory = 1 << 20;  // symbols; to be released after longer texts

  explicit RunFinder(const analysis::Watch& watch) : watch_(watch) {}

  // Appends the runs of at least this period, each once, in no particular order. Symbols are of one, two or four bytes,
  // fewer than 2^32 - 1.
  template <class Symbol>
  void find(std::span<const Symbol> text, analysis::BigArray<Run>& runs, uint32_t least_period = 1);
  void release() { valleys_.release(); }
  // Whether it was stopped, and so has told some of them only.
  bool stopped() const { return stopped_; }

 private:
  struct Valley {
    uint32_t at;
    uint32_t link;    // on the stack: the valley below; then the next smaller suffix
    uint32_t right;   // common prefix with that next smaller suffix
    uint32_t parent;  // common prefix with the one below
  };
  template <class Symbol, class Less>
  friend class LyndonPass;
  template <class Symbol, class Less>
  void pass(std::span<const Symbol> text, bool first, uint32_t least_period, analysis::BigArray<Run>& runs);

  const analysis::Watch& watch_;
  bool stopped_ = false;
  analysis::BigArray<Valley> valleys_;
};

}  // namespace cdr::loops

#endif
