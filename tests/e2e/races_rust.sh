# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races` on Rust: loads and stores of its atomics are atomic, its library's are as well, names are as in the
# source, and stacks end where the program's do.
. "$top_srcdir/tests/e2e/common.sh"
[ ! -d "$HOME/.rustup" ] || export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
rustc --version >/dev/null 2>&1 || skip "no rustc"

cat >right.rs <<'RUST'
use std::sync::{atomic::*, mpsc, Arc};
use std::thread;
fn main() {
    let (tx, rx) = mpsc::channel::<u64>();
    let h = thread::spawn(move || for i in 0..40 { tx.send(i).unwrap(); });
    let sum: u64 = rx.iter().sum();
    h.join().unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let count = Arc::new(AtomicU64::new(0));
    let (d, c) = (done.clone(), count.clone());
    let t = thread::spawn(move || while !d.load(Ordering::Acquire) { c.store(1, Ordering::Relaxed); thread::yield_now(); });
    while count.load(Ordering::Relaxed) == 0 { thread::yield_now(); }
    done.store(true, Ordering::Release);
    t.join().unwrap();
    println!("{}", sum);
}
RUST
cat >wrong.rs <<'RUST'
use std::thread;
static mut COUNT: u64 = 0;
fn add(n: u64) { for _ in 0..n { unsafe { COUNT = COUNT + 1; } } }
fn main() {
    let t = thread::spawn(|| add(100));
    add(100);
    t.join().unwrap();
}
RUST
for level in 0 2; do
  rustc -g -C opt-level=$level -A warnings -o right right.rs
  record right ./right
  "$cdrgrind" races right.trace >text || fail "level $level: $(grep '^#' text)"
done
rustc -g -A warnings -o wrong wrong.rs
record wrong ./wrong
if "$cdrgrind" races wrong.trace >text; then fail "no race found"; fi
grep -q '^#1 wrong::COUNT' text || fail "$(grep '^#' text)"
grep -q 'at wrong::add (' text || fail "$(cat text)"
if grep -q 'lang_start\|catch_unwind\|::h[0-9a-f]\{16\}\|\$u7b' text; then fail "$(cat text)"; fi
