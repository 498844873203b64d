// SPDX-License-Identifier: GPL-2.0-or-later
// Plain stores beside atomic instructions: those that the source calls atomic, and those that it does not. Each thread
// of a case touches the variable once by an atomic instruction, so that all of it is about the store.
#include <atomic>
#include <cstring>

#include "order.h"
#include "stores.h"

#define WRITE_ONCE(where, what) (*static_cast<volatile int *>(&(where)) = (what))
#define SET(where, what) \
  do { \
    __atomic_store_n(&(where), (what), __ATOMIC_RELAXED); \
  } while (0)
#define ASSIGN(where, what) (where) = (what)

static void count(int *n) { __atomic_fetch_add(n, 1, __ATOMIC_RELAXED); }

// Half of a compare-and-swap is no half of a ++.
static int swapped;
static void swapped_1() { int o = swapped; while (!__atomic_compare_exchange_n(&swapped, &o, o + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {} }

static int plain;
static void plain_1() { count(&plain); }
static void plain_2() { plain = 0; }

static int cleared;
static void cleared_1() { count(&cleared); }
static void cleared_2() { memset(&cleared, 0, sizeof cleared); }

static int builtin;
static void builtin_1() { count(&builtin); }
static void builtin_2() { __atomic_store_n(&builtin, 0, __ATOMIC_RELAXED); }

static int kernel;
static void kernel_1() { count(&kernel); }
static void kernel_2() { WRITE_ONCE(kernel, 0); }

static int own_macro;
static void own_macro_1() { count(&own_macro); }
static void own_macro_2() { SET(own_macro, 0); }

static int header_macro;
static void header_macro_1() { count(&header_macro); }
static void header_macro_2() { ANNOUNCE_TWICE(header_macro, 0); }

static int plain_macro;
static void plain_macro_1() { count(&plain_macro); }
static void plain_macro_2() { ASSIGN(plain_macro, 0); }

// Several lines; the debug information may mean any of them.
static int long_one;
static void long_one_1() { count(&long_one); }
static void long_one_2() {
  __atomic_store_n(
      &long_one,
      used_steps > 3
          ? 1
          : 2,
      __ATOMIC_RELEASE);
}

// Neither the condition nor the comment is the store's: __atomic_store_n(&beside, 1, 0).
static int beside;
static int condition;
static void beside_1() { count(&beside); }
static void beside_2() {
  if (__atomic_load_n(&condition, __ATOMIC_ACQUIRE) == 0)
    beside = 0;  // not atomic_store(&beside, 0)
}

static int referred;
static void referred_1() { count(&referred); }
static void referred_2() { std::atomic_ref<int>(referred).store(0, std::memory_order_relaxed); }

// Its type is enough.
static std::atomic<int> typed;
static void typed_1() { typed.fetch_add(1); }
static void typed_2() { *reinterpret_cast<volatile int *>(&typed) = 0; }

// A load may be atomic whatever its line says.
static int loaded;
static void loaded_1() { count(&loaded); }
static void loaded_2() { int x = *static_cast<volatile int *>(&loaded); (void)x; }

// An atomic store, and half a load: a race wherever the store's source is.
static int half;
static void half_1() { __atomic_store_n(&half, 1, __ATOMIC_RELAXED); count(&half); }
static void half_2() { char x = *(volatile char *)&half; (void)x; }

// No atomic instruction comes near: the source alone says that these are atomic.
static int published;
static void published_1() { __atomic_store_n(&published, 1, __ATOMIC_RELEASE); }
static void published_2() { int x = __atomic_load_n(&published, __ATOMIC_ACQUIRE); (void)x; }

// What was written before is ordered by that.
static int data, ready;
static void ready_1() {
  data = 1;
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
}
static void ready_2() { if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) ++data; }

// What else such a statement does is not: it stores what it has loaded, and loads what it stores.
static int last, next;
static void last_1() { last = __atomic_load_n(&published, __ATOMIC_ACQUIRE); }
static void next_1() { next = 1; }
static void next_2() { __atomic_store_n(&published, next, __ATOMIC_RELEASE); }

// Half of it is none.
static int stored;
static void stored_1() { __atomic_store_n(&stored, 1, __ATOMIC_RELEASE); }
static void stored_2() { int x = *static_cast<volatile int *>(&stored); (void)x; }

static void alone() {
  in_turn(published_1, published_2);
  in_turn(ready_1, ready_2);
  in_turn(last_1, last_1);
  in_turn(next_1, next_2);
  in_turn(stored_1, stored_2);
}

int main(int argc, char **argv) {
  prepare();
  if (argc > 1 && std::strcmp(argv[1], "alone") == 0) return alone(), 0;
  if (argc > 1) in_turn(half_1, half_2);
  in_turn(swapped_1, swapped_1);
  in_turn(plain_1, plain_2);
  in_turn(cleared_1, cleared_2);
  in_turn(builtin_1, builtin_2);
  in_turn(kernel_1, kernel_2);
  in_turn(own_macro_1, own_macro_2);
  in_turn(header_macro_1, header_macro_2);
  in_turn(plain_macro_1, plain_macro_2);
  in_turn(long_one_1, long_one_2);
  in_turn(beside_1, beside_2);
  in_turn(referred_1, referred_2);
  in_turn(typed_1, typed_2);
  in_turn(loaded_1, loaded_2);
  return 0;
}
