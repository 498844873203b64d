# SPDX-License-Identifier: GPL-2.0-or-later
# programs_at_work.sh [NAME...]: language runtimes, servers under load and parallel libraries, which nobody here wrote (all, or
# those named): each runs alone and under `cdrgrind record' with defaults and must do the same; its trace passes
# `verify', and every report on it is ready within the limits of programs_lib.sh, or its reason stands in the
# table. What is not installed is left out, and said. The table programs.md is a part of docs/programs.md.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/programs_lib.sh"
. "$top_srcdir/tests/e2e/programs_sources_lib.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"

seconds=${PROGRAM_SECONDS:-600}
reports=(races annotate sync sharing patterns loops paths stats)
whole='more than 1 GB for a sequence of so many lines'
steps='more than 1 GB for so many different steps'
run='more than 1 GB: event control keeps the run'
control='more than a minute: event control goes through the run for each class'
may_exceed=(
  ["cc1-long loops"]=$whole ["cc1-long patterns"]=$steps ["cc1-long sharing"]='more than a minute: 830 million events'
  ["ffmpeg loops"]=$whole ["r loops"]=$whole ["emacs loops"]=$whole ["python-async loops"]=$whole
  ["node-workers loops"]=$whole ["node-workers patterns"]=$steps ["python-async patterns"]=$steps
  ["go-collect-2 races"]=$control ["go-collect-8 races"]=$control
  ["x264-frames races"]=$run ["python-async races"]=$run ["node-workers races"]='more than a minute: 223 million events'
)

make_inputs() {
  mkdir inputs
  cd inputs
  awk 'BEGIN { for (i = 0; i < 6000; i++) print "line " i * i % 997 " of a text " (i * 7919) % 1013 }' >big
  head -n 1000 big >text
  awk 'BEGIN { print "#include <stdio.h>"
    for (i = 0; i < 330; i++) printf "static int f%d(int n) {\n  int s = %d;\n  for (int i = 0; i < n; i++)\n    s += i * %d ^ s >> 3;\n  return s;\n}\n", i, i, i + 7
    print "int main(void) {\n  int s = 0;"; for (i = 0; i < 330; i++) printf "  s += f%d(s & 15);\n", i
    print "  printf(\"%d\\n\", s);\n  return 0;\n}" }' >long.c
  awk 'BEGIN { printf "YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420\n"
    for (f = 0; f < 8; f++) { printf "FRAME\n"; for (i = 0; i < 64 * 48 * 3 / 2; i++) printf "%c", 33 + (i * (f + 3)) % 90 } }' >video.y4m
  programs_in_go
  programs_in_rust
  programs_in_java
  programs_in_cxx
  cd ..
}

# Servers: `serve SOCKET COMMAND...' starts one and waits until its socket is there; $server is its process.
serve() {
  local socket=$1 i
  shift
  "$@" &
  server=$!
  for ((i = 0; i < 1200; i++)); do
    [ -S "$socket" ] && break
    sleep 0.1
  done
}

# go: go: goroutines, channels, a mutex, garbage collections
do_go() { go_build work && "${R[@]}" ./work.varies; }
# go-one: go: the same with one thread for all goroutines
do_go-one() { go_with 1 work; }
# go-hello-1: go: hello, and what Go's runtime does for it, GOMAXPROCS=1
do_go-hello-1() { go_with 1 hello; }
check_go-hello-1() { as_reference "$1"; }
# go-hello-2: go: the same, GOMAXPROCS=2
do_go-hello-2() { go_with 2 hello; }
check_go-hello-2() { as_reference "$1"; }
# go-hello-8: go: the same, GOMAXPROCS=8
do_go-hello-8() { go_with 8 hello; }
check_go-hello-8() { as_reference "$1"; }
# go-channels-1: go: goroutines whose stacks grow while others wait, a channel, a mutex, GOMAXPROCS=1
do_go-channels-1() { go_with 1 channels; }
# go-channels-2: go: the same, GOMAXPROCS=2
do_go-channels-2() { go_with 2 channels; }
# go-channels-8: go: the same, GOMAXPROCS=8
do_go-channels-8() { go_with 8 channels; }
# go-collect-1: go: garbage collections, which shrink and free the stacks of goroutines, GOMAXPROCS=1
do_go-collect-1() { go_with 1 collect; }
# go-collect-2: go: the same, GOMAXPROCS=2
do_go-collect-2() { go_with 2 collect; }
# go-collect-8: go: the same, GOMAXPROCS=8
do_go-collect-8() { go_with 8 collect; }
# go-many-1: go: 2,000 goroutines, a timer, a system call that waits, GOMAXPROCS=1
do_go-many-1() { go_with 1 many; }
# go-many-2: go: the same, GOMAXPROCS=2
do_go-many-2() { go_with 2 many; }
# go-many-8: go: the same, GOMAXPROCS=8
do_go-many-8() { go_with 8 many; }
go_build() { GOCACHE=$work/go.cache GO111MODULE=off GOFLAGS='' go build -o "$1.varies" "$1.go"; }
# go_with THREADS PROGRAM
go_with() { go_build "$2" && GOMAXPROCS=$1 "${R[@]}" "./$2.varies"; }
# as_reference NAME: its dependences are those of the slow reference, and there are some.
as_reference() { compare_keys "$1" && compare_listings "$1" all && [ -s "$1.online" ]; }
# rust: rustc: threads, a channel, locks, a barrier, a condition
do_rust() { rustc -O -g -o work.varies work.rs && "${R[@]}" ./work.varies >out.varies && sed 's/ .*//' out.varies; }
# rust-executor: rustc: tasks that wake each other, polled by whichever of three threads is free
do_rust-executor() { rustc --edition 2021 -O -g -o executor.varies executor.rs && "${R[@]}" ./executor.varies; }
# java: javac: a pool of two threads, interpreted
do_java() { javac -d classes.varies Work.java && "${R[@]}" java -Xint -XX:+UseSerialGC -Xshare:auto -Xmx64m -XX:-UsePerfData -cp classes.varies Work; }
# php: php: arrays, sorting, regular expressions
do_php() { "${R[@]}" php -n -r '$a = []; for ($i = 0; $i < 3000; $i++) $a[$i * 7 % 101] = ($a[$i * 7 % 101] ?? "") . chr(65 + $i % 26); ksort($a); echo md5(implode(preg_replace("/A(.)/", "\$1", $a))), "\n";'; }
# php-fibers: php: recursion, a fiber that is suspended and resumed
do_php-fibers() { "${R[@]}" php -n -r 'function f($n) { return $n < 2 ? $n : f($n - 1) + f($n - 2); } echo f(15), "\n";
  $x = new Fiber(function () { $n = 0; while (true) $n += Fiber::suspend($n); }); $x->start();
  for ($i = 0; $i < 20; $i++) echo $x->resume($i), "\n";'; }
# nginx-load: nginx: serves 60 requests for two files
do_nginx-load() {
  mkdir -p t.varies
  echo "daemon off; master_process off; error_log e.varies; pid p.varies; events { worker_connections 64; } http { access_log off;
    client_body_temp_path t.varies/b; proxy_temp_path t.varies/q; fastcgi_temp_path t.varies/f; uwsgi_temp_path t.varies/u; scgi_temp_path t.varies/s;
    server { listen unix:n.varies; root $PWD; location / { } } }" >n.varies.conf
  serve n.varies "${R[@]}" nginx -q -p "$PWD" -c n.varies.conf -e e.varies
  local i
  for ((i = 0; i < 30; i++)); do curl -sS --unix-socket n.varies http://server/text http://server/long.c | cksum; done
  kill -QUIT $server
  wait $server
}
# redis-load: redis-benchmark: a server with its background threads, 3,000 commands of ten clients
do_redis-load() {
  serve s.varies "${R[@]}" redis-server --port 0 --unixsocket "$PWD/s.varies" --save '' --daemonize no --logfile redis.varies
  redis-benchmark -s "$PWD/s.varies" -q -n 500 -c 10 -t set,get,incr,lpush,sadd,hset >figures.varies
  redis-cli -s "$PWD/s.varies" llen mylist
  redis-cli -s "$PWD/s.varies" shutdown nosave
  wait $server
}
# memcached: memcached: a server with four threads, 400 commands of four clients
do_memcached() {
  # It sets its limit of open files, and Valgrind takes no other than the one that it tells programs.
  ulimit -n 1024
  serve m.varies "${R[@]}" memcached -u root -s "$PWD/m.varies" -t 4 -m 16 -c "$("$VALGRIND" -q --tool=none bash -c 'ulimit -Hn')"
  /usr/bin/python3 -s -S -c '
import socket, threading
def client(k):
    s = socket.socket(socket.AF_UNIX); s.connect("m.varies"); f = s.makefile("rwb")
    for i in range(50):
        f.write(b"set k%d_%d 0 0 %d\r\n%s\r\n" % (k, i, i, b"x" * i)); f.flush(); assert f.readline() == b"STORED\r\n"
        f.write(b"get k%d_%d\r\n" % (k, i)); f.flush()
        assert [f.readline() for _ in range(3)][1] == b"x" * i + b"\r\n"
threads = [threading.Thread(target=client, args=(k,)) for k in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print("done")'
  kill $server
  wait $server
}
# cc1-long: gcc: the C compiler proper, -O1, a file of 2,300 lines
do_cc1-long() { "${R[@]}" "$(gcc -print-prog-name=cc1)" -quiet -O1 long.c -o long.s; }
# ffmpeg: ffmpeg: eight frames to MPEG-4 with two threads
do_ffmpeg() { "${R[@]}" ffmpeg -v error -cpuflags 0 -f yuv4mpegpipe -i video.y4m -threads 2 -c:v mpeg4 -bitexact -f avi -y video.avi; }
# x264-frames: x264: eight frames with four threads, B frames, a faster search
do_x264-frames() { "${R[@]}" x264 --quiet --no-progress --threads 4 --preset medium --asm 0 -o video.264 video.y4m 2>log.varies; }
# r: Rscript: vectors, sorting, strings, with the base package only
do_r() { R_DEFAULT_PACKAGES=NULL R_HOME=/usr/lib/R LD_LIBRARY_PATH=/usr/lib/R/lib "${R[@]}" /usr/lib/R/bin/exec/R --vanilla --no-echo -e 'x <- (1:200) %% 17; m <- outer(x, x[1:20]); print(round(sum(solve(crossprod(m) + diag(20), x[1:20])), 6)); cat(sort(unique(nchar(as.character(x^5)))), "\n")'; }
# fibers: g++: Boost's fibers with a channel
do_fibers() { g++ -g -O1 fibers.cc -o fibers.varies -lboost_fiber -lboost_context -pthread && "${R[@]}" ./fibers.varies; }
# tbb: g++: tasks and a reduction with TBB
do_tbb() { g++ -g -O1 tasks.cc -o tasks.varies -ltbb -pthread && "${R[@]}" ./tasks.varies; }
# execution: g++: sort, transform, reduce with std::execution::par
do_execution() { g++ -g -O1 -std=c++17 execution.cc -o execution.varies -ltbb -pthread && "${R[@]}" ./execution.varies; }
# openmp: gcc: two loops, dynamic and with a reduction, three threads
do_openmp() { gcc -g -O1 -fopenmp loops.c -o loops.varies && OMP_NUM_THREADS=3 "${R[@]}" ./loops.varies; }
# 7z: 7z: packs two files with two threads
do_7z() { "${R[@]}" "$(ls /usr/lib/7zip/7z /usr/lib/p7zip/7z 2>/dev/null | head -n 1)" a -mmt2 -mx3 -mtm- -mtc- -mta- -bd packed.varies.7z text long.c >log.varies && 7z e -so packed.varies.7z | cksum; }
# postgres: initdb: a single-user session with a table and a join
do_postgres() {
  local as=(setpriv --reuid=postgres --regid=postgres --clear-groups) bin
  [ "$(id -u)" = 0 ] || as=()
  bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
  # The trace is written by another user than the one who runs the test.
  install -d -m 777 data.varies
  chmod a+rwx "$work" .
  "${as[@]}" "$bin/initdb" -D "$PWD/data.varies/d" -A trust --no-sync --locale=C >init.varies 2>&1
  printf '%s\n' 'create table t as select i, i * 7 % 13 as k from generate_series(1, 300) as i' 'select a.k, count(*) from t a join t b on a.k = b.i group by a.k order by 1' |
    "${as[@]}" "${R[@]}" "$bin/postgres" --single -F -c log_checkpoints=off -D "$PWD/data.varies/d" postgres >out.varies
  grep -c count out.varies
}
# emacs: emacs: Lisp without a screen
do_emacs() { "${R[@]}" emacs -Q --batch --eval '(progn (defun f (n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (princ (list (f 14) (sort (list 3 1 2) (function <)))) (terpri))'; }
# tar-unpack: tar: unpacks an archive by way of a decompressor of its own process
do_tar-unpack() { tar --sort=name --mtime=@0 --owner=0 --group=0 -czf all.varies.tgz text long.c && mkdir d && "${R[@]}" tar -xzf all.varies.tgz -C d; }
# find-exec: find: runs a command for each file
do_find-exec() { "${R[@]}" find . -name '*.c' -exec cksum {} ';' | sort; }
# ssh-keygen: ssh-keygen: a key, and its public half again
do_ssh-keygen() { "${R[@]}" ssh-keygen -q -t ed25519 -N '' -C c -f key && ssh-keygen -y -f key | cmp - key.pub && mv key key.varies && mv key.pub pub.varies; }
# node-workers: node: two workers and shared memory
do_node-workers() {
  cat >w.js <<'JS'
const { Worker, isMainThread, workerData, parentPort } = require("worker_threads");
if (isMainThread) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  let left = 2;
  for (let w = 0; w < 2; w++) {
    const worker = new Worker(__filename, { workerData: { shared, w } });
    worker.on("exit", () => { if (--left === 0) console.log(shared[0], shared[1]); });
  }
} else {
  for (let i = 0; i < 300; i++) Atomics.add(workerData.shared, 0, i);
  Atomics.add(workerData.shared, 1, workerData.w + 1);
}
JS
  "${R[@]}" node --single-threaded-gc w.js
}
# python-async: python3: asynchronous tasks, a pool of threads, JSON
do_python-async() {
  "${R[@]}" /usr/bin/python3 -s -B -c '
import asyncio, concurrent.futures, json
async def work(n):
    await asyncio.sleep(0)
    return await asyncio.get_running_loop().run_in_executor(pool, lambda: sum(range(n)))
async def main(): return await asyncio.gather(*(work(n) for n in range(20)))
with concurrent.futures.ThreadPoolExecutor(3) as pool: print(json.dumps(asyncio.run(main())))'
}

run_programs "$top_srcdir/tests/e2e/programs_at_work.sh" "$@"
