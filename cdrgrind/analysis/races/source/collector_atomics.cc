// SPDX-License-Identifier: GPL-2.0-or-later
// What atomic accesses and the flags of spin loops order.
#include "cdrgrind/analysis/races/source/collector.h"

namespace cdr::races {

// By the directive that it stands under, or by its memory order where the mode asks for it; else, and where it is not
// known, an acquire and a release. Its old value may go nowhere: then what has no known order gets nothing.
AtomicOperation Collector::operation_of(const Event& e, const Site& site, const analysis::Seen& seen) {
  AtomicOperation o;
  if (strands_ && seen.access && !site.library) o = facts_.directive_operation(site.ip);
  if (options_.atomics == AtomicsMode::kCxx && seen.access && !o.known) {
    o = facts_.atomic_operation(stacks_.sites(e.thread, site.ip));
    if (!o.known) to_.unknown_orders.insert(site.ip);
  }
  if (!o.known) o.gets = site.use == AtomicUse::kUsed;
  if (site.use == AtomicUse::kStore) o.gets = false;
  o.exchanges = (o.known && o.exchanges) || (site.locked && site.use != AtomicUse::kStore);
  return o;
}

// A store that gives nothing ends what was given before, a read-modify-write that gives nothing hands it on: so a
// release sequence is made of these alone, as C++20 has it.
void Collector::order_by_atomic(ThreadId t, const analysis::Seen& seen, const AtomicOperation& o) {
  before_get(t);
  if (!seen.store) {
    if (o.gets) atomics_.read(t, seen.addr, seen.width);
  } else if (o.gives) {
    atomics_.write(t, seen.addr, seen.width, o.exchanges);
  } else if (!o.exchanges) {
    atomics_.forget(seen.addr, seen.width);
  }
}

void Collector::order_by_access(const Event& e, const Site& site, const analysis::Seen& seen, GenerationId where,
                                bool atomic) {
  const ThreadId t = e.thread;
  // What the C library locks in blocks that it has allocated, as FILEs, it locks for itself.
  if (atomic && runtime_.clib[site.ip.module.value] && to_.is_allocated_by(where, runtime_.clib)) return;
  const bool orders = atomic && atomics_order(options_.atomics);
  AtomicOperation operation;
  if (orders)
    order_by_atomic(t, seen, operation = operation_of(e, site, seen));
  else if (seen.store)
    atomics_.forget(seen.addr, seen.width);
  if (first_pass_.spin_flags.empty()) return;
  // Of operations whose order is known the language tells all: a loop that waits by relaxed loads gets nothing.
  if (site.spin && !operation.known) see_flag(e, seen);
  if (!seen.store) return;
  flags_.forget(seen.addr, seen.width);
  if (operation.known && !operation.gives) return;
  for (uint64_t a = seen.addr; a < seen.addr + seen.width; ++a)
    if (first_pass_.spin_flags.count(a)) return flags_.write(t, seen.addr, seen.width, false);
}

}  // namespace cdr::races
