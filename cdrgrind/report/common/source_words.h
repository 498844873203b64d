// SPDX-License-Identifier: GPL-2.0-or-later
// Words of a line of source: identifiers, keywords and numbers.
#ifndef CDRGRIND_REPORT_COMMON_SOURCE_WORDS_H
#define CDRGRIND_REPORT_COMMON_SOURCE_WORDS_H

#include <concepts>
#include <set>
#include <string>
#include <string_view>

namespace cdr::report {

// Whether the character can be in one.
bool is_word(char c);

std::string small_letters(std::string_view text);

// Where the word stands first, from a place on; npos: nowhere.
size_t find_word(std::string_view text, std::string_view word, size_t from = 0);

std::set<std::string_view> words_of(std::string_view text);
// They would be words of what is no more.
void words_of(std::same_as<std::string> auto&& text) = delete;

}  // namespace cdr::report

#endif
