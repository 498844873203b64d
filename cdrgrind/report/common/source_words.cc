// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/source_words.h"

#include <algorithm>
#include <cctype>

namespace cdr::report {

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

std::set<std::string_view> words_of(std::string_view text) {
  std::set<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at) words.insert(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

size_t find_word(std::string_view part, std::string_view name, size_t from) {
  for (size_t at = part.find(name, from); at != part.npos; at = part.find(name, at + 1)) {
    const bool begins = at == 0 || !is_word(part[at - 1]);
    const bool ends = at + name.size() == part.size() || !is_word(part[at + name.size()]);
    if (begins && ends) return at;
  }
  return part.npos;
}

}  // namespace cdr::report
