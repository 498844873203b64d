// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/covered_data.h"

#include <string>

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

using symbols::DataName;

// Addresses 0 to 99: `first' and `second' of 8 bytes each, a hole of 4 bytes, a record `s' with members at 20 and 28
// and padding between, 8 pairs from 40 to 104.
std::optional<DataName> name_at(uint64_t addr) {
  DataName n;
  const auto named = [&](const std::string& name, uint64_t begin) {
    n.name = n.pattern = name;
    n.variable_address = begin;
    return n;
  };
  if (addr < 8) return named("first", 0);
  if (addr < 16) return named("second", 8);
  if (addr < 20) return std::nullopt;
  if (addr < 24) return named("s.one", 20);
  if (addr < 28) return named("s", 20);
  if (addr < 40) return named("s.two", 20);
  if (addr >= 104) return std::nullopt;
  named("", 40);
  const bool left = (addr - 40) % 8 < 4;
  n.name = "pairs[" + std::to_string((addr - 40) / 8) + "]." + (left ? "left" : "right");
  n.pattern = std::string("pairs[…].") + (left ? "left" : "right");
  return n;
}

std::vector<std::string> names(uint64_t begin, uint64_t end) {
  std::vector<std::string> out;
  for (const DataName& n : data_covered({begin, end}, name_at)) out.push_back(n.name);
  return out;
}

}  // namespace

TEST_CASE("a wide access is called by all that it covers", "[covered_data]") {
  using Names = std::vector<std::string>;
  CHECK(names(0, 16) == Names{"first", "second"});
  CHECK(names(0, 8) == Names{"first"});
  CHECK(names(7, 9) == Names{"first", "second"});
  CHECK(names(8, 22) == Names{"second", "s.one"});
  CHECK(names(20, 30) == Names{"s.one", "s.two"});
  CHECK(names(24, 28) == Names{"s"});
  CHECK(names(16, 20).empty());
  CHECK(names(5, 5).empty());
}

TEST_CASE("elements of an array are one", "[covered_data]") {
  using Names = std::vector<std::string>;
  CHECK(names(40, 48) == Names{"pairs[0].left", "pairs[0].right"});
  CHECK(names(44, 56) == Names{"pairs[…].right", "pairs[1].left"});
  CHECK(names(40, 104) == Names{"pairs[…].left", "pairs[…].right"});
}

TEST_CASE("what is very long ends", "[covered_data]") {
  int asked = 0;
  const auto bytes = [&](uint64_t addr) -> std::optional<DataName> {
    ++asked;
    DataName n;
    n.name = n.pattern = "b" + std::to_string(addr);
    return n;
  };
  CHECK(data_covered({0, uint64_t{1} << 40}, bytes).size() == 16);
  const auto nothing = [&](uint64_t) -> std::optional<DataName> {
    ++asked;
    return std::nullopt;
  };
  CHECK(data_covered({0, uint64_t{1} << 40}, nothing).empty());
  CHECK(asked < 10000);
}

}  // namespace cdr::report
