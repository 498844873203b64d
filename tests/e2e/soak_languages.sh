# SPDX-License-Identifier: GPL-2.0-or-later
# Programs whose runtimes have stacks and schedulers of their own: Go, whose goroutines move between threads, with one
# and several of them; Rust with threads and with an executor; Java's interpreter; node, php and python with threads.
# Each does under the recorder what it does alone, and its trace is sound; the dependences of a small one are the slow
# reference's. What is not installed is left out, and said.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"

seconds=${PROGRAM_SECONDS:-300}
export GOCACHE=$PWD/go-cache GOPATH=$PWD/go-path GO111MODULE=off GOFLAGS=

# NAME COMMAND...
check_program() {
  local name=$1
  shift
  timeout "$seconds" "$@" >"$name.want" 2>"$name.native" || fail "$name: alone: status $?: $(tail "$name.native")"
  timeout "$seconds" "$cdrgrind" record --cdr-out-file="$name.trace" -- "$@" >"$name.out" 2>"$name.err" ||
    fail "$name: status $?: $(tail "$name.err")"
  cmp "$name.want" "$name.out"
  "$cdrgrind" verify "$name.trace" >"$name.verify" || fail "$name: verify: $(tail "$name.verify")"
  "$cdrgrind" annotate --from-trace "$name.trace" >"$name.listing"
  [[ $name != go-hello* ]] || compare_keys "$name" || fail "$name: dependences"
  echo "$name: $(grep -o "[0-9,]* events" "$name.verify" | head -n 1)"
  rm "$name.trace"
}

have() {
  local command
  for command; do
    command -v "$command" >/dev/null || { echo "$command is not installed"; return 1; }
  done
}

write_go() {
  cat >hello.go <<'GO'
package main

import "fmt"

func main() { fmt.Println("hello, world") }
GO
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

check_go() {
  local name threads
  write_go
  for name in hello channels collect many; do
    go build -o "go-$name" "$name.go"
    for threads in 1 2 8; do
      GOMAXPROCS=$threads check_program "go-$name-$threads" "./go-$name"
    done
  done
}

write_rust() {
  cat >threads.rs <<'RUST'
use std::sync::{mpsc, Arc, Mutex};
use std::thread;
fn main() {
    let total = Arc::new(Mutex::new(0u64));
    let (send, receive) = mpsc::channel();
    let threads: Vec<_> = (0..4u64)
        .map(|i| {
            let (total, send) = (Arc::clone(&total), send.clone());
            thread::spawn(move || {
                for k in 0..50 {
                    *total.lock().unwrap() += i * k;
                }
                send.send(i).unwrap();
            })
        })
        .collect();
    drop(send);
    let sum: u64 = receive.iter().sum();
    for t in threads {
        t.join().unwrap();
    }
    println!("{} {}", *total.lock().unwrap(), sum);
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

check_rust() {
  local name
  write_rust
  for name in threads executor; do
    rustc --edition 2021 -g -O -o "rust-$name" "$name.rs"
    check_program "rust-$name" "./rust-$name"
  done
}

check_java() {
  cat >Main.java <<'JAVA'
public class Main {
  static long total;
  static synchronized void add(long n) { total += n; }
  public static void main(String[] arguments) throws Exception {
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      final int n = i;
      threads[i] = new Thread(() -> { for (int k = 0; k < 100; k++) add(n * k); });
      threads[i].start();
    }
    for (Thread t : threads) t.join();
    System.out.println(total);
  }
}
JAVA
  javac Main.java
  check_program java java -Xint -XX:+UseSerialGC -Xmx32m -Xshare:auto Main
}

check_node() {
  cat >workers.js <<'JS'
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  let sum = 0, left = 2;
  for (let i = 0; i < 2; i++) {
    const w = new Worker(__filename, { workerData: i });
    w.on('message', (n) => { sum += n; });
    w.on('exit', () => { if (--left === 0) console.log(sum); });
  }
} else {
  let n = 0;
  for (let i = 0; i < 1000; i++) n += i * (workerData + 1);
  parentPort.postMessage(n);
}
JS
  check_program node node --jitless workers.js
}

check_php() { check_program php php -r 'function f($n) { return $n < 2 ? $n : f($n - 1) + f($n - 2); } echo f(15), "\n";
  $x = new Fiber(function () { $n = 0; while (true) $n += Fiber::suspend($n); }); $x->start();
  for ($i = 0; $i < 20; $i++) echo $x->resume($i), "\n";'; }

check_python() {
  cat >threads.py <<'PY'
import queue, threading
total, lock, jobs = 0, threading.Lock(), queue.Queue()
def work():
    global total
    while (n := jobs.get()) is not None:
        with lock:
            total += sum(range(n))
threads = [threading.Thread(target=work) for _ in range(3)]
for t in threads:
    t.start()
for n in range(60):
    jobs.put(n)
for t in threads:
    jobs.put(None)
for t in threads:
    t.join()
print(total)
PY
  check_program python python3 threads.py
}

! have go || check_go
! have rustc || check_rust
! have java javac || check_java
! have node || check_node
! have php || check_php
! have python3 || check_python
