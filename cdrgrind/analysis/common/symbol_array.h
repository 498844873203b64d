// SPDX-License-Identifier: GPL-2.0-or-later
// A sequence of 10^8 symbols, numbers that mostly are small: one byte each as long as all fit, then two, else four.
#ifndef CDRGRIND_ANALYSIS_COMMON_SYMBOL_ARRAY_H
#define CDRGRIND_ANALYSIS_COMMON_SYMBOL_ARRAY_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>

#include "cdrgrind/analysis/common/big_array.h"

namespace cdr::analysis {

// Not thread-safe.
class SymbolArray {
 public:
  size_t size() const {
    return std::visit([](const auto& symbols) { return symbols.size(); }, symbols_);
  }
  bool empty() const { return size() == 0; }
  uint32_t operator[](size_t i) const {
    if (const auto* bytes = std::get_if<0>(&symbols_)) return (*bytes)[i];
    if (const auto* pairs = std::get_if<1>(&symbols_)) return (*pairs)[i];
    return std::get<2>(symbols_)[i];
  }

  void push_back(uint32_t symbol) {
    if (symbol > UINT16_MAX && symbols_.index() < 2) widen<uint32_t>();
    if (symbol > UINT8_MAX && symbols_.index() < 1) widen<uint16_t>();
    std::visit([symbol]<class Symbol>(BigArray<Symbol>& symbols) { symbols.push_back(static_cast<Symbol>(symbol)); },
               symbols_);
  }
  // So many of the symbol that was added last.
  void repeat_last(size_t times) {
    std::visit(
        [times]<class Symbol>(BigArray<Symbol>& symbols) {
          const size_t size = symbols.size();
          const Symbol last = symbols[size - 1];
          symbols.resize(size + times);
          std::fill(symbols.begin() + size, symbols.end(), last);
        },
        symbols_);
  }
  // Those from `first` on so many times more.
  void repeat_from(size_t first, size_t times) {
    std::visit(
        [first, times]<class Symbol>(BigArray<Symbol>& symbols) {
          const size_t size = symbols.size(), length = size - first;
          symbols.resize(size + length * times);
          for (size_t at = size; at < symbols.size(); at += length)
            std::copy_n(symbols.begin() + first, length, symbols.begin() + at);
        },
        symbols_);
  }
  // f(span of const uint8_t, uint16_t or uint32_t)
  template <class F>
  auto visit(F f) const {
    return std::visit(
        [&f]<class Symbol>(const BigArray<Symbol>& symbols) { return f(std::span<const Symbol>(symbols)); }, symbols_);
  }
  bool operator==(const SymbolArray& other) const;

 private:
  template <class Wide>
  void widen() {
    BigArray<Wide> wide;
    wide.resize(size());
    std::visit([&wide](const auto& symbols) { std::copy(symbols.begin(), symbols.end(), wide.begin()); }, symbols_);
    symbols_ = std::move(wide);
  }

  std::variant<BigArray<uint8_t>, BigArray<uint16_t>, BigArray<uint32_t>> symbols_;
};

}  // namespace cdr::analysis

#endif
