// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/path_index.h"

#include "cdrgrind/format/frame.h"
#include "cdrgrind/trace/index/predicted_paths.h"

namespace cdr::trace {

bool PathCounts::add(const ThreadCounts& c, uint64_t count) {
  if (c.events != 0 && count > kMaxEpochEvents / c.events) return false;
  events += c.events * count;
  blocks += c.blocks * count;
  insns += c.insns * count;
  syncs += c.syncs * count;
  return events <= kMaxEpochEvents;
}

const char* PathIndex::load(const Columns& control, const TurnIndex& turns, const StretchIndex& stretches,
                            uint32_t stretch_limit, uint32_t max_serial) {
  constexpr const char* kDamaged = "its control paths are damaged";
  stretches_ = &stretches;
  if (!read_path_threads(control, max_serial, threads_) || !read(control, turns, stretch_limit)) return kDamaged;
  return sums_.build(grammar_, [&](uint32_t t) { return PathCounts{weigh(t)}; }) ? nullptr : kDamaged;
}

bool PathIndex::read(const Columns& control, const TurnIndex& turns, uint32_t stretch_limit) {
  const auto form = control[kPathForm];
  if (form.size() != 1) return false;
  switch (static_cast<ControlForm>(form[0])) {
    case ControlForm::kRuns:
      return read_runs(control) && knows_stretches(stretch_limit);
    case ControlForm::kGrammar:
      return read_columns(control.part<kGrammarColumns>(kPathGrammar), kFirstStretchTerminal,
                          static_cast<uint32_t>(threads_.size()), kFirstStretchTerminal + stretch_limit, grammar_);
    case ControlForm::kPredicted:
      return read_predicted(control, turns, stretch_limit);
    default:
      return false;
  }
}

bool PathIndex::read_predicted(const Columns& control, const TurnIndex& turns, uint32_t stretch_limit) {
  PredictedPaths paths(*stretches_, threads_);
  if (!paths.read(control, turns, stretch_limit)) return false;
  grammar_ = paths.grammar();
  own_table_ = std::make_unique<StretchTable>(paths.stretches());
  own_stretches_ = std::make_unique<StretchIndex>(*own_table_, stretches_->block_table());
  stretches_ = own_stretches_.get();
  return true;
}

bool PathIndex::read_runs(const Columns& control) {
  ByteReader lengths(control[kPathLengths]), terminals(control[kPathTerminals]), counts(control[kPathCounts]);
  grammar_ = Grammar(static_cast<uint32_t>(threads_.size()));
  for (size_t i = 0; i < threads_.size(); ++i) {
    for (uint64_t runs = lengths.bounded(terminals.left()); runs > 0; --runs) {
      const Run r{static_cast<uint32_t>(terminals.bounded(kRuleBit - 1)), static_cast<uint32_t>(counts.bounded(~0u))};
      if (!terminals.ok() || !counts.ok() || r.count == 0) return false;
      grammar_.add_symbol(r);
    }
    grammar_.end_rule();
  }
  return lengths.ok() && lengths.at_end() && terminals.at_end() && counts.at_end();
}

bool PathIndex::knows_stretches(uint32_t limit) const {
  for (uint32_t rule = 0; rule < grammar_.rules(); ++rule)
    for (const Run& r : grammar_.body(rule))
      if (r.symbol >= kFirstStretchTerminal + limit) return false;
  return true;
}

ThreadCounts PathIndex::weigh(uint32_t terminal) const {
  if (is_stretch(terminal)) return stretches_->counts(stretch_of(terminal));
  ThreadCounts c;
  c.events = terminal != kNameTerminal;
  c.syncs = is_sync(terminal);
  return c;
}

std::optional<uint32_t> PathIndex::string_of(ThreadId thread) const {
  const auto at = std::lower_bound(threads_.begin(), threads_.end(), thread.value);
  if (at == threads_.end() || *at != thread.value) return std::nullopt;
  return static_cast<uint32_t>(at - threads_.begin());
}

uint32_t PathIndex::string_with(uint32_t symbol) const {
  uint32_t low = 0, high = grammar_.strings();
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (first_symbol(grammar_, middle) <= symbol ? low : high) = middle;
  }
  return low;
}

bool PathIndex::find(uint32_t string, Weight w, uint64_t n, PathPosition& to) const {
  PathCounts sum;
  const auto key = [w](const ThreadCounts& c) { return weight_of(c, w); };
  const auto weight = [&](uint32_t t) { return PathCounts{weigh(t)}; };
  if (!sums_.find(grammar_, string, key, weight, n, to.way, sum)) return false;
  to.before = sum;
  to.offset = 0;
  const uint32_t terminal = terminal_at(to);
  if (!is_stretch(terminal)) return true;
  const uint32_t stretch = stretch_of(terminal);
  if (w == Weight::kEvents) {
    to.offset = static_cast<uint32_t>(n);
  } else {
    uint32_t block = 0;
    if (w == Weight::kBlocks) block = static_cast<uint32_t>(n);
    if (w == Weight::kInsns)
      while (block + 1 < stretches_->length(stretch) && stretches_->insns_before(stretch, block + 1) <= n) ++block;
    to.offset = stretches_->events_before(stretch, block);
  }
  count_inside(to);
  return true;
}

void PathIndex::count_inside(PathPosition& p) const {
  const uint32_t terminal = terminal_at(p);
  if (!is_stretch(terminal) || p.offset == 0) return;
  const uint32_t stretch = stretch_of(terminal);
  const StretchEvent e = stretches_->event(stretch, p.offset);
  const uint32_t blocks = e.block + e.follows;
  p.before.events += p.offset;
  p.before.blocks += blocks;
  p.before.insns += blocks < stretches_->length(stretch) ? stretches_->insns_before(stretch, blocks)
                                                         : stretches_->counts(stretch).insns;
}

void PathIndex::count(PathPosition& p) const {
  p.before = sums_.before(grammar_, p.way, [&](uint32_t t) { return PathCounts{weigh(t)}; });
  count_inside(p);
}

}  // namespace cdr::trace
