// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables that a module is resolved into, filled by hand.
#include <string>
#include <vector>

#include "cdrgrind/symbols/files/module_map.h"
#include "cdrgrind/symbols/tables/code_table.h"
#include "cdrgrind/symbols/tables/line_table.h"
#include "cdrgrind/symbols/tables/type_table.h"
#include "cdrgrind/symbols/tables/variable_table.h"
#include "tests/unit/catch.h"

using namespace cdr::symbols;

namespace {

LineRow row(std::uint64_t address, std::uint32_t line, bool is_end = false) {
  return {address, StringId{1}, line, 0, true, is_end};
}

}  // namespace

TEST_CASE("a module translates runtime addresses to addresses in its file") {
  ModuleMap map;
  map.add({7, "/bin/prog", 0x555000, 0x1000, 0x550000, "", {}});
  CHECK(map.file_address(7, 0x555123) == 0x5123U);
  CHECK_FALSE(map.file_address(8, 0x555123).has_value());
  CHECK(map.find(7)->runtime_address(0x5123) == 0x555123);
}

TEST_CASE("of modules that had the same address the latest comes first") {
  ModuleMap map;
  map.add({1, "/a.so", 0x1000, 0x100, 0, "", {}});
  map.add({2, "/b.so", 0x1080, 0x100, 0, "", {}});
  CHECK(map.with_text_at(0x1080) == std::vector<ModuleSerial>{2, 1});
  CHECK(map.with_text_at(0x10ff) == std::vector<ModuleSerial>{2, 1});
  CHECK(map.with_text_at(0x1100) == std::vector<ModuleSerial>{2});
  CHECK(map.with_text_at(0xfff).empty());
}

TEST_CASE("the last row at or before an address gives its line") {
  LineTable lines;
  lines.add_sequence(std::vector{row(100, 1), row(104, 2), row(104, 3), row(110, 0, true)});
  lines.add_sequence(std::vector{row(50, 9), row(60, 0, true)});
  lines.seal();
  CHECK(lines.find(49) == nullptr);
  CHECK(lines.find(50)->line == 9);
  CHECK(lines.find(60) == nullptr);
  CHECK(lines.find(103)->line == 1);
  CHECK(lines.find(104)->line == 3);
  CHECK(lines.find(109)->line == 3);
  CHECK(lines.find(110) == nullptr);
}

TEST_CASE("a line sequence that is told twice counts once") {
  LineTable lines;
  lines.add_sequence(std::vector{row(10, 1), row(20, 0, true)});
  lines.add_sequence(std::vector{row(10, 2), row(20, 0, true)});
  lines.add_sequence(std::vector{row(30, 3)});  // without an end: damaged
  lines.seal();
  CHECK(lines.rows().size() == 2);
  CHECK(lines.find(15)->line == 1);
}

TEST_CASE("the innermost of nested inlined calls is found") {
  CodeTable code;
  const FunctionIndex f = code.add_function({});
  const NodeIndex real = code.add_real(f, 100);
  code.add_range(real, {100, 200});
  code.add_range(real, {500, 510});
  CodeNode node;
  node.function = f;
  node.parent = real;
  const NodeIndex outer = code.add_inlined(node);
  code.add_range(outer, {120, 150});
  node.parent = outer;
  const NodeIndex inner = code.add_inlined(node);
  code.add_range(inner, {120, 130});
  code.add_range(inner, {140, 145});
  code.add_range(inner, {145, 145});
  code.seal();
  CHECK(code.innermost(99) == 0);
  CHECK(code.innermost(100) == real);
  CHECK(code.innermost(120) == inner);
  CHECK(code.innermost(130) == outer);
  CHECK(code.innermost(144) == inner);
  CHECK(code.innermost(145) == outer);
  CHECK(code.innermost(150) == real);
  CHECK(code.innermost(200) == 0);
  CHECK(code.innermost(505) == real);
  CHECK(code.real_function(inner) == real);
  CHECK(code.entry(real) == 100);
}

TEST_CASE("a function that is told twice counts once") {
  CodeTable code;
  const FunctionIndex f = code.add_function({});
  const NodeIndex first = code.add_real(f, 100);
  CHECK(first != 0);
  CHECK(code.add_real(f, 100) == 0);
}

TEST_CASE("an offset in padding or behind the type ends at the part around it") {
  StringPool pool;
  TypeTable types;
  TypeRecord scalar;
  scalar.name = pool.intern("int");
  scalar.size = 4;
  const TypeIndex number = types.add(scalar);
  TypeRecord record;
  record.shape = TypeShape::record;
  record.size = 16;
  record.member_count = 2;
  record.first_member = types.add_members({{pool.intern("a"), number, 0, 32}, {pool.intern("b"), number, 64, 96}});
  const TypeIndex pair = types.add(record);
  TypeRecord array;
  array.shape = TypeShape::array;
  array.element = pair;
  const TypeIndex open = types.add(array);
  CHECK(types.part_at(pool, open, 24).path == "[1].b");
  CHECK(types.part_at(pool, open, 24).pattern == "[…].b");
  CHECK(types.part_at(pool, open, 20).path == "[1]");
  CHECK(types.part_at(pool, open, 20).offset == 4);
  CHECK(types.part_at(pool, pair, 2).offset == 2);
  CHECK(types.part_at(pool, 0, 2).path == "");
}

TEST_CASE("what stands at the place of an empty base class is the next member") {
  StringPool pool;
  TypeTable types;
  TypeRecord scalar;
  scalar.size = 8;
  const TypeIndex pointer = types.add(scalar);
  TypeRecord record;
  record.shape = TypeShape::record;
  record.size = 1;
  const TypeIndex empty = types.add(record);
  record.member_count = 1;
  record.first_member = types.add_members({{StringId::empty, empty, 0, 8}});
  const TypeIndex allocator = types.add(record);
  record.size = 8;
  record.member_count = 2;
  record.first_member = types.add_members({{StringId::empty, allocator, 0, 8}, {pool.intern("begin"), pointer, 0, 64}});
  const TypeIndex vector = types.add(record);
  CHECK(types.part_at(pool, vector, 0).path == ".begin");
  CHECK(types.part_at(pool, vector, 0).type == pointer);
}

TEST_CASE("a type that contains itself ends") {
  StringPool pool;
  TypeTable types;
  const TypeIndex self = types.add({});
  TypeRecord record;
  record.shape = TypeShape::record;
  record.size = 8;
  record.member_count = 1;
  record.first_member = types.add_members({{pool.intern("m"), self, 0, 64}});
  types.set(self, record);
  CHECK(types.part_at(pool, self, 0).path.starts_with(".m.m"));
}

TEST_CASE("a variable without a size takes its symbol's") {
  VariableTable variables;
  VariableRecord variable;
  variable.address = 100;
  variables.add(variable);
  variable.address = 200;
  variable.size = 8;
  variables.add(variable);
  variables.seal([](std::uint64_t) { return std::uint64_t{16}; });
  CHECK(variables.find(115)->address == 100);
  CHECK(variables.find(116) == nullptr);
  CHECK(variables.find(207)->address == 200);
  CHECK(variables.find(208) == nullptr);
  CHECK(variables.find(99) == nullptr);
}
