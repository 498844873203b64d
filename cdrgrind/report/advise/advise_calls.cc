// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "cdrgrind/analysis/events/program_modules.h"
#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {
namespace {

// The first place that needs the call; where several executions went different ways, the nearest.
std::pair<uint64_t, regions::CallRun::Wait> first_wait(const regions::CallRun& run) {
  std::pair<uint64_t, regions::CallRun::Wait> first;
  for (const auto& [ip, wait] : run.waits)
    if (ip != 0 && wait.nearest < first.second.nearest) first = {ip, wait};
  return first;
}

// Without names.
AdviceCall call_of(uint64_t ip, const regions::CallRun& run) {
  AdviceCall c;
  c.ip = ip;
  c.calls = run.calls;
  c.instructions = run.instructions;
  c.beside = run.beside;
  c.wait_ip = first_wait(run).first;
  c.output = run.output;
  return c;
}

void name(AdviceCall& c, const regions::CallRun& run, ModuleId module, symbols::Symbols& symbols) {
  const auto line_of = [&](uint64_t addr) { return addr ? symbols.line_of(module.value, addr).line : 0; };
  c.line = line_of(c.ip);
  c.wait_line = line_of(c.wait_ip);
  if (run.callee.module) c.callee = symbols.function_of(run.callee.module.value, run.callee.addr).name;
}

}  // namespace

std::vector<AdviceCaller> name_calls(const regions::Regions& regions, uint64_t threads, const ModuleTable& modules,
                                     symbols::Symbols& symbols) {
  std::vector<AdviceCaller> callers;
  for (const auto& [function, run] : regions.callers) {
    AdviceCaller to;
    std::vector<const regions::CallRun*> calls;
    for (const auto& [ip, call] : run.calls) {
      // A wrapper's: it begins a parallel region, or waits.
      if (call.callee.module && analysis::is_shim(modules[call.callee.module])) continue;
      to.calls.push_back(call_of(ip, call));
      calls.push_back(&call);
    }
    if (std::none_of(to.calls.begin(), to.calls.end(), [](const AdviceCall& c) { return c.is_spawn(); })) continue;
    // Names take the reading of debug information, a library's, too: _start calls one.
    for (size_t i = 0; i < calls.size(); ++i) name(to.calls[i], *calls[i], function.module, symbols);
    to.function = function;
    to.module = modules[function.module].path;
    to.offset = function.addr - modules[function.module].bias;
    to.place = source_place_of(std::span(&function, 1), modules, symbols);
    to.instructions = run.instructions;
    const double total = static_cast<double>(run.instructions), all = static_cast<double>(regions.instructions);
    const double left = std::max(static_cast<double>(run.left), total / static_cast<double>(threads));
    if (left > 0 && total <= all) {
      to.speed_up = total / left;
      to.of_run = advise::speed_up_of_run(all, total, left);
    }
    callers.push_back(std::move(to));
  }
  std::stable_sort(callers.begin(), callers.end(),
                   [](const AdviceCaller& x, const AdviceCaller& y) { return x.of_run > y.of_run; });
  return callers;
}

}  // namespace cdr::report
