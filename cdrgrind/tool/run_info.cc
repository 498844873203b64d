// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/config.h"

#include "cdrgrind/tool/run_info.h"

#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/rank.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {
namespace {

// Field 22 of /proc/self/stat; the second field, in parentheses, may hold blanks.
uint64_t process_start() {
  HChar text[1024];
  read_text("/proc/self/stat", text);
  const HChar* p = VG_(strrchr)(text, ')');
  for (int field = 2; p && field < 22; ++field) p = VG_(strchr)(p + 1, ' ');
  return p ? VG_(strtoull10)(p + 1, nullptr) : 0;
}

const HChar* data_name() {
  switch (options.data) {
    case DataMode::kAll:
      return "all";
    case DataMode::kNonStack:
      return "nonstack";
    default:
      return "none";
  }
}

const HChar* deps_name() {
  switch (options.deps) {
    case DepsMode::kAuto:
      return "auto";
    case DepsMode::kYes:
      return "yes";
    case DepsMode::kLater:
      return "later";
    default:
      return "no";
  }
}

// Says where things go or are done, not what is recorded.
bool is_of_place(std::string_view option) {
  for (const std::string_view name : {"--cdr-out-file=", "--log-file=", "--log-fd=", "--cdr-successor=", "--helper=",
                                      "--helpers=", "--cdr-capture-raw=", "--cdr-replay-raw="})
    if (option.starts_with(name)) return true;
  return false;
}

void add_strings(Meta& meta, std::string_view key, XArray* strings) {
  for (Word i = 0; strings && i < VG_(sizeXA)(strings); ++i) {
    const std::string_view s = view(*static_cast<HChar**>(VG_(indexXA)(strings, i)));
    if (!is_of_place(s)) meta.add(key, s);
  }
}

void add_number(Meta& meta, std::string_view key, uint64_t value) {
  HChar number[32];
  VG_(sprintf)(number, "%llu", static_cast<unsigned long long>(value));
  meta.add(key, view(number));
}

}  // namespace

RunInfo run_info() {
  RunInfo run;
  run.pid = static_cast<uint32_t>(VG_(getpid)());
  run.process_start = process_start();
  struct vki_timeval now;
  VG_(gettimeofday)(&now, nullptr);
  run.wall_ns = static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_usec) * 1000u;
  return run;
}

Meta collect_meta() {
  Meta meta;
  meta.add("tool", CDRGRIND_VERSION);
  meta.add("valgrind", CDRGRIND_VALGRIND_VERSION);
  meta.add("program", view(VG_(args_the_exename)));
  add_strings(meta, "arg", VG_(args_for_client));
  add_strings(meta, "option", VG_(args_for_valgrind));
  if (const LauncherRank r = rank_of_launcher(); r.rank) {
    meta.add("rank", view(r.rank));
    if (r.ranks) meta.add("ranks", view(r.ranks));
  }
  meta.add("data", data_name());
  meta.add("deps", deps_name());
  add_number(meta, "granularity", options.granularity);
  // For the command that computes them.
  if (options.deps == DepsMode::kAuto || options.deps == DepsMode::kLater)
    add_number(meta, "deps-memory", options.deps_memory_mb);
  // What this recording cannot see; annotate and races say it where it matters.
  meta.add("limit", "memory shared with other processes is not seen");
  meta.add("limit", "loads whose result is dead within their block are not seen");
  return meta;
}

}  // namespace cdr::tool
