// SPDX-License-Identifier: GPL-2.0-or-later
// What the source shows of a loop, and the line for OpenMP that its language takes: C, C++, Fortran.
#ifndef CDRGRIND_REPORT_ADVISE_LOOP_SOURCE_H
#define CDRGRIND_REPORT_ADVISE_LOOP_SOURCE_H

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/changed_places.h"
#include "cdrgrind/report/advise/exposed_names.h"
#include "cdrgrind/report/advise/loops_own.h"
#include "cdrgrind/report/advise/simd_claim.h"
#include "cdrgrind/report/common/fortran_sources.h"
#include "cdrgrind/report/common/plain_sources.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Empty if the source is not there.
struct LoopSource {
  ForHead head;  // no counters: OpenMP takes no such loop
  std::set<std::string, std::less<>> words;
  BodyNames names;  // that it assigns to, and does not declare
  ExposedNames exposed;
  std::vector<ChangedPlace> changed;
  std::string body;            // of C, without comments and literals
  uint32_t function_line = 0;  // where the function around begins; C's; 0: not known
  std::optional<SimdClaim> simd;
  bool has_word(const std::string& word) const { return words.empty() || words.contains(word); }
  // Whether the loop's text may hand the variable's place to something.
  bool hands_on(const std::string& name) const {
    return body.find("[&") != std::string::npos || exposed.anything.contains(name) || exposed.arrays.contains(name);
  }
  // As the source has the variable: without namespaces, modules and functions, unless C has it with some.
  std::string unqualified(const std::string& name) const;
};

// The argument must outlive it. Not thread-safe.
class LoopSources {
 public:
  explicit LoopSources(symbols::Symbols& symbols) : symbols_(symbols), fortran_(symbols), plain_(symbols) {}
  // Of the loop whose code has lines from that of the place on.
  LoopSource of(const SourcePlace& place, uint32_t last_line);
  // The line of the loop's head where its code has none of that line: of a `for' under simd; of a `do', if the source
  // has as many loops around the code's lines as the code has, and no array expressions that may be loops. Else the
  // place's.
  uint32_t head(const SourcePlace& place, uint32_t last_line, uint32_t depth);
  // Whether the line is one of the loop's whose code has lines from that of the place to the last one: of Fortran's, by
  // its text.
  bool is_in_loop(const SourcePlace& place, uint32_t last_line, uint32_t line);
  bool shows_c(std::string_view file);
  // Whether the variable's value is each iteration's own, by the text alone (loops_own.h).
  bool is_loops_own(const SourcePlace& place, const LoopSource& shown, const std::string& name);
  // Other names that the function around gives the variable outside of the loop, whose text has them; C's.
  std::set<std::string> other_names_in(const SourcePlace& place, const LoopSource& shown, const std::string& name,
                                       bool is_array);
  // C's, by its text.
  std::span<const FunctionSpan> functions_of(std::string_view file);
  PlainSources& plain() { return plain_; }
  // C's loop whose condition has the first of these columns in the line.
  std::optional<TextLoop> loop_with_head(std::string_view file, uint32_t line, const std::set<uint32_t>& columns);
  // The innermost one in which both places are.
  std::optional<TextLoop> loop_around(std::string_view file, TextPosition first, TextPosition last);
  // The operator of a variable's reduction, C's, as the loop's source has it; of "", the least or the greatest value,
  // which of them it is, if that says so.
  std::string operator_of(std::string_view sign, const SourcePlace& place, const LoopSource& shown,
                          const std::string& variable);

 private:
  bool has_for(std::string_view file, uint32_t line);
  bool is_in_constant_function(const SourcePlace& place);
  TextPosition end_of(const SourcePlace& place);
  // Of C, without comments and literals, up to a line, and those behind it in which a loop may end.
  std::span<const std::string> lines_to(std::string_view file, uint32_t line);

  symbols::Symbols& symbols_;
  FortranSources fortran_;
  PlainSources plain_;
  std::map<std::string, std::vector<FunctionSpan>, std::less<>> functions_;  // by file
  std::map<std::string, std::vector<bool>, std::less<>> constant_;           // by file: in_constant_functions()
};

// The directive that shares the loop out, in as many lines as the language's form needs: '\n' between them.
std::string parallel_loop_line(std::string_view file, const std::vector<std::string>& clauses);

// Whether compilers of the source's language know OpenMP.
bool has_openmp(std::string_view file);

// "#pragma omp atomic", for people.
std::string directive_text(std::string_view file, std::string_view words);

}  // namespace cdr::report

#endif
