// SPDX-License-Identifier: GPL-2.0-or-later
//
// Modules that cannot be read, or not completely: notes, never errors.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/symbols/dwarf/list_headers.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

namespace fs = std::filesystem;
using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

std::string notes_of(Symbols& symbols) {
  std::string text;
  for (const Coverage::Note& note : symbols.coverage().notes) text += note.text + "\n";
  return text;
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Asks for everything; the answers do not matter.
void ask(const std::string& program) {
  Symbols symbols = symbols_for(program);
  for (std::uint64_t address = 0x1000; address < 0x5000; address += 64) {
    symbols.inline_chain(1, address);
    symbols.variable_at(1, address);
  }
  symbols.breakpoint_addresses("sample.cc", 30);
  symbols.coverage();
}

}  // namespace

TEST_CASE("modules are counted with and without debug information") {
  Symbols symbols;
  CHECK(symbols.coverage().summary() == "0 modules, all with debug info");
  Module module;
  module.serial = 1;
  module.path = sample_program(cxx() + " -O2 -g");
  symbols.add_module(module);
  CHECK(symbols.coverage().summary() == "1 module, all with debug info");
  module.serial = 2;
  module.path = sample_program(cxx() + " -O2 -g0");
  symbols.add_module(module);
  module.serial = 3;
  module.path = test_dir() + "/missing";
  symbols.add_module(module);
  CHECK(symbols.coverage().summary() == "3 modules, 2 without debug info");
}

TEST_CASE("a module that is not there is a note") {
  Symbols symbols = symbols_for(test_dir() + "/missing");
  CHECK_FALSE(symbols.line_of(1, 0x1000).known());
  CHECK(notes_of(symbols) == "the file is not there or not a 64-bit ELF file\n");
}

TEST_CASE("files that are not modules are notes") {
  for (const std::string& text : {std::string(), std::string("#!/bin/sh\n"), std::string("\177ELF\2\1\1")}) {
    Symbols symbols = symbols_for(write_file(fresh_dir() + "/file", text));
    CHECK_FALSE(symbols.function_of(1, 0x1000).known());
    CHECK(symbols.coverage().without_debug_info.size() == 1);
  }
  Symbols of_folder = symbols_for(test_dir());
  CHECK_FALSE(of_folder.function_of(1, 0x1000).known());
}

TEST_CASE("a truncated module is survived") {
  const std::string whole = content(sample_program(cxx() + " -O2 -g"));
  for (std::size_t part = 1; part < 8; ++part) {
    ask(write_file(fresh_dir() + "/cut", whole.substr(0, whole.size() * part / 8)));
  }
}

TEST_CASE("the headers of range and location lists are looked over") {
  using Bytes = std::vector<std::uint8_t>;
  const Bytes good = {12, 0, 0, 0, 5, 0, 8, 0, 1, 0, 0, 0, 4, 0, 0, 0};
  CHECK(has_sound_list_headers(Bytes{}));
  CHECK(has_sound_list_headers(good));
  for (std::size_t size = 1; size < good.size(); ++size) {
    CHECK_FALSE(has_sound_list_headers(std::span(good).first(size)));
  }
  for (std::size_t at : {0, 1, 4, 6, 7, 8}) {
    Bytes bad = good;
    bad[at] ^= 0x40;
    CHECK_FALSE(has_sound_list_headers(bad));
  }
}

TEST_CASE("damaged list headers are noted, symbols remain") {
  const std::string program = sample_program(cxx() + " -O2 -gdwarf-5");
  const std::string lists = fresh_dir() + "/lists";
  run("objcopy --dump-section .debug_rnglists=" + lists + " " + program + " " + fresh_dir() + "/copy");
  std::string bytes = content(lists);
  REQUIRE(bytes.size() > 8);
  bytes[4] = 9;  // its version
  write_file(lists, bytes);
  const std::string damaged = fresh_dir() + "/prog";
  run("objcopy --update-section .debug_rnglists=" + lists + " " + program + " " + damaged);
  Symbols symbols = symbols_for(damaged);
  CHECK(symbols.function_of(1, address_of(program, "main")).name == "main");
  CHECK(notes_of(symbols) == "damaged debug information (.debug_rnglists) is not used\n");
}

TEST_CASE("split debug information is noted, lines and symbols remain") {
  const std::string program = sample_program(cxx() + " -O2 -g -gsplit-dwarf");
  Symbols symbols = symbols_for(program);
  const std::uint64_t entry = address_of(program, "main");
  CHECK(symbols.line_of(1, entry).file == sample_path());
  CHECK(symbols.function_of(1, entry).name == "main");
  CHECK(symbols.variable_at(1, address_of(program, "grid"))->name == "grid");
  CHECK(notes_of(symbols).starts_with("split debug information (-gsplit-dwarf) is not read"));
}

TEST_CASE("sections compressed with zstd are noted, symbols remain") {
  // The header of a compressed section begins with its kind: 1 zlib, 2 zstd.
  const std::string program = sample_program(cxx() + " -O2 -g -gz");
  std::string bytes = content(program);
  const std::string offset =
      run("readelf -SW " + program + " | sed -n 's/.* .debug_info *PROGBITS *0* *\\([0-9a-f]*\\).*/\\1/p'");
  const std::size_t at = std::stoull(offset, nullptr, 16);
  REQUIRE(bytes[at] == 1);
  bytes[at] = 2;
  const std::string changed = write_file(fresh_dir() + "/zstd", bytes);
  Symbols symbols = symbols_for(changed);
  const std::uint64_t entry = address_of(program, "main");
  CHECK(symbols.function_of(1, entry).name == "main");
  CHECK_FALSE(symbols.line_of(1, entry).known());
  CHECK(notes_of(symbols).find("compressed with zstd") != std::string::npos);
}

TEST_CASE("debug information that dwz moved to another file is noted") {
  const std::string program = fresh_dir() + "/prog";
  const std::string link = write_file(fresh_dir() + "/link", std::string("/usr/lib/debug/.dwz/common.debug\0abcd", 37));
  run("objcopy --add-section .gnu_debugaltlink=" + link + " " + sample_program(cxx() + " -O2 -g") + " " + program);
  Symbols symbols = symbols_for(program);
  CHECK(notes_of(symbols).find("/usr/lib/debug/.dwz/common.debug (made by dwz -m)") != std::string::npos);
}

TEST_CASE("the modules at an address are those with a segment there, the latest first") {
  const std::string program = sample_program(cxx() + " -O2 -g");
  const std::uint64_t grid = address_of(program, "grid");
  Symbols symbols;
  Module module;
  module.path = program;
  for (ModuleSerial serial : {1, 2, 3}) {
    module.serial = serial;
    module.bias = serial == 2 ? 0x10000000 : 0x20000000;
    symbols.add_module(module);
  }
  CHECK(symbols.modules_at(grid + 0x20000000) == std::vector<ModuleSerial>{3, 1});
  CHECK(symbols.modules_at(grid + 0x10000000) == std::vector<ModuleSerial>{2});
  CHECK(symbols.modules_at(grid + 0x30000000).empty());
  CHECK(symbols.variable_at(2, grid + 0x10000000 + 32)->name == "grid[1].id");
}
