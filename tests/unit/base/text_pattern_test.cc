// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/text_pattern.h"

#include <string>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr {
namespace {

// By definition: what each '*' stands for is tried.
bool matches_by_definition(const std::string& pattern, const std::string& name) {
  if (pattern.empty()) return name.empty();
  const std::string rest = pattern.substr(1);
  if (pattern[0] == '*') {
    for (size_t n = 0; n <= name.size(); ++n)
      if (matches_by_definition(rest, name.substr(n))) return true;
    return false;
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) && matches_by_definition(rest, name.substr(1));
}

// Both forms: with lengths, and of texts that end with a 0.
bool matches(const std::string& pattern, const std::string& text) {
  const bool found = matches_pattern(pattern.c_str(), TextEnd(), text.c_str(), TextEnd());
  if (matches_pattern(pattern, text) != found) FAIL(pattern << " " << text);
  return found;
}

// All of at most `longest` letters.
std::vector<std::string> words(const std::string& letters, size_t longest) {
  std::vector<std::string> all{""};
  for (size_t begin = 0, length = 1; length <= longest; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin)
      for (const char letter : letters) all.push_back(all[begin] + letter);
  }
  return all;
}

TEST_CASE("names match patterns as they do by definition") {
  const auto names = words("ab", 5);
  size_t matched = 0;
  for (const std::string& pattern : words("ab*?", 5))
    for (const std::string& name : names) {
      const bool want = matches_by_definition(pattern, name);
      matched += want;
      if (matches(pattern, name) != want) FAIL(pattern << " " << name);
    }
  CHECK(matched > 1000);
}

TEST_CASE("names of libraries and functions") {
  CHECK(matches("libc.so*", "libc.so.6"));
  CHECK(!matches("libc.so*", "libcap.so.2"));
  CHECK(matches("pthread_create@*", "pthread_create@@GLIBC_2.34"));
  CHECK(!matches("pthread_create@*", "pthread_create"));
  CHECK(matches("*", ""));
  CHECK(!matches("?", ""));
}

}  // namespace
}  // namespace cdr
