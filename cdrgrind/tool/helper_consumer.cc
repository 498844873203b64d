// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/helper_consumer.h"

#include <algorithm>

#include "cdrgrind/format/frame.h"
#include "cdrgrind/tool/file_output.h"
#include "cdrgrind/tool/processes.h"
#include "cdrgrind/tool/ring_reader.h"
#include "cdrgrind/tool/run_info.h"
#include "cdrgrind/tool/shown_text.h"

namespace cdr::tool {
namespace {

constexpr UInt kPatienceMs = 2'000;       // with a helper that was stopped
constexpr UInt kLongPatienceMs = 60'000;  // with one that could run but uses no processor time: disk, load

}  // namespace

bool HelperConsumer::reached(uint32_t consumed) const { return Ring::is_reached(ring_.control().consumed, consumed); }

uint64_t* HelperConsumer::take(uint64_t* buffer, uint64_t words) {
  if (alive_) {
    publish(words, false);
    if (await(published_ + 1 - Ring::kSlots)) return ring_.slot(published_);
  }
  VG_(memset)(buffer, 0, words * sizeof(uint64_t));
  return buffer;
}

void HelperConsumer::publish(uint64_t words, bool split) {
  Ring::Control& c = ring_.control();
  c.words[published_ % Ring::kSlots] = static_cast<uint32_t>(words);
  c.split[published_ % Ring::kSlots] = split;
  __atomic_store_n(&c.published, ++published_, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&c.helpers_asleep, __ATOMIC_SEQ_CST)) wake(&c.published);
}

drain::SessionStatus HelperConsumer::settle() {
  if (!alive_ || !await(published_)) return {};
  return ring_.control().status;
}

drain::SessionState HelperConsumer::state() const {
  if (!alive_) return {};
  if (reached(1)) return ring_.control().status.state;
  drain::SessionState begins;
  begins.open = true;
  begins.held = is_child_;
  begins.number = name_.number;
  return begins;
}

// Of those that have not come so far; one that has only looks now and then.
uint64_t HelperConsumer::time_of_helpers_behind(uint32_t consumed) const {
  uint64_t time = 0;
  for (uint32_t i = 0; i < ring_.helpers(); ++i)
    if (!Ring::is_reached(ring_.control().consumed_by[i], consumed)) time += processor_time(ring_.control().helpers[i]);
  return time;
}

bool HelperConsumer::await(uint32_t consumed) {
  if (reached(consumed)) [[likely]]
    return true;
  Ring::Control& c = ring_.control();
  uint32_t last = 0;
  uint64_t time = 0;
  UInt since = VG_(read_millisecond_timer)();
  for (;;) {
    __atomic_store_n(&c.process_sleeps, 1, __ATOMIC_SEQ_CST);
    const uint32_t now = __atomic_load_n(&c.consumed, __ATOMIC_SEQ_CST);
    if (!reached(consumed)) sleep_on(&c.consumed, now, kLookMilliseconds);
    __atomic_store_n(&c.process_sleeps, 0, __ATOMIC_RELAXED);
    if (reached(consumed)) return true;
    if (std::any_of(sockets_.begin(), sockets_.end(), peer_is_gone)) {
      if (reached(consumed)) return true;
      give_up("has died");
      return false;
    }
    const bool able = std::all_of(helpers().begin(), helpers().end(), [](Int helper) {
      return state_of_process(helper, kHelperName) == ProcessState::kAble;
    });
    const uint64_t used = able ? time_of_helpers_behind(consumed) : time;
    if (now != last || used != time) since = VG_(read_millisecond_timer)();
    last = now;
    time = used;
    const UInt patience = able ? kLongPatienceMs : kPatienceMs;
    if (VG_(read_millisecond_timer)() - since < patience) continue;
    give_up("does not respond");
    return false;
  }
}

// A child's helper may not have come so far that there is a file.
void HelperConsumer::give_up(const HChar* what) {
  const drain::SessionState s = state();
  alive_ = false;
  for (const Int helper : helpers())
    if (state_of_process(helper, kHelperName) != ProcessState::kGone) kill_process(helper);
  for (Int& socket : sockets_) close_descriptor(socket);
  const HChar* const path = path_of({name_.file, s.open ? s.number : name_.number});
  if (s.open && !s.held) mark_file_cut(path, run_info());
  VG_(umsg)
  ("cdrgrind: warning: %s: %s helper process %s; the program runs on, the trace ends here (--helper=no does "
   "without)\n",
   ShownText(path).text(), ring_.helpers() == 1 ? "the" : "a", what);
}

// ---- fork

// The helpers fork when they have come so far; what they need then is sent already.
uint64_t* HelperConsumer::before_fork() {
  uint64_t* const present = ring_.slot(published_);
  if (!alive_) return present;
  close_child();
  if (!offer_child()) {
    close_child();
    return present;
  }
  publish(0, true);
  return await(published_ + 1 - Ring::kSlots) ? ring_.slot(published_) : present;
}

bool HelperConsumer::offer_child() {
  child_memory_ = Ring::memory_for_another();
  if (child_memory_ < 0) return false;
  std::vector<Int> theirs;
  for (size_t i = 0; i < sockets_.size(); ++i) {
    Int ends[2];
    if (!socket_pair(ends)) break;
    child_sockets_.push_back(ends[0]);
    theirs.push_back(ends[1]);
  }
  bool sent = theirs.size() == sockets_.size();
  for (size_t i = 0; sent && i < theirs.size(); ++i) sent = send_descriptors(sockets_[i], {child_memory_, theirs[i]});
  for (Int& socket : theirs) close_descriptor(socket);
  return sent;
}

void HelperConsumer::close_child() {
  close_descriptor(child_memory_);
  for (Int& socket : child_sockets_) close_descriptor(socket);
  child_sockets_.clear();
}

void HelperConsumer::after_fork_in_parent() { close_child(); }

uint64_t* HelperConsumer::after_fork_in_child() {
  for (Int& socket : sockets_) close_descriptor(socket);
  is_child_ = true;
  published_ = 0;
  const bool served = alive_ && !child_sockets_.empty();
  ring_.replace(served ? child_memory_ : kNoDescriptor);
  close_descriptor(child_memory_);
  if (alive_ && !served) VG_(umsg)
  ("cdrgrind: warning: a forked process cannot have a helper process and is not recorded (--helper=no does "
   "without)\n");
  alive_ = served;
  for (size_t i = 0; i < child_sockets_.size(); ++i) sockets_[i] = VG_(safe_fd)(child_sockets_[i]);
  child_sockets_.clear();
  return ring_.slot(0);
}

}  // namespace cdr::tool
