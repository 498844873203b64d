// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/plain_grammars.h"

#include <array>

namespace cdr::compare {

uint64_t packed_size(const Grammar& g, Compressor& compressor) {
  std::array<ByteWriter, kGrammarColumns> columns;
  write_columns(g, 0, columns);
  return stored_size(columns, compressor);
}

GrammarSize& GrammarSize::operator+=(const GrammarSize& o) {
  rules += o.rules;
  symbols += o.symbols;
  terminals += o.terminals;
  packed += o.packed;
  return *this;
}

PlainGrammars::PlainGrammars(size_t memory, bool packed) : memory_(memory) {
  if (packed) packer_.emplace(19);
}

void PlainGrammars::append(uint32_t key, uint32_t terminal) {
  if (key >= strings_.size()) strings_.resize(key + 1);
  PlainSequitur& g = strings_[key].grammar;
  const size_t before = g.bytes();
  if (g.strings() == 0) g.open_string();
  g.append(0, terminal);
  used_ += g.bytes() - before;
  if (used_ <= memory_) return;
  ++restarts_;
  close();
}

void PlainGrammars::close() {
  for (String& s : strings_)
    if (s.grammar.strings() > 0) close(s);
  used_ = 0;
}

void PlainGrammars::close(String& s) {
  s.closed += {s.grammar.rules(), s.grammar.symbols(), s.grammar.terminals(), 0};
  if (packer_) s.closed.packed += packed_size(s.grammar.grammar(), *packer_);
  s.grammar.clear();
}

}  // namespace cdr::compare
