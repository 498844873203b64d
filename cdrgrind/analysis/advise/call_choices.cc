// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/call_choices.h"

#include <optional>
#include <utility>

namespace cdr::advise {

using regions::Choice;

Choice CallChoices::at(uint64_t call) {
  const auto [known, is_new] = known_.try_emplace(call);
  if (!is_new) return known->second;
  prepare();
  std::optional<Choice> all;
  for (auto c = called_.lower_bound({call, {}}); c != called_.end() && c->first == call; ++c) {
    const std::optional<Choice> choice = names_.choice_of(c->second);
    if (all && choice && *all != *choice) return {};
    if (choice) all = choice;
  }
  return known->second = all.value_or(Choice());
}

void CallChoices::prepare() {
  if (std::exchange(prepared_, true)) return;
  for (regions::ContextIndex c = 1; c < contexts_.size(); ++c)
    if (contexts_[c].parent) called_.insert({contexts_[c].site, contexts_[c].function});
}

}  // namespace cdr::advise
