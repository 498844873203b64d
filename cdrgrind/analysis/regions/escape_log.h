// SPDX-License-Identifier: GPL-2.0-or-later
// Which loops values have left that were stored in them: that a value was read when they were over, and whether the
// last iteration had stored it. Stores are many where programs are large, and each lies in many loops, of its function
// and of those that called it: so loops are listed once for all stores of a context that lie in one loop, and a store
// has two bits for each of them.
#ifndef CDRGRIND_ANALYSIS_REGIONS_ESCAPE_LOG_H
#define CDRGRIND_ANALYSIS_REGIONS_ESCAPE_LOG_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::regions {

class EscapeLog {
 public:
  EscapeLog(const Contexts& contexts, CodeLoops& loops) : contexts_(contexts), loops_(loops) {}

  // What is known of the store and the loops around it that have ended by now: those of the activations from `depth`
  // on, and there up to `around`. 0: there are none.
  uint32_t record(SiteIndex store, uint32_t depth, LoopId around);
  // A value has left all of them: by_last(loop) says whether the last iteration had stored it.
  template <class F>
  void note(uint32_t record, F by_last) {
    const std::span<const LoopId> chain = chains_[records_[record].chain];
    uint64_t* words = words_.data() + records_[record].words;
    for (size_t i = 0; i < chain.size(); i += kWord, words += 2) {
      uint64_t last = 0, others = 0;
      const std::span<const LoopId> part = chain.subspan(i, std::min(kWord, chain.size() - i));
      for (size_t bit = 0; bit < part.size(); ++bit) {
        const uint64_t is_last = by_last(part[bit]);
        last |= is_last << bit;
        others |= (is_last ^ 1) << bit;
      }
      words[0] |= last;
      words[1] |= others;
    }
  }
  // Of the loops and sites of the rows.
  std::vector<Escape> of_rows(std::span<const CarriedRow> rows) const;

 private:
  static constexpr size_t kWord = 64;
  struct Record {
    SiteIndex store = 0;
    uint32_t chain = 0;
    size_t words = 0;  // the first of two for each kWord loops: by the last iteration, by others
  };
  // Depth and loop around, and what is seen from there.
  using Key = WordPair;

  uint32_t chain_of(SiteIndex store, uint32_t depth, LoopId around);

  const Contexts& contexts_;
  CodeLoops& loops_;
  FlatMap<Key, uint32_t, WordPairHash> record_of_;  // a store
  FlatMap<Key, uint32_t, WordPairHash> chain_of_;   // a context and innermost loop
  std::vector<Record> records_ = std::vector<Record>(1);
  std::vector<std::vector<LoopId>> chains_;
  std::vector<uint64_t> words_;
};

}  // namespace cdr::regions

#endif
