// SPDX-License-Identifier: GPL-2.0-or-later
// What one part of a loop leaves to another, where a compiler has made several of it (loop_parts.h): other loops, calls
// of memcpy and memset, and code that stands beside the loop, but in the source in its body.
#ifndef CDRGRIND_REPORT_ADVISE_BETWEEN_PARTS_H
#define CDRGRIND_REPORT_ADVISE_BETWEEN_PARTS_H

#include <functional>
#include <map>
#include <vector>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/loop_source.h"
#include "cdrgrind/report/common/loop_place.h"

namespace cdr::report {

using LoopPlaces = std::map<uint32_t, LoopPlace>;  // by number
// Names it for one of the loops.
using NameBetween = std::function<AdviceItem(const regions::Between&, regions::LoopId)>;

// Adds it to what the loops carry. What parts do that have the same code, for other iterations, is left out: that each
// of them shows.
void add_between_parts(std::vector<AdviceLoop>& loops, const advise::Advisor& with, AdviseFacts& facts,
                       symbols::Symbols& symbols, LoopSources& sources, LoopPlaces& places, const NameBetween& name);

}  // namespace cdr::report

#endif
