// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/log_index.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cdrgrind/encode/event_fields.h"

namespace cdr::trace {
namespace {

constexpr uint32_t kRowsPerCheckpoint = 16;  // rows

// Whether the terminal has members in the log.
bool in_log(uint32_t terminal) {
  Event e;
  return has_row(terminal) && event_of_terminal(terminal, e) && fields_of(e.kind) != 0;
}

// Per rule: whether it derives a terminal of the log.
std::vector<bool> rules_with_rows(const Grammar& g) {
  std::vector<bool> with(g.rules());
  for (const uint32_t rule : children_first(g))
    for (const Run& r : g.body(rule))
      if (is_rule(r.symbol) ? with[rule_of(r.symbol)] : in_log(r.symbol)) with[rule] = true;
  return with;
}

}  // namespace

bool LogIndex::load(const Columns& log, const PathIndex& paths, const TurnIndex& turns) {
  log_ = &log;
  reader_.begin(log);
  uint64_t room = 0;  // a row takes a byte at least
  for (uint32_t c = 0; c < kLogColumnCount; ++c) room += log[c].size();
  rows_.assign(paths.threads().size(), {});
  with_rows_ = rules_with_rows(paths.grammar());
  for (uint32_t s = 0; s < rows_.size(); ++s)
    if (!collect(paths, s, room)) return false;
  number(turns, paths);
  frame_rows_.assign(rows_.size(), {});
  stack_changes_.assign(rows_.size(), std::nullopt);
  for (size_t s = 0; s < rows_.size(); ++s)
    for (const EventRow& row : rows_[s])
      if ((fields_of(row.kind()) & kFieldSp) || row.kind() == EventKind::kPop) frame_rows_[s].push_back(row);
  return true;
}

// Walks the string and leaves out what has no rows.
bool LogIndex::collect(const PathIndex& paths, uint32_t string, uint64_t& room) {
  const Grammar& g = paths.grammar();
  const std::vector<bool>& with_rows = with_rows_;
  struct Level {
    uint32_t rule, at, copies;
  };
  std::vector<Level> stack = {{string, 0, 0}};
  uint64_t event = 0;
  while (!stack.empty()) {
    Level& l = stack.back();
    const auto body = g.body(l.rule);
    if (l.at == body.size()) {
      if (l.copies == 0) {
        stack.pop_back();
      } else {
        --l.copies;
        l.at = 0;
      }
      continue;
    }
    const Run r = body[l.at++];
    if (is_rule(r.symbol) && with_rows[rule_of(r.symbol)]) {
      stack.push_back({rule_of(r.symbol), 0, r.count - 1});
      continue;
    }
    const uint64_t events = is_rule(r.symbol) ? paths.total(rule_of(r.symbol)).events : paths.weigh(r.symbol).events;
    if (!is_rule(r.symbol) && in_log(r.symbol)) {
      if (r.count > room) return false;
      room -= r.count;
      for (uint32_t i = 0; i < r.count; ++i) rows_[string].push_back({event + i, 0, static_cast<uint8_t>(r.symbol)});
    }
    event += events * r.count;
  }
  return true;
}

// Rows are in true order, over all threads.
void LogIndex::number(const TurnIndex& turns, const PathIndex& paths) {
  std::array<uint32_t, kEventKindCount> next = {};
  std::vector<size_t> at(rows_.size());
  for (const TurnIndex::Segment& s : turns.segments()) {
    const auto string = s.events == 0 ? std::nullopt : paths.string_of(ThreadId(s.thread));
    if (!string) continue;
    for (size_t& i = at[*string]; i < rows_[*string].size(); ++i) {
      EventRow& row = rows_[*string][i];
      if (row.event >= s.thread_begin + s.events) break;
      row.row = next[static_cast<uint8_t>(row.kind())]++;
    }
  }
}

bool LogIndex::mark_up_to(EventKind kind, uint32_t row) {
  auto& checkpoints = kinds_[static_cast<uint8_t>(kind)].checkpoints;
  if (checkpoints.empty()) checkpoints.emplace_back();
  while (checkpoints.size() <= row / kRowsPerCheckpoint) {
    reader_.go_to(kind, checkpoints.back(), *log_);
    for (uint32_t i = 0; i < kRowsPerCheckpoint; ++i) {
      Event e;
      e.kind = kind;
      if (!reader_.next(e, 0)) return false;
    }
    checkpoints.push_back(reader_.checkpoint(kind));
  }
  reader_.go_to(kind, checkpoints[row / kRowsPerCheckpoint], *log_);
  return true;
}

bool LogIndex::read(const EventRow& row, uint64_t last_ip, Event& e) {
  const EventKind kind = row.kind();
  if (!mark_up_to(kind, row.row)) return false;
  for (uint32_t i = 0; i <= row.row % kRowsPerCheckpoint; ++i) {
    e = Event();
    event_of_terminal(row.terminal, e);
    if (!reader_.next(e, last_ip)) return false;
  }
  return true;
}

bool LogIndex::stack_changes(uint32_t string, std::span<const StackChange>& changes) {
  auto& known = stack_changes_[string];
  if (!known) {
    std::vector<StackChange> all;
    std::unordered_map<uint32_t, uint32_t> last;  // by stack
    for (const EventRow& row : frame_rows_[string]) {
      if (row.kind() != EventKind::kStackSwitch && row.kind() != EventKind::kThreadStart) continue;
      Event e;
      if (!read(row, 0, e)) return false;
      const auto [same, first] = last.try_emplace(e.stack.value, 0);
      all.push_back({row.event, e.kind, e.stack, first ? StackChange::kNone : same->second});
      same->second = static_cast<uint32_t>(all.size() - 1);
    }
    known = std::move(all);
  }
  changes = *known;
  return true;
}

}  // namespace cdr::trace
