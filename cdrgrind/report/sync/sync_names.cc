// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/common/report_scope.h"
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

// The C library, parallel runtimes and MPI: what they allocate is theirs, also where the program called them.
bool is_runtime(const Module& m) {
  for (const std::string_view name : {"libc.so", "libpthread.so", "ld-linux", "libgomp.so", "libomp.so", "libiomp5.so",
                                      "libmpi", "libmpich", "libopen-", "libpmix"})
    if (m.soname.starts_with(name)) return true;
  return false;
}

// "from thread 2" of what was got of the kind; empty if of nobody.
std::string lanes_text(const std::vector<uint32_t>& lanes) {
  std::vector<ThreadId> as_threads;
  for (const uint32_t lane : lanes) as_threads.emplace_back(lane);
  return threads_text(as_threads);
}
std::string from_text(const ChartRow& row) {
  std::set<ThreadId> from;
  if (row.strand.lane) return row.strand.from.lanes.empty() ? "" : ", from " + lanes_text(row.strand.from.lanes);
  for (const sync::SyncGot& g : row.got) from.insert(g.from.begin(), g.from.end());
  if (from.empty()) return {};
  return fmt::format(", from {}", threads_text({from.begin(), from.end()}));
}

std::string channel_name(uint64_t object) {
  const uint64_t number = channel_number(object);
  if (channel_kind(object) == ChannelKind::kSignal) return "handler for " + signal_name(number);
  if (channel_kind(object) == ChannelKind::kSent) {
    const ThreadId to = receiver_of_signal(object);
    return signal_name(number_of_signal(object)) + (to ? fmt::format(" to thread {}", to.value) : " to the process");
  }
  return fmt::format("{} {}", name_of(channel_kind(object)), number);
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
  const std::vector<CodeAddr> calls = own(sites);
  const uint64_t offset = key.object - block.range.begin;
  const auto direct = std::find_if(sites.begin(), sites.end(), [&](CodeAddr c) { return !scope_.has(c.module); });
  const HeapName name = heap_.name(calls, static_cast<size_t>(direct - sites.begin()), block.range.size(), offset);
  // What the C++ library makes of blocks of its own says nothing of the object, and has long names.
  if (name.typed && !name.name.starts_with("std::")) {
    objects_[key] = {name.name, name.pattern};
  } else {
    const std::string line = short_place(place_of(sites)), at = line.empty() ? "" : " at " + line;
    objects_[key] = {fmt::format("block of {} bytes{} + {}", block.range.size(), at, offset),
                     fmt::format("blocks of {} bytes{} + {}", block.range.size(), at, offset)};
  }
  const auto first_own = std::find_if(sites.begin(), sites.end(), [&](CodeAddr c) { return scope_.has(c.module); });
  const bool by_runtime = std::any_of(sites.begin(), first_own, [&](CodeAddr c) {
    return file_.modules().has(c.module) && is_runtime(file_.modules()[c.module]);
  });
  if (calls.empty() || by_runtime) of_others_.insert(key);
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

// What the compiler links to every program calls main, and has no lines.
std::vector<CodeAddr> SyncNames::own(const std::vector<CodeAddr>& sites) const {
  std::vector<CodeAddr> calls;
  for (const CodeAddr at : sites) {
    if (!scope_.has(at.module)) continue;
    const auto chain = symbols_.inline_chain(at.module.value, at.addr);
    const bool start = !chain.empty() && !chain.back().pos.known() && is_start_function(chain.back().function);
    if (!start) calls.push_back(at);
  }
  return calls;
}

SourcePlace SyncNames::place_of(const std::vector<CodeAddr>& sites, bool libraries) const {
  const std::vector<CodeAddr> calls = own(sites);
  if (calls.empty() && !libraries) return {};
  return source_place_of(calls.empty() ? sites : calls, file_.modules(), symbols_);
}

bool SyncNames::find_places(std::vector<uint64_t> events, bool libraries, const analysis::Watch& watch) {
  events = sorted(std::move(events));
  analysis::WatchedPart part(watch, "places", events.size());
  stacks_ = sync::OperationStacks(file_, events, part);
  places_.clear();
  in_program_.clear();
  for (uint32_t i = 0; i < stacks_.size(); ++i) {
    places_.push_back(place_of(stacks_.stack(i), libraries));
    in_program_.push_back(!own(stacks_.stack(i)).empty());
  }
  return !part.ended();
}

SourcePlace SyncNames::place(uint64_t event) const {
  const uint32_t stack = stacks_.number(event);
  return stack < places_.size() ? places_[stack] : SourcePlace();
}

bool SyncNames::in_program(uint64_t event) const {
  const uint32_t stack = stacks_.number(event);
  return stack < in_program_.size() && in_program_[stack];
}

std::vector<uint64_t> events_of(const sync::SyncTotals& totals, const sync::SyncChart& chart,
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
    if (r.is_at()) events.push_back(r.place());
  for (const uint32_t lane : chart.shown_lanes)
    if (chart.lanes[lane - 1].kind != strands::StrandKind::kThread) events.push_back(chart.lanes[lane - 1].first_event);
  return events;
}

std::vector<uint64_t> events_of(const sync::History& history) {
  std::vector<uint64_t> events;
  std::set<SyncKey> waited;  // mutexes of conditions
  for (const sync::ConditionWait& w : history.waits) {
    events.push_back(w.enter);
    waited.insert(w.mutex);
  }
  for (const sync::ConditionSignal& s : history.signals) events.push_back(s.enter);
  for (const sync::Arrival& a : history.arrivals) events.push_back(a.enter);
  for (const sync::Section& s : history.sections) {
    events.push_back(s.enter);
    if (s.end && waited.contains(s.lock)) events.push_back(s.end);
  }
  return events;
}

std::string_view name_of(SyncKind k) {
  constexpr std::string_view names[sync::kSyncKindCount] = {"thread",    "mutex",  "condition", "barrier",
                                                            "semaphore", "rwlock", "spin lock", "once",
                                                            "guard",     "order",  "channel"};
  return names[static_cast<size_t>(k)];
}

std::string label_of(const ChartRow& row, const SyncNames& names) {
  if (row.what == ChartWhat::kStart) return "starts" + (row.strand.lane ? from_text(row) : "");
  if (row.what == ChartWhat::kEnd) return "ends";
  if (row.strand.lane && is_team_op(row.sync.op)) return team_label(row) + from_text(row);
  std::string text(name_of(row.sync.op));
  const SyncKind kind = sync::kind_of(row.sync.op);
  if (kind != SyncKind::kThread)
    text += " " + names.object({kind, row.sync.object});
  else if (row.sync.value)
    text += fmt::format(" {}", row.sync.value);
  if (row.failed) return text + ": failed";
  const bool waits_on_condition = sync::is_condition_wait(row.sync.op);
  const bool of_barrier = names.is_barrier({kind, row.sync.object});
  if (row.sync.op == SyncOp::kBarrierWait || (of_barrier && waits_on_condition))
    text += row.what == ChartWhat::kEnter ? ": ready" : ": go";
  else if (of_barrier)
    text += ": all are there";
  if (waits_on_condition)
    text += fmt::format(", {} {}", row.what == ChartWhat::kEnter ? "gives" : "has",
                        names.object({SyncKind::kMutex, row.sync.object2}));
  if (row.what == ChartWhat::kEnter && !row.held_by.empty())
    text +=
        fmt::format(": waits, held by {}", row.strand.lane ? lanes_text(row.held_lanes) : threads_text(row.held_by));
  else if (row.what == ChartWhat::kEnter && row.waits && kind == SyncKind::kSemaphore)
    text += ": waits";
  else if (row.what == ChartWhat::kEnter && sync::is_acquire(row.sync.op) && kind != SyncKind::kBarrier &&
           kind != SyncKind::kCondition)
    text += " …";
  return text + from_text(row);
}

}  // namespace cdr::report
