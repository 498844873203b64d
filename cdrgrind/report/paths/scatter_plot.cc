// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/paths/scatter_plot.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cdr::report {

using paths::CyclePoints;

namespace {

constexpr int kWidth = 640, kHeight = 480, kLeft = 70, kRight = 20, kTop = 40, kBottom = 60;

// Powers of ten from 1 to `decades`.
struct Axis {
  int decades = 1;
  double from = 0, to = 0;  // in the picture

  explicit Axis(uint64_t most) {
    for (uint64_t n = most; n > 10; n = (n + 9) / 10) ++decades;
  }
  double at(double value) const { return from + (to - from) * std::log10(value) / decades; }
};

class Plot {
 public:
  Plot(const CyclePoints& points, const ScatterLabels& labels, Output& out)
      : points_(points), labels_(labels), out_(out), x_(most_executions(points)), y_(most_length(points)) {
    x_.from = kLeft, x_.to = kWidth - kRight;
    y_.from = kHeight - kBottom, y_.to = kTop;
  }

  void write() {
    out_.print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n",
        kWidth, kHeight);
    out_.print("<rect width=\"{}\" height=\"{}\" fill=\"white\"/>\n", kWidth, kHeight);
    titles();
    for (int d = 0; d <= x_.decades; ++d) x_line(d);
    for (int d = 0; d <= y_.decades; ++d) y_line(d);
    dots();
    out_.put("</svg>\n");
  }

 private:
  static uint64_t most_executions(const CyclePoints& points) {
    uint64_t most = 1;
    for (const auto& [point, n] : points) most = std::max(most, point.executions);
    return most;
  }
  static uint64_t most_length(const CyclePoints& points) {
    uint64_t most = 1;
    for (const auto& [point, n] : points) most = std::max<uint64_t>(most, point.length);
    return most;
  }
  void titles() {
    constexpr int kMiddle = (kLeft + kWidth - kRight) / 2;
    out_.print("<text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>\n", kMiddle,
               svg_text(labels_.title));
    out_.print("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", kMiddle, kHeight - 16,
               svg_text(labels_.x));
    out_.print("<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", kHeight / 2,
               svg_text(labels_.y));
  }
  void x_line(int decade) {
    const double x = x_.at(std::pow(10, decade));
    out_.print("<path d=\"M{:.1f} {}V{}\" stroke=\"#ddd\"/>\n", x, kTop, kHeight - kBottom);
    out_.print("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">1e{}</text>\n", x, kHeight - kBottom + 18, decade);
  }
  void y_line(int decade) {
    const double y = y_.at(std::pow(10, decade));
    out_.print("<path d=\"M{} {:.1f}H{}\" stroke=\"#ddd\"/>\n", kLeft, y, kWidth - kRight);
    out_.print("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">1e{}</text>\n", kLeft - 6, y + 4, decade);
  }
  // One for each pixel, so that the document's size is bounded.
  void dots() {
    std::map<std::pair<int, int>, uint64_t> cycles;
    for (const auto& [point, n] : points_)
      cycles[{static_cast<int>(x_.at(static_cast<double>(point.executions))), static_cast<int>(y_.at(point.length))}] +=
          n;
    for (const auto& [at, n] : cycles)
      out_.print(
          "<circle cx=\"{}\" cy=\"{}\" r=\"2.5\" fill=\"#1f4e9c\" fill-opacity=\"{}\"><title>{}</title></circle>\n",
          at.first, at.second,
          n == 1   ? "0.4"
          : n < 10 ? "0.6"
                   : "0.9",
          n);
  }

  const CyclePoints& points_;
  const ScatterLabels& labels_;
  Output& out_;
  Axis x_, y_;
};

}  // namespace

void write_scatter_plot(const CyclePoints& points, const ScatterLabels& labels, Output& out) {
  Plot(points, labels, out).write();
}

}  // namespace cdr::report
