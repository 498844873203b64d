// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/operation_stacks.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::sync {
namespace {

// A frame's function is in the module of the block that named it, so that is where its calls are.
std::vector<CodeAddr> sites_of(trace::Seeker& seeker, uint64_t index, const std::vector<bool>& shim) {
  trace::TracePosition place;
  std::vector<CodeAddr> sites;
  if (seeker.at_index(index, place)) return sites;
  const auto frames = seeker.stack_at(place);
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    if (!frames[i + 1].name || frames[i].call_ip == 0) continue;
    const ModuleId module = seeker.file().blocks().superblock_of(frames[i + 1].name).module;
    if (!shim[module.value]) sites.push_back({module, frames[i].call_ip});
  }
  return sites;
}

}  // namespace

OperationStacks::OperationStacks(const trace::TraceFile& file, std::span<const uint64_t> events,
                                 analysis::WatchedPart& part)
    : events_(events.begin(), events.end()) {
  stacks_.push_back(&numbers_.try_emplace({}, 0).first->first);
  at_.reserve(events_.size());
  if (events_.empty()) return;
  if (file.epochs().empty())
    read(file, part);
  else
    seek(file, part);
}

uint32_t OperationStacks::number(uint64_t event) const {
  const auto at = std::lower_bound(events_.begin(), events_.end(), event);
  const auto i = static_cast<size_t>(at - events_.begin());
  return at == events_.end() || *at != event || i >= at_.size() ? 0 : at_[i];
}

void OperationStacks::add(std::vector<CodeAddr> stack) {
  const auto [at, is_new] = numbers_.try_emplace(std::move(stack), static_cast<uint32_t>(stacks_.size()));
  if (is_new) stacks_.push_back(&at->first);
  at_.push_back(at->second);
}

void OperationStacks::seek(const trace::TraceFile& file, analysis::WatchedPart& part) {
  const std::vector<bool> shim = analysis::shim_modules(file.modules());
  trace::Seeker seeker(file);
  for (const uint64_t index : events_) {
    if (!part.goes_on(at_.size())) return;
    add(sites_of(seeker, index, shim));
  }
}

void OperationStacks::read(const trace::TraceFile& file, analysis::WatchedPart& part) {
  const std::vector<bool> shim = analysis::shim_modules(file.modules());
  analysis::CallStacks stacks(file.blocks(), shim, shim);
  trace::Cursor cursor(file);
  for (Event e; at_.size() < events_.size() && cursor.next(e);) {
    if (events_[at_.size()] == cursor.index()) {
      if (!part.goes_on(at_.size())) return;
      add(stacks.sites(e.thread, CodeAddr()));
    }
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) stacks.block(e.thread, e.block);
    stacks.event(e);
  }
}

std::map<uint64_t, std::vector<CodeAddr>> call_sites_at(const trace::TraceFile& file,
                                                        std::span<const uint64_t> events) {
  const analysis::Watch nobody;
  analysis::WatchedPart part(nobody, {}, events.size());
  const OperationStacks stacks(file, events, part);
  std::map<uint64_t, std::vector<CodeAddr>> sites;
  for (const uint64_t event : events) sites[event] = stacks.at(event);
  return sites;
}

}  // namespace cdr::sync
