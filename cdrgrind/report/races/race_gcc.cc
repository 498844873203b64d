// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "cdrgrind/report/races/race_report.h"

namespace cdr::report {

namespace {

// Editors want a column, even where none is known.
std::string place_of(const RaceSide& s) {
  return fmt::format("{}:{}:{}", visible(s.file), s.line, std::max<uint32_t>(s.column, 1));
}

std::string_view verb_of(const RaceSide& s) { return s.free ? "freed" : s.write ? "written" : "read"; }

}  // namespace

void write_races_gcc(const RaceReport& report, Output& out) {
  for (const RaceFinding& f : report.findings) {
    if (f.status == races::Verdict::Status::kArtifact) continue;
    out.print("{}: warning: data race on {}: {} by thread {}, and {} by thread {} at {}:{}, {} [cdr-race]\n",
              place_of(f.second), visible(all_variables(f)), verb_of(f.second), f.second.thread, verb_of(f.first),
              f.first.thread, visible(f.first.file), f.first.line, counted(f.instances, "instance"));
    out.print("{}: note: here {} by thread {} in {}\n", place_of(f.first), verb_of(f.first), f.first.thread,
              f.first.function.empty() ? "?" : visible(f.first.function));
  }
}

}  // namespace cdr::report
