// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/plain_sequitur.h"

namespace cdr::compare {

uint32_t PlainSequitur::open_string() {
  starts_.push_back(new_rule());
  return strings() - 1;
}

void PlainSequitur::append(uint32_t string, uint32_t terminal) {
  add_symbol(starts_[string], terminal, 1);
  settle();
}

// One that overlaps it and is equal may not be in the table yet.
void PlainSequitur::forget_digram(uint32_t n) {
  if (!is_digram(n)) return;
  digrams_.erase(nodes_.data(), n);
  const uint32_t second = nodes_[n].next;
  if (!same(n, second)) return;
  if (same(nodes_[n].prev, n)) check_later(nodes_[n].prev);
  if (same(nodes_[second].next, n)) check_later(second);
}

size_t PlainSequitur::terminals() const {
  size_t n = 0;
  for (size_t i = 1; i < nodes_.size(); ++i) n += !is_rule(nodes_[i].symbol);
  return n;
}

}  // namespace cdr::compare
