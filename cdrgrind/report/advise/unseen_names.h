// SPDX-License-Identifier: GPL-2.0-or-later
// Variables that a loop's source changes, and of which its code shows nothing: the compiler keeps them elsewhere, and a
// line for OpenMP would have to name them.
#ifndef CDRGRIND_REPORT_ADVISE_UNSEEN_NAMES_H
#define CDRGRIND_REPORT_ADVISE_UNSEEN_NAMES_H

#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/loop_source.h"
#include "cdrgrind/report/advise/store_places.h"
#include "cdrgrind/report/common/loop_place.h"

namespace cdr::report {

// A variable of the function that a loop stands in; the same one may have several places.
struct LoopVariable {
  const symbols::LocalName* local = nullptr;
  std::string_view type;
  bool of_body = false;  // declared within the loop
  bool is_array = false;
  bool is_descriptor = false;  // of Fortran's arrays
  bool has_members = false;
  bool is_number = false;
  bool points() const { return type.find_first_of("*&") != std::string_view::npos; }
  bool is_named(std::string_view name) const { return local->name == name; }
};

struct LoopCode {
  const regions::Loop& loop;
  const LoopPlace& lines;
  const SourcePlace& place;
  const LoopSource& source;
  std::vector<LoopVariable> variables;
  const CodeStores& stores;
};

struct UnseenNames {
  std::vector<std::string> names;  // in the order in which they are found; each once
  bool in_registers = false;       // arrays among them go from iteration to iteration there
};
UnseenNames unseen_names(const LoopCode& code, const AdviceLoop& named, LoopSources& sources);

}  // namespace cdr::report

#endif
