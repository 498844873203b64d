// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/common/symbol_array.h"

#include <vector>

#include "tests/unit/catch.h"

using cdr::analysis::SymbolArray;

TEST_CASE("symbols are what was given, when greater ones make all of them wider, too") {
  for (const std::vector<uint32_t>& given :
       {std::vector<uint32_t>{0, 255, 7}, {0, 256, 65535}, {3, 65536, 1, UINT32_MAX}, {3, 300, 70000, 2}}) {
    SymbolArray symbols;
    CHECK(symbols.empty());
    for (const uint32_t symbol : given) symbols.push_back(symbol);
    REQUIRE(symbols.size() == given.size());
    for (size_t i = 0; i < given.size(); ++i) CHECK(symbols[i] == given[i]);
    CHECK(symbols.visit([&](auto span) { return std::ranges::equal(span, given); }));
    SymbolArray other;
    for (const uint32_t symbol : given) other.push_back(symbol);
    CHECK(symbols == other);
    other.push_back(0);
    CHECK(!(symbols == other));
  }
}
