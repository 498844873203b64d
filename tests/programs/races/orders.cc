// SPDX-License-Identifier: GPL-2.0-or-later
// Memory orders: of each case a right program and a wrong twin that differs in an order or a fence alone. What is
// handed over is called right_… or wrong_…; under the C++ memory model each wrong one races, and no right one does.
// Who comes second waits for that by relaxed operations in a hide region: no tool may take them for an order.
#include <pthread.h>
#include <sched.h>

#include <atomic>

#include "cdrgrind/cdrgrind.h"

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

static std::atomic<int> turn;

static void wait_for_turn(int n) {
  CDRGRIND_HIDE_BEGIN;
  while (turn.load(memory_order_relaxed) < n) sched_yield();
  CDRGRIND_HIDE_END;
}

static void end_turn() {
  CDRGRIND_HIDE_BEGIN;
  turn.fetch_add(1, memory_order_relaxed);
  CDRGRIND_HIDE_END;
}

typedef void (*Part)();
static void *run_first(void *p) {
  (*static_cast<Part *>(p))();
  end_turn();
  return nullptr;
}
static void *run_second(void *p) {
  wait_for_turn(1);
  (*static_cast<Part *>(p))();
  return nullptr;
}

static void in_turn(Part first, Part second) {
  pthread_t a, b;
  turn.store(0, memory_order_relaxed);
  pthread_create(&a, nullptr, run_first, &first);
  pthread_create(&b, nullptr, run_second, &second);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

// A message, awaited in a loop.
static std::atomic<int> message_flag[2];
int right_message, wrong_message;
static void right_message_1() { right_message = 1; message_flag[0].store(1, memory_order_release); }
static void right_message_2() { while (!message_flag[0].load(memory_order_acquire)) {} right_message = 2; }
static void wrong_message_1() { wrong_message = 1; message_flag[1].store(1, memory_order_relaxed); }
static void wrong_message_2() { while (!message_flag[1].load(memory_order_relaxed)) {} wrong_message = 2; }

// The loop looks by relaxed loads, and acquires at the end.
static std::atomic<int> late_flag[2];
int right_late, wrong_late;
static void right_late_1() { right_late = 1; late_flag[0].store(1, memory_order_release); }
static void right_late_2() {
  while (!late_flag[0].load(memory_order_relaxed)) {}
  (void)late_flag[0].load(memory_order_acquire);
  right_late = 2;
}
static void wrong_late_1() { wrong_late = 1; late_flag[1].store(1, memory_order_release); }
static void wrong_late_2() { while (!late_flag[1].load(memory_order_relaxed)) {} wrong_late = 2; }

// Fences around relaxed operations.
static std::atomic<int> fence_flag[2];
int right_fence, wrong_fence;
static void right_fence_1() {
  right_fence = 1;
  std::atomic_thread_fence(memory_order_release);
  fence_flag[0].store(1, memory_order_relaxed);
}
static void right_fence_2() {
  while (!fence_flag[0].load(memory_order_relaxed)) {}
  std::atomic_thread_fence(memory_order_acquire);
  right_fence = 2;
}
static void wrong_fence_1() {
  wrong_fence = 1;
  std::atomic_thread_fence(memory_order_release);
  fence_flag[1].store(1, memory_order_relaxed);
}
static void wrong_fence_2() { while (!fence_flag[1].load(memory_order_relaxed)) {} wrong_fence = 2; }

// A lock that is given back by a relaxed store.
static std::atomic<int> spin_lock[2];
int right_spin_lock, wrong_spin_lock;
static void right_spin_lock_both() {
  while (spin_lock[0].exchange(1, memory_order_acquire)) {}
  ++right_spin_lock;
  spin_lock[0].store(0, memory_order_release);
}
static void wrong_spin_lock_both() {
  while (spin_lock[1].exchange(1, memory_order_acquire)) {}
  ++wrong_spin_lock;
  spin_lock[1].store(0, memory_order_relaxed);
}

// The same with std::atomic_flag.
static std::atomic_flag flag_lock[2];
int right_flag_lock, wrong_flag_lock;
static void right_flag_lock_both() {
  while (flag_lock[0].test_and_set(memory_order_acquire)) {}
  ++right_flag_lock;
  flag_lock[0].clear(memory_order_release);
}
static void wrong_flag_lock_both() {
  while (flag_lock[1].test_and_set(memory_order_relaxed)) {}
  ++wrong_flag_lock;
  flag_lock[1].clear(memory_order_release);
}

// A relaxed counter: its sum is asked for behind the joins, or its value is taken for a message.
static std::atomic<int> counter[2];
int right_counter, wrong_counter;
static void right_counter_1() { right_counter = 1; counter[0].fetch_add(1, memory_order_relaxed); }
static void right_counter_2() { counter[0].fetch_add(1, memory_order_relaxed); }
static void wrong_counter_1() { wrong_counter = 1; counter[1].fetch_add(1, memory_order_relaxed); }
static void wrong_counter_2() { if (counter[1].fetch_add(1, memory_order_relaxed) == 1) wrong_counter = 2; }

// Double-checked initialisation.
static std::atomic<int *> object[2];
static pthread_mutex_t object_lock = PTHREAD_MUTEX_INITIALIZER;
int right_object, wrong_object;
static void right_object_both() {
  int *o = object[0].load(memory_order_acquire);
  if (!o) {
    pthread_mutex_lock(&object_lock);
    o = &right_object;
    *o = 1;
    object[0].store(o, memory_order_release);
    pthread_mutex_unlock(&object_lock);
  }
  if (*o != 1) __builtin_trap();
}
static void wrong_object_both() {
  int *o = object[1].load(memory_order_relaxed);
  if (!o) {
    pthread_mutex_lock(&object_lock);
    o = &wrong_object;
    *o = 1;
    object[1].store(o, memory_order_relaxed);
    pthread_mutex_unlock(&object_lock);
  }
  if (*o != 1) __builtin_trap();
}

// A count of references: the last one cleans up.
static std::atomic<int> count[2];
int right_count, wrong_count;
static void right_count_both() {
  if (count[0].fetch_sub(1, memory_order_acq_rel) == 1) right_count = 0;
}
static void right_count_1() { right_count = 1; right_count_both(); }
static void wrong_count_both() {
  if (count[1].fetch_sub(1, memory_order_relaxed) == 1) wrong_count = 0;
}
static void wrong_count_1() { wrong_count = 1; wrong_count_both(); }

// The same with a fence where it is needed, or without it.
static std::atomic<int> fenced_count[2];
int right_fenced_count, wrong_fenced_count;
static void right_fenced_count_both() {
  if (fenced_count[0].fetch_sub(1, memory_order_release) != 1) return;
  std::atomic_thread_fence(memory_order_acquire);
  right_fenced_count = 0;
}
static void right_fenced_count_1() { right_fenced_count = 1; right_fenced_count_both(); }
static void wrong_fenced_count_both() {
  if (fenced_count[1].fetch_sub(1, memory_order_release) != 1) return;
  wrong_fenced_count = 0;
}
static void wrong_fenced_count_1() { wrong_fenced_count = 1; wrong_fenced_count_both(); }

// A release sequence goes on through a read-modify-write, and ends with a store.
static std::atomic<int> sequence[2];
int right_sequence, wrong_sequence;
static void right_sequence_1() { right_sequence = 1; sequence[0].store(1, memory_order_release); }
static void right_sequence_2() {
  sequence[0].fetch_add(1, memory_order_relaxed);
  if (sequence[0].load(memory_order_acquire) == 2) right_sequence = 2;
}
static void wrong_sequence_1() { wrong_sequence = 1; sequence[1].store(1, memory_order_release); }
static void wrong_sequence_2() {
  sequence[1].store(2, memory_order_relaxed);
  if (sequence[1].load(memory_order_acquire) == 2) wrong_sequence = 2;
}

// Exchanges. Where nobody looks at the old value clang makes a plain store of one, of which no order is known.
static std::atomic<long> exchanged[2];
int right_exchanged, wrong_exchanged;
static void right_exchanged_1() { right_exchanged = 1; if (exchanged[0].exchange(1, memory_order_release)) __builtin_trap(); }
static void right_exchanged_2() { if (exchanged[0].exchange(2, memory_order_acquire) == 1) right_exchanged = 2; }
static void wrong_exchanged_1() { wrong_exchanged = 1; if (exchanged[1].exchange(1, memory_order_relaxed)) __builtin_trap(); }
static void wrong_exchanged_2() { if (exchanged[1].exchange(2, memory_order_acquire) == 1) wrong_exchanged = 2; }

// compare_exchange with two orders.
static std::atomic<int> compared[2];
int right_compared, wrong_compared;
static void right_compared_1() { right_compared = 1; compared[0].store(1, memory_order_release); }
static void right_compared_2() {
  int expected = 1;
  if (compared[0].compare_exchange_strong(expected, 2, memory_order_acquire, memory_order_relaxed)) right_compared = 2;
}
static void wrong_compared_1() { wrong_compared = 1; compared[1].store(1, memory_order_release); }
static void wrong_compared_2() {
  int expected = 1;
  if (compared[1].compare_exchange_strong(expected, 2, memory_order_relaxed, memory_order_relaxed)) wrong_compared = 2;
}

// std::atomic<bool>, whose members are called where nothing is optimised.
static std::atomic<bool> ready[2];
int right_ready, wrong_ready;
static void right_ready_1() { right_ready = 1; ready[0].store(true, memory_order_release); }
static void right_ready_2() { if (ready[0].load(memory_order_acquire)) right_ready = 2; }
static void wrong_ready_1() { wrong_ready = 1; ready[1].store(true, memory_order_relaxed); }
static void wrong_ready_2() { if (ready[1].load(memory_order_acquire)) wrong_ready = 2; }

// Operators are sequentially consistent.
static std::atomic<int> operated[2];
int right_operated, wrong_operated;
static void right_operated_1() { right_operated = 1; operated[0] = 1; }
static void right_operated_2() { if (operated[0]) right_operated = 2; }
static void wrong_operated_1() { wrong_operated = 1; operated[1].store(1, memory_order_relaxed); }
static void wrong_operated_2() { if (operated[1]) wrong_operated = 2; }

int main() {
  count[0] = count[1] = fenced_count[0] = fenced_count[1] = 2;
  in_turn(right_message_1, right_message_2);
  in_turn(wrong_message_1, wrong_message_2);
  in_turn(right_late_1, right_late_2);
  in_turn(wrong_late_1, wrong_late_2);
  in_turn(right_fence_1, right_fence_2);
  in_turn(wrong_fence_1, wrong_fence_2);
  in_turn(right_spin_lock_both, right_spin_lock_both);
  in_turn(wrong_spin_lock_both, wrong_spin_lock_both);
  in_turn(right_flag_lock_both, right_flag_lock_both);
  in_turn(wrong_flag_lock_both, wrong_flag_lock_both);
  in_turn(right_counter_1, right_counter_2);
  if (counter[0].load(memory_order_relaxed) != 2 || right_counter != 1) return 1;
  in_turn(wrong_counter_1, wrong_counter_2);
  in_turn(right_object_both, right_object_both);
  in_turn(wrong_object_both, wrong_object_both);
  in_turn(right_count_1, right_count_both);
  in_turn(wrong_count_1, wrong_count_both);
  in_turn(right_fenced_count_1, right_fenced_count_both);
  in_turn(wrong_fenced_count_1, wrong_fenced_count_both);
  in_turn(right_sequence_1, right_sequence_2);
  in_turn(wrong_sequence_1, wrong_sequence_2);
  in_turn(right_exchanged_1, right_exchanged_2);
  in_turn(wrong_exchanged_1, wrong_exchanged_2);
  in_turn(right_compared_1, right_compared_2);
  in_turn(wrong_compared_1, wrong_compared_2);
  in_turn(right_ready_1, right_ready_2);
  in_turn(wrong_ready_1, wrong_ready_2);
  in_turn(right_operated_1, right_operated_2);
  in_turn(wrong_operated_1, wrong_operated_2);
  return 0;
}
