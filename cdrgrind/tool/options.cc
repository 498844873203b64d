// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/options.h"

namespace cdr::tool {

constinit Options options;

namespace {

bool data_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--cdr-data=all", options.data, DataMode::kAll) ||
         VG_XACT_CLO(arg, "--cdr-data=nonstack", options.data, DataMode::kNonStack) ||
         VG_XACT_CLO(arg, "--cdr-data=none", options.data, DataMode::kNone);
}

bool switch_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--cdr-test-switch=enter", options.test_switch, SwitchAt::kEnter) ||
         VG_XACT_CLO(arg, "--cdr-test-switch=leave", options.test_switch, SwitchAt::kLeave);
}

bool helper_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--helper=auto", options.helper, UseHelper::kAuto) ||
         VG_XACT_CLO(arg, "--helper=yes", options.helper, UseHelper::kYes) ||
         VG_XACT_CLO(arg, "--helper=no", options.helper, UseHelper::kNo);
}

bool control_option(const HChar* arg) {
  return VG_XACT_CLO(arg, "--cdr-control=auto", options.control, ControlForm::kAuto) ||
         VG_XACT_CLO(arg, "--cdr-control=grammar", options.control, ControlForm::kGrammar) ||
         VG_XACT_CLO(arg, "--cdr-control=runs", options.control, ControlForm::kRuns);
}

// Megabytes, with an optional suffix M or G.
uint64_t megabytes(const HChar* arg, const HChar* value) {
  HChar* end = nullptr;
  const Long n = VG_(strtoll10)(value, &end);
  uint64_t unit = 1;
  if (*end == 'G' || *end == 'g') unit = 1024, ++end;
  else if (*end == 'M' || *end == 'm') ++end;
  if (end == value || n <= 0 || n > (1 << 20) || *end)
    VG_(fmsg_bad_option)(arg, "expected a size in megabytes, for example 64, 64M or 2G\n");
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
  if (VG_STR_CLO(arg, "--cdr-out-file", text)) options.out_file = text;
  else if (data_option(arg)) {}
  else if (control_option(arg)) {}
  else if (switch_option(arg)) {}
  else if (helper_option(arg)) {}
  else if (VG_STR_CLO(arg, "--cdr-capture-raw", options.capture_raw)) {}
  else if (VG_STR_CLO(arg, "--cdr-replay-raw", options.replay_raw)) {}
  else if (VG_BOOL_CLO(arg, "--deps", options.deps)) {}
  else if (VG_BOOL_CLO(arg, "--cdr-dataflow", options.dataflow)) {}
  else if (VG_BINT_CLO(arg, "--cdr-granularity", number, 1, 64)) options.granularity = power_of_two(arg, number);
  else if (VG_STR_CLO(arg, "--cdr-hide", text)) options.hide.push_back(text);
  else if (VG_STR_CLO(arg, "--toggle-collect", text)) options.toggles.push_back(text);
  else if (VG_BINT_CLO(arg, "--cdr-chunk-blocks", number, 1, 1LL << 40))
    options.chunk_blocks = static_cast<uint64_t>(number);
  else if (VG_STR_CLO(arg, "--cdr-memory", text)) options.memory_mb = megabytes(arg, text);
  else if (VG_STR_CLO(arg, "--cdr-deps-memory", text)) options.deps_memory_mb = megabytes(arg, text);
  else if (VG_BOOL_CLO(arg, "--instr-atstart", options.instr_atstart)) {}
  else if (VG_BOOL_CLO(arg, "--cdr-successor", options.successor)) {}
  else return False;
  return True;
}

void print_usage() {
  VG_(printf)(
"    --cdr-out-file=<file>     write the trace to <file> [cdrgrind.out.%%p]\n"
"    --cdr-data=all|nonstack|none\n"
"                              addresses to keep: all, all but the accesses of a\n"
"                              thread to its own stack, or none [all]\n"
"    --cdr-dataflow=yes|no     record which register and load goes into what, for\n"
"                              artifact races; with --cdr-data=all only [yes]\n"
"    --deps=yes|no             compute dependences while recording [yes]\n"
"    --cdr-granularity=<bytes> round addresses for dependences: 1, 2, 4 ... 64 [1]\n"
"    --cdr-hide=<pattern>      hide functions whose demangled name matches the\n"
"                              shell pattern; repeatable\n"
"    --cdr-memory=<MB>         memory for encoding [64]\n"
"    --cdr-control=auto|grammar|runs\n"
"                              how control paths are written: whatever is smaller,\n"
"                              always a grammar, or always a list of runs [auto]\n"
"    --cdr-chunk-blocks=<N>    write the trace in pieces in which no thread executes\n"
"                              more than so many blocks [16777216]\n"
"    --cdr-deps-memory=<MB>    memory for dependences [1024]\n"
"    --helper=auto|yes|no      encode and compute dependences in a helper process:\n"
"                              if there is a second processor, always, or never\n"
"                              [auto]\n"
"    --instr-atstart=yes|no    record from the start [yes]\n"
"    --toggle-collect=<func>   switch recording on and off at entry to and exit\n"
"                              from <func> (shell pattern); repeatable\n"
  );
}

void print_debug_usage() {
  VG_(printf)(
"    --cdr-test-switch=enter|leave\n"
"                              let another thread run inside every wrapper: after\n"
"                              its enter record or before its leave record\n"
"    --cdr-capture-raw=<file>  write what the recorder's buffer held to <file>\n"
"    --cdr-replay-raw=<file>   write the trace of such a file; the program does not\n"
"                              run\n"
"    --cdr-successor=yes|no    this program was executed by a recorded one; cdrgrind\n"
"                              itself says so [no]\n"
  );
}

}  // namespace cdr::tool
