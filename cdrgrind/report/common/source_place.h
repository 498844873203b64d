// SPDX-License-Identifier: GPL-2.0-or-later
// The place in the source at which a person should look: of a stack of calls the innermost line that is known and does
// not stand in a header which came with the system. A library with debug information has such lines, too: who wants the
// program's alone leaves out the others' calls before (program_scope.h).
#ifndef CDRGRIND_REPORT_COMMON_SOURCE_PLACE_H
#define CDRGRIND_REPORT_COMMON_SOURCE_PLACE_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cdrgrind/base/module_table.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct SourcePlace {
  std::string_view file;  // of the module if the line is not known
  uint32_t line = 0;
  std::string_view function;

  auto operator<=>(const SourcePlace&) const = default;
};

// Whether a source file came with the system, as its headers do: not where a person looks first.
bool of_the_system(std::string_view file);

// Whether the file is neither a library of the system nor the recorder's.
bool is_persons_own(const Module& m);

// `sites`: innermost first. The first line that is not the system's, or the first code of a person's own without lines
// if no line of a library's comes before it.
SourcePlace source_place_of(std::span<const CodeAddr> sites, const ModuleTable& modules, symbols::Symbols& symbols);

// "queue.c:12", of a module without lines "libfoo.so"; empty if nothing is known.
std::string short_place(const SourcePlace& p);

// The same, or "an unknown place"; control characters made visible.
std::string place_text(const SourcePlace& p);

// As a member of an object.
void put_place(std::string_view name, const SourcePlace& p, JsonWriter& to);

}  // namespace cdr::report

#endif
