// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/part_helper.h"

#include <utility>

#include "cdrgrind/tool/processes.h"

namespace cdr::tool {

bool Backlog::is_lasting(bool full) {
  full_ += full;
  if (++taken_ < kWindow) return false;
  taken_ = 0;
  return std::exchange(full_, 0) >= kMost;
}

// If one leaves them, all do.
void PartHelper::consume(std::span<const uint64_t> records) {
  bool& leave = ring().control().leave_dependences;
  if (!left_ && (backlog_.is_lasting(is_full()) || __atomic_load_n(&leave, __ATOMIC_RELAXED))) {
    left_ = session_.leave();
    if (left_) __atomic_store_n(&leave, true, __ATOMIC_RELAXED);
  }
  session_.consume(records);
}

void PartHelper::become_helper_of_child() {
  session_.become_child();
  __atomic_store_n(&ring().control().leave_dependences, left_, __ATOMIC_RELAXED);
}

void PartHelper::send(std::span<const uint8_t> bytes) {
  Ring::Control& c = ring().control();
  Outbox& outbox = ring().outbox(number());
  while (!bytes.empty()) {
    bytes = bytes.subspan(outbox.put(bytes));
    if (bytes.empty()) return;
    if (__atomic_load_n(&c.helpers_asleep, __ATOMIC_SEQ_CST)) wake(&c.published);  // the first one takes it when awake
    outbox.sleep_until_room(kLookMilliseconds);
    const Int first = c.helpers[0];
    if (first != 0 && state_of_process(first, kHelperName) == ProcessState::kGone) leave_process();
  }
}

void HelpersDependences::poll() {
  for (uint32_t p = 0; p < parts(); ++p) {
    Outbox& outbox = ring_.outbox(p + 1);
    for (auto bytes = outbox.present(); !bytes.empty(); bytes = outbox.present()) {
      dependences_.take(p, bytes);
      outbox.taken(static_cast<uint32_t>(bytes.size()));
    }
  }
}

// False: its helper is gone without having told its end. One that stands still is the recorded process's to kill, or of
// whoever stopped it.
bool HelpersDependences::await(uint32_t part) {
  while (!dependences_.ended(part)) {
    const Int pid = ring_.control().helpers[part + 1];
    const bool gone = pid != 0 && state_of_process(pid, kHelperName) == ProcessState::kGone;
    poll();
    if (dependences_.ended(part)) return true;
    if (gone) return false;
    ring_.outbox(part + 1).sleep_until_present(kLookMilliseconds);
  }
  return true;
}

std::optional<depend::ResultTable> HelpersDependences::results(uint32_t granularity) {
  for (uint32_t p = 0; p < parts(); ++p)
    if (!await(p)) return std::nullopt;
  if (dependences_.left()) return std::nullopt;
  return dependences_.table(granularity);
}

}  // namespace cdr::tool
