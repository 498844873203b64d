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
  LanePen(const sync::SyncChart& chart, bool utf8)
      : threads_(chart.threads), alive_(chart.alive), glyphs_(utf8 ? kUtf8Lanes : kAsciiLanes) {}

  std::string heading() const {
    std::string text;
    for (const ThreadId t : threads_) text += padded_right(std::to_string(t.value), 4);
    return text;
  }
  std::string row(const ChartRow& r) {
    const size_t to = lane_of(r.thread);
    size_t first = to, last = to;
    std::set<size_t> from;
    for (const sync::SyncGot& g : r.got)
      for (const ThreadId t : g.from) from.insert(lane_of(t));
    for (const size_t f : from) {
      first = std::min(first, f);
      last = std::max(last, f);
    }
    std::string text;
    for (size_t i = 0; i < threads_.size(); ++i) text += cell(i, to, from, first, last) + gap(i, to, first, last);
    if (r.what == ChartWhat::kStart) alive_.insert(r.thread);
    if (r.what == ChartWhat::kEnd) alive_.erase(r.thread);
    return text;
  }

 private:
  size_t lane_of(ThreadId t) const {
    return static_cast<size_t>(std::lower_bound(threads_.begin(), threads_.end(), t) - threads_.begin());
  }
  std::string cell(size_t i, size_t to, const std::set<size_t>& from, size_t first, size_t last) const {
    if (i == to) return glyphs_.dot;
    if (from.count(i)) return i == first ? glyphs_.from_left : i == last ? glyphs_.from_right : glyphs_.crossing;
    const bool alive = alive_.count(threads_[i]);
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

  const std::vector<ThreadId>& threads_;
  std::set<ThreadId> alive_;
  const LaneGlyphs& glyphs_;
};

void put_chart(const SyncReport& report, const SyncNames& names, Output& out) {
  const sync::SyncChart& chart = report.chart;
  out.put(section("Message sequence chart", report.style));
  LanePen pen(chart, report.style.utf8);
  out.print("{:>9}  {} thread\n", "#", pen.heading());
  for (const ChartRow& r : chart.rows) {
    const bool numbered = r.what != ChartWhat::kStart && r.what != ChartWhat::kEnd;
    const std::string place = visible(short_place(names.place(r.index)));
    std::string label = visible(label_of(r, names));
    if (!report.style.utf8)
      if (const size_t dots = label.find("…"); dots != std::string::npos) label.replace(dots, 3, "...");
    if (!place.empty()) label = padded_right(label, 40) + "  ";
    out.print("{:>9}  {} {}{}\n", numbered ? std::to_string(r.number) : "", pen.row(r), label,
              painted(place, Paint::kDim, report.style));
  }
  if (chart.rows.empty()) out.put("Nothing.\n");
  if (chart.left_out)
    out.print("{} more rows from event {} on{}\n", with_separators(chart.left_out), with_separators(chart.next),
              report.next.empty() ? "" : ": " + visible(report.next));
  out.put('\n');
}

void put_object(const SyncObject& o, const SyncNames& names, const Style& style, Output& out) {
  out.print("{}\n",
            painted(fmt::format("{}  ({})", visible(names.object(o.key)), name_of(o.key.kind)), Paint::kTitle, style));
  out.print("    {} acquisitions", with_separators(o.acquisitions));
  if (o.shared) out.print(" ({} to read)", with_separators(o.shared));
  if (o.releases)
    out.print(", {} {}", with_separators(o.releases), o.key.kind == sync::SyncKind::kSemaphore ? "posts" : "signals");
  out.print(", {} had to wait", with_separators(o.contended));
  if (o.failed) out.print(", {} failed", with_separators(o.failed));
  out.print("; {} threads\n", o.threads.size());
  if (o.hand_overs)
    out.print("    {} hand-overs between threads: {}\n", with_separators(o.hand_overs), hand_overs_text(o.pairs));
  if (o.longest.end == 0) return;
  const std::string place = visible(short_place(names.place(o.longest.begin)));
  out.print("    longest critical section {} instructions, thread {}{}; {} in all\n", with_separators(o.longest.insns),
            o.longest.thread.value, place.empty() ? "" : ", from " + place, with_separators(o.insns_held));
}

}  // namespace

void write_sync(const SyncReport& report, const SyncNames& names, Output& out) {
  out.put(section("Synchronisation", report.style));
  for (const auto& [name, value] : report.header) out.print("{:<14} {}\n", name + ":", visible(value));
  out.print("{:<14} {}\n{:<14} {}\n\n", "Threads:", report.totals.threads.size(),
            "Events:", with_separators(report.totals.events));
  put_chart(report, names, out);
  out.put(section("Objects", report.style));
  for (const SyncObject& o : report.totals.objects) put_object(o, names, report.style, out);
  if (report.totals.objects.empty()) out.put("None.\n");
}

}  // namespace cdr::report
