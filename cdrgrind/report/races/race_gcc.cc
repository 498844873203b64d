// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "cdrgrind/report/races/race_report.h"

namespace cdr::report {

namespace {

// Editors want a column, even where none is known.
std::string gcc_place_of(const RaceSide& s) {
  return fmt::format("{}:{}:{}", visible(s.file), s.line, std::max<uint32_t>(s.column, 1));
}

void put_race(const RaceFinding& f, Output& out) {
  out.print("{}: warning: {} {}: {} by thread {}, and {} by thread {} at {}:{}, {} [{}]\n", gcc_place_of(f.second),
            f.after_return ? "use after return of"
            : f.ordered    ? "use after free of"
                           : "data race on",
            visible(all_variables(f)), done_to(f.second), f.second.thread, done_to(f.first), f.first.thread,
            visible(f.first.file), f.first.line, counted(f.instances, "instance"),
            f.after_return ? "cdr-use-after-return"
            : f.ordered    ? "cdr-use-after-free"
                           : "cdr-race");
  out.print("{}: note: here {} by thread {} in {}\n", gcc_place_of(f.first), done_to(f.first), f.first.thread,
            f.first.function.empty() ? "?" : visible(f.first.function));
}

}  // namespace

void write_races_gcc(const RaceReport& report, Output& out) {
  for (const RaceFinding& f : report.findings) {
    if (f.status == races::Verdict::Status::kArtifact || is_behind_head(f)) continue;
    put_race(f, out);
    if (!f.tangle) continue;
    for (const RaceFinding& other : report.findings)
      if (other.tangle == f.tangle && is_behind_head(other))
        out.print("{}: note: one tangle with a race on {}, with {}:{}\n", gcc_place_of(other.second),
                  visible(all_variables(other)), visible(other.first.file), other.first.line);
  }
}

}  // namespace cdr::report
