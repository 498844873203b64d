// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small programs that the tests of symbols/ compile while they run, in a
// folder of their own below the current (build) folder, removed at the end.
#ifndef CDRGRIND_TESTS_UNIT_SYMBOLS_COMPILED_PROGRAM_H
#define CDRGRIND_TESTS_UNIT_SYMBOLS_COMPILED_PROGRAM_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/symbols/symbols.h"

namespace cdr::symbols::testing {

// The folder of this test run.
const std::string& test_dir();

// A fresh folder below it.
std::string fresh_dir();

// Writes a file and returns its path.
std::string write_file(const std::string& path, std::string_view text);

// Runs a shell command; its output. Fails the test when the command fails.
std::string run(const std::string& command);

bool have_program(const std::string& name);

// The C++ compiler of the build, or g++.
std::string cxx();
std::string cc();

// The program of sample_source() compiled with these flags; compiled once.
const std::string& sample_program(const std::string& compiler_and_flags);

// The source of the sample and where it stands.
std::string sample_path();
// The number of the line that ends with "// MARK".
std::uint32_t sample_line(std::string_view mark);

// A symbol's address, by its name as nm -C prints it.
std::uint64_t address_of(const std::string& program, const std::string& name);

// Every step-th instruction of the code of the sources, without padding.
std::vector<std::uint64_t> instructions(const std::string& program, std::size_t step = 1);

// Symbols with one module, serial 1, as if mapped at `bias`.
Symbols symbols_for(const std::string& program, std::uint64_t bias = 0, SymbolOptions options = {});

}  // namespace cdr::symbols::testing

#endif
