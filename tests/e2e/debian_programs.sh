# SPDX-License-Identifier: GPL-2.0-or-later
# debian_programs.sh [NAME...]: programs of Debian that nobody here wrote (all, or those named): each runs alone and
# under `cdrgrind record' with defaults and must do the same: status, output, files. Its trace passes `verify'. What
# is not installed is left out, and said. The table programs.md is what docs/programs.md has.
. "$top_srcdir/tests/e2e/common.sh"

. "$top_srcdir/tests/e2e/programs_lib.sh"

make_inputs() {
  mkdir inputs
  cd inputs
  awk 'BEGIN { for (i = 0; i < 6000; i++) print "line " i * i % 997 " of a text " (i * 7919) % 1013 }' >big
  head -n 1000 big >text
  awk 'BEGIN { for (i = 0; i < 140000; i++) print i * 7919 % 140009 }' >lines
  printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' '#include <string.h>' \
    'static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }' \
    'int main(int c, char** v) { printf("%d %zu\n", f(c + 10), strlen(v[0])); return 0; }' >c.c
  printf '%s\n' 'template <class T> T twice(T x) { return x + x; }' 'struct A { int n; virtual int f() { return n; } };' \
    'int g(A& a) { return twice(a.f()); }' >cxx.cc
  awk 'BEGIN { printf "YUV4MPEG2 W32 H32 F25:1 Ip A1:1 C420\n"
    for (f = 0; f < 3; f++) { printf "FRAME\n"; for (i = 0; i < 32 * 32 * 3 / 2; i++) printf "%c", 33 + (i * (f + 3)) % 90 } }' >video.y4m
  awk 'BEGIN { printf "P2 32 32 255\n"; for (i = 0; i < 1024; i++) print i * 37 % 256 }' >image.pgm
  printf 'all: a b c\na b c: ; @echo made $@ >$@.out; cat $@.out\n' >make.mk
  cd ..
}

# pigz: pigz: compresses 140 kB in blocks of 32 kB with two threads
do_pigz() { "${R[@]}" pigz -p 2 -b 32 -n -c big >big.gz; }
# pbzip2: pbzip2: compresses 140 kB in blocks of 100 kB with two threads
do_pbzip2() { "${R[@]}" pbzip2 -p2 -b1 -1 -k -c big >big.bz2; }
# zstd: zstd: compresses 140 kB with two threads
do_zstd() { "${R[@]}" zstd -q -T2 -B32KiB -1 -c big >big.zst; }
# xz: xz: compresses 140 kB in blocks of 40 kB with two threads
do_xz() { "${R[@]}" xz -T2 --block-size=40KiB -0 -k -c big >big.xz; }
# sort: sort: sorts 140,000 numbers with two threads
do_sort() { "${R[@]}" sort -n --parallel=2 -S 20M lines; }
# x264: x264: encodes three frames of 32x32 pixels with two threads
do_x264() { "${R[@]}" x264 --quiet --no-progress --threads 2 --preset veryfast --asm 0 -o video.264 video.y4m 2>log.varies; }
# redis: redis-server: a server with its background threads, forty commands from redis-cli
do_redis() {
  "${R[@]}" redis-server --port 0 --unixsocket "$PWD/s.varies" --save '' --daemonize no --logfile redis.varies &
  local server=$! i
  for ((i = 0; i < 600; i++)); do
    redis-cli -s "$PWD/s.varies" ping >/dev/null 2>&1 && break
    sleep 0.1
  done
  for ((i = 0; i < 10; i++)); do printf 'set k%d %d\nincr k%d\nlpush l %d\nzadd z %d m%d\n' $i $i $i $i $i $i; done |
    redis-cli -s "$PWD/s.varies"
  printf 'lrange l 0 -1\nzrange z 0 -1\nflushall async\n' | redis-cli -s "$PWD/s.varies"
  redis-cli -s "$PWD/s.varies" shutdown nosave
  wait $server
}
# python: python3: four threads with a queue and a lock
do_python() {
  "${R[@]}" /usr/bin/python3 -s -S -B -c '
import queue, threading
q, lock, total = queue.Queue(), threading.Lock(), [0]
def work():
    while (n := q.get()) is not None:
        with lock: total[0] += n * n
threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads: t.start()
for n in range(300): q.put(n)
for t in threads: q.put(None)
for t in threads: t.join()
print(total[0], sorted("the quick brown fox".split()))'
}
# perl: perl: counts words with a hash and regular expressions
do_perl() { "${R[@]}" perl -ne 'while (/(\d+)/g) { $n{$1}++ } END { print "$_ $n{$_}\n" for sort { $a <=> $b } keys %n }' text; }
# cc1: gcc: the C compiler proper, -O1, a file with three system headers
do_cc1() { "${R[@]}" "$(gcc -print-prog-name=cc1)" -quiet -O1 c.c -o c.s; }
# gcc: gcc: the driver, which starts the compiler and the linker
do_gcc() { "${R[@]}" gcc -O1 c.c -o c.varies && ./c.varies; }
# cc1plus: g++: the C++ compiler proper, -O2
do_cc1plus() { "${R[@]}" "$(g++ -print-prog-name=cc1plus)" -quiet -O2 cxx.cc -o cxx.s; }
# as: as: assembles what the compiler wrote
do_as() { gcc -O2 -S c.c -o c.s && "${R[@]}" as c.s -o c.o; }
# ld: ld: links object files to a relocatable one
do_ld() { gcc -O2 -c c.c -o c.o && "${R[@]}" ld -r c.o -o r.o; }
# openssl: openssl: speed of SHA-256 for a second (the figures are not compared)
do_openssl() { "${R[@]}" openssl speed -seconds 1 -bytes 1024 sha256 >speed.varies 2>&1; }
# openssl-digest: openssl: digests and a key derived by PBKDF2
do_openssl-digest() { "${R[@]}" openssl kdf -keylen 16 -kdfopt digest:SHA256 -kdfopt pass:p -kdfopt salt:s -kdfopt iter:200 PBKDF2; }
# make: make: three targets, two at a time
do_make() { "${R[@]}" make -f make.mk -j2 -Otarget >made.varies; sort made.varies; }
# git: git: a log with statistics of three commits
do_git() {
  git init -q r
  for n in 1 2 3; do echo $n >r/file && git -C r add file && git -C r commit -q -m "change $n"; done
  "${R[@]}" git -C r log --stat --format='%h %an %s'
  mv r r.varies
}
# sqlite: sqlite3: a table of 500 rows, an index, queries
do_sqlite() {
  "${R[@]}" sqlite3 -batch t.db <<'END'
create table t (a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into t select i, 'row ' || i from n;
create index by_b on t (b);
select count(*), sum(a), max(b) from t where b like '%7%';
END
}
# bash: bash: loops, arrays, a subshell and a pipe
do_bash() { "${R[@]}" bash --norc -c 'for ((i = 0; i < 300; i++)); do a[i % 7]+=$i; done; echo "${a[@]}" | tr 0 o; (echo sub; exit 3); echo $?'; }
# dash: dash: command substitution and pipes
do_dash() { "${R[@]}" dash -c 'i=0; while [ $i -lt 200 ]; do i=$((i + 1)); done; echo $(echo $i | sed s/2/two/); exit 4'; }
# gawk: gawk: counts with associative arrays
do_gawk() { "${R[@]}" gawk '{ n[$2] += $6 } END { for (k in n) print k, n[k] | "sort -n" }' text; }
# mawk: mawk: the same
do_mawk() { "${R[@]}" mawk '{ n[$2] += $6 } END { for (k in n) s += n[k]; print s }' text; }
# sed: sed: substitutions with groups
do_sed() { "${R[@]}" sed -E 's/line ([0-9]+) of (.*) ([0-9]+)$/\3 \2 \1/; 3~5d' text; }
# grep: grep: a regular expression with alternatives, with colours and line numbers
do_grep() { "${R[@]}" grep -nE --color=always '(12|34)+ of .*[579]0$' text; }
# tar: tar: packs three files
do_tar() { "${R[@]}" tar --sort=name --mtime=@0 --owner=0 --group=0 -cf all.tar text lines c.c; }
# bzip2: bzip2: compresses and decompresses
do_bzip2() { "${R[@]}" bzip2 -1 -c text >t.bz2 && bzip2 -dc t.bz2; }
# gzip: gzip: decompresses
do_gzip() { gzip -n -c text | "${R[@]}" gzip -dc; }
# lz4: lz4: compresses
do_lz4() { "${R[@]}" lz4 -q -9 -c text >t.lz4; }
# curl: curl: reads two files over file://
do_curl() { "${R[@]}" curl -sS "file://$PWD/c.c" -o copy "file://$PWD/text" -o copy2; }
# jq: jq: makes, groups and sorts objects
do_jq() { "${R[@]}" jq -n -c '[range(60) | {a: (. * 7 % 13), b: "x\(.)"}] | group_by(.a) | map({k: .[0].a, n: length})'; }
# bc: bc: pi to 60 digits, and a recursive function
do_bc() { echo 'scale=60; 4*a(1); define f(n) { if (n < 2) return n; return f(n-1) + f(n-2); }; f(12)' | "${R[@]}" bc -l; }
# dc: dc: a factorial
do_dc() { "${R[@]}" dc -e '[la1-d0<a*]sa 60[d1-d1<F*]dsFxp'; }
# vim: vim: edits a file by commands, without a screen
do_vim() { "${R[@]}" vim -u NONE -N -es -c 'g/7$/normal ddp' -c '1,100s/line/LINE/g' -c 'w! edited' -c 'q!' text </dev/null; }
# ed: ed: the same
do_ed() { printf '1,100s/line/LINE/g\nw edited\nq\n' | "${R[@]}" ed -s text; }
# gdb: gdb: reads a program's symbols and disassembles a function
do_gdb() { gcc -g c.c -o c.varies && "${R[@]}" gdb -nx -q --batch -ex 'info line main' -ex 'ptype main' -ex 'disassemble f' c.varies; }
# nginx: nginx: tests a configuration
do_nginx() {
  echo "error_log e.varies; pid p.varies; events {} http { access_log off; client_body_temp_path b.varies; proxy_temp_path q.varies;
    fastcgi_temp_path f.varies; uwsgi_temp_path u.varies; scgi_temp_path s.varies; server { listen unix:n.varies; location / { return 200; } } }" >n.conf
  "${R[@]}" nginx -t -q -p "$PWD" -c n.conf -e e.varies
}
# convert: convert-im6.q16: ImageMagick enlarges and blurs an image
do_convert() { "${R[@]}" convert-im6.q16 image.pgm -resize 48x48 -blur 0x1 -depth 8 out.pgm; }
# gnuplot: gnuplot: draws two functions as text
do_gnuplot() { "${R[@]}" gnuplot -e 'set terminal dumb; plot sin(x), x**2/50'; }
# dot: dot: lays a graph out
do_dot() { echo 'digraph { a -> b -> c -> a; b -> d; d -> e -> b }' | "${R[@]}" dot -Tplain; }
# tclsh: tclsh: lists, strings and a procedure
do_tclsh() { echo 'proc f n { expr {$n < 2 ? $n : [f [expr $n-1]] + [f [expr $n-2]]} }; puts [f 12]; puts [lsort -unique [split "the quick the fox" " "]]' | "${R[@]}" tclsh; }
# lua: lua5.4: tables, strings and coroutines
do_lua() { "${R[@]}" lua5.4 -e 'local c = coroutine.wrap(function() for i = 1, 200 do coroutine.yield(i * i) end end) local s = 0 for i = 1, 200 do s = s + c() end print(s, ("x"):rep(9))'; }
# ruby: ruby: two threads and a queue
do_ruby() { "${R[@]}" ruby --disable-gems -e 'q = Queue.new; t = Thread.new { s = 0; while (n = q.pop) do s += n * n end; s }; 100.times { |i| q << i }; q << nil; puts t.value, %w[b a].sort.inspect'; }
# node: node: JavaScript, interpreted and compiled, with its worker threads
do_node() { "${R[@]}" node -e 'let m = new Map(); for (let i = 0; i < 2000; i++) m.set(i % 17, i); console.log([...m].join(" "))'; }
# cmake: cmake: says its version and runs a script
do_cmake() { echo 'foreach(i RANGE 50) math(EXPR s "${s}0 + ${i}") endforeach() message(STATUS "${s}")' >s.cmake && "${R[@]}" cmake -P s.cmake; }
# m4: m4: a recursive macro
do_m4() { printf 'define(f,`ifelse($1,0,1,`eval($1*f(decr($1)))'"'"')'"'"')dnl\nf(10)\n' | "${R[@]}" m4; }
# bison: bison: makes a parser
do_bison() { printf '%%%%\ne: e "+" e | "x";\n' >g.y && "${R[@]}" bison -Wno-all g.y -o g.c; }
# flex: flex: makes a scanner
do_flex() { printf '%%%%\n[0-9]+(\\.[0-9]*)?  return 1;\n[a-z]+ return 2;\n' >s.l && "${R[@]}" flex -o s.c s.l; }
# diff: diff: two files of 1,000 lines
do_diff() { sed 's/99/98/' text >other && "${R[@]}" diff -u --label a --label b text other; }
# find: find: with tests, sorted by nothing
do_find() { mkdir -p d/e/f && touch d/x d/e/y && "${R[@]}" find d -name '[xy]' -o -type d | sort; }
# rsync: rsync: copies two files (three processes)
do_rsync() { mkdir d && "${R[@]}" rsync -a --checksum text c.c d/; }
# sha256sum: sha256sum: of the inputs
do_sha256sum() { "${R[@]}" sha256sum text lines video.y4m; }
# nasm: nasm: assembles a few lines
do_nasm() { printf 'bits 64\nglobal f\nf: mov eax, edi\n%%rep 20\nadd eax, 3\n%%endrep\nret\n' >n.asm && "${R[@]}" nasm -f elf64 n.asm -o n.o; }
# psql: psql: says its version (a script that starts a program)
do_psql() { "${R[@]}" psql --version; }
# file: file: guesses types
do_file() { "${R[@]}" file -b text c.c video.y4m image.pgm; }

run_programs "$top_srcdir/tests/e2e/debian_programs.sh" "$@"
