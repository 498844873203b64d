// SPDX-License-Identifier: GPL-2.0-or-later
// What strings take as grammars of the plain SEQUITUR, a grammar for each, in bounded memory: when all together take
// more than they may, every grammar is closed, its size noted, and begun anew.
#ifndef CDRGRIND_ANALYSIS_COMPARE_PLAIN_GRAMMARS_H
#define CDRGRIND_ANALYSIS_COMPARE_PLAIN_GRAMMARS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/compare/plain_sequitur.h"
#include "cdrgrind/format/columns.h"

namespace cdr::compare {

struct GrammarSize {
  uint64_t rules = 0;      // those of the strings included
  uint64_t symbols = 0;    // of all bodies: the edges of the graph
  uint64_t terminals = 0;  // of these
  uint64_t packed = 0;     // the grammar as columns, each compressed by zstd -19; 0: not asked for

  // As plain numbers: 4 bytes a symbol and 4 a rule (its end). With `run_lengths` a terminal has a length besides.
  uint64_t bytes(bool run_lengths = false) const { return 4 * (symbols + rules + (run_lengths ? terminals : 0)); }
  GrammarSize& operator+=(const GrammarSize& o);
};

// The grammar as columns, each compressed.
uint64_t packed_size(const Grammar& g, Compressor& compressor);

class PlainGrammars {
 public:
  // `memory`: bytes that the grammars may take.
  explicit PlainGrammars(size_t memory, bool packed = false);

  // `key`: small serial number of a string.
  void append(uint32_t key, uint32_t terminal);
  void close();  // all; before size()
  GrammarSize size(uint32_t key) const { return key < strings_.size() ? strings_[key].closed : GrammarSize(); }
  uint32_t restarts() const { return restarts_; }

 private:
  struct String {
    PlainSequitur grammar;
    GrammarSize closed;
  };
  void close(String& s);

  size_t memory_, used_ = 0;
  std::optional<Compressor> packer_;
  std::vector<String> strings_;
  uint32_t restarts_ = 0;
};

}  // namespace cdr::compare

#endif
