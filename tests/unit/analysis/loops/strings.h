// SPDX-License-Identifier: GPL-2.0-or-later
// Strings for tests of loop nests: those that repeat most, those that repeat least, and random ones.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_LOOPS_STRINGS_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_LOOPS_STRINGS_H

#include <functional>
#include <random>
#include <string>

#include "cdrgrind/analysis/common/name_table.h"
#include "tests/unit/analysis/loops/reference.h"

namespace cdr::strings {

// Letter i is of(i).
inline std::string made_of(size_t size, const std::function<char(size_t)>& of) {
  std::string s;
  for (size_t i = 0; i < size; ++i) s += of(i);
  return s;
}

inline std::string repeated(const std::string& s, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += s;
  return out;
}

inline std::string fibonacci(size_t size) {
  std::string word = "a", before = "b";
  while (word.size() < size) {
    const std::string next = word + before;
    before = word;
    word = next;
  }
  return word.substr(0, size);
}

inline std::string thue_morse(size_t size) {
  return made_of(size, [](size_t i) { return static_cast<char>('a' + (__builtin_popcountll(i) & 1)); });
}

inline std::string period_doubling(size_t size) {
  return made_of(size, [](size_t i) { return static_cast<char>('a' + (__builtin_ctzll(i + 1) & 1)); });
}

// No squares but of letters' neighbours: 0 1 0 2 0 1 0 3 …
inline std::string ruler(size_t size) {
  return made_of(size, [](size_t i) { return static_cast<char>('a' + __builtin_ctzll(i + 1)); });
}

// Every word of `order` letters once around, by preferring the greatest letter.
inline std::string de_bruijn(size_t order, char letters) {
  std::string s(order - 1, 'a');
  for (bool grown = true; grown;) {
    grown = false;
    for (char c = static_cast<char>('a' + letters - 1); c >= 'a' && !grown; --c) {
      const std::string word = s.substr(s.size() - (order - 1)) + c;
      if (s.find(word) != s.npos) continue;
      s += c;
      grown = true;
    }
  }
  return s;
}

inline std::string random(std::mt19937& gen, size_t size, unsigned letters) {
  return made_of(size, [&](size_t) { return static_cast<char>('a' + gen() % letters); });
}

// Random, with pieces of itself appended once or more: full of runs that cut one another.
inline std::string self_copying(std::mt19937& gen, size_t size, unsigned letters) {
  std::string s = random(gen, 1 + gen() % 4, letters);
  while (s.size() < size) {
    const size_t from = gen() % s.size();
    const std::string piece = s.substr(from, 1 + gen() % (s.size() - from));
    s += gen() % 3 == 0 ? random(gen, 1 + gen() % 2, letters) : repeated(piece, 1 + gen() % 3);
  }
  return s.substr(0, size);
}

// Loops in loops.
inline std::string nested(std::mt19937& gen, unsigned depth, unsigned letters) {
  std::string s = random(gen, gen() % 3, letters);
  for (size_t i = 0; i < 1 + gen() % 2; ++i) {
    const std::string body = depth == 0 ? random(gen, 1 + gen() % 3, letters) : nested(gen, depth - 1, letters);
    s += repeated(body, 1 + gen() % 4) + random(gen, gen() % 2, letters);
  }
  return s;
}

inline analysis::SymbolSequence sequence_of(const reference::Words& words) {
  analysis::SymbolSequence sequence;
  for (const std::string& word : words) sequence.symbols.push_back(sequence.names.id_of(word));
  return sequence;
}

}  // namespace cdr::strings

#endif
