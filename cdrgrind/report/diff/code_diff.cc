// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/diff/code_diff.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cdr::report {
namespace {

using analysis::DependenceRow;
using analysis::LineRef;

SourcePlace place_of(const FunctionKey& key, const ExecutedFunction& f) { return {key.file, f.line, key.name}; }
SourcePlace place_of(LineRef line, const ExecutedLine& l) { return {line.file, line.line, l.function}; }

FunctionKey matched(const FunctionKey& key, const SourceMatch& match) {
  const std::string_view file = match.file_of(key.file);
  return {key.name, file.empty() ? key.file : file};
}

void compare_functions(const ExecutedCode& before, const ExecutedCode& after, const SourceMatch& match,
                       DiffReport& to) {
  std::set<FunctionKey> met;
  for (const auto& [key, f] : before.functions) {
    const FunctionKey other = matched(key, match);
    met.insert(other);
    const auto found = after.functions.find(other);
    if (found == after.functions.end()) {
      to.only_old.push_back({false, place_of(key, f), {}, f.calls, 0});
      continue;
    }
    const bool counted = to.same_build && !f.inlined && !found->second.inlined;
    if (counted && f.calls != found->second.calls)
      to.counts.push_back({false, place_of(key, f), place_of(other, found->second), f.calls, found->second.calls});
  }
  for (const auto& [key, f] : after.functions)
    if (!met.contains(key)) to.only_new.push_back({false, {}, place_of(key, f), 0, f.calls});
}

void compare_lines(const ExecutedCode& before, const ExecutedCode& after, SourceMatch& match, DiffReport& to) {
  std::set<LineRef> met;
  std::set<FunctionKey> old_functions;
  for (const auto& [key, f] : before.functions) old_functions.insert(matched(key, match));
  for (const auto& [line, l] : before.lines) {
    const LineRef other = match.of(line);
    const auto found = other.line == 0 ? after.lines.end() : after.lines.find(other);
    if (found != after.lines.end()) {
      met.insert(other);
      if (l.times != found->second.times)
        to.counts.push_back({true, place_of(line, l), place_of(other, found->second), l.times, found->second.times});
    } else if (after.functions.contains(matched({l.function, l.function_file}, match))) {
      to.only_old.push_back({true, place_of(line, l), {}, l.times, 0});
    }
  }
  for (const auto& [line, l] : after.lines)
    if (!met.contains(line) && old_functions.contains({l.function, l.function_file}))
      to.only_new.push_back({true, {}, place_of(line, l), 0, l.times});
}

// What a row is recognised by: its lines are those of the new run.
using RowKey = std::tuple<depend::Kind, char, std::string_view, LineRef, depend::EndpointCode, LineRef,
                          depend::EndpointCode, uint32_t, uint32_t>;

RowKey key_of(const DependenceRow& r, LineRef source, LineRef target) {
  return {r.kind,
          r.location,
          r.ancestor,
          source,
          r.source.code,
          target,
          r.target.code,
          r.source_thread.value,
          r.target_thread.value};
}

using LoopKey = std::tuple<LineRef, std::string_view, uint32_t>;

std::map<LoopKey, const AdviceLoop*> by_place(const std::vector<AdviceLoop>& loops, SourceMatch* match) {
  std::map<LoopKey, const AdviceLoop*> all;
  for (const AdviceLoop& l : loops) {
    LineRef line = {l.place.file, l.place.line};
    if (match) line = match->of(line);
    uint32_t number = 0;
    while (!all.try_emplace({line, l.place.function, number}, &l).second) ++number;
  }
  return all;
}

// Those with which iterations cannot run at the same time, whatever clauses are written.
bool keeps_apart(advise::Class c) { return c >= advise::Class::kOutput; }

void compare_items(const AdviceLoop& before, const AdviceLoop& after, DiffReport& to) {
  const auto items = [](const AdviceLoop& l) {
    std::set<std::pair<std::string, advise::Class>> all;
    for (const AdviceItem& i : l.items) all.insert({i.name, i.carried_as});
    return all;
  };
  const auto a = items(before), b = items(after);
  for (const auto& [name, carried_as] : a)
    if (!b.contains({name, carried_as}))
      to.carried_went.push_back({before.place, name, name_of(carried_as), keeps_apart(carried_as)});
  for (const auto& [name, carried_as] : b)
    if (!a.contains({name, carried_as}))
      to.carried_came.push_back({after.place, name, name_of(carried_as), keeps_apart(carried_as)});
}

bool was_seen(const AdviceLoop& l) { return l.verdict != advise::Verdict::kUnseen; }

}  // namespace

std::set<std::string_view> files_of(const ExecutedCode& code) {
  std::set<std::string_view> files;
  for (const auto& [key, f] : code.functions)
    if (!key.file.empty()) files.insert(key.file);
  for (const auto& [line, l] : code.lines) files.insert(line.file);
  return files;
}

void compare_code(const ExecutedCode& before, const ExecutedCode& after, SourceMatch& match, DiffReport& to) {
  compare_functions(before, after, match, to);
  if (to.same_build) compare_lines(before, after, match, to);
  // What changed most stands first.
  const auto change = [](const ExecutedDifference& d) {
    return d.old_times > d.new_times ? d.old_times - d.new_times : d.new_times - d.old_times;
  };
  std::stable_sort(to.counts.begin(), to.counts.end(),
                   [&](const ExecutedDifference& a, const ExecutedDifference& b) { return change(a) > change(b); });
}

void compare_dependences(const std::vector<DependenceDifference>& before,
                         const std::vector<DependenceDifference>& after, SourceMatch& match, DiffReport& to) {
  std::set<RowKey> old_keys, new_keys;
  for (const DependenceDifference& r : after) new_keys.insert(key_of(r, r.source.at, r.target.at));
  for (const DependenceDifference& r : before) {
    const RowKey key = key_of(r, match.of(r.source.at), match.of(r.target.at));
    old_keys.insert(key);
    if (!new_keys.contains(key)) to.went.push_back(r);
  }
  for (const DependenceDifference& r : after)
    if (!old_keys.contains(key_of(r, r.source.at, r.target.at))) to.came.push_back(r);
}

void compare_advice(const std::vector<AdviceLoop>& before, const std::vector<AdviceLoop>& after, SourceMatch& match,
                    DiffReport& to) {
  const auto old_loops = by_place(before, &match), new_loops = by_place(after, nullptr);
  for (const auto& [key, a] : old_loops) {
    const auto found = new_loops.find(key);
    if (found == new_loops.end() || !was_seen(*a) || !was_seen(*found->second)) continue;
    const AdviceLoop& b = *found->second;
    compare_items(*a, b, to);
    if (a->verdict != b.verdict)
      to.verdicts.push_back({a->place, b.place, name_of(a->verdict), name_of(b.verdict), b.verdict > a->verdict});
  }
}

}  // namespace cdr::report
