// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/sync/sync_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

namespace {

using sync::Section;
using sync::SyncKey;

// Of text.
constexpr size_t kLocksShown = 20, kLinesShown = 10;

class SectionCounter {
 public:
  SectionCounter(const sync::History& history, const sync::Rerun& rerun, const SyncNames& names, bool together)
      : history_(history), rerun_(rerun), names_(names), together_(together) {}

  void add(uint32_t number) {
    const Section& s = history_.sections[number];
    SectionLine& line = lines_[{lock_of(s.lock), names_.place(s.enter)}];
    ++line.times;
    line.shared += s.shared;
    line.contended += s.contended;
    line.insns += s.insns;
    line.longest = std::max(line.longest, s.insns);
    if (rerun_.asked[number] == 0 || s.by_wait != sync::kNone) return;
    ++line.waits;
    line.waited += rerun_.asked[number];
    SectionLine::Behind& b = line.behind[names_.place(history_.sections[rerun_.behind[number]].enter)];
    ++b.times;
    b.insns += rerun_.asked[number];
  }

  std::vector<LockSections> take() {
    for (auto& [whose, line] : lines_) {
      line.at = whose.second;
      locks_[whose.first].lines.push_back(std::move(line));
    }
    for (LockSections& lock : locks_)
      sort_by(lock.lines, [](const SectionLine& l) { return std::tuple(l.waited, l.insns, l.times); });
    sort_by(locks_, [](const LockSections& l) {
      return std::tuple(l.sum(&SectionLine::waited), l.sum(&SectionLine::insns), l.sum(&SectionLine::times));
    });
    return std::move(locks_);
  }

 private:
  template <class T, class Weight>
  static void sort_by(std::vector<T>& all, Weight weight) {
    std::stable_sort(all.begin(), all.end(), [&](const T& a, const T& b) { return weight(a) > weight(b); });
  }
  uint32_t lock_of(const SyncKey& key) {
    const auto [known, is_new] = by_key_.try_emplace(key, 0);
    if (!is_new) return known->second;
    const std::string name = together_ ? names_.pattern(key) : fmt::format("{:x}", key.object);
    const auto [at, first] = by_name_.try_emplace({key.kind, name}, static_cast<uint32_t>(locks_.size()));
    if (first) locks_.push_back({key, 0, {}});
    ++locks_[at->second].objects;
    return known->second = at->second;
  }

  const sync::History& history_;
  const sync::Rerun& rerun_;
  const SyncNames& names_;
  bool together_;
  std::map<SyncKey, uint32_t> by_key_;
  std::map<std::pair<sync::SyncKind, std::string>, uint32_t> by_name_;
  std::vector<LockSections> locks_;
  std::map<std::pair<uint32_t, SourcePlace>, SectionLine> lines_;
};

std::string title_of(const LockSections& lock, const SyncNames& names) {
  const std::string& name = lock.objects > 1 ? names.pattern(lock.lock) : names.object(lock.lock);
  std::string title = fmt::format("{}  ({})", visible(name), name_of(lock.lock.kind));
  if (lock.objects > 1) title += fmt::format(", {} objects", with_separators(lock.objects));
  return title;
}

std::string line_text(const SourcePlace& at) {
  const std::string place = place_text(at);
  return at.file.empty() || at.function.empty() ? place
                                                : fmt::format("{} in {}", place, visible(std::string(at.function)));
}

// Of whoever had the lock for most of it.
std::string behind_text(const SectionLine& line) {
  const auto most = std::max_element(line.behind.begin(), line.behind.end(),
                                     [](const auto& a, const auto& b) { return a.second.insns < b.second.insns; });
  if (most == line.behind.end()) return {};
  return fmt::format(", {}for {}", line.behind.size() > 1 ? "most of it " : "", place_text(most->first));
}

void put_line(const SectionLine& l, bool known, Output& out) {
  out.print("{:>12} {:>10} {:>15} {:>12}", with_separators(l.times), with_separators(l.contended),
            with_separators(l.insns), with_separators(l.longest));
  if (known) out.print(" {:>12} {:>15}", with_separators(l.waits), with_separators(l.waited));
  out.print("  {}{}\n", line_text(l.at), known ? behind_text(l) : "");
}

void put_lock(const LockSections& lock, bool known, const SyncNames& names, const Style& style, Output& out) {
  out.print("{}\n", painted(title_of(lock, names), Paint::kTitle, style));
  for (size_t i = 0; i < std::min(lock.lines.size(), kLinesShown); ++i) put_line(lock.lines[i], known, out);
  if (lock.lines.size() > kLinesShown)
    out.print("{:>12} more lines\n", with_separators(lock.lines.size() - kLinesShown));
}

void put_json_line(const SectionLine& l, JsonWriter& to) {
  to.object();
  put_place("at", l.at, to);
  to.members("times", l.times, "shared", l.shared, "contended", l.contended, "insns_held", l.insns);
  to.members("longest", l.longest, "would_wait", l.waits, "insns_would_wait", l.waited).key("behind").array();
  for (const auto& [at, b] : l.behind) {
    to.object();
    put_place("at", at, to);
    to.members("times", b.times, "insns", b.insns).end();
  }
  to.end().end();
}

}  // namespace

SectionReport sections_by_line(const sync::History& history, const sync::Rerun& rerun, const SyncNames& names,
                               const std::function<bool(const sync::Section&)>& wanted, bool together) {
  SectionCounter counter(history, rerun, names, together);
  for (uint32_t i = 0; i < history.sections.size(); ++i)
    if (wanted(history.sections[i])) counter.add(i);
  return {rerun.ended, rerun.length, counter.take()};
}

void put_sections(const SyncReport& report, const SyncNames& names, Output& out) {
  const SectionReport& sections = report.sections;
  if (sections.locks.empty()) return;
  out.put(section("Critical sections", report.style));
  out.print("{:>12} {:>10} {:>15} {:>12}", "times", "had to", "instructions", "longest");
  out.print("{}\n", sections.known ? fmt::format(" {:>12} {:>15}  line that gets the lock", "would", "instructions")
                                   : "  line that gets the lock");
  out.print("{:>12} {:>10} {:>15} {:>12}", "", "wait", "held", "");
  out.print("{}\n", sections.known ? fmt::format(" {:>12} {:>15}", "wait", "waited") : "");
  for (size_t i = 0; i < std::min(sections.locks.size(), kLocksShown); ++i)
    put_lock(sections.locks[i], sections.known, names, report.style, out);
  if (sections.locks.size() > kLocksShown)
    out.print("{} more locks\n", with_separators(sections.locks.size() - kLocksShown));
  if (sections.known)
    out.put("Would wait: with a processor for each thread, and instructions that all take equally long.\n");
  else
    out.put("How long threads would wait is not known: they ask for locks in different orders.\n");
  out.put('\n');
}

void put_sections_json(const SyncReport& report, const SyncNames& names, JsonWriter& to) {
  to.key("rerun").object().members("ended", report.sections.known, "insns", report.sections.length).end();
  to.key("sections").rows();
  for (const LockSections& lock : report.sections.locks) {
    to.object().members("kind", name_of(lock.lock.kind), "name", names.object(lock.lock), "address", lock.lock.object);
    to.key("lines").array();
    for (const SectionLine& l : lock.lines) put_json_line(l, to);
    to.end().end();
  }
  to.end();
}

}  // namespace cdr::report
