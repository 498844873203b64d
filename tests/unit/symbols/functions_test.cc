// SPDX-License-Identifier: GPL-2.0-or-later
#include <filesystem>
#include <string>

#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

using namespace cdr::symbols;
using namespace cdr::symbols::testing;

TEST_CASE("a function has its demangled name, entry and declaration") {
  const std::string program = sample_program(cxx() + " -O2 -g");
  constexpr std::uint64_t kBias = 0x10000;
  Symbols symbols = symbols_for(program, kBias);
  const std::uint64_t entry = address_of(program, "ns::worker::work(int) const") + kBias;
  const FunctionInfo function = symbols.function_of(1, entry + 1);
  CHECK(function.name == "ns::worker::work(int) const");
  CHECK(function.linkage_name == "_ZNK2ns6worker4workEi");
  CHECK(function.entry == entry);
  CHECK(function.decl.file == sample_path());
  CHECK(function.decl.line == sample_line("work") - 2);
}

TEST_CASE("the function of inlined code is the real one around it") {
  const std::string program = sample_program(cxx() + " -O2 -g");
  Symbols symbols = symbols_for(program);
  bool seen = false;
  for (std::uint64_t address : instructions(program)) {
    const auto chain = symbols.inline_chain(1, address);
    if (chain.size() < 2) continue;
    seen = true;
    CHECK(symbols.function_of(1, address).name == chain.back().function);
    CHECK(symbols.line_of(1, address) == chain.front().pos);
  }
  CHECK(seen);
}

TEST_CASE("without debug information functions have the names of their symbols") {
  const std::string program = sample_program(cxx() + " -O2 -g0");
  Symbols symbols = symbols_for(program, 0x1000);
  const std::uint64_t entry = address_of(program, "ns::worker::work(int) const") + 0x1000;
  const FunctionInfo function = symbols.function_of(1, entry + 2);
  CHECK(function.name == "ns::worker::work(int) const");
  CHECK(function.entry == entry);
  CHECK_FALSE(function.decl.known());
  CHECK_FALSE(symbols.line_of(1, entry).known());
  REQUIRE(symbols.inline_chain(1, entry).size() == 1);
  CHECK(symbols.coverage().summary() == "1 module, 1 without debug info");
}

TEST_CASE("a stripped program has no names") {
  const std::string program = fresh_dir() + "/stripped";
  run("strip -o " + program + " " + sample_program(cxx() + " -O2 -g"));
  Symbols symbols = symbols_for(program);
  const std::uint64_t entry = address_of(sample_program(cxx() + " -O2 -g"), "main");
  CHECK_FALSE(symbols.function_of(1, entry).known());
  CHECK(symbols.inline_chain(1, entry).empty());
}

TEST_CASE("a stub of the linkage table is named by what it calls") {
  const std::string dir = fresh_dir();
  write_file(dir + "/a.c", "#include <stdio.h>\nint main(void) { return puts(\"x\"); }\n");
  run("cd " + dir + " && " + cc() + " -O1 -g -o a a.c");
  Symbols symbols = symbols_for(dir + "/a");
  const std::string stub = run("objdump -d " + dir + "/a | sed -n 's/^0*\\([0-9a-f]*\\) <puts@plt>:.*/\\1/p'");
  if (stub.empty()) return;
  CHECK(symbols.function_of(1, std::stoull(stub, nullptr, 16)).name == "puts@plt");
}

TEST_CASE("an internal name gives way to the public one of the same code") {
  const std::string dir = fresh_dir();
  write_file(dir + "/a.c",
             "int __internal_twice(int a) { return 2 * a; }\n"
             "extern int twice(int) __attribute__((alias(\"__internal_twice\")));\n"
             "int main(void) { return twice(2); }\n");
  run("cd " + dir + " && " + cc() + " -O0 -g -o a a.c");
  Symbols symbols = symbols_for(dir + "/a");
  CHECK(symbols.function_of(1, address_of(dir + "/a", "twice")).name == "twice");
}

TEST_CASE("static functions of C have their plain name") {
  const std::string dir = fresh_dir();
  write_file(dir + "/a.c", "static int twice(int a) { return 2 * a; }\nint main(void) { return twice(2); }\n");
  run("cd " + dir + " && " + cc() + " -O0 -g -o a a.c");
  Symbols symbols = symbols_for(dir + "/a");
  CHECK(symbols.function_of(1, address_of(dir + "/a", "twice")).name == "twice");
}

TEST_CASE("an address outside of every function is unknown") {
  Symbols symbols = symbols_for(sample_program(cxx() + " -O2 -g"));
  CHECK_FALSE(symbols.function_of(1, 0x7fff00000000).known());
  CHECK(symbols.inline_chain(1, 0x7fff00000000).empty());
  CHECK_FALSE(symbols.function_of(2, 0).known());
  CHECK_FALSE(symbols.line_of(2, 0).known());
  CHECK_FALSE(symbols.variable_at(2, 0).has_value());
}
