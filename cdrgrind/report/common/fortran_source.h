// SPDX-License-Identifier: GPL-2.0-or-later
// Sources of Fortran as far as reports look at them: statements, loops, and the OpenMP directives before these. Free
// form, and fixed form by the file's name. In fixed form columns behind 72 are a comment; blanks mean nothing
// (`DO10I=1,N').
#ifndef CDRGRIND_REPORT_COMMON_FORTRAN_SOURCE_H
#define CDRGRIND_REPORT_COMMON_FORTRAN_SOURCE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::report {

enum class FortranForm : uint8_t { kFree, kFixed };

// By the ending of the file's name; nothing: the source is of another language.
std::optional<FortranForm> fortran_form(std::string_view file);

struct FortranStatement {
  uint32_t first = 0, last = 0;  // lines, from 1 on
  uint32_t label = 0;            // 0: none
  bool is_directive = false;     // of OpenMP: the text behind `!$omp'
  std::string text;              // in small letters, literals blank
};

// Of a subroutine, function, program or module: it closes what is open there, whatever the source is.
bool ends_program_unit(const FortranStatement& s);

struct FortranLoop {
  uint32_t first = 0, head = 0, last = 0;  // lines: of `do', where that statement ends, where the loop does
  std::string counter;                     // empty: `do while' and the like
  uint32_t pragma = 0;                     // line of the directive right before it; 0: none
  std::string directive;                   // its text
  size_t begin = 0, end = 0;               // statements within it, from to
};

// A subroutine or function.
struct FortranProcedure {
  std::string name;
  size_t begin = 0, end = 0;  // statements within it, from to: its own first one is the one before
};
// Whether the statement is a procedure's first one.
bool begins_procedure(const FortranStatement& s);

struct FortranSource {
  FortranSource(std::string_view text, FortranForm form);

  std::vector<FortranStatement> statements;
  std::vector<FortranLoop> loops;            // by their first lines
  std::vector<FortranProcedure> procedures;  // the same
  // Whose `do' the line has; null: none's.
  const FortranLoop* loop_of(uint32_t line) const;
  // There may be loops in the loop: some that are written as such, some that array expressions are.
  bool may_nest(const FortranLoop& loop) const;

 private:
  void read_procedures();
};

// A single line has a `do' that begins a loop, or is a directive of OpenMP, in either form.
bool is_fortran_loop(std::string_view line);
bool is_fortran_directive(std::string_view line);

}  // namespace cdr::report

#endif
