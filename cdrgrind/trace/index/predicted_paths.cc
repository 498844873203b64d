// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/predicted_paths.h"

#include <algorithm>

#include "cdrgrind/format/frame.h"
#include "cdrgrind/trace/index/grammar_sums.h"
#include "cdrgrind/trace/index/predicted_walk.h"

namespace cdr::trace {

PredictedPaths::PredictedPaths(const StretchIndex& stretches, const std::vector<uint32_t>& threads)
    : file_stretches_(stretches),
      threads_(threads),
      open_(threads.size()),
      grammar_(static_cast<uint32_t>(threads.size())) {}

bool PredictedPaths::read(const Columns& control, const TurnIndex& turns, uint32_t limit) {
  return PredictedWalk(file_stretches_, *this).run(control, turns, threads_, limit);
}

uint64_t PredictedPaths::piece(uint32_t thread, const Grammar& pieces, uint32_t string) {
  if (rules_.empty()) take_rules(pieces);
  const KnownRule& known = rules_[string];
  if (known.symbol != 0) emit(thread, known.symbol);
  return known.events;
}

// Sums of more events than an epoch can have are cut off: they are found to be too many.
void PredictedPaths::take_rules(const Grammar& pieces) {
  constexpr uint64_t kTooMany = kMaxEpochEvents + 1;
  rules_.resize(pieces.rules());
  std::vector<Run> body;
  for (const uint32_t rule : children_first(pieces)) {
    body.clear();
    KnownRule& to = rules_[rule];
    for (const Run& r : pieces.body(rule)) {
      uint64_t events = r.symbol != kNameTerminal;
      Run own = r;
      if (is_rule(r.symbol)) {
        own.symbol = rules_[rule_of(r.symbol)].symbol;
        events = rules_[rule_of(r.symbol)].events;
      } else if (is_stretch(r.symbol)) {
        const uint32_t stretch = stretch_of(r.symbol);
        std::vector<BlockId> blocks(file_stretches_.blocks(stretch).begin(), file_stretches_.blocks(stretch).end());
        if (file_stretches_.bare(stretch)) blocks.push_back(BlockId());
        own.symbol = terminal_of_stretch(own_.number_of(blocks) + 1);
        events = file_stretches_.counts(stretch).events;
      }
      to.events = events > kTooMany / r.count ? kTooMany : std::min(to.events + events * r.count, kTooMany);
      body.push_back(own);
    }
    if (!body.empty()) to.symbol = grammar_.add_rule(body);
  }
}

void PredictedPaths::event(uint32_t thread, const PredictedStep& step) {
  end_stretch(thread);
  if (step.naming != 0) emit(thread, kNameTerminal);
  emit(thread, step.symbol);
}

void PredictedPaths::block(uint32_t thread, const PredictedStep& step) {
  OpenStretch& open = open_[thread];
  const BlockId id = block_of(step.symbol);
  if (open.size > 0 &&
      (cuts_between(open.last().value, id.value, 0) || open.size == kLongestStretch || step.naming == kNameTerminal))
    end_stretch(thread);
  // In a stretch it can be seen that a block gives its frame another name.
  if (step.naming != 0 && open.size == 0) emit(thread, kNameTerminal);
  open.add(id);
  if (step.bare) end_stretch(thread, true);
}

void PredictedPaths::end_stretch(uint32_t thread, bool bare) {
  OpenStretch& open = open_[thread];
  if (open.size == 0) return;
  if (bare) open.add(BlockId());
  emit(thread, terminal_of_stretch(own_.number_of(std::span(open.blocks).first(open.size)) + 1));
  open.size = 0;
}

Grammar PredictedPaths::grammar() {
  for (uint32_t thread = 0; thread < open_.size(); ++thread) end_stretch(thread);
  return grammar_.finish();
}

StretchTable PredictedPaths::stretches() const {
  StretchTable table;
  for (uint32_t i = 0; i < own_.size(); ++i) {
    const std::span<const BlockId> blocks = own_[i];
    const bool bare = blocks.back() == BlockId();
    table.add(blocks.first(blocks.size() - bare), bare);
  }
  return table;
}

}  // namespace cdr::trace
