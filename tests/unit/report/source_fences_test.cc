// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/source_fences.h"

#include "cdrgrind/report/races/atomic_words.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

std::vector<FenceCall> fences_of(std::string_view text) { return fence_calls(code_lines(text)); }

TEST_CASE("fences are known by their calls, whoever's they are") {
  CHECK(fences_of("std::atomic_thread_fence(std::memory_order_acquire);") == std::vector<FenceCall>{{1, true, false}});
  CHECK(fences_of("\natomic_thread_fence (memory_order_release);") == std::vector<FenceCall>{{2, false, true}});
  CHECK(fences_of("__atomic_thread_fence(__ATOMIC_CONSUME);") == std::vector<FenceCall>{{1, true, false}});
  CHECK(fences_of("std::atomic_thread_fence(std::memory_order::acq_rel);") == std::vector<FenceCall>{{1, true, true}});
  CHECK(fences_of("x(); __atomic_thread_fence(__ATOMIC_SEQ_CST); atomic_thread_fence(memory_order_acquire);") ==
        std::vector<FenceCall>{{1, true, true}, {1, true, false}});
  CHECK(fences_of("std::atomic_thread_fence(\n  std::memory_order_release\n);") ==
        std::vector<FenceCall>{{1, false, true}});
  CHECK(fences_of("atomic_thread_fence(memory_order_relaxed);") == std::vector<FenceCall>{{1, false, false}});
}

TEST_CASE("a fence whose order is not written down does both") {
  CHECK(fences_of("std::atomic_thread_fence(order);") == std::vector<FenceCall>{{1, true, true}});
  CHECK(fences_of("std::atomic_thread_fence(last ? std::memory_order_acquire : std::memory_order_release);") ==
        std::vector<FenceCall>{{1, true, true}});
}

TEST_CASE("what only names a fence is none") {
  CHECK(fences_of("// std::atomic_thread_fence(std::memory_order_acquire);").empty());
  CHECK(fences_of("puts(\"atomic_thread_fence(memory_order_acquire)\");").empty());
  CHECK(fences_of("using std::atomic_thread_fence;").empty());
  CHECK(fences_of("#define FENCE atomic_thread_fence(memory_order_acquire)").empty());
  CHECK(fences_of("atomic_signal_fence(memory_order_acquire);").empty());
  CHECK(fences_of("atomic_thread_fence").empty());
}

}  // namespace
}  // namespace cdr::report
