// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_facts.h"

#include <algorithm>
#include <span>

#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/races/atomic_functions.h"

namespace cdr::report {

namespace {

// Atomic instructions whose old value goes nowhere but into the flags: LOCK with add, or, and, sub, xor, inc, dec,
// not, neg.
bool gives_flags_only(std::span<const uint8_t> code, size_t length) {
  size_t i = 0;
  bool lock = false;
  while (i < length && (code[i] == 0xf0 || code[i] == 0x66 || (code[i] & 0xf0) == 0x40)) lock |= code[i++] == 0xf0;
  if (!lock || i >= length) return false;
  const uint8_t op = code[i];
  const bool arithmetic = op < 0x38 && (op & 7) < 2;  // add or adc sbb and sub xor: E, G
  return arithmetic || op == 0x80 || op == 0x81 || op == 0x83 || op == 0xf6 || op == 0xf7 || op == 0xfe || op == 0xff;
}

// Yields, sleeps, and what the C++ library makes of a duration before it sleeps.
bool is_waiting_function(std::string_view name) {
  const std::string_view bare = name.substr(0, name.find_first_of("(<@"));
  for (const std::string_view one : {"sched_yield", "pthread_yield", "thrd_yield", "thrd_sleep", "sleep", "usleep",
                                     "nanosleep", "clock_nanosleep", "std::this_thread::yield", "__gthread_yield"})
    if (bare == one) return true;
  for (const std::string_view one : {"std::this_thread::sleep_", "std::chrono::"})
    if (name.starts_with(one) || name.find(' ' + std::string(one)) < name.find('(')) return true;
  return false;
}

std::vector<AddrRange> ranges_of(const std::vector<symbols::DataRange>& data) {
  std::vector<AddrRange> ranges;
  for (const symbols::DataRange& r : data) ranges.push_back({r.begin, r.end});
  return ranges;
}

}  // namespace

bool RaceFacts::is_atomic_code(CodeAddr at) {
  if (!modules_.has(at.module)) return false;
  const auto [known, is_new] = atomic_code_.try_emplace(at);
  if (is_new) {
    const auto chain = symbols_.inline_chain(at.module.value, at.addr);
    known->second = std::any_of(chain.begin(), chain.end(),
                                [](const symbols::InlineFrame& f) { return is_atomic_function(f.function); });
  }
  return known->second;
}

bool RaceFacts::is_atomic_data(uint64_t addr) {
  const auto name = static_data_at(addr, symbols_);
  return name && name->is_atomic;
}

// A sequentially consistent store is an XCHG. Else it decides whether the flags are of use.
races::AtomicUse RaceFacts::use_of_atomic(CodeAddr at, uint32_t length) {
  if (!modules_.has(at.module)) return races::AtomicUse::kUsed;
  for (const symbols::InlineFrame& f : symbols_.inline_chain(at.module.value, at.addr))
    if (is_atomic_function(f.function) && is_store_function(f.function)) return races::AtomicUse::kStore;
  const auto code = symbols_.code_at(at.module.value, at.addr, length);
  const bool unused =
      code.size() >= length && gives_flags_only(code, length) && !may_use_flags({at.module, at.addr + length});
  return unused ? races::AtomicUse::kUnused : races::AtomicUse::kUsed;
}

// Compilers put the test right there, or move what it will need between.
bool RaceFacts::may_use_flags(CodeAddr at) {
  constexpr int kFurthest = 16;  // instructions
  for (int i = 0; i < kFurthest; ++i) {
    const auto e = insns_.read(at);
    if (!e || e->reads_flags) return true;
    if (e->writes_flags || e->calls || e->returns) return false;
    if (!e->falls_through && e->target == 0) return true;
    at.addr = e->falls_through ? at.addr + e->length : e->target;
  }
  return false;
}

std::span<const uint8_t> RaceFacts::code_at(CodeAddr at, uint32_t size) {
  if (!modules_.has(at.module)) return {};
  return symbols_.code_at(at.module.value, at.addr, size);
}

uint64_t RaceFacts::function_begin(CodeAddr at) {
  return modules_.has(at.module) ? symbols_.function_begin(at.module.value, at.addr) : 0;
}

bool RaceFacts::only_waits(CodeAddr function) {
  return modules_.has(function.module) &&
         is_waiting_function(symbols_.function_of(function.module.value, function.addr).name);
}

uint64_t RaceFacts::line_number_of(CodeAddr at) {
  if (!modules_.has(at.module)) return 0;
  const symbols::SourcePos pos = symbols_.line_of(at.module.value, at.addr);
  if (!pos.known()) return 0;
  const auto [file, added] = files_.try_emplace(pos.file, static_cast<uint32_t>(files_.size() + 1));
  return uint64_t{file->second} << 32 | pos.line;
}

AddrRange RaceFacts::variable_at(uint64_t addr) {
  const auto name = static_data_at(addr, symbols_);
  if (!name) return {};
  return {name->variable_address, name->variable_address + std::max<uint64_t>(name->variable_size, 1)};
}

std::vector<AddrRange> RaceFacts::data_of(const Module& m) { return ranges_of(symbols_.data_ranges(m.id.value)); }

std::vector<AddrRange> RaceFacts::copied_by(const Module& m) {
  return ranges_of(symbols_.copied_variables(m.id.value));
}

std::vector<AddrRange> RaceFacts::exported_by(const Module& m) {
  return ranges_of(symbols_.exported_variables(m.id.value));
}

uint64_t RaceFacts::thread_local_bytes() {
  uint64_t bytes = 0;
  for (const Module& m : modules_) bytes += symbols_.thread_local_bytes(m.id.value);
  return bytes;
}

// gcc gives such a call the line of the loop or of the pragma, or that behind the pragma.
bool RaceFacts::is_for_construct(CodeAddr call) {
  const auto [known, added] = for_construct_.try_emplace(call);
  if (!added) return known->second;
  const std::string line = stores_.line_at(call, 0), before = stores_.line_at(call, 1);
  const auto has = [](const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; };
  return known->second = !has(line, "thread_num") && !has(line, "team_num") &&
                         (has(line, "for") || has(line, "omp") || has(before, "#pragma omp") || has(before, "!$omp") ||
                          statement_of_call(call) != 0);
}

// gcc asks how many threads there are right before it asks which one it is: call, move, call.
bool RaceFacts::follows_call(CodeAddr call) {
  constexpr uint8_t kCall = 0xe8;
  const auto code = code_at({call.module, call.addr - 8}, 8);
  return code.size() == 8 && (code[0] == kCall || code[1] == kCall);
}

// gcc gives such a call no line: it has that of whatever stands before it, and behind it comes the statement's code.
uint32_t RaceFacts::statement_of_call(CodeAddr call) {
  const races::LoopStatement here = loops_.at(call);
  const uint32_t own = here.head ? here.number : 0;
  const uint64_t line = line_number_of(call);
  if (!here.known || !follows_call(call)) return own;
  constexpr uint64_t kMost = 256;
  for (uint64_t i = 0; i < kMost; ++i) {
    const CodeAddr behind{call.module, call.addr + i};
    if (line_number_of(behind) == line) continue;
    const uint32_t number = loops_.at(behind).number;
    return number != 0 ? number : own;
  }
  return own;
}

}  // namespace cdr::report
