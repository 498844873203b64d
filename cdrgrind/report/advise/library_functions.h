// SPDX-License-Identifier: GPL-2.0-or-later
// What functions of the C library keep from one call to the next, and what several threads would use instead: a table
// by their names. What is not in it keeps nothing, or nothing that is known.
#ifndef CDRGRIND_REPORT_ADVISE_LIBRARY_FUNCTIONS_H
#define CDRGRIND_REPORT_ADVISE_LIBRARY_FUNCTIONS_H

#include <string_view>

#include "cdrgrind/analysis/regions/library_names.h"

namespace cdr::report {

struct LibraryFunction {
  std::string_view name;
  regions::LibraryState state = regions::LibraryState::kUnknown;
  std::string_view advice;  // for several threads; empty: as it is
};

// By the name of the code that is executed: "_IO_puts", "__printf_chk", "__GI___strtok_r". The name it has is the one
// that programs call.
LibraryFunction library_function(std::string_view linkage_name);
// Whether a function of the module (its file's name) that is not in the table keeps nothing but errno, of which each
// thread has its own: libm's.
bool sets_errno_alone(std::string_view module, std::string_view linkage_name);
// Whether it ends the program, or throws.
bool never_returns(std::string_view linkage_name);
// longjmp and its like.
bool jumps_away(std::string_view linkage_name);

// "__fmaxf"; `std::max` and `std::min` of numbers.
regions::Choice library_choice(std::string_view linkage_name);
// Steps of the iterators of `std::map`, `std::set` and their like (libstdc++); `std::next` and `std::prev` of these and
// of lists'.
regions::Walk library_walk(std::string_view linkage_name);
// `++`, `--`, `+=` and `-=` of the iterators of `std::deque` (libstdc++).
bool library_moves_iterator(std::string_view linkage_name);

}  // namespace cdr::report

#endif
