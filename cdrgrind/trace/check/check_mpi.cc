// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_mpi.h"

#include "cdrgrind/base/mpi_calls.h"

namespace cdr::trace {
namespace {

std::string function_text(uint32_t number) { return "function " + std::to_string(number); }

}  // namespace

void CheckMpi::see(const Sight& s) {
  if (!is_mpi(s.e.kind)) return;
  Call& call = calls_[s.e.thread];
  if (s.e.kind == EventKind::kMpiEnter) return enter(s, call);
  if (s.e.kind == EventKind::kMpiWords) return words(s, call);
  leave(s, call);
}

void CheckMpi::enter(const Sight& s, Call& call) {
  if (call.function) report_.add("mpi-nesting", s.index, function_text(call.function) + " is open");
  if (s.e.count == 0 || s.e.count >= CDR_MPI_CALL_COUNT)
    report_.add("mpi-nesting", s.index, "there is no " + function_text(s.e.count));
  call = {s.e.count, 0};
}

void CheckMpi::words(const Sight& s, Call& call) {
  if (!call.function && !forked_) report_.add("mpi-nesting", s.index, "no call is open");
  for (const uint64_t w : s.e.words)
    if (call.left > 0)
      --call.left;
    else
      call.left = w >> 8;
}

void CheckMpi::leave(const Sight& s, Call& call) {
  if (call.function != s.e.count && !(forked_ && call.function == 0))
    report_.add("mpi-nesting", s.index,
                function_text(s.e.count) + " is left, " + function_text(call.function) + " open");
  if (call.left > 0 && s.e.result == 0)
    report_.add("mpi-words-whole", s.index, std::to_string(call.left) + " values are missing");
  call = {};
}

}  // namespace cdr::trace
