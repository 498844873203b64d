# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever the name means that a trace or a picture is to be written to: only a regular file is replaced, and what it
# was like is kept.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/devices_lib.sh"

command -v mkfifo >/dev/null || skip "no mkfifo"
old=$top_srcdir/tests/traces/v1/threads.trace
cp "$old" in.trace
expect 0 "$cdrgrind" repack -o want.trace in.trace >out

repack() {
  expect 0 timeout 60 "$cdrgrind" repack "$@" in.trace >out 2>err
  cmp "$old" in.trace
}
is_alone() {
  [ "$(ls -A "$1" | wc -l)" = "$2" ] || fail "$1: $(ls -lA "$1")"
}

# A FIFO: what reads it gets the whole of it, and it stays one.
mkfifo fifo
cat fifo >got.trace &
repack -o fifo
wait $!
cmp want.trace got.trace
[ -p fifo ] || fail "the FIFO is gone"
cat fifo >got.svg &
expect 0 timeout 60 "$cdrgrind" paths --strata --paths-svg=fifo in.trace >out 2>err
wait $!
[ -p fifo ] && grep -q '</svg>' got.svg || fail "no picture: $(head -c 300 got.svg)"
# Nobody reads it to its end.
(head -c 10 fifo >got.head) &
status=0
timeout 60 "$cdrgrind" repack -o fifo in.trace >out 2>err || status=$?
wait $!
[ $status = 0 ] || { [ $status = 3 ] && grep -q '^cdrgrind: error: fifo: cannot be written: ' err; } || fail "$status: $(cat err)"

# A terminal of its own.
python3 - "$cdrgrind" want.trace <<'END'
import os, pty, subprocess, sys, threading, tty
master, slave = pty.openpty()
tty.setraw(slave)
name, got = os.ttyname(slave), bytearray()
want = open(sys.argv[2], "rb").read()
def read():
    while len(got) < len(want): got.extend(os.read(master, 1 << 16))
reader = threading.Thread(target=read)
reader.start()
subprocess.run([sys.argv[1], "repack", "-o", name, "in.trace"], check=True, timeout=60, stdout=subprocess.DEVNULL)
reader.join(60)
assert got == want and os.ttyname(slave) == name, "terminal"
END

# A socket.
python3 - "$cdrgrind" want.trace <<'END'
import socket, subprocess, sys
s = socket.socket(socket.AF_UNIX)
s.bind("socket")
s.listen()
repack = subprocess.Popen([sys.argv[1], "repack", "-o", "socket", "in.trace"], stdout=subprocess.DEVNULL)
s.settimeout(60)
connection, got = s.accept()[0], b""
while piece := connection.recv(1 << 16): got += piece
assert repack.wait(60) == 0 and got == open(sys.argv[2], "rb").read(), "socket"
END
[ -S socket ] || fail "the socket is gone"

# Standard output, whatever it is; what the command says follows.
expect 0 "$cdrgrind" repack -o /dev/stdout in.trace >both 2>err
cmp -n "$(stat -c %s want.trace)" want.trace both
grep -aq 'bytes in 1 epoch' both || fail "nothing is said: $(tail -c 200 both)"

# Links stay, and what they mean is written, also if it is not there yet; owner and mode are kept.
mkdir place place/far
ln -s far/real.trace place/link.trace
ln -s link.trace place/twice.trace
repack -o place/twice.trace
cmp want.trace place/far/real.trace
chmod 604 place/far/real.trace
[ "$(id -u)" != 0 ] || chown 1:2 place/far/real.trace
before=$(stat -c '%a %u %g' place/far/real.trace)
echo older >place/far/real.trace
repack -o place/twice.trace
cmp want.trace place/far/real.trace
[ "$(stat -c '%a %u %g' place/far/real.trace)" = "$before" ] || fail "$(ls -ln place/far)"
[ -L place/link.trace ] && [ -L place/twice.trace ] || fail "$(ls -l place)"
is_alone place/far 1
ln -s itself place/itself
refused 3 'itself: cannot be (written|created): Too many' repack -o place/itself in.trace

# A new file is as the umask says, or as readable as the trace that it is made of.
(
  umask 027
  expect 0 "$cdrgrind" paths --strata --paths-svg=place/new.svg in.trace >out 2>err
)
[ "$(stat -c %a place/new.svg)" = 640 ] || fail "$(ls -l place)"
chmod 600 in.trace
repack -o place/new.trace
[ "$(stat -c %a place/new.trace)" = 600 ] || fail "$(ls -l place)"

# OUT is FILE: as without -o. OUT is another name of it: FILE keeps what it has.
for name in same.trace ./same.trace symbolic.trace; do
  cp "$old" same.trace
  ln -sf same.trace symbolic.trace
  expect 0 "$cdrgrind" repack -o "$name" same.trace >out
  cmp want.trace same.trace
  expect 0 "$cdrgrind" repack -o "$name" same.trace >out
  grep -q 'left as it is' out || fail "$name: $(cat out)"
done
[ -L symbolic.trace ] || fail "$(ls -l)"
ln in.trace hard.trace
repack -o hard.trace
cmp want.trace hard.trace
cp "$old" same.trace
truncate -s -20 same.trace
refused 2 'name a new file' repack -o symbolic.trace same.trace

# Folders, and what is not there.
refused 2 'place: is a folder' repack -o place in.trace
refused 3 'cannot be' repack -o place/nowhere/ in.trace
refused 2 'place: is a folder' paths --strata --paths-svg=place in.trace

# A long name, for which there is hardly room.
long=$(printf 'x%.0s' $(seq 255))
repack -o "$long"
cmp want.trace "$long"

# Where the owner cannot be kept, or the folder is somebody else's, the file is overwritten, if that is permitted.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid=1 --clear-groups true 2>/dev/null; then
  other=$(mktemp -d "${TMPDIR:-/tmp}/cdrgrind-test.XXXXXX")
  trap 'rm -rf "$other"' EXIT
  chmod 755 "$other"
  mkdir "$other/open" "$other/shut"
  chmod 777 "$other/open"
  cp "$cdrgrind" "$other/program" && chmod 755 "$other/program"
  cp "$old" "$other/in.trace" && chmod 644 "$other/in.trace"
  as_other() { (cd "$other" && TMPDIR=$other/open exec setpriv --reuid=1 --regid=1 --clear-groups "$@"); }
  if as_other ./program --version >out 2>err; then
    for place in open shut; do
      printf '%100000s' old >"$other/$place/out.trace"
      chmod 666 "$other/$place/out.trace"
      expect 0 as_other ./program repack -o $place/out.trace in.trace >out
      cmp want.trace "$other/$place/out.trace"
      [ "$(stat -c '%a %u' "$other/$place/out.trace")" = '666 0' ] && is_alone "$other/$place" 1 || fail "$(ls -ln "$other/$place")"
      chmod 644 "$other/$place/out.trace"
      expect 3 as_other ./program repack -o $place/out.trace in.trace >out 2>err
      grep -q 'out.trace: cannot be written: Permission denied' err || fail "$(cat err)"
      cmp want.trace "$other/$place/out.trace" && is_alone "$other/$place" 1
    done
    # The only way would change FILE.
    chmod 666 "$other/in.trace"
    ln "$other/in.trace" "$other/open/hard.trace"
    expect 2 as_other ./program repack -o open/hard.trace in.trace >out 2>err
    cmp "$old" "$other/in.trace"
  fi
fi

# ---- the recorder

# The program's output and status are its own, whoever reads its trace.
large="$programs/process/ends large"
for helper in no yes; do
  cat fifo >got.trace &
  expect 0 vg -q --helper=$helper --cdr-out-file=fifo "$programs/hello" >out 2>err
  wait $!
  [ -p fifo ] && expect 0 "$cdrgrind" verify got.trace >out
  cat fifo >got.raw &
  expect 0 vg -q --cdr-capture-raw=fifo --cdr-out-file=captured.trace "$programs/hello" >out 2>err
  wait $!
  [ -p fifo ] && [ -s got.raw ] || fail "no capture"
  # Who reads goes away, before a write or within one; that is no signal to the program.
  for bytes in 10 70000; do
    (head -c $bytes fifo >got.head) &
    expect 0 vg -q --helper=$helper --log-fd=3 --cdr-out-file=fifo $large >large.out 3>large.log
    wait $!
    echo 'large: 0 signals' | cmp - large.out
    [ "$(grep -c 'or a pipe that nobody reads' large.log)" = 1 ] || fail "nobody reads: $(cat large.log)"
  done
  # Whoever is forked or executed has no place beside it.
  cat fifo >got.trace &
  expect 2 timeout 60 "$VALGRIND" --tool=cdrgrind --vgdb=no -q --helper=$helper --log-fd=3 --cdr-out-file=fifo \
    --trace-children=yes "$programs/process/forks" again >again.out 3>again.log
  wait $!
  expect 2 "$programs/process/forks" again >again.want
  cmp again.want again.out
  cat fifo >got.trace &
  expect 2 timeout 60 "$VALGRIND" --tool=cdrgrind --vgdb=no -q --helper=$helper --log-fd=3 --cdr-out-file=fifo \
    "$programs/process/forks" fork >fork.out 3>>again.log
  wait $!
  expect 2 "$programs/process/forks" fork >fork.want
  cmp fork.want fork.out
  [ "$(grep -c 'not a regular file, so only the first process is recorded' again.log)" = "$(wc -l <again.log)" ] || fail "$(cat again.log)"
  [ "$(echo fifo*)" = fifo ] || fail "beside a FIFO: $(echo fifo*)"
done

# Also before the program has begun: the first write finds no room, and then no reader.
python3 - fifo "$VALGRIND" --tool=cdrgrind --vgdb=no -q --helper=no --log-fd=2 --cdr-out-file=fifo \
  "$programs/hello" >early.out 2>early.log <<'END'
import os, subprocess, sys, time
fifo, command = sys.argv[1], sys.argv[2:]
end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
try:
    while True: os.write(end, bytes(4096))
except BlockingIOError: pass
process = subprocess.Popen(command)
here = "/proc/%d/" % process.pid
def writes():
    is_open = any(os.path.realpath(here + "fd/" + f) == os.path.realpath(fifo) for f in os.listdir(here + "fd"))
    return is_open and open(here + "stat").read().rsplit(")", 1)[1].split()[0] == "S"
while process.poll() is None and not writes(): time.sleep(0.02)
os.close(end)
sys.exit(process.wait() % 256)
END
"$programs/hello" | cmp - early.out
[ "$(grep -c 'or a pipe that nobody reads' early.log)" = 1 ] || fail "nobody reads: $(cat early.log)"

# Devices, as far as this user may make one; everything there is stays as it is, and alone.
own_device null 1 3 '
  cdrgrind=$1 hello=$2 forks=$3
  ln -s null dev/link
  for out in dev/null dev/link; do
    "$cdrgrind" repack -o $out in.trace
    "$cdrgrind" paths --strata --paths-svg=$out --strata-svg=$out in.trace
    "$VALGRIND" --tool=cdrgrind --vgdb=no -q --cdr-out-file=$out --cdr-capture-raw=$out "$hello"
  done
  for way in fork again; do
    status=0
    "$VALGRIND" --tool=cdrgrind --vgdb=no -q --trace-children=yes --cdr-out-file=dev/null "$forks" $way || status=$?
    [ $status = 2 ]
  done
  [ -c dev/null ] && [ -L dev/link ] && [ "$(ls -A dev)" = "$(printf "link\nnull")" ] || { ls -lA dev; exit 1; }' - "$cdrgrind" "$programs/hello" "$programs/process/forks" || echo "no device of its own can be made here"
