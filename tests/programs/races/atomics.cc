// SPDX-License-Identifier: GPL-2.0-or-later
// std::atomic in all orders, plain accesses to atomic memory, counters, spin loops.
#include <atomic>

#include "order.h"

static std::atomic<int> flag_sc, flag_ra, flag_rmw, flag_cas, flag_x;
static int by_sc, by_release, by_rmw, by_cas, by_exchange;
static void by_sc_1() { by_sc = 1; flag_sc = 1; }
static void by_sc_2() { if (flag_sc) by_sc = 2; }
static void by_release_1() { by_release = 1; flag_ra.store(1, std::memory_order_release); }
static void by_release_2() { if (flag_ra.load(std::memory_order_acquire)) by_release = 2; }
static void by_rmw_1() { by_rmw = 1; flag_rmw.fetch_add(1); }
static void by_rmw_2() { if (flag_rmw.fetch_add(1) == 1) by_rmw = 2; }
static void by_cas_1() { by_cas = 1; flag_cas = 1; }
static void by_cas_2() { int expected = 1; if (flag_cas.compare_exchange_strong(expected, 2)) by_cas = 2; }
static void by_exchange_1() { by_exchange = 1; flag_x.exchange(1); }
static void by_exchange_2() { if (flag_x.exchange(2) == 1) by_exchange = 2; }

/* Through a read-modify-write of a third value to the one who reads. */
static std::atomic<int> relay;
static int relayed;
static void relayed_1() { relayed = 1; relay.store(1); relay.fetch_add(1); }
static void relayed_2() { if (relay.load() == 2) relayed = 2; }

static std::atomic<int> late;
static int after_store;
static void after_store_1() { late.store(1); after_store = 1; }
static void after_store_2() { if (late.load()) after_store = 2; }

/* A write after a read is no edge. */
static std::atomic<int> only_read;
static int read_before;
static void read_before_1() { int x = only_read.load(); (void)x; read_before = 1; }
static void read_before_2() { only_read.store(1); read_before = 2; }

/* The read sees another value than the release's. */
static std::atomic<int> overwritten;
static int covered;
static void covered_1() { covered = 1; overwritten.store(1); }
static void covered_2() { overwritten.store(2); int x = overwritten.load(); (void)x; covered = 2; }

/* A counter whose value nobody uses orders nothing. */
static int statistics, beside_statistics;
static void statistics_1() { beside_statistics = 1; __atomic_fetch_add(&statistics, 1, __ATOMIC_RELAXED); }
static void statistics_2() { __atomic_fetch_add(&statistics, 1, __ATOMIC_RELAXED); beside_statistics = 2; }

/* An update that the other's plain ++ loses. */
static int lost_update;
static void lost_update_1() { __atomic_fetch_add(&lost_update, 1, __ATOMIC_SEQ_CST); }
static void lost_update_2() { lost_update++; }

/* A plain load of the same width is presumed to be atomic. */
static int presumed;
static void presumed_1() { __atomic_fetch_add(&presumed, 1, __ATOMIC_SEQ_CST); }
static void presumed_2() { int x = __atomic_load_n(&presumed, __ATOMIC_SEQ_CST); (void)x; }

static int half_presumed;
static void half_presumed_1() { __atomic_fetch_add(&half_presumed, 1, __ATOMIC_SEQ_CST); }
static void half_presumed_2() { char x = *(volatile char *)&half_presumed; (void)x; }

/* Loops that wait for a plain variable; this one never waits, for the order is forced. */
static volatile int spin_flag;
static int spin_data;
static void spin_1() { spin_data = 5; spin_flag = 1; }
static void spin_2() { while (!spin_flag) {} int x = spin_data; (void)x; }

static volatile int early_flag;
static int early_data;
static void early_1() { early_flag = 1; early_data = 5; }
static void early_2() { while (!early_flag) {} int x = early_data; (void)x; }

int main() {
  prepare();
  in_turn(by_sc_1, by_sc_2);
  in_turn(by_release_1, by_release_2);
  in_turn(by_rmw_1, by_rmw_2);
  in_turn(by_cas_1, by_cas_2);
  in_turn(by_exchange_1, by_exchange_2);
  in_turn(relayed_1, relayed_2);
  in_turn(after_store_1, after_store_2);
  in_turn(read_before_1, read_before_2);
  in_turn(covered_1, covered_2);
  in_turn(statistics_1, statistics_2);
  in_turn(lost_update_1, lost_update_2);
  in_turn(presumed_1, presumed_2);
  in_turn(half_presumed_1, half_presumed_2);
  in_turn(spin_1, spin_2);
  in_turn(early_1, early_2);
  return 0;
}
