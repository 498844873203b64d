// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/debug_file.h"

#include <filesystem>
#include <string>

#include "cdrgrind/symbols/elf/elf_image.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

namespace fs = std::filesystem;
using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

// A stripped program and its debug file, apart from each other.
struct Split {
  std::string dir = fresh_dir();
  std::string program = dir + "/bin/prog";
  std::string debug = dir + "/bin/prog.debug";

  explicit Split(const std::string& flags, bool with_link) {
    fs::create_directories(dir + "/bin");
    const std::string whole = sample_program(cxx() + " -O2 -g " + flags);
    run("objcopy --only-keep-debug " + whole + " " + debug);
    run("strip -g -o " + program + " " + whole);
    if (with_link) run("cd " + dir + "/bin && objcopy --add-gnu-debuglink=prog.debug prog");
  }

  void move_debug_to(const std::string& path) {
    fs::create_directories(fs::path(path).parent_path());
    fs::rename(debug, path);
    debug = path;
  }
};

SymbolOptions options_with(const std::string& debug_dir) {
  SymbolOptions options;
  options.debug_dirs = {debug_dir};
  return options;
}

bool is_found(const Split& split, SymbolOptions options = {}) {
  Symbols symbols = symbols_for(split.program, 0, std::move(options));
  const std::uint64_t entry = address_of(split.program, "main");
  const bool has_lines = symbols.line_of(1, entry).file == sample_path();
  const bool has_variables = symbols.variable_at(1, address_of(split.program, "grid") + 32)->name == "grid[1].id";
  CHECK(has_lines == has_variables);
  CHECK((symbols.coverage().without_debug_info.empty()) == has_lines);
  return has_lines;
}

}  // namespace

TEST_CASE("a debug file is found by its link, beside the program and in .debug") {
  Split split("-Wl,--build-id=none", true);
  CHECK(is_found(split));
  split.move_debug_to(split.dir + "/bin/.debug/prog.debug");
  CHECK(is_found(split));
}

TEST_CASE("a debug file is found by its link below the debug folders") {
  Split split("-Wl,--build-id=none", true);
  split.move_debug_to(split.dir + "/debug/" + split.dir + "/bin/prog.debug");
  CHECK_FALSE(is_found(split));
  CHECK(is_found(split, options_with(split.dir + "/debug")));
  split.move_debug_to(split.dir + "/flat/prog.debug");
  CHECK(is_found(split, options_with(split.dir + "/flat")));
}

TEST_CASE("a debug file is found by build-id, in debug and source folders") {
  Split split("-Wl,--build-id=0x1234567890abcdef", false);
  split.move_debug_to(split.dir + "/debug/.build-id/12/34567890abcdef.debug");
  CHECK_FALSE(is_found(split));
  CHECK(is_found(split, options_with(split.dir + "/debug")));
  SymbolOptions options;
  options.source_dirs = {split.dir + "/debug"};
  CHECK(is_found(split, options));
}

TEST_CASE("a debug file of another program is not used") {
  Split split("-Wl,--build-id=none", true);
  run("printf x >>" + split.debug);
  CHECK_FALSE(is_found(split));

  Split by_id("-Wl,--build-id=0x1234567890abcdef", false);
  const Split other("-Wl,--build-id=0x1234567890abcd00", false);
  fs::create_directories(by_id.dir + "/debug/.build-id/12");
  fs::copy(other.debug, by_id.dir + "/debug/.build-id/12/34567890abcdef.debug");
  CHECK_FALSE(is_found(by_id, options_with(by_id.dir + "/debug")));
}

TEST_CASE("a program without debug information is noted, with its build-id") {
  const Split split("-Wl,--build-id=0x1234567890abcdef", false);
  Symbols symbols = symbols_for(split.program);
  const Coverage coverage = symbols.coverage();
  REQUIRE(coverage.notes.size() == 1);
  CHECK(coverage.notes[0].path == split.program);
  CHECK(coverage.notes[0].text == "no debug information (build-id 1234567890abcdef)");
  CHECK(coverage.summary() == "1 module, 1 without debug info");
}

TEST_CASE("a program that was changed since it was recorded is not used") {
  const std::string program = sample_program(cxx() + " -O2 -g -Wl,--build-id=0x1234567890abcdef");
  Symbols symbols;
  Module module;
  module.serial = 1;
  module.path = program;
  module.build_id = "1234567890abcdef";
  symbols.add_module(module);
  module.serial = 2;
  module.build_id = "00";
  symbols.add_module(module);
  const std::uint64_t entry = address_of(program, "main");
  CHECK(symbols.function_of(1, entry).name == "main");
  CHECK_FALSE(symbols.function_of(2, entry).known());
  CHECK(symbols.coverage().summary() == "2 modules, 1 without debug info");
}

TEST_CASE("an ELF file tells its build-id, link and segments") {
  const Split split("-Wl,--build-id=0x1234567890abcdef", true);
  const auto image = ElfImage::read(split.program);
  REQUIRE(image);
  CHECK(image->build_id == "1234567890abcdef");
  REQUIRE(image->debug_link);
  CHECK(image->debug_link->name == "prog.debug");
  CHECK_FALSE(image->has_debug_info);
  CHECK(image->has_code_at(address_of(split.program, "main")));
  CHECK_FALSE(image->has_code_at(address_of(split.program, "grid")));
  CHECK(image->contains(address_of(split.program, "grid")));
  CHECK_FALSE(image->contains(0x7fff00000000));
  CHECK(ElfImage::read(split.debug)->has_debug_info);
}
