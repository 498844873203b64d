// SPDX-License-Identifier: GPL-2.0-or-later
#include <set>
#include <string>

#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/symbols/tables/breakpoints.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

// Tables with rows {address, line, is_stmt}; the last row ends the sequence.
struct Row {
  std::uint64_t address;
  std::uint32_t line;
  bool is_stmt = true;
};

constexpr StringId kFile{7};

ModuleTables tables_of(const std::vector<Row>& rows) {
  ModuleTables tables;
  std::vector<LineRow> sequence;
  for (const Row& row : rows) sequence.push_back({row.address, kFile, row.line, 0, row.is_stmt, false});
  sequence.back().is_end = true;
  tables.lines.add_sequence(sequence);
  tables.lines.seal();
  return tables;
}

using Addresses = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a contiguous range of a line has one breakpoint, at its begin") {
  const ModuleTables tables = tables_of({{10, 1}, {20, 2}, {24, 2}, {30, 1}, {40, 0}});
  CHECK(breakpoints_of_line(tables, {kFile}, 2) == Addresses{20});
  CHECK(breakpoints_of_line(tables, {kFile}, 1) == Addresses{10, 30});
  CHECK(breakpoints_of_line(tables, {kFile}, 3) == Addresses{});
  CHECK(breakpoints_of_line(tables, {}, 1) == Addresses{});
}

TEST_CASE("a breakpoint stands where a statement begins") {
  const ModuleTables tables = tables_of({{10, 1, false}, {14, 1, true}, {20, 2, false}, {30, 3}, {40, 0}});
  CHECK(breakpoints_of_line(tables, {kFile}, 1) == Addresses{14});
  CHECK(breakpoints_of_line(tables, {kFile}, 2) == Addresses{});
}

TEST_CASE("rows without code neither cut ranges nor lose lines") {
  const ModuleTables tables = tables_of({{10, 1}, {14, 2}, {14, 1}, {20, 3}, {20, 4}, {30, 0}});
  CHECK(breakpoints_of_line(tables, {kFile}, 1) == Addresses{10});
  CHECK(breakpoints_of_line(tables, {kFile}, 2) == Addresses{14});
  CHECK(breakpoints_of_line(tables, {kFile}, 3) == Addresses{20});
}

TEST_CASE("touching copies of an inlined line have a breakpoint each") {
  ModuleTables tables = tables_of({{10, 5}, {20, 5}, {30, 0}});
  const FunctionIndex function = tables.code.add_function({});
  const NodeIndex real = tables.code.add_real(function, 10);
  tables.code.add_range(real, {10, 30});
  for (CodeRange range : {CodeRange{10, 20}, CodeRange{20, 30}}) {
    CodeNode copy;
    copy.parent = real;
    copy.function = function;
    tables.code.add_range(tables.code.add_inlined(copy), range);
  }
  tables.code.seal();
  CHECK(breakpoints_of_line(tables, {kFile}, 5) == Addresses{10, 20});
}

TEST_CASE("the next line with code is the least one from there on") {
  const ModuleTables tables = tables_of({{10, 9}, {20, 4}, {24, 6, false}, {30, 7}, {40, 0}});
  CHECK(first_line_from(tables, {kFile}, 5) == 7);
  CHECK(first_line_from(tables, {kFile}, 1) == 4);
  CHECK(first_line_from(tables, {kFile}, 10) == 0);
}

TEST_CASE("a line of an inlined function has a breakpoint in every copy") {
  const std::string program = sample_program(cxx() + " -O2 -g");
  constexpr std::uint64_t kBias = 0x400000;
  Symbols symbols = symbols_for(program, kBias);
  std::set<std::string> functions;
  for (const BreakpointAddress& breakpoint : symbols.breakpoint_addresses("sample.cc", sample_line("inner"))) {
    CHECK(breakpoint.module == 1);
    functions.insert(std::string(symbols.function_of(1, breakpoint.address).name));
  }
  CHECK(functions.contains("main"));
  CHECK(functions.contains("plain"));
  CHECK(functions.contains("ns::(anonymous namespace)::secret(int)"));
}

TEST_CASE("without optimisation a statement has one breakpoint") {
  Symbols symbols = symbols_for(sample_program(cxx() + " -O0 -g"));
  CHECK(symbols.breakpoint_addresses("sample.cc", sample_line("loop body")).size() == 1);
}

TEST_CASE("a file may be given by any trailing part of its path") {
  Symbols symbols = symbols_for(sample_program(cxx() + " -O0 -g"));
  const std::uint32_t line = sample_line("loop body");
  CHECK(symbols.breakpoint_addresses(sample_path(), line).size() == 1);
  CHECK(symbols.breakpoint_addresses("src/sample.cc", line).size() == 1);
  CHECK(symbols.breakpoint_addresses("./sample.cc", line).size() == 1);
  CHECK(symbols.breakpoint_addresses("ample.cc", line).empty());
  CHECK(symbols.breakpoint_addresses("other/sample.cc", line).empty());
  CHECK(symbols.files_matching("sample.cc") == std::vector<std::string_view>{sample_path()});
  CHECK(symbols.next_line_with_code("sample.cc", line - 1) == line - 1);
  CHECK_FALSE(symbols.next_line_with_code("sample.cc", 1000).has_value());
}
