// SPDX-License-Identifier: GPL-2.0-or-later
// Every file of the fuzzers' corpus once through its target, without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"
#include "tests/unit/catch.h"
#include "tests/unit/fuzz/source_tree.h"

namespace fs = std::filesystem;
using cdr::test::bytes_of;
using cdr::test::source_tree;

namespace {

std::vector<fs::path> seeds_of(const std::string& target) {
  std::vector<fs::path> seeds;
  for (const auto& entry : fs::directory_iterator(source_tree("tests/fuzz/corpus") / target))
    seeds.push_back(entry.path());
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

}  // namespace

TEST_CASE("every seed of the fuzzers is read or refused in order") {
  for (const cdr::fuzz::Target& target : cdr::fuzz::kTargets) {
    const auto seeds = seeds_of(target.name);
    INFO(target.name);
    CHECK_FALSE(seeds.empty());
    for (const fs::path& seed : seeds) {
      INFO(seed);
      CHECK_NOTHROW(target.run(bytes_of(seed)));
    }
  }
}

// What a fuzzer does first, here always the same: prefixes, and a byte changed here and there.
TEST_CASE("seeds cut short and with changed bytes are read or refused in order") {
  for (const cdr::fuzz::Target& target : cdr::fuzz::kTargets) {
    for (const fs::path& seed : seeds_of(target.name)) {
      INFO(seed);
      const auto whole = bytes_of(seed);
      const size_t step = std::max<size_t>(1, whole.size() / 24);
      for (size_t at = 0; at < whole.size(); at += step) {
        auto changed = whole;
        changed[at] ^= static_cast<uint8_t>(0x55 + at);
        CHECK_NOTHROW(target.run({whole.data(), at}));
        CHECK_NOTHROW(target.run(changed));
      }
    }
  }
}
