// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/sharing/sharing_facts.h"

#include <fmt/format.h>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/frame_names.h"
#include "cdrgrind/report/races/region_variables.h"

namespace cdr::report {

uint32_t SharingFacts::number_of(const std::string& part) {
  const auto [known, is_new] = numbers_.try_emplace(part, static_cast<uint32_t>(parts_.size() + 1));
  if (is_new) parts_.push_back(part);
  return known->second;
}

uint32_t SharingFacts::part_at(uint64_t addr) {
  const auto name = static_data_at(addr, symbols_);
  return name ? number_of(name->pattern) : 0;
}

uint32_t SharingFacts::thread_local_part_at(uint64_t addr, uint64_t pthread) {
  const auto name = thread_local_data_at(addr, pthread, modules_, symbols_);
  return name ? number_of(name->pattern) : 0;
}

uint32_t SharingFacts::local_part_at(const analysis::FramePlace& place) {
  const auto name = frame_name(place, symbols_);
  return name ? number_of(fmt::format("{} of {}", name->pattern, name->function)) : 0;
}

uint32_t SharingFacts::region_part_at(uint64_t function, int64_t offset) {
  const auto variable = region_variable(function, offset, symbols_);
  return variable ? number_of(fmt::format("{} of {}", variable->name, variable->function)) : 0;
}

std::string SharingFacts::element_of(const analysis::FramePlace& place) {
  const auto name = frame_name(place, symbols_);
  return name ? fmt::format("{} of {}", name->name, name->function) : std::string();
}

std::string SharingFacts::element_at(uint64_t addr, uint64_t pthread) {
  if (const auto own = thread_local_data_at(addr, pthread, modules_, symbols_)) return own->name;
  const auto name = static_data_at(addr, symbols_);
  return name ? name->name : std::string();
}

}  // namespace cdr::report
