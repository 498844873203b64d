// SPDX-License-Identifier: GPL-2.0-or-later
// The accesses to shared memory as the paper keeps them: one sequence for each thread (DOR), and one for each
// instruction's access and thread (CDR), the latter three ways.
#ifndef CDRGRIND_ANALYSIS_COMPARE_SHARED_DATA_H
#define CDRGRIND_ANALYSIS_COMPARE_SHARED_DATA_H

#include "cdrgrind/analysis/compare/first_pass.h"

namespace cdr::compare {

// Grammars of many streams of addresses, in one of the ways of figure 4.
class StreamEncoder {
 public:
  enum Way { kSeq, kRleSeq, kDiffRleSeq };
  StreamEncoder(Way way, size_t memory) : way_(way), grammars_(memory) {}

  // `stream`: small serial number.
  void add(uint32_t stream, uint64_t addr);
  void close();  // before size()
  GrammarSize size(uint32_t stream) const { return grammars_.size(stream); }
  uint32_t restarts() const { return grammars_.restarts(); }

 private:
  struct Stream {
    uint64_t last = 0;   // address
    uint64_t value = 0;  // of the open run
    uint32_t count = 0;  // of the open run; 0: none
  };
  void end_run(uint32_t stream, Stream& s);
  static uint32_t number_of(FlatMap<uint64_t, uint32_t>& numbers, uint64_t value);

  Way way_;
  PlainGrammars grammars_;
  std::vector<Stream> streams_;
  FlatMap<uint64_t, uint32_t> values_;  // to serial numbers
  FlatMap<uint64_t, uint32_t> runs_;    // number of the value << 32 | length: to terminals
};

// Fills in `threads` what first_pass() left.
uint32_t add_shared_data(const trace::TraceFile& file, const SharedBytes& shared, const analysis::Progress& progress,
                         const ComparisonOptions& options, std::vector<ThreadComparison>& threads);

}  // namespace cdr::compare

#endif
