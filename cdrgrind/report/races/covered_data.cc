// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/covered_data.h"

#include <algorithm>

namespace cdr::report {

namespace {

constexpr size_t kMostNames = 16;
constexpr int kMostLooks = 1024;

class Finder {
 public:
  Finder(AddrRange range, const NameAt& name_at) : range_(range), name_at_(name_at) {}

  std::vector<symbols::DataName> find() {
    for (uint64_t addr = range_.begin; addr < range_.end && looks_ < kMostLooks && found_.size() < kMostNames;) {
      const auto name = look(addr);
      if (name) add(*name);
      addr = name ? end_of(*name, addr) : addr + 1;
    }
    drop_padding();
    return std::move(found_);
  }

 private:
  std::optional<symbols::DataName> look(uint64_t addr) {
    ++looks_;
    return name_at_(addr);
  }
  bool is_same(const symbols::DataName& name, uint64_t addr) {
    const auto there = look(addr);
    return there && there->name == name.name && there->variable_address == name.variable_address;
  }
  // The first address that is called otherwise.
  uint64_t end_of(const symbols::DataName& name, uint64_t addr) {
    uint64_t step = 1;
    while (addr + step < range_.end && is_same(name, addr + step)) step *= 2;
    uint64_t same = addr + step / 2, other = std::min(addr + step, range_.end);
    while (other - same > 1) {
      const uint64_t middle = same + (other - same) / 2;
      (is_same(name, middle) ? same : other) = middle;
    }
    return other;
  }
  void add(const symbols::DataName& name) {
    const auto known =
        std::find_if(found_.begin(), found_.end(), [&](const auto& f) { return f.pattern == name.pattern; });
    if (known == found_.end())
      found_.push_back(name);
    else if (known->name != name.name)
      known->name = name.pattern;
  }
  // "s" beside "s.first" and "s.second".
  void drop_padding() {
    const std::vector<symbols::DataName> all = found_;
    std::erase_if(found_, [&](const symbols::DataName& f) {
      return std::any_of(all.begin(), all.end(), [&](const symbols::DataName& part) {
        return part.pattern.size() > f.pattern.size() && part.pattern.starts_with(f.pattern) &&
               (part.pattern[f.pattern.size()] == '.' || part.pattern[f.pattern.size()] == '[');
      });
    });
  }

  AddrRange range_;
  const NameAt& name_at_;
  int looks_ = 0;
  std::vector<symbols::DataName> found_;
};

}  // namespace

std::vector<symbols::DataName> data_covered(AddrRange range, const NameAt& name_at) {
  return Finder(range, name_at).find();
}

}  // namespace cdr::report
