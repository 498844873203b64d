# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The sources of the programs of programs_at_work.sh: each function writes those of one language into the current folder.

programs_in_go() {
  cat >work.go <<'GO'
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type node struct{ left, right *node }

func tree(n int) *node {
	if n == 0 {
		return &node{}
	}
	return &node{tree(n - 1), tree(n - 1)}
}
func (n *node) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}
func main() {
	jobs, results := make(chan int), make(chan int, 4)
	var wait sync.WaitGroup
	var lock sync.Mutex
	total := 0
	for w := 0; w < 4; w++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := range jobs {
				lock.Lock()
				total += j
				lock.Unlock()
				results <- tree(4 + j%4).count()
			}
		}()
	}
	sum := 0
	go func() {
		for i := 0; i < 60; i++ {
			jobs <- i
		}
		close(jobs)
	}()
	for i := 0; i < 60; i++ {
		sum += <-results
		if i%20 == 0 {
			runtime.GC()
		}
	}
	wait.Wait()
	fmt.Println(total, sum)
}
GO
  printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n' >hello.go
  # Stacks that grow while others wait, channels, a lock.
  cat >channels.go <<'GO'
package main

import (
	"fmt"
	"sync"
)

func deep(n int, c chan int) int {
	var local [64]int
	local[n%64] = n
	if n == 0 {
		return <-c
	}
	return deep(n-1, c) + local[n%64]
}

func main() {
	var group sync.WaitGroup
	var lock sync.Mutex
	total := 0
	c := make(chan int)
	for i := 0; i < 40; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			n := deep(i*3, c)
			lock.Lock()
			total += n
			lock.Unlock()
		}(i)
	}
	for i := 0; i < 40; i++ {
		c <- i
	}
	group.Wait()
	fmt.Println(total)
}
GO
  # Collections, which shrink and free stacks.
  cat >collect.go <<'GO'
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type node struct {
	left, right *node
	value       int
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{value: 1}
	}
	return &node{tree(depth - 1), tree(depth - 1), depth}
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.left.sum() + n.right.sum() + n.value
}

func main() {
	var group sync.WaitGroup
	sums := make([]int, 4)
	for i := range sums {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			for k := 0; k < 6; k++ {
				sums[i] += tree(8).sum()
				if k%3 == 0 {
					runtime.GC()
				}
			}
		}(i)
	}
	group.Wait()
	fmt.Println(sums)
}
GO
  # Very many, one after the other and at once; timers; a system call that blocks.
  cat >many.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	done := make(chan int, 100)
	for round := 0; round < 5; round++ {
		for i := 0; i < 400; i++ {
			go func(i int) { done <- i * i }(i)
		}
		sum := 0
		for i := 0; i < 400; i++ {
			sum += <-done
		}
		fmt.Println(sum)
	}
	r, w, _ := os.Pipe()
	go func() {
		time.Sleep(time.Millisecond)
		w.Write([]byte("late"))
		w.Close()
	}()
	text := make([]byte, 8)
	n, _ := r.Read(text)
	fmt.Println(string(text[:n]))
}
GO
}

programs_in_rust() {
  cat >work.rs <<'RUST'
use std::collections::HashMap;
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, RwLock};
use std::thread;
fn main() {
    let (send, receive) = mpsc::channel();
    let total = Arc::new(Mutex::new(0u64));
    let words = Arc::new(RwLock::new(HashMap::new()));
    let meet = Arc::new(Barrier::new(3));
    let ready = Arc::new((Mutex::new(false), Condvar::new()));
    let threads: Vec<_> = (0..3u64)
        .map(|id| {
            let (send, total, words, meet, ready) = (send.clone(), total.clone(), words.clone(), meet.clone(), ready.clone());
            thread::spawn(move || {
                let (flag, wake) = &*ready;
                drop(wake.wait_while(flag.lock().unwrap(), |set| !*set).unwrap());
                for i in 0..50 {
                    *total.lock().unwrap() += i * id;
                    words.write().unwrap().insert(i, id * i % 7 * 0 + i);
                }
                meet.wait();
                send.send(words.read().unwrap().values().sum::<u64>()).unwrap();
            })
        })
        .collect();
    *ready.0.lock().unwrap() = true;
    ready.1.notify_all();
    drop(send);
    let sums: Vec<u64> = receive.iter().collect();
    for t in threads {
        t.join().unwrap();
    }
    println!("{} {:?}", total.lock().unwrap(), sums);
}
RUST
  # An executor: tasks that wake each other, polled by whichever thread is free.
  cat >executor.rs <<'RUST'
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Arc<Queue>,
}
struct Queue {
    ready: Mutex<(VecDeque<Arc<Task>>, usize)>,
    more: Condvar,
}
impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let queue = self.queue.clone();
        queue.ready.lock().unwrap().0.push_back(self);
        queue.more.notify_one();
    }
}
struct Yield(bool);
impl Future for Yield {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
fn work(queue: Arc<Queue>) {
    loop {
        let task = {
            let mut ready = queue.ready.lock().unwrap();
            loop {
                if let Some(task) = ready.0.pop_front() {
                    break task;
                }
                if ready.1 == 0 {
                    queue.more.notify_all();
                    return;
                }
                ready = queue.more.wait(ready).unwrap();
            }
        };
        let waker = Waker::from(task.clone());
        let mut slot = task.future.lock().unwrap();
        let done = match slot.as_mut() {
            Some(f) => f.as_mut().poll(&mut Context::from_waker(&waker)).is_ready(),
            None => false,
        };
        if done {
            *slot = None;
            queue.ready.lock().unwrap().1 -= 1;
            queue.more.notify_all();
        }
    }
}
fn main() {
    let total = Arc::new(Mutex::new(0usize));
    let queue = Arc::new(Queue { ready: Mutex::new((VecDeque::new(), 20)), more: Condvar::new() });
    for i in 0..20 {
        let total = total.clone();
        let future = async move {
            for k in 0..10 {
                *total.lock().unwrap() += i * k;
                Yield(false).await;
            }
        };
        let task = Arc::new(Task { future: Mutex::new(Some(Box::pin(future))), queue: queue.clone() });
        queue.ready.lock().unwrap().0.push_back(task);
    }
    let threads: Vec<_> = (0..3).map(|_| { let q = queue.clone(); thread::spawn(move || work(q)) }).collect();
    for t in threads {
        t.join().unwrap();
    }
    println!("{}", total.lock().unwrap());
}
RUST
}

programs_in_java() {
  cat >Work.java <<'JAVA'
import java.util.*;
import java.util.concurrent.*;
public class Work {
  static synchronized int add(int[] a, int n) { a[0] += n; return a[0]; }
  public static void main(String[] args) throws Exception {
    int[] total = {0};
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Future<Integer>> parts = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      final int k = t;
      parts.add(pool.submit(() -> { int s = 0; for (int i = 0; i < 200; i++) { s += i * k; add(total, 1); } return s; }));
    }
    int sum = 0;
    for (Future<Integer> p : parts) sum += p.get();
    pool.shutdown();
    System.out.println(sum + " " + total[0]);
  }
}
JAVA
}

programs_in_cxx() {
  cat >execution.cc <<'CXX'
#include <algorithm>
#include <cstdio>
#include <execution>
#include <numeric>
#include <vector>
int main() {
  std::vector<unsigned> v(3000);
  for (unsigned i = 0; i < v.size(); i++) v[i] = i * 7919 % 3001;
  std::sort(std::execution::par, v.begin(), v.end());
  std::transform(std::execution::par, v.begin(), v.end(), v.begin(), [](unsigned x) { return x * x; });
  std::printf("%u %u\n", std::reduce(std::execution::par, v.begin(), v.end()), v[1234]);
}
CXX
  cat >tasks.cc <<'CXX'
#include <cstdio>
#include <oneapi/tbb.h>
int fib(int n) {
  if (n < 8) return n < 2 ? n : fib(n - 1) + fib(n - 2);
  int a, b;
  oneapi::tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}
int main() {
  oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 3);
  long sum = oneapi::tbb::parallel_reduce(
      oneapi::tbb::blocked_range<int>(0, 4000), 0L,
      [](const oneapi::tbb::blocked_range<int>& r, long s) { for (int i = r.begin(); i < r.end(); i++) s += i; return s; },
      [](long a, long b) { return a + b; });
  std::printf("%d %ld\n", fib(14), sum);
}
CXX
  cat >fibers.cc <<'CXX'
#include <boost/fiber/all.hpp>
#include <cstdio>
int main() {
  boost::fibers::buffered_channel<int> channel(4);
  long sum = 0;
  boost::fibers::fiber reader([&] { for (int i : channel) sum += i; });
  boost::fibers::fiber writers[3];
  for (int w = 0; w < 3; w++)
    writers[w] = boost::fibers::fiber([&channel, w] { for (int i = 0; i < 40; i++) { channel.push(i * w); boost::this_fiber::yield(); } });
  for (auto& w : writers) w.join();
  channel.close();
  reader.join();
  std::printf("%ld\n", sum);
}
CXX
  cat >loops.c <<'C'
#include <stdio.h>
int main(void) {
  static double a[4000];
  double sum = 0;
  for (int round = 0; round < 5; round++) {
#pragma omp parallel for schedule(dynamic, 50)
    for (int i = 0; i < 4000; i++) a[i] += i * round;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 4000; i++) sum += a[i];
  }
  printf("%.0f\n", sum);
}
C
}
