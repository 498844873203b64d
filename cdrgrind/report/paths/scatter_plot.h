// SPDX-License-Identifier: GPL-2.0-or-later
// Points over two logarithmic axes as an SVG document: Gorton's figures 2 and 3 (2008), length of paths and strata
// against how often they were executed. Many points at one place are one darker point.
#ifndef CDRGRIND_REPORT_PATHS_SCATTER_PLOT_H
#define CDRGRIND_REPORT_PATHS_SCATTER_PLOT_H

#include <string>

#include "cdrgrind/analysis/paths/strata.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

struct ScatterLabels {
  std::string title, x, y;
};

// x: executions, y: length.
void write_scatter_plot(const paths::CyclePoints& points, const ScatterLabels& labels, Output& out);

}  // namespace cdr::report

#endif
