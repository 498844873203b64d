// SPDX-License-Identifier: GPL-2.0-or-later
// The chart has a lane for each thread, time runs downwards, and an arrow comes from whoever gave what is got:
//
//     #  1   2   3
//     7  ●   │   │   mutex-lock m            queue.c:12
//     8  │   ●   │   mutex-lock m: waits, held by 1
//     9  ●   │   │   mutex-unlock m
//    11  ├──▶●   │   mutex-lock m, from 1
#include <algorithm>

#include "cdrgrind/report/common/thread_texts.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

using sync::ChartRow;
using sync::ChartWhat;
using sync::SyncObject;

namespace {

struct LaneGlyphs {
  const char *dot, *alive, *line, *from_left, *from_right, *crossing, *right, *left;
};
constexpr LaneGlyphs kUtf8Lanes = {"●", "│", "─", "├", "┤", "┼", "▶", "◀"};
constexpr LaneGlyphs kAsciiLanes = {"*", "|", "-", "+", "+", "+", ">", "<"};

class LanePen {
 public:
  LanePen(const sync::SyncChart& chart, bool utf8) : strands_(chart.strands), glyphs_(utf8 ? kUtf8Lanes : kAsciiLanes) {
    if (strands_) {
      lanes_ = chart.shown_lanes;
      alive_ = chart.alive_lanes;
      return;
    }
    for (const ThreadId t : chart.threads) lanes_.push_back(t.value);
    for (const ThreadId t : chart.alive) alive_.insert(t.value);
  }

  std::string heading() const {
    std::string text;
    for (const uint32_t lane : lanes_) text += padded_right(std::to_string(lane), 4);
    return text + (strands_ ? " strand" : " thread");
  }
  std::string row(const ChartRow& r) {
    const size_t to = place_of(strands_ ? r.strand.lane : r.thread.value);
    size_t first = to, last = to;
    std::set<size_t> from;
    if (strands_)
      for (const uint32_t lane : r.strand.from.lanes) from.insert(place_of(lane));
    else
      for (const sync::SyncGot& g : r.got)
        for (const ThreadId t : g.from) from.insert(place_of(t.value));
    for (const size_t f : from) {
      first = std::min(first, f);
      last = std::max(last, f);
    }
    std::string text;
    for (size_t i = 0; i < lanes_.size(); ++i) text += cell(i, to, from, first, last) + gap(i, to, first, last);
    pass(r);
    return text;
  }
  // A row that is not drawn.
  void pass(const ChartRow& r) {
    if (strands_ ? r.strand.begins : r.what == ChartWhat::kStart)
      alive_.insert(strands_ ? r.strand.lane : r.thread.value);
    if (strands_ ? r.strand.ends : r.what == ChartWhat::kEnd) alive_.erase(strands_ ? r.strand.lane : r.thread.value);
  }

 private:
  size_t place_of(uint32_t lane) const {
    return static_cast<size_t>(std::lower_bound(lanes_.begin(), lanes_.end(), lane) - lanes_.begin());
  }
  std::string cell(size_t i, size_t to, const std::set<size_t>& from, size_t first, size_t last) const {
    if (i == to) return glyphs_.dot;
    if (from.count(i)) return i == first ? glyphs_.from_left : i == last ? glyphs_.from_right : glyphs_.crossing;
    const bool alive = alive_.count(lanes_[i]);
    if (i > first && i < last) return alive ? glyphs_.crossing : glyphs_.line;
    return alive ? glyphs_.alive : " ";
  }
  // The three columns behind a lane.
  std::string gap(size_t i, size_t to, size_t first, size_t last) const {
    if (i < first || i >= last) return "   ";
    const std::string line = glyphs_.line;
    if (i + 1 == to) return line + line + glyphs_.right;
    if (i == to) return glyphs_.left + line + line;
    return line + line + line;
  }

  bool strands_;  // its lanes are strands, not threads
  std::vector<uint32_t> lanes_;
  std::set<uint32_t> alive_;
  const LaneGlyphs& glyphs_;
};

std::string label_with_place(const ChartRow& r, const SyncNames& names, const Style& style) {
  const std::string place = r.is_at() ? visible(short_place(names.place(r.place()))) : "";
  std::string label = visible(label_of(r, names));
  if (!style.utf8)
    if (const size_t dots = label.find("…"); dots != std::string::npos) label.replace(dots, 3, "...");
  if (!place.empty()) label = padded_right(label, 40) + "  " + painted(place, Paint::kDim, style);
  return label;
}

// What makes two rows the same.
std::vector<std::string> spoken(const SyncReport& report, const SyncNames& names) {
  std::vector<std::string> rows;
  for (const ChartRow& r : report.chart.rows) {
    rows.push_back(fmt::format("{} {} {}", report.chart.strands ? r.strand.lane : r.thread.value,
                               static_cast<int>(r.what), label_with_place(without_numbers(r), names, report.style)));
    // Starts and ends change the lanes.
    if (r.what == ChartWhat::kStart || r.what == ChartWhat::kEnd) rows.back() += fmt::format(" {}", rows.size());
  }
  return rows;
}

void put_rest(const SyncReport& report, uint64_t rows, uint64_t next, Output& out) {
  if (rows == 0) return;
  out.print("{} more rows from event {} on", with_separators(rows), with_separators(next));
  if (report.next) out.print(": {}", visible(report.next(next)));
  out.put('\n');
}

void put_chart(const SyncReport& report, const SyncNames& names, Output& out) {
  const sync::SyncChart& chart = report.chart;
  out.put(section("Message sequence chart", report.style));
  LanePen pen(chart, report.style.utf8);
  put_lane_names(report, names, out);
  out.print("{:>9}  {}\n", "#", pen.heading());
  uint64_t shown = 0, left_out = chart.left_out, next = chart.next;
  for (const RepeatedRows& part : repeated(spoken(report, names))) {
    if (report.most_rows && shown + part.rows > report.most_rows) {
      left_out += chart.rows.size() - part.first;
      next = chart.rows[part.first].number;
      break;
    }
    for (size_t i = part.first; i < part.first + part.rows; ++i, ++shown) {
      const ChartRow& r = chart.rows[i];
      const bool numbered = r.what != ChartWhat::kStart && r.what != ChartWhat::kEnd;
      out.print("{:>9}  {} {}\n", numbered ? std::to_string(r.number) : "", pen.row(r),
                label_with_place(r, names, report.style));
    }
    for (size_t i = part.first + part.rows; i < part.first + part.rows * part.times; ++i) pen.pass(chart.rows[i]);
    if (part.times > 1)
      out.print("{:>9}  {}\n", "",
                painted(fmt::format("{}{} {}", part.rows > 1 ? fmt::format("these {} rows ", part.rows) : "",
                                    report.style.utf8 ? "×" : "x", with_separators(part.times)),
                        Paint::kDim, report.style));
  }
  if (chart.rows.empty()) out.put("Nothing.\n");
  put_rest(report, left_out, next, out);
  out.put('\n');
}

const char* name_of_releases(sync::SyncKind kind) {
  if (kind == sync::SyncKind::kSemaphore) return "posts";
  return kind == sync::SyncKind::kChannel ? "sent" : "signals";
}

void put_group(const SyncGroup& g, const SyncNames& names, const Style& style, Output& out) {
  const SyncObject& o = g.sum;
  std::string title =
      fmt::format("{}  ({}{})", visible(g.name), name_of(o.key.kind), names.is_barrier(o.key) ? " of a barrier" : "");
  if (g.objects > 1) title += fmt::format(", {} objects", with_separators(g.objects));
  out.print("{}\n", painted(title, Paint::kTitle, style));
  out.print("    {}", plural(o.acquisitions, "acquisition"));
  if (o.shared) out.print(" ({} to read)", with_separators(o.shared));
  if (o.releases) out.print(", {} {}", with_separators(o.releases), name_of_releases(o.key.kind));
  out.print(", {} had to wait", with_separators(o.contended));
  if (o.failed) out.print(", {} failed", with_separators(o.failed));
  out.print("; {}\n", plural(o.threads.size(), "thread"));
  if (o.hand_overs)
    out.print("    {} between threads: {}\n", plural(o.hand_overs, "hand-over"), hand_overs_text(o.pairs));
  if (o.longest.end == 0) return;
  const std::string place = visible(short_place(names.place(o.longest.begin)));
  out.print("    longest critical section {} instructions, thread {}{}; {} in all\n", with_separators(o.longest.insns),
            o.longest.thread.value, place.empty() ? "" : ", from " + place, with_separators(o.insns_held));
}

}  // namespace

void write_sync(const SyncReport& report, const SyncNames& names, Output& out) {
  put_head("Synchronisation", report, out);
  out.print("{:<14} {}\n{:<14} {}\n", "Threads:", report.totals.threads.size(),
            "Events:", with_separators(report.totals.events));
  if (const std::string left = left_out_text(report.scope, "object", "objects"); !left.empty())
    out.print("{:<14} {}\n", "Left out:", left);
  put_missing(report.scope.missing, out);
  out.put('\n');
  put_sections(report, names, out);
  put_barriers(report, names, out);
  put_chart(report, names, out);
  put_teams(report, names, out);
  out.put(section("Objects", report.style));
  for (const SyncGroup& g : grouped(report.totals, names)) put_group(g, names, report.style, out);
  if (report.totals.objects.empty()) out.put("None.\n");
}

}  // namespace cdr::report
