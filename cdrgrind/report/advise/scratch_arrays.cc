// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/scratch_arrays.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// Whether an index follows wherever the text has the name.
bool has_elements_alone(std::string_view text, std::string_view name) {
  for (size_t at = find_word(text, name); at != text.npos; at = find_word(text, name, at + name.size()))
    if (!trimmed(text.substr(at + name.size())).starts_with('[')) return false;
  return true;
}

bool may_have_macros(const std::set<std::string>& called) {
  return std::any_of(called.begin(), called.end(),
                     [](const std::string& w) { return w != "for" && w != "while" && w != "if" && w != "switch"; });
}

// Whether the loop, or one around it, has read bytes of the frame that were there before it.
bool reads_before(const advise::Advisor& with, regions::LoopId loop, int64_t begin, int64_t end) {
  return std::any_of(
      with.regions.entry_reads.begin(), with.regions.entry_reads.end(), [&](const regions::EntryRead& e) {
        const bool is_around = e.loop == loop || with.loops.is_within(loop, e.loop);
        const bool has_place = e.object.kind == regions::Object::Kind::kFrame && e.lowest < end && e.highest >= begin;
        return is_around && has_place && with.loops[e.loop].function == with.loops[loop].function;
      });
}

// Lines in which the loop's own instructions store what the rows are about; false if a call has to do with it.
bool add_store_lines(const AdviceItem& item, std::set<uint32_t>& lines) {
  return std::all_of(item.rows.begin(), item.rows.end(), [&](const AdviceRow& r) {
    if (r.kind != regions::Kind::kWar) lines.insert(r.source.line);
    if (r.kind != regions::Kind::kRaw) lines.insert(r.target.line);
    return !r.source.call && !r.target.call;
  });
}

}  // namespace

bool is_scratch_array(const advise::Advisor& with, regions::LoopId loop, const std::string& name,
                      std::span<const AdviceItem* const> items, const LoopSource& source) {
  const AdviceItem::Part& any = *items.front()->part;
  if (!any.of_frame_array || source.body.empty() || source.exposed.anything.contains(name)) return false;
  if (!has_elements_alone(source.body, name) || may_have_macros(source.exposed.macros)) return false;
  if (reads_before(with, loop, any.first, any.first + any.whole)) return false;
  std::set<uint32_t> stored, seen;
  if (!std::all_of(items.begin(), items.end(), [&](const AdviceItem* i) { return add_store_lines(*i, stored); }))
    return false;
  bool changes = false;
  for (const ChangedPlace& p : source.changed) {
    if (p.object != name) continue;
    bool is_stored = false;
    for (uint32_t line = p.begin.first; line <= p.end.first; ++line) {
      if (!seen.insert(line).second) return false;
      is_stored |= stored.contains(line);
    }
    if (!is_stored || !p.function.empty()) return false;
    changes = true;
  }
  return changes;
}

}  // namespace cdr::report
