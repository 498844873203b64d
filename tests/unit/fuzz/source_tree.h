// SPDX-License-Identifier: GPL-2.0-or-later
// Files of the source folder that unit tests read.
#ifndef CDRGRIND_TESTS_UNIT_FUZZ_SOURCE_TREE_H
#define CDRGRIND_TESTS_UNIT_FUZZ_SOURCE_TREE_H

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr::test {

// `make check` names the source folder; by hand the tests run there or in a build folder below it.
inline std::filesystem::path source_tree(const std::filesystem::path& below) {
  const char* top = std::getenv("top_srcdir");
  for (const std::filesystem::path& dir : {std::filesystem::path(top ? top : "."), std::filesystem::path("..")})
    if (std::filesystem::exists(dir / below)) return dir / below;
  FAIL("no " << below << "; set top_srcdir");
  return {};
}

inline std::vector<uint8_t> bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace cdr::test

#endif
