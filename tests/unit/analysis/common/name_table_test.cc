// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/common/name_table.h"

#include <string>

#include "tests/unit/catch.h"

using cdr::analysis::BigArray;
using cdr::analysis::NameTable;

TEST_CASE("names are numbered by first appearance and kept as they are") {
  NameTable names;
  CHECK(names.size() == 0);
  CHECK(names.id_of("b") == 0);
  CHECK(names.id_of("a") == 1);
  CHECK(names.id_of("b") == 0);
  CHECK(names.id_of(std::string(100000, 'x')) == 2);
  CHECK(names.id_of(std::string("a\0b", 3)) == 3);
  CHECK(names.id_of(std::string("a\0", 2)) == 4);
  CHECK(names.name(1) == "a");
  CHECK(names.name(2) == std::string(100000, 'x'));
  CHECK(names.name(3) == std::string("a\0b", 3));
  CHECK(names.size() == 5);
}

TEST_CASE("100,000 names keep their numbers while the table grows") {
  NameTable names;
  for (uint32_t i = 0; i < 100000; ++i) REQUIRE(names.id_of("name" + std::to_string(i)) == i);
  for (uint32_t i = 0; i < 100000; ++i) REQUIRE(names.id_of("name" + std::to_string(i)) == i);
  CHECK(names.name(99999) == "name99999");
}

TEST_CASE("a big array grows with its own elements, and moves") {
  BigArray<uint64_t> values;
  values.push_back(7);
  for (int i = 0; i < 1000; ++i) values.push_back(values[0] + values[values.size() - 1]);
  CHECK(values.size() == 1001);
  CHECK(values[1000] == 7007);
  BigArray<uint64_t> moved = std::move(values);
  CHECK(moved[1000] == 7007);
  moved.release();
  CHECK(moved.empty());
}
