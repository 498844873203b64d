// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/common/thread_texts.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

using sync::ChartRow;
using sync::ChartWhat;
using sync::SyncKey;
using sync::SyncKind;

namespace {

std::optional<uint64_t> as_address(const std::string& word) {
  if (!word.starts_with("0x")) return std::nullopt;
  uint64_t v = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), v, 16);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return v;
}

std::vector<uint64_t> sorted(std::vector<uint64_t> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

// "from thread 2" of what was got of the kind; empty if of nobody.
std::string from_text(const ChartRow& row) {
  std::set<ThreadId> from;
  for (const sync::SyncGot& g : row.got) from.insert(g.from.begin(), g.from.end());
  if (from.empty()) return {};
  return fmt::format(", from {}", threads_text({from.begin(), from.end()}));
}

std::string channel_name(uint64_t object) {
  return fmt::format("{} {}", name_of(channel_kind(object)), channel_number(object));
}

}  // namespace

void SyncNames::find_objects(const sync::SyncTotals& totals) {
  std::vector<sync::BlockRequest> requests;
  std::vector<SyncKey> nameless;
  for (const sync::SyncObject& o : totals.objects) {
    if (o.key.kind == SyncKind::kChannel) {
      objects_[o.key] = {channel_name(o.key.object), std::string(name_of(channel_kind(o.key.object)))};
      continue;
    }
    const auto modules = symbols_.modules_at(o.key.object);
    if (o.key.kind != SyncKind::kThread && !modules.empty() && !scope_.has(ModuleId(modules.front())))
      of_others_.insert(o.key);
    if (const auto data = static_data_at(o.key.object, symbols_)) {
      objects_[o.key] = {without_insides(data->name), without_insides(data->pattern)};
      continue;
    }
    const std::string address = fmt::format("{:#x}", o.key.object);
    objects_[o.key] = {address, address};
    requests.push_back({o.key.object, o.first_event});
    nameless.push_back(o.key);
  }
  const auto blocks = sync::heap_blocks_of(file_, requests);
  std::vector<uint64_t> events;
  for (const sync::BlockFound& b : blocks)
    if (!b.range.empty()) events.push_back(b.event);
  const auto sites = sync::call_sites_at(file_, sorted(events));
  for (size_t i = 0; i < blocks.size(); ++i)
    if (!blocks[i].range.empty()) find_block(nameless[i], blocks[i], sites.at(blocks[i].event));
}

void SyncNames::find_block(const SyncKey& key, const sync::BlockFound& block, const std::vector<CodeAddr>& sites) {
  const std::string line = short_place(place_of(sites)), at = line.empty() ? "" : " at " + line;
  const uint64_t offset = key.object - block.range.begin;
  objects_[key] = {fmt::format("block of {} bytes{} + {}", block.range.size(), at, offset),
                   fmt::format("blocks of {} bytes{} + {}", block.range.size(), at, offset)};
  if (!scope_.has_any(sites)) of_others_.insert(key);
}

const std::string& SyncNames::object(const SyncKey& key) const {
  static const std::string unknown = "?";
  const auto found = objects_.find(key);
  return found == objects_.end() ? unknown : found->second.name;
}

const std::string& SyncNames::pattern(const SyncKey& key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? object(key) : found->second.pattern;
}

std::set<SyncKey> SyncNames::objects_called(const std::string& word) const {
  std::set<SyncKey> found;
  const auto addr = as_address(word);
  for (const auto& [key, named] : objects_) {
    const std::string& name = named.name;
    const bool part =
        name.size() > word.size() && name.starts_with(word) && (name[word.size()] == '.' || name[word.size()] == '[');
    if (addr ? key.object == *addr : name == word || part) found.insert(key);
  }
  return found;
}

SourcePlace SyncNames::place_of(const std::vector<CodeAddr>& sites) const {
  std::vector<CodeAddr> own = sites;
  std::erase_if(own, [&](CodeAddr at) { return !scope_.has(at.module); });
  return source_place_of(own.empty() ? sites : own, file_.modules(), symbols_);
}

void SyncNames::find_places(const sync::SyncTotals& totals, const sync::SyncChart& chart,
                            const std::vector<sync::RegionTotals>& teams) {
  std::vector<uint64_t> events;
  for (const sync::RegionTotals& region : teams) {
    events.push_back(region.first_event);
    for (const sync::WorkTotals& work : region.works) events.push_back(work.first_event);
    for (const auto& [lock, e] : region.exclusions) events.push_back(e.first_event);
  }
  for (const sync::SyncObject& o : totals.objects)
    if (o.longest.end) events.push_back(o.longest.begin);
  for (const ChartRow& r : chart.rows)
    if (r.what != ChartWhat::kStart && r.what != ChartWhat::kEnd) events.push_back(r.index);
  for (const auto& [event, sites] : sync::call_sites_at(file_, sorted(std::move(events))))
    places_[event] = place_of(sites);
}

SourcePlace SyncNames::place(uint64_t event) const {
  const auto found = places_.find(event);
  return found == places_.end() ? SourcePlace() : found->second;
}

std::string_view name_of(SyncKind k) {
  constexpr std::string_view names[sync::kSyncKindCount] = {"thread",    "mutex",  "condition", "barrier",
                                                            "semaphore", "rwlock", "spin lock", "once",
                                                            "guard",     "order",  "channel"};
  return names[static_cast<size_t>(k)];
}

std::string label_of(const ChartRow& row, const SyncNames& names) {
  if (row.what == ChartWhat::kStart) return "starts";
  if (row.what == ChartWhat::kEnd) return "ends";
  std::string text(name_of(row.sync.op));
  const SyncKind kind = sync::kind_of(row.sync.op);
  if (kind != SyncKind::kThread)
    text += " " + names.object({kind, row.sync.object});
  else if (row.sync.value)
    text += fmt::format(" {}", row.sync.value);
  if (row.failed) return text + ": failed";
  if (kind == SyncKind::kBarrier && row.sync.op == SyncOp::kBarrierWait)
    text += row.what == ChartWhat::kEnter ? ": ready" : ": go";
  if (sync::is_condition_wait(row.sync.op))
    text += fmt::format(", {} {}", row.what == ChartWhat::kEnter ? "gives" : "has",
                        names.object({SyncKind::kMutex, row.sync.object2}));
  if (row.what == ChartWhat::kEnter && !row.held_by.empty())
    text += fmt::format(": waits, held by {}", threads_text(row.held_by));
  else if (row.what == ChartWhat::kEnter && row.waits && kind == SyncKind::kSemaphore)
    text += ": waits";
  else if (row.what == ChartWhat::kEnter && sync::is_acquire(row.sync.op) && kind != SyncKind::kBarrier &&
           kind != SyncKind::kCondition)
    text += " …";
  return text + from_text(row);
}

}  // namespace cdr::report
