// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/loop_source.h"

namespace cdr::report {

std::string openmp_line(const AdviceLoop& loop) {
  if (loop.verdict != advise::Verdict::kParallel || !loop.is_counted_for || !loop.unseen.empty()) return {};
  if (!loop.counter_edit.empty() || !loop.other_copy.empty()) return {};
  if (loop.is_shared() || loop.beside > 0) return {};
  std::vector<std::string> clauses;
  std::set<std::string_view> variables;
  for (const AdviceItem& i : loop.items) {
    if (!i.edit.empty()) return {};
    if (i.clause.empty() || i.variable == loop.counter_name) continue;
    if (!variables.insert(i.variable).second) {
      // Of several members.
      if (!i.shares_clause || std::find(clauses.begin(), clauses.end(), i.clause) == clauses.end()) return {};
      continue;
    }
    clauses.push_back(i.clause);
  }
  for (const std::string& c : loop.own_names)
    if (c != loop.counter_name && variables.insert(c).second) clauses.push_back("private(" + c + ")");
  if (!loop.counter.empty()) clauses.push_back(loop.counter);
  return parallel_loop_line(loop.place.file, clauses);
}

void forget_inner_heads(std::vector<AdviceLoop>& loops) {
  std::map<uint32_t, const AdviceLoop*> by_number;
  for (const AdviceLoop& l : loops) by_number[l.number] = &l;
  for (AdviceLoop& l : loops) {
    for (auto around = by_number.find(l.parent); around != by_number.end();
         around = by_number.find(around->second->parent)) {
      const AdviceLoop& outer = *around->second;
      if (outer.head_line != l.place.line || outer.place.file != l.place.file || outer.exceeds_head) continue;
      l.is_counted_for = false;
      l.pragma.clear();
    }
  }
}

}  // namespace cdr::report
