// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/line_program.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/byte_reader.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

// A unit with line base -5, line range 14 and opcode base 13.
Bytes unit(const Bytes& program, int version = 5) {
  Bytes fields = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  if (version < 4) fields.erase(fields.begin());
  Bytes content;
  append(content, static_cast<std::uint64_t>(version), 2);
  if (version >= 5) append(content, 8, 2);
  append(content, fields.size(), 4);
  content.insert(content.end(), fields.begin(), fields.end());
  content.insert(content.end(), program.begin(), program.end());
  Bytes whole;
  append(whole, content.size(), 4);
  whole.insert(whole.end(), content.begin(), content.end());
  return whole;
}

// Rows as "ADDRESS:FILE:LINE", not a statement's begin "-", sequence ends "|".
std::string rows_of(const Bytes& section, bool expect_fine = true) {
  std::string text;
  const bool fine = run_line_program(section, 0, [&](const std::vector<ProgramRow>& rows) {
    for (const ProgramRow& row : rows) {
      text += row.is_end ? std::to_string(row.address) + "|"
                         : std::to_string(row.address) + ":" + std::to_string(row.file) + ":" +
                               std::to_string(row.line) + (row.is_stmt ? " " : "- ");
    }
  });
  CHECK(fine == expect_fine);
  return text;
}

const Bytes kSetAddress16 = {0, 9, 2, 16, 0, 0, 0, 0, 0, 0, 0};
const Bytes kEnd = {0, 1, 1};

Bytes join(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("a sequence begins with file 1 and line 1, in all versions") {
  for (int version : {2, 3, 4, 5}) {
    CHECK(rows_of(unit(join({kSetAddress16, {1, 2, 4}, kEnd}), version)) == "16:1:1 20|");
  }
}

TEST_CASE("special opcodes advance address and line together") {
  // 13 + 14 * address steps + line step + 5
  CHECK(rows_of(unit(join({kSetAddress16, {13 + 14 * 2 + 5 + 3, 13 + 5 - 1}, {2, 1}, kEnd}))) == "18:1:4 18:1:3 19|");
}

TEST_CASE("standard opcodes set file, column, line and statement") {
  CHECK(rows_of(unit(join({kSetAddress16, {4, 0, 3, 9, 1, 6, 5, 7, 3, 0x7f, 1, 8, 1, 9, 5, 0, 1}, kEnd}))) ==
        "16:0:10 16:0:9- 33:0:9- 38:0:9- 38|");
}

TEST_CASE("unknown opcodes are stepped over") {
  CHECK(rows_of(unit(join({kSetAddress16, {12, 0x81, 1}, {0, 3, 0x80, 1, 2}, {1}, kEnd}))) == "16:1:1 16|");
}

TEST_CASE("each sequence starts anew") {
  CHECK(rows_of(unit(join({kSetAddress16, {3, 9, 6, 1}, kEnd, kSetAddress16, {1}, kEnd}))) == "16:1:10- 16|16:1:1 16|");
}

TEST_CASE("a damaged line program ends without harm") {
  const Bytes good = unit(join({kSetAddress16, {1, 2, 4}, kEnd}));
  for (std::size_t size = 0; size < good.size(); ++size) {
    rows_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)), false);
  }
  CHECK(rows_of(unit(join({kSetAddress16, {1}})), false) == "");
  CHECK(rows_of(unit(join({kSetAddress16, {1}, kEnd, {0, 99}})), false) == "16:1:1 16|");
  Bytes no_range = good;
  no_range[4 + 2 + 2 + 4 + 4] = 0;
  rows_of(no_range, false);
  for (std::size_t i = 0; i < good.size(); ++i) {
    Bytes changed = good;
    changed[i] ^= 0xff;
    run_line_program(changed, 0, [](const std::vector<ProgramRow>&) {});
  }
}

TEST_CASE("numbers of variable length are read, and not behind the end") {
  const Bytes bytes = {0xe5, 0x8e, 0x26, 0x7f, 0x80, 0x7f, 0x80};
  ByteReader reader{bytes};
  CHECK(reader.unsigned_leb128() == 624485U);
  CHECK(reader.signed_leb128() == -1);
  CHECK(reader.signed_leb128() == -128);
  CHECK_FALSE(reader.unsigned_leb128().has_value());
  CHECK(reader.at_end());
  CHECK_FALSE(ByteReader{bytes}.fixed(8).has_value());
}

TEST_CASE("code of a header has the header's file") {
  const std::string dir = fresh_dir();
  write_file(dir + "/h.h",
             "struct S {\n  int v;\n  __attribute__((noinline)) int get() const {\n    return v * 3;\n  }\n};\n");
  write_file(dir + "/a.cc", "#include \"h.h\"\nS s;\nint main() { return s.get(); }\n");
  for (const std::string& compiler : {cxx(), std::string("clang++")}) {
    if (!have_program(compiler.substr(0, compiler.find(' ')))) continue;
    for (const char* version : {" -gdwarf-4 ", " -gdwarf-5 "}) {
      INFO(compiler << version);
      run("cd " + dir + " && " + compiler + version + "-O1 -o a a.cc");
      Symbols symbols = symbols_for(dir + "/a");
      CHECK(symbols.line_of(1, address_of(dir + "/a", "S::get() const")).file == dir + "/h.h");
      CHECK(symbols.line_of(1, address_of(dir + "/a", "main")).file == dir + "/a.cc");
    }
  }
}
