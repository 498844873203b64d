// SPDX-License-Identifier: GPL-2.0-or-later
// Where the `for' of a loop that is shared out stands: behind its pragma. Compilers give the loop's own instructions
// lines of the pragma, of its body, of what is inlined there.
#ifndef CDRGRIND_REPORT_ADVISE_SHARED_PLACE_H
#define CDRGRIND_REPORT_ADVISE_SHARED_PLACE_H

#include <optional>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

struct SharedPlace {
  SourcePlace place;
  uint32_t last_line = 0;
};

// None if the source does not show it.
std::optional<SharedPlace> shared_place(const regions::Loop& loop, symbols::Symbols& symbols);

// The line of the `for' behind a pragma of worksharing that is nearest above, or at, the line; 0: there is none near.
uint32_t shared_head(const symbols::SourceFile& source, uint32_t line);
// The same of a pragma with `simd', under which gcc's code may have no line of the `for'.
uint32_t simd_head(const symbols::SourceFile& source, uint32_t line);
// Whether OpenMP's directive stands there: code that has this line alone is the compiler's, as what adds up copies.
bool is_directive(const symbols::SourceFile& source, uint32_t line);

}  // namespace cdr::report

#endif
