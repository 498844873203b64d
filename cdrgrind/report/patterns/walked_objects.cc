// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/patterns/walked_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/frame_names.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

namespace {

constexpr size_t kMostNamed = 4;  // in text

std::string text_of(const ObjectName& o) {
  if (!o.name.empty()) return visible(o.name);
  return o.kind == "stack" ? "an unnamed part of the stack" : "memory without a name";
}

}  // namespace

uint32_t WalkedNames::in_block(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size,
                               uint64_t offset) {
  Blocks& b = blocks(allocation, calls, size);
  const bool typed = offset < b.typed_bytes;
  uint32_t& number = typed ? b.by_offset[offset % b.element] : b.untyped;
  if (number == 0) number = number_of({heap_.name(calls.calls, calls.direct, size, offset).pattern, "heap"});
  return number;
}

WalkedNames::Blocks& WalkedNames::blocks(uint32_t allocation, const analysis::AllocatingCalls& calls, uint64_t size) {
  const std::pair key(allocation, size);
  if (recent_ && key == recent_key_) return *recent_;
  const auto [known, is_new] = blocks_.try_emplace(key);
  if (is_new) {
    const HeapName name = heap_.name(calls.calls, calls.direct, size, 0);
    known->second.element = name.element;
    known->second.typed_bytes = name.typed_bytes;
  }
  recent_key_ = key;
  recent_ = &known->second;
  return *recent_;
}

uint32_t WalkedNames::in_frame(const analysis::FramePlace& place) {
  uint32_t& number = frames_[place];
  if (number == 0) {
    const auto name = frame_name(place, symbols_);
    number = number_of({name ? fmt::format("{} of {}", name->pattern, name->function) : std::string(), "stack"});
  }
  return number;
}

uint32_t WalkedNames::elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) {
  constexpr uint64_t kNear = 1 << 20;
  if (addr < pthread && pthread - addr < kNear) {
    const auto [number, is_new] = of_threads_.try_emplace({pthread - addr, CodeAddr()}, 0);
    if (is_new)
      if (const auto data = thread_local_data_at(addr, pthread, modules_, symbols_))
        number->second = number_of({data->pattern, "tls"});
    if (number->second) return number->second;
  }
  const auto [fixed, is_new] = fixed_.insert(addr);
  if (is_new)
    if (const auto data = static_data_at(addr, symbols_)) *fixed = number_of({data->pattern, "global"});
  if (*fixed) return *fixed;
  uint32_t& own = of_threads_[{0, by}];
  if (own == 0) own = number_of(thread_local_object(by, modules_, symbols_));
  return own;
}

uint32_t WalkedNames::number_of(ObjectName name) {
  const auto [known, is_new] = numbers_.try_emplace({name.name, name.kind}, static_cast<uint32_t>(names_.size() + 1));
  if (is_new) names_.push_back(std::move(name));
  return known->second;
}

NamedWalk named(const patterns::WalkedObjects& walk, const WalkedNames& names) {
  NamedWalk result;
  for (const patterns::ObjectCount& o : walk.objects) result.objects.push_back({names.name(o.object), o.accesses});
  std::stable_sort(result.objects.begin(), result.objects.end(),
                   [](const auto& a, const auto& b) { return a.accesses > b.accesses; });
  result.others = walk.others;
  return result;
}

std::string walk_text(const NamedWalk& walk) {
  const auto& all = walk.objects;
  if (std::none_of(all.begin(), all.end(), [](const WalkedName& o) { return !o.object.name.empty(); })) return {};
  if (all.size() == 1 && walk.others == 0) return text_of(all.front().object);
  uint64_t accesses = walk.others;
  for (const WalkedName& o : all) accesses += o.accesses;
  std::string text;
  for (size_t i = 0; i < std::min(all.size(), kMostNamed); ++i)
    text += fmt::format("{}{} ({})", i ? "; " : "", text_of(all[i].object), percent_text(all[i].accesses, accesses));
  const size_t more = all.size() - std::min(all.size(), kMostNamed);
  if (walk.others)
    text += fmt::format("; more than {} others", with_separators(more));
  else if (more)
    text += "; " + plural(more, "other");
  return text;
}

}  // namespace cdr::report
