
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
