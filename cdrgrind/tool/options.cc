// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/options.h"

#include "cdrgrind/base/recorder_usage.h"
#include "cdrgrind/tool/rank.h"
#include "cdrgrind/tool/ring.h"

namespace cdr::tool {

constinit Options options;

namespace {

// Any other value of a known option; `allowed` as in "a, b or c".
bool refuse(const HChar* arg, const HChar* option, const HChar* allowed) {
  const SizeT length = VG_(strlen)(option);
  if (VG_(strncmp)(arg, option, length) != 0 || arg[length] != '=') return false;
  VG_(fmsg_bad_option)(arg, "%s is %s\n", option, allowed);
  return true;
}

bool data_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--cdr-data=all", options.data, DataMode::kAll) ||
         VG_XACT_CLO(arg, "--cdr-data=nonstack", options.data, DataMode::kNonStack) ||
         VG_XACT_CLO(arg, "--cdr-data=none", options.data, DataMode::kNone) ||
         refuse(arg, "--cdr-data", "all, nonstack or none");
}

bool deps_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--deps=auto", options.deps, DepsMode::kAuto) ||
         VG_XACT_CLO(arg, "--deps=yes", options.deps, DepsMode::kYes) ||
         VG_XACT_CLO(arg, "--deps=later", options.deps, DepsMode::kLater) ||
         VG_XACT_CLO(arg, "--deps=no", options.deps, DepsMode::kNo) || refuse(arg, "--deps", "auto, yes, later or no");
}

bool switch_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--cdr-test-switch=enter", options.test_switch, SwitchAt::kEnter) ||
         VG_XACT_CLO(arg, "--cdr-test-switch=leave", options.test_switch, SwitchAt::kLeave) ||
         refuse(arg, "--cdr-test-switch", "enter or leave");
}

// --helper is what it was when there was but one.
bool helpers_option(const HChar* arg) {
  const HChar* number = nullptr;
  if (VG_XACT_CLO(arg, "--helpers=auto", options.helpers, kHelpersByProcessors)) return true;
  if (VG_STR_CLO(arg, "--helpers", number)) {
    if (number[0] < '0' || number[0] > '0' + static_cast<Int>(Ring::kMostHelpers) || number[1])
      VG_(fmsg_bad_option)(arg, "--helpers is auto or a number from 0 to %u\n", Ring::kMostHelpers);
    options.helpers = number[0] - '0';
    return true;
  }
  return VG_XACT_CLO(arg, "--helper=auto", options.helpers, kHelpersByProcessors) ||
         VG_XACT_CLO(arg, "--helper=yes", options.helpers, 1) || VG_XACT_CLO(arg, "--helper=no", options.helpers, 0) ||
         refuse(arg, "--helper", "auto, yes or no");
}

bool control_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--cdr-control=auto", options.control, ControlForm::kAuto) ||
         VG_XACT_CLO(arg, "--cdr-control=grammar", options.control, ControlForm::kGrammar) ||
         VG_XACT_CLO(arg, "--cdr-control=predict", options.control, ControlForm::kPredicted) ||
         VG_XACT_CLO(arg, "--cdr-control=runs", options.control, ControlForm::kPredicted) ||
         refuse(arg, "--cdr-control", "auto, grammar, predict or runs");
}

// Megabytes, with an optional suffix M or G.
uint64_t megabytes(const HChar* arg, const HChar* value) {
  HChar* end = nullptr;
  const Long n = VG_(strtoll10)(value, &end);
  uint64_t unit = 1;
  if (*end == 'G' || *end == 'g')
    unit = 1024, ++end;
  else if (*end == 'M' || *end == 'm')
    ++end;
  if (end == value || n <= 0 || n > (1 << 20) || *end)
    VG_(fmsg_bad_option)(arg, "expected a size in megabytes from 1 to 1048576, for example 64, 64M or 2G\n");
  return static_cast<uint64_t>(n) * unit;
}

uint64_t power_of_two(const HChar* arg, Long number) {
  if (number & (number - 1)) VG_(fmsg_bad_option)(arg, "expected a power of two from 1 to 64\n");
  return static_cast<uint64_t>(number);
}

}  // namespace

Bool process_option(const HChar* arg) {
  const HChar* text = nullptr;
  Long number = 0;
  if (VG_STR_CLO(arg, "--cdr-out-file", text))
    options.out_file = text;
  else if (data_option(arg)) {
  } else if (control_option(arg)) {
  } else if (switch_option(arg)) {
  } else if (helpers_option(arg)) {
  } else if (VG_STR_CLO(arg, "--cdr-capture-raw", options.capture_raw)) {
  } else if (VG_STR_CLO(arg, "--cdr-replay-raw", options.replay_raw)) {
  } else if (deps_option(arg)) {
  } else if (VG_BOOL_CLO(arg, "--cdr-dataflow", options.dataflow)) {
  } else if (VG_BINT_CLO(arg, "--cdr-granularity", number, 1, 64))
    options.granularity = power_of_two(arg, number);
  else if (VG_STR_CLO(arg, "--cdr-hide", text))
    options.hide.push_back(text);
  else if (VG_STR_CLO(arg, "--toggle-collect", text))
    options.toggles.push_back(text);
  else if (VG_BINT_CLO(arg, "--cdr-chunk-blocks", number, 1, 1LL << 40))
    options.chunk_blocks = static_cast<uint64_t>(number);
  else if (VG_STR_CLO(arg, "--cdr-memory", text))
    options.memory_mb = megabytes(arg, text);
  else if (VG_STR_CLO(arg, "--cdr-deps-memory", text))
    options.deps_memory_mb = megabytes(arg, text);
  else if (VG_BOOL_CLO(arg, "--instr-atstart", options.instr_atstart)) {
  } else if (VG_BOOL_CLO(arg, "--cdr-openmp", options.openmp)) {
  } else if (VG_BOOL_CLO(arg, "--cdr-mpi", options.mpi)) {
  } else if (VG_BOOL_CLO(arg, "--cdr-successor", options.successor)) {
  } else if (VG_BOOL_CLO(arg, "--cdr-discard", options.discard)) {
  } else
    return False;
  return True;
}

namespace {

// %r in the file's name. Valgrind knows the other patterns.
void name_rank() {
  const HChar* const rank = rank_of_launcher().rank;
  std::vector<HChar> name;
  for (const HChar* p = options.out_file; *p; ++p) {
    if (p[0] != '%' || !p[1]) {
      name.push_back(*p);
    } else if (*++p != 'r') {
      name.push_back('%'), name.push_back(*p);
    } else if (!rank) {
      VG_(umsg)(
          "cdrgrind: error: --cdr-out-file=%s: nothing in the environment says which rank this is; is the program "
          "started by mpirun, mpiexec or srun?\n",
          options.out_file);
      VG_(exit)(1);
    } else {
      name.insert(name.end(), rank, rank + VG_(strlen)(rank));
    }
  }
  name.push_back('\0');
  options.out_file = VG_(strdup)("cdr.options", name.data());
}

}  // namespace

// Dependences need all addresses, now or later.
void settle_options() {
  name_rank();
  if (options.data == DataMode::kAll) return;
  if (options.deps == DepsMode::kLater) {
    VG_(umsg)("cdrgrind: error: --deps=later needs all addresses in the trace, --cdr-data=all\n");
    VG_(exit)(1);
  }
  if (options.deps == DepsMode::kAuto) options.deps = DepsMode::kYes;
}

void print_usage() { VG_(printf)("%s", kRecorderUsage); }
void print_debug_usage() { VG_(printf)("%s", kRecorderTestUsage); }

}  // namespace cdr::tool
