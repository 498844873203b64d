// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/strand_names.h"

#include <fmt/format.h>

#include <string_view>

#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

namespace {

std::string created_at(CodeAddr created, const ModuleTable& modules, symbols::Symbols& symbols) {
  if (created == CodeAddr()) return {};
  const CodeAddr site[] = {created};
  const std::string place = short_place(source_place_of(site, modules, symbols));
  return place.empty() ? "" : " created at " + place;
}

std::string_view part_name(const strands::Strand& s) {
  switch (s.work) {
    case WorkKind::kLoop:
      return s.only_chunk != 0 ? "the only chunk" : "a chunk";
    case WorkKind::kSections:
      return "a section";
    case WorkKind::kSingle:
    case WorkKind::kCopySingle:
      return "a single";
    case WorkKind::kNone:
      break;
  }
  return "a part of worksharing";
}

}  // namespace

std::string strand_name(const strands::Strand& s, CodeAddr created, const ModuleTable& modules,
                        symbols::Symbols& symbols) {
  switch (s.kind) {
    case strands::StrandKind::kThread:
      return {};
    case strands::StrandKind::kTask:
      return fmt::format("task {}{}{}", s.task, s.team ? fmt::format(" of team {}", s.team) : "",
                         created_at(created, modules, symbols));
    case strands::StrandKind::kPart:
      return fmt::format("{} in thread {} of team {}", part_name(s), s.member, s.team);
    case strands::StrandKind::kIteration:
      return fmt::format(
          "iteration {} of {}{}", s.iteration, s.of_part ? fmt::format("{} in ", part_name(s)) : "",
          s.task ? fmt::format("task {}", s.task) : fmt::format("thread {} of team {}", s.member, s.team));
    case strands::StrandKind::kImplicit:
      break;
  }
  return fmt::format("thread {} of team {}", s.member, s.team);
}

}  // namespace cdr::report
