// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a statement of C, C++, Rust or Go names an atomic operation: text alone, for no compiler tells it.
// docs/races.md has the words.
#ifndef CDRGRIND_REPORT_RACES_ATOMIC_WORDS_H
#define CDRGRIND_REPORT_RACES_ATOMIC_WORDS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::report {

// The lines of a source text without its comments and what stands in quotation marks, but for names of headers.
std::vector<std::string> code_lines(std::string_view text);

// What the statement is that a line (from 1) is part of: with the lines that it goes on to, and those that go on to it.
std::string statement_around(const std::vector<std::string>& lines, size_t line);

using MacroNames = std::set<std::string, std::less<>>;

// The directive under which the statement stands that a line (from 1) is part of, `#pragma omp atomic write'; empty:
// none.
std::string atomic_pragma_of(const std::vector<std::string>& lines, size_t line);

// Which instructions are asked about. An atomic load, or store, may be one as any other; all else that is atomic has
// instructions of its own.
enum class AtomicPart : uint8_t { kAny, kLoad, kStore };
// `macros`: of that part. A statement that assigns, too, names no store: which one is meant is not known.
bool names_atomic_operation(std::string_view statement, const MacroNames& macros, AtomicPart part = AtomicPart::kAny);

// Macros by name, with what they stand for.
using Macros = std::map<std::string, std::string, std::less<>>;
void add_macros(const std::vector<std::string>& lines, Macros& to);
// Those that stand for an atomic operation, by way of others, too.
MacroNames atomic_macros(const Macros& all, AtomicPart part = AtomicPart::kAny);

// What the text includes in quotation marks.
std::vector<std::string> included_headers(const std::vector<std::string>& lines);

}  // namespace cdr::report

#endif
