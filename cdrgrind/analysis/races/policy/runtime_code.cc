// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/runtime_code.h"

#include <algorithm>
#include <string_view>

#include "cdrgrind/analysis/events/call_stacks.h"

namespace cdr::races {

namespace {

bool is_clib(const Module& m) {
  for (const std::string_view name : {"libc.so", "libpthread.so", "ld-linux", "libdl.so", "librt.so"})
    if (m.soname.starts_with(name)) return true;
  return m.flags & kModuleDynamicLinker;
}

// Of the compiler, for what is too wide for an instruction.
bool is_atomics_library(const Module& m) { return m.soname.starts_with("libatomic.so"); }

}  // namespace

bool is_runtime_library(const Module& m) {
  for (const std::string_view name : {"libstdc++.so", "libgcc_s.so", "libm.so"})
    if (m.soname.starts_with(name)) return true;
  return is_clib(m) || is_atomics_library(m);
}

bool is_parallel_runtime(const Module& m) {
  const auto is = [&](std::string_view name) { return m.soname.starts_with(name); };
  return is("libgomp.so") || is("libomp.so") || is("libiomp5.so");
}

void RangeSet::sort() {
  std::sort(ranges_.begin(), ranges_.end());
  std::vector<AddrRange> merged;
  for (const AddrRange& r : ranges_) {
    if (!merged.empty() && r.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, r.end);
    else
      merged.push_back(r);
  }
  ranges_ = std::move(merged);
}

bool RangeSet::contains(uint64_t addr) const { return around(addr).contained; }

RangeSet::Around RangeSet::around(uint64_t addr) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), addr,
                                      [](uint64_t a, const AddrRange& r) { return a < r.begin; });
  if (after != ranges_.begin() && std::prev(after)->contains(addr)) return {*std::prev(after), true};
  return {{after == ranges_.begin() ? 0 : std::prev(after)->end, after == ranges_.end() ? ~uint64_t{0} : after->begin},
          false};
}

bool RangeSet::overlaps(AddrRange r) const {
  const auto first = first_behind(r.begin);
  return first != ranges_.end() && first->begin < r.end;
}

RangeSet RangeSet::without(const RangeSet& others) const {
  RangeSet left;
  for (AddrRange r : ranges_) {
    others.common(r, [&](const AddrRange& o) {
      left.add({r.begin, o.begin});
      r.begin = o.end;
    });
    left.add(r);
  }
  return left;
}

RuntimeCode::RuntimeCode(const ModuleTable& modules, CodeFacts& facts, bool parallel)
    : parallel(parallel),
      library(modules.size() + 1),
      linker(library),
      shim(analysis::shim_modules(modules)),
      clib(library),
      team(library),
      atomics(library) {
  RangeSet of_libc, exported;
  for (const Module& m : modules) {
    const uint32_t i = m.id.value;
    clib[i] = is_clib(m) || (m.flags & kModulePreload);
    atomics[i] = is_atomics_library(m);
    linker[i] = m.flags & kModuleDynamicLinker;
    team[i] = parallel && is_parallel_runtime(m);
    library[i] = shim[i] || is_runtime_library(m) || team[i];
    linkage.add(m.got);
    linkage.add(m.got_plt);
    if (!library[i]) {
      for (const AddrRange& r : facts.copied_by(m)) linkage.add(r);
      continue;
    }
    const bool is_libc = m.soname.starts_with("libc.so");
    for (const AddrRange& r : facts.data_of(m)) {
      data.add(r);
      if (clib[i]) clib_data.add(r);
      if (is_libc) of_libc.add(r);
      if (m.soname.starts_with("libstdc++.so")) linkage.add(r);
    }
    if (is_libc)
      for (const AddrRange& r : facts.exported_by(m)) exported.add(r);
  }
  data.sort();
  clib_data.sort();
  linkage.sort();
  of_libc.sort();
  exported.sort();
  unexported = of_libc.without(exported).without(linkage);
}

}  // namespace cdr::races
