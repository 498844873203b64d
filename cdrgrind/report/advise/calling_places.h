// SPDX-License-Identifier: GPL-2.0-or-later
// Where the program calls for a loop that stands in a source which came with the system, as a template's or a range's:
// its call is what a person can change.
#ifndef CDRGRIND_REPORT_ADVISE_CALLING_PLACES_H
#define CDRGRIND_REPORT_ADVISE_CALLING_PLACES_H

#include <map>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/report/common/loop_place.h"

namespace cdr::report {

struct CallingPlace {
  SourcePlace place;        // the innermost one that is not the system's
  std::string_view callee;  // the function called there, with which the loop is reached
  bool operator==(const CallingPlace&) const = default;
};

// The arguments must outlive it.
class CallingPlaces {
 public:
  CallingPlaces(const regions::Contexts& contexts, const ModuleTable& modules, symbols::Symbols& symbols)
      : contexts_(contexts), modules_(modules), symbols_(symbols) {}
  // In the order in which the run came to them, each once, in code of a person's own. None if the loop's source is not
  // the system's, or where no caller's is known.
  std::vector<CallingPlace> of(const regions::Loop& loop, const LoopPlace& lines);

 private:
  void index();

  const regions::Contexts& contexts_;
  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  std::map<CodeAddr, std::vector<regions::ContextIndex>> by_function_;  // made when it is needed
};

}  // namespace cdr::report

#endif
