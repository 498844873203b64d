// SPDX-License-Identifier: GPL-2.0-or-later
#include <chrono>
#include <filesystem>
#include <string>

#include "cdrgrind/symbols/files/source_file.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

namespace fs = std::filesystem;
using namespace cdr::symbols;
using namespace cdr::symbols::testing;

TEST_CASE("a source file has lines counted from 1") {
  const auto file = SourceFile::read(write_file(fresh_dir() + "/a.c", "one\n\r\nthree\r\nfour"));
  REQUIRE(file);
  CHECK(file->line_count() == 4);
  CHECK(file->line(0).empty());
  CHECK(file->line(1) == "one");
  CHECK(file->line(2).empty());
  CHECK(file->line(3) == "three");
  CHECK(file->line(4) == "four");
  CHECK(file->line(5).empty());
  CHECK(SourceFile::read(write_file(fresh_dir() + "/b.c", ""))->line_count() == 0);
  CHECK_FALSE(SourceFile::read(test_dir() + "/missing.c").has_value());
  CHECK_FALSE(SourceFile::read(test_dir()).has_value());
}

TEST_CASE("a source is found below a folder by the longest part of its path that exists") {
  const std::string dir = fresh_dir();
  write_file(dir + "/lib/util.c", "");
  write_file(dir + "/util.c", "");
  write_file(dir + "/main.c", "");
  CHECK(find_source_file("/build/lib/util.c", {dir}) == dir + "/lib/util.c");
  CHECK(find_source_file("/build/other/util.c", {dir}) == dir + "/util.c");
  CHECK(find_source_file("/build/src/main.c", {dir}) == dir + "/main.c");
  CHECK_FALSE(find_source_file("/build/src/none.c", {dir}).has_value());
  CHECK(find_source_file(dir + "/main.c", {}) == dir + "/main.c");
  CHECK(find_source_file("/build/lib/util.c", {dir + "/none", dir}) == dir + "/lib/util.c");
}

TEST_CASE("a path map is applied to all file names") {
  SymbolOptions options;
  options.path_maps = {{test_dir() + "/src", "/project/code"}};
  const std::string program = sample_program(cxx() + " -O2 -g");
  Symbols symbols = symbols_for(program, 0, options);
  CHECK(symbols.line_of(1, address_of(program, "main")).file == "/project/code/sample.cc");
  CHECK(symbols.variable_at(1, address_of(program, "grid"))->decl.file == "/project/code/sample.cc");
  CHECK_FALSE(symbols.find_source("/project/code/sample.cc").has_value());
}

TEST_CASE("a source that was moved is found by map or folder") {
  const std::string dir = fresh_dir();
  write_file(dir + "/new/a.c", "text\n");
  SymbolOptions options;
  options.path_maps = {{"/old", dir + "/new"}};
  Symbols mapped(options);
  CHECK(mapped.find_source("/old/a.c") == dir + "/new/a.c");
  options = {};
  options.source_dirs = {dir};
  Symbols searched(options);
  CHECK(searched.find_source("/old/new/a.c") == dir + "/new/a.c");
  REQUIRE(searched.source("/old/new/a.c"));
  CHECK(searched.source("/old/new/a.c")->line(1) == "text");
  CHECK(searched.source("/old/new/b.c") == nullptr);
}

TEST_CASE("a source that is newer than the program is marked") {
  const std::string dir = fresh_dir();
  const std::string source = write_file(dir + "/a.c", "int main(void) { return 0; }\n");
  run("cd " + dir + " && " + cc() + " -g -o a a.c");
  {
    Symbols symbols = symbols_for(dir + "/a");
    CHECK_FALSE(symbols.source(source)->newer_than_program());
  }
  fs::last_write_time(source, fs::file_time_type::clock::now() + std::chrono::hours(1));
  const std::string other = write_file(dir + "/b.c", "");
  fs::last_write_time(other, fs::file_time_type::clock::now() + std::chrono::hours(1));
  Symbols symbols = symbols_for(dir + "/a");
  CHECK(symbols.source(source)->newer_than_program());
  CHECK_FALSE(symbols.source(other)->newer_than_program());
}
