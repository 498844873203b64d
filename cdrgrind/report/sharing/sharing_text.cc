// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>

#include "cdrgrind/report/sharing/sharing_report.h"

#include "cdrgrind/report/common/thread_texts.h"

namespace cdr::report {

using sharing::SharedLine;
using sharing::SharedVariable;

namespace {

std::string ratio_text(uint64_t a, uint64_t b) {
  return b == 0 ? "0" : fmt::format("{:.1f}", static_cast<double>(a) / static_cast<double>(b));
}

void put_rest(uint64_t left, const char* what, Output& out) {
  if (left) out.print("{} more {} (-n, --format=json)\n", with_separators(left), what);
  out.put('\n');
}

// Of pairs of threads, in a line.
constexpr size_t kMostPairs = 4;
std::vector<std::pair<uint64_t, std::pair<ThreadId, ThreadId>>> most_frequent(const ThreadPairs& pairs) {
  std::vector<std::pair<uint64_t, std::pair<ThreadId, ThreadId>>> sorted;
  for (const auto& [pair, count] : pairs) sorted.emplace_back(count, pair);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return sorted;
}

// Of pairs of strands, those whose names are the same together: "up to 1,120 times by a chunk in thread 0 of team 1 and
// another (28 pairs)".
std::string may_of_strands(const ThreadPairs& pairs, const SharingReport& report) {
  struct Sum {
    uint64_t times = 0, pairs = 0;
    std::string text;
  };
  std::map<std::pair<std::string, std::string>, Sum> by_name;
  for (const auto& [pair, count] : pairs) {
    const std::string first = who_text(pair.first, report), second = who_text(pair.second, report);
    Sum& sum = by_name[std::minmax(first, second)];
    sum.times += count;
    ++sum.pairs;
  }
  std::vector<Sum> sorted;
  for (auto& [names, sum] : by_name) {
    sum.text = names.first + " and " + (names.first == names.second ? "another" : names.second);
    sorted.push_back(std::move(sum));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Sum& a, const Sum& b) { return a.times > b.times; });
  std::string text;
  uint64_t left = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i >= kMostPairs) {
      left += sorted[i].pairs;
      continue;
    }
    text += fmt::format("{}up to {} by {}", i ? ", " : "", plural(sorted[i].times, "time"), sorted[i].text);
    if (sorted[i].pairs > 1) text += fmt::format(" ({} pairs)", with_separators(sorted[i].pairs));
  }
  if (left) text += fmt::format(", and {} more pairs", with_separators(left));
  return visible(text);
}

// "up to 50 times by threads 2 and 3, up to 7 times by threads 2 and 4", the most frequent first.
std::string may_text(const ThreadPairs& pairs, const SharingReport& report) {
  const auto is_strand = [&](ThreadId id) { return report.strands.contains(id); };
  if (std::any_of(pairs.begin(), pairs.end(),
                  [&](const auto& p) { return is_strand(p.first.first) || is_strand(p.first.second); }))
    return may_of_strands(pairs, report);
  const auto sorted = most_frequent(pairs);
  std::string text;
  for (size_t i = 0; i < sorted.size() && i < kMostPairs; ++i)
    text += fmt::format("{}up to {} by threads {} and {}", i ? ", " : "", plural(sorted[i].first, "time"),
                        sorted[i].second.first.value, sorted[i].second.second.value);
  if (sorted.size() > kMostPairs) text += fmt::format(", and {} more pairs", sorted.size() - kMostPairs);
  return text.empty() ? "no: what orders the threads keeps them apart" : text;
}

std::string some_hand_overs(const ThreadPairs& pairs) {
  if (pairs.size() <= kMostPairs) return hand_overs_text(pairs);
  ThreadPairs some;
  const auto sorted = most_frequent(pairs);
  for (size_t i = 0; i < kMostPairs; ++i) some[sorted[i].second] = sorted[i].first;
  return fmt::format("{}, and {} more pairs", hand_overs_text(some), pairs.size() - kMostPairs);
}

void put_true_sharing(const TrueSharing& t, const SharingReport& report, Output& out) {
  const std::vector<std::string>& names = report.variables;
  const SharedVariable& v = t.sum;
  std::vector<ThreadId> readers, writers;
  SharedVariable::Counts sum;
  for (const auto& [thread, counts] : v.threads) {
    if (counts.loads) readers.push_back(thread);
    if (counts.stores) writers.push_back(thread);
    sum.loads += counts.loads;
    sum.stores += counts.stores;
  }
  const std::string& name = t.variables.size() == 1 ? names[t.variables.front()] : t.object;
  out.print("{}\n", painted(fmt::format("{}  ({})", visible(name), t.kind), Paint::kTitle, report.style));
  if (v.may) out.print("    may happen: {}\n", may_text(v.may_pairs, report));
  constexpr size_t kMostParts = 4;
  for (size_t i = 0; t.variables.size() > 1 && i < t.variables.size() && i < kMostParts; ++i)
    out.print("    part: {}\n", visible(names[t.variables[i]]));
  if (t.variables.size() > kMostParts) out.print("    and {} more parts\n", t.variables.size() - kMostParts);
  out.print("    {} by threads {}; {} by {}\n", plural(sum.loads, "load"),
            readers.empty() ? "none" : threads_text(readers), plural(sum.stores, "store"),
            writers.empty() ? "none" : threads_text(writers));
  if (v.hand_overs) out.print("    {}: {}\n", plural(v.hand_overs, "hand-over"), some_hand_overs(v.pairs));
  if (sum.stores == 0) return;
  out.print("    {} of {} stores; of {} {} {} read in between: {}\n", plural(v.write_runs, "write run"),
            ratio_text(sum.stores, v.write_runs), plural(v.repeats, "repeated store"), with_separators(v.read_between),
            v.read_between == 1 ? "was" : "were", protocol_of(v));
}

// "1, 2", or names of strands.
std::string all_text(const std::vector<ThreadId>& ids, const SharingReport& report) {
  constexpr size_t kMost = 3;
  if (std::none_of(ids.begin(), ids.end(), [&](ThreadId t) { return report.strands.contains(t); }))
    return threads_text(ids);
  std::string text;
  for (size_t i = 0; i < ids.size() && i < kMost; ++i) text += (i ? ", " : "") + who_text(ids[i], report);
  if (ids.size() > kMost) text += fmt::format(" and {} more", ids.size() - kMost);
  return visible(text);
}

void put_parts(const std::vector<sharing::LinePart>& parts, const std::vector<NamedPart>& names,
               const SharingReport& report, Output& out) {
  size_t width = 0;
  for (const NamedPart& p : names) width = std::max(width, std::min<size_t>(columns_of(visible(p.name)), 40));
  constexpr size_t kMostOfStrands = 16;
  const size_t shown = report.strands.empty() ? parts.size() : std::min(parts.size(), kMostOfStrands);
  for (size_t i = 0; i < shown; ++i) {
    const sharing::LinePart& p = parts[i];
    out.print("    bytes {:>3} to {:>3}  {}  ", p.begin, p.end - 1, padded_right(visible(names[i].name), width));
    if (!p.writers.empty()) out.print("stored by {}{}", all_text(p.writers, report), p.readers.empty() ? "" : ", ");
    if (!p.readers.empty()) out.print("loaded by {}", all_text(p.readers, report));
    out.put('\n');
  }
  if (shown < parts.size()) out.print("    … {} more parts\n", parts.size() - shown);
}

std::string objects_text(const std::set<std::string>& objects) {
  std::string text;
  for (const std::string& o : objects) text += (text.empty() ? "" : ", ") + o;
  return text;
}

void put_false_sharing(const FalseSharing& f, const SharingReport& report, Output& out) {
  std::string title = visible(objects_text(f.objects));
  if (!f.kind.empty()) title += fmt::format("  ({})", f.kind);
  if (f.lines.size() > 1) title += fmt::format(", {} lines", with_separators(f.lines.size()));
  out.print("{}\n", painted(title, Paint::kTitle, report.style));
  out.print("    may happen: {}\n", may_text(f.may_pairs, report));
  out.print("    happened: {} misses, {} of them for nothing; messages: {} to invalidate, {} to update\n",
            with_separators(f.misses), with_separators(f.false_misses), with_separators(f.invalidating),
            with_separators(f.updating));
  const size_t line = f.lines.front();
  put_parts(false_parts(report.memory.lines[line]), report.false_names[line], report, out);
  if (!f.fix.empty()) out.print("    fix: {}\n", visible(f.fix));
}

// Those of several functions at a line together, most bytes first.
std::vector<std::pair<uint64_t, std::string>> passed_by_line(const SharingReport& report) {
  std::vector<std::pair<uint64_t, std::string>> all;
  std::map<std::string, size_t> known;
  for (const PassedLines& p : report.passed) {
    std::string text = visible(short_place(p.from)) + " -> " + visible(short_place(p.to));
    const auto [at, is_new] = known.try_emplace(text, all.size());
    if (is_new) all.emplace_back(0, std::move(text));
    all[at->second].first += p.bytes;
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return all;
}

void put_passed(const SharingReport& report, Output& out) {
  out.put(section("From line to line", report.style));
  const auto passed = passed_by_line(report);
  const size_t shown = std::min<size_t>(passed.size(), report.most);
  for (size_t i = 0; i < shown; ++i)
    out.print("{:>14} bytes  {}\n", with_separators(passed[i].first), passed[i].second);
  if (passed.empty()) out.put("Nothing is passed on.\n");
  put_rest(passed.size() - shown, "pairs of lines", out);
}

void put_header(const SharingReport& report, Output& out) {
  const sharing::SharedMemory& m = report.memory;
  put_head("Sharing", report, out);
  const auto row = [&](std::string_view name, const std::string& value) {
    out.print("{:<14} {}\n", std::string(name) + ":", visible(value));
  };
  row("Lines", fmt::format("of {} bytes: {} touched, {} shared, {} only read by several threads", report.line_size,
                           with_separators(m.counts.touched), with_separators(m.counts.shared),
                           with_separators(m.counts.read_only)));
  row("May happen", fmt::format("false sharing {}, true sharing {} times at most", with_separators(m.may_false),
                                with_separators(m.may_true)));
  row("Misses", fmt::format("{}, {} of them for nothing", with_separators(m.misses), with_separators(m.false_misses)));
  row("Messages", fmt::format("{} to invalidate copies, {} to update them", with_separators(m.invalidating),
                              with_separators(m.updating)));
  if (m.runtime)
    row("Runtime",
        with_separators(m.runtime) + " accesses of the C and C++ libraries to their own data, left out (--all)");
  if (const std::string left = left_out_text(report.scope, "variable", "variables"); !left.empty())
    row("Left out", left);
  if (m.strand_accesses)
    row("Not compared", fmt::format("{} accesses of strands, in lines where more than {} may run at the same time",
                                    with_separators(m.strand_accesses), sharing::SharedMemory::kMostStrands));
  for (const std::string& what : report.scope.missing) row("Incomplete", what);
  if (m.gaps) row("Gaps", with_separators(m.gaps) + ", in which nothing was recorded");
  out.put('\n');
}

void put_all_false_sharing(const SharingReport& report, Output& out) {
  out.put(section("False sharing", report.style));
  const size_t shown = std::min<size_t>(report.false_sharing.size(), report.most);
  for (size_t i = 0; i < shown; ++i) put_false_sharing(report.false_sharing[i], report, out);
  if (report.false_sharing.empty()) out.put("None.\n");
  put_rest(report.false_sharing.size() - shown, "objects", out);
}

}  // namespace

// What there is stands before what there is not: of false sharing the head has said that there is none.
void write_sharing(const SharingReport& report, Output& out) {
  put_header(report, out);
  const bool any_false = !report.false_sharing.empty();
  if (any_false) put_all_false_sharing(report, out);
  const auto ordered = std::find_if(report.true_sharing.begin(), report.true_sharing.end(),
                                    [](const TrueSharing& t) { return t.sum.may == 0; });
  const auto put_all = [&](auto first, auto last) {
    const auto all = static_cast<size_t>(last - first);
    const size_t shown = std::min<size_t>(all, report.most);
    for (size_t i = 0; i < shown; ++i, ++first) put_true_sharing(*first, report, out);
    if (all == 0) out.put("None.\n");
    put_rest(all - shown, "variables", out);
  };
  out.put(section("True sharing", report.style));
  put_all(report.true_sharing.begin(), ordered);
  if (!any_false) put_all_false_sharing(report, out);
  out.put(section("Handed over in order", report.style));
  put_all(ordered, report.true_sharing.end());
  put_passed(report, out);
}

}  // namespace cdr::report
