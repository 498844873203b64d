// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/team_texts.h"

#include <fmt/format.h>

namespace cdr::report {

namespace {

template <size_t kCount>
std::string_view of(const std::string_view (&names)[kCount], auto value) {
  return names[std::min(static_cast<size_t>(value), kCount - 1)];
}

}  // namespace

std::string_view name_of(WorkKind k) {
  constexpr std::string_view kNames[] = {"none", "loop", "sections", "single", "single"};
  return of(kNames, k);
}

std::string_view name_of(WorkSchedule s) {
  constexpr std::string_view kNames[] = {"none", "static", "dynamic", "guided", "runtime"};
  return of(kNames, s);
}

std::string_view name_of(ExclusiveKind k) {
  constexpr std::string_view kNames[] = {"critical", "critical", "atomic", "lock", "nest lock", "ordered"};
  return of(kNames, k);
}

std::string schedule_text(const Work& work) {
  const std::string chunk = work.chunk ? fmt::format(", {}", work.chunk) : "";
  return fmt::format("{}{}{}", name_of(work.schedule), chunk, work.ordered ? ", ordered" : "");
}

}  // namespace cdr::report
