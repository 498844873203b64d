// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/common/symbol_array.h"

namespace cdr::analysis {

bool SymbolArray::operator==(const SymbolArray& other) const {
  if (symbols_.index() != other.symbols_.index()) return false;
  return visit([&other]<class Symbol>(std::span<const Symbol> mine) {
    const auto& theirs = std::get<BigArray<Symbol>>(other.symbols_);
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
  });
}

}  // namespace cdr::analysis
