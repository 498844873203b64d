// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/report_head.h"

namespace cdr::report {

void put_head(std::string_view title, const ReportHead& head, Output& out) {
  out.put(section(title, head.style));
  for (const auto& [name, value] : head.header) out.print("{:<14} {}\n", name + ":", visible(value));
}

}  // namespace cdr::report
