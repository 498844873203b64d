// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/visits.h"

#include "cdrgrind/depend/activation_tree.h"

namespace cdr::depend {
namespace {

bool at_or_under_hidden(const ActivationTree& tree, NodeIndex n) {
  return (tree[n].flags & (kNodeHidden | kNodeUnderHidden)) != 0;
}

}  // namespace

VisitIndex Visits::add(NodeIndex parent, CodeIndex site, VisitIndex outer, uint32_t thread, bool twice) {
  Visit v;
  v.parent = parent;
  v.site = site;
  v.outer = outer;
  v.thread = thread;
  v.depth = visits_[outer].depth + 1;
  v.twice = twice || visits_[outer].twice;
  visits_.push_back(v);
  return static_cast<VisitIndex>(visits_.size() - 1);
}

void Visits::hold(VisitIndex v, ActivationTree& tree) {
  Visit& visit = visits_[v];
  if (v == 0 || visit.holds++ != 0) return;
  hold(visit.outer, tree);  // not deep: a thread makes visits only within those that it holds
  if (visit.parent) tree.pin(visit.parent);
  visit.under_hidden = visit.hidden || visits_[visit.outer].under_hidden || at_or_under_hidden(tree, visit.parent);
}

void Visits::release(VisitIndex v, ActivationTree& tree) {
  for (; v != 0 && --visits_[v].holds == 0; v = visits_[v].outer)
    if (visits_[v].parent) tree.unpin(visits_[v].parent);
}

void Visits::spread_hidden(const ActivationTree& tree) {
  for (Visit& v : visits_)
    if (v.holds != 0) v.under_hidden = v.hidden || visits_[v.outer].under_hidden || at_or_under_hidden(tree, v.parent);
}

VisitIndex Visits::moved(VisitIndex v, const Visits& from, ActivationTree& tree, std::span<const NodeIndex> nodes) {
  struct Step {
    VisitIndex visit;
    Way parent;
  };
  std::vector<Step> steps;  // outwards, to one that has been moved
  for (VisitIndex at = v; at != 0 && moved_[at] == 0; at = steps.back().parent.visit) {
    Way parent{from[at].parent, from[at].outer};
    tree.settle(parent);
    steps.push_back({at, parent});
  }
  for (size_t i = steps.size(); i-- > 0;) {
    const Way& parent = steps[i].parent;
    Visit copy = from[steps[i].visit];
    copy.parent = nodes[parent.node];
    if (!parent.begins) copy.site = parent.site;
    copy.hidden = copy.hidden || parent.hidden;
    copy.outer = moved_[parent.visit];
    copy.depth = visits_[copy.outer].depth + 1;
    moved_[steps[i].visit] = add_once(copy);
  }
  return moved_[v];
}

VisitIndex Visits::add_once(const Visit& v) {
  const auto [known, added] = equal_.insert({v.parent, v.site, v.outer, v.thread, v.hidden});
  if (!added && v.holds == 0) return *known;
  visits_.push_back(v);
  return *known = static_cast<VisitIndex>(visits_.size() - 1);
}

VisitIndex Visits::as_of_thread(VisitIndex v, uint32_t thread) {
  if (visits_[v].thread == thread) return v;
  Visit copy = visits_[v];
  copy.thread = thread;
  copy.holds = 0;
  return add_once(copy);
}

}  // namespace cdr::depend
