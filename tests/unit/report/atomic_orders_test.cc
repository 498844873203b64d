// SPDX-License-Identifier: GPL-2.0-or-later
// Memory orders of programs that are compiled here, with and without optimisation.
#include "cdrgrind/report/races/atomic_orders.h"

#include <string>

#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

namespace cdr::report {
namespace {

using races::AtomicOperation;
using symbols::Symbols;
namespace testing = symbols::testing;

// One operation in each function.
constexpr const char* kSource = R"(
#include <atomic>
std::atomic<int> x;
std::atomic<bool> b;
int old, other;
extern "C" {
void relaxed_store() { x.store(1, std::memory_order_relaxed); }
void release_store() { x.store(1, std::memory_order_release); }
void relaxed_load() { old = x.load(std::memory_order_relaxed); }
void acquire_load() { old = x.load(std::memory_order_acquire); }
void fenced_load() { old = x.load(std::memory_order_relaxed); std::atomic_thread_fence(std::memory_order_acquire); }
void acquire_by_c() { other = x.load(std::memory_order_relaxed); __atomic_thread_fence(__ATOMIC_ACQUIRE); }
void release_by_c() { __atomic_thread_fence(__ATOMIC_RELEASE); x.store(1, std::memory_order_relaxed); }
void release_add() { old = x.fetch_add(1, std::memory_order_release); }
void both_add() { old = x.fetch_add(1, std::memory_order_acq_rel); }
void relaxed_exchange() { old = x.exchange(1, std::memory_order_relaxed); }
void failing_acquire() {
  int e = 1;
  x.compare_exchange_strong(e, 2, std::memory_order_relaxed, std::memory_order_acquire);
}
void called_store() { b.store(true, std::memory_order_relaxed); }
void called_release() { b.store(true, std::memory_order_release); }
void asked_store(int order) { x.store(1, static_cast<std::memory_order>(order)); }
}
int main() {}
)";

struct CodeOf final : test::NoFacts {
  explicit CodeOf(Symbols& s) : symbols(s) {}
  std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) override {
    return symbols.code_at(at.module.value, at.addr, size);
  }
  Symbols& symbols;
};

class Program {
 public:
  // In a module with the soname.
  explicit Program(const std::string& flags, std::string_view soname = {})
      : path_(testing::fresh_dir() + "/orders"),
        symbols_(compiled(flags)),
        code_(symbols_),
        orders_(modules_, symbols_, code_),
        values_(code_, [this](CodeAddr at) { return symbols_.function_of(at.module.value, at.addr).entry; }) {
    Module m;
    m.soname = soname;
    modules_.add(m);
  }

  // Of the one operation in the function, by its end: where it begins a check of its order may be inlined.
  AtomicOperation of(const std::string& function) {
    const CodeAddr entry{ModuleId(1), testing::address_of(path_, function)};
    AtomicOperation found;
    for (const symbols::OrderedCopy& copy : symbols_.ordered_copies(1, entry.addr)) {
      if (copy.linkage_name.find("atomic_thread_fence") != std::string_view::npos) continue;
      for (const symbols::DataRange& r : copy.code)
        if (r.begin < r.end) found = orders_.at(std::vector{CodeAddr{ModuleId(1), r.end - 1}});
    }
    return found;
  }
  // Of the function that it calls to do it.
  AtomicOperation through_call(const std::string& function) {
    const CodeAddr entry{ModuleId(1), testing::address_of(path_, function)};
    const auto called = values_.called_in(entry);
    REQUIRE(called.size() == 1);
    for (uint64_t at = entry.addr; at < entry.addr + 0x80; ++at)
      if (values_.called_by({ModuleId(1), at}) == called[0])
        for (const symbols::OrderedCopy& copy : symbols_.ordered_copies(1, called[0]))
          if (copy.depth != 0)
            return orders_.at(std::vector{CodeAddr{ModuleId(1), copy.code.front().begin}, CodeAddr{ModuleId(1), at}});
    return {};
  }

 private:
  Symbols compiled(const std::string& flags) {
    const std::string source = testing::write_file(path_ + ".cc", kSource);
    testing::run(testing::cxx() + " -std=c++20 -w -g -no-pie -fcf-protection=none " + flags + " -o " + path_ + " " +
                 source);
    return testing::symbols_for(path_);
  }
  std::string path_;
  ModuleTable modules_;
  Symbols symbols_;
  CodeOf code_;
  AtomicOrders orders_;
  ArgumentValues values_;
};

constexpr AtomicOperation kNone{true, false, false, false}, kGets{true, true, false, false},
    kGives{true, false, true, false}, kBoth{true, true, true, false}, kUnknown{false, true, true, false};

void check_all(Program& p) {
  CHECK(p.of("relaxed_store") == kNone);
  CHECK(p.of("release_store") == kGives);
  CHECK(p.of("relaxed_load") == kNone);
  CHECK(p.of("acquire_load") == kGets);
  CHECK(p.of("fenced_load") == kGets);
  CHECK(p.of("acquire_by_c") == kGets);
  CHECK(p.of("release_by_c") == kGives);
  CHECK(p.of("release_add") == kGives);
  CHECK(p.of("both_add") == kBoth);
  CHECK(p.of("relaxed_exchange") == AtomicOperation{true, false, false, true});
  CHECK(p.of("failing_acquire") == kGets);
  CHECK(p.of("asked_store") == kUnknown);
}

}  // namespace

TEST_CASE("orders are known where everything is inlined") {
  Program p("-O2");
  check_all(p);
  CHECK(p.of("called_store") == kNone);
  CHECK(p.of("called_release") == kGives);
}

TEST_CASE("fences of the C and C++ libraries, and of parallel runtimes, are their own") {
  for (const char* soname : {"libc.so.6", "libstdc++.so.6", "libgomp.so.1"}) {
    Program p("-O2", soname);
    CHECK(p.of("fenced_load") == kNone);
    CHECK(p.of("acquire_load") == kGets);
  }
}

TEST_CASE("orders are known without optimisation, those that calls pass, too") {
  Program p("-O0");
  check_all(p);
  CHECK(p.through_call("called_store") == kNone);
  CHECK(p.through_call("called_release") == kGives);
}

}  // namespace cdr::report
