# SPDX-License-Identifier: GPL-2.0-or-later
# make install-strip: programs without debug information, which lies beside them; and removing both. What is wrapped in a
# recorded program is known by names of the stripped library that stay.
. "$top_srcdir/tests/e2e/common.sh"

plugin=$work/installed/opt/plugin
stripped=$work/installed/usr/bin/cdrgrind

install_to install-strip prefix=/usr || fail "make install-strip: $(cat make.log)"
at_most() {
  [ "$(stat -c %s "$2")" -le $(($1 << 20)) ] || fail "more than $1 MiB: $(stat -c '%n %s' "$2")"
}
at_most 12 "$stripped"
at_most 8 "$plugin/cdrgrind-amd64-linux"
at_most 1 "$plugin/vgpreload_cdrgrind-amd64-linux.so"
for file in "$stripped" "$plugin/cdrgrind-amd64-linux" "$plugin/vgpreload_cdrgrind-amd64-linux.so"; do
  readelf -SW "$file" >sections
  ! grep -qE '\.debug_info|\.symtab' sections || fail "$file is not stripped"
  grep -q '\.gnu_debuglink' sections || fail "$file has no link"
  debug=${file%/*}/.debug/${file##*/}.debug
  readelf -SW "$debug" >sections
  grep -q '\.debug_info' sections || fail "no debug information in $debug"
  [ "$(readelf -nW "$file" | grep 'Build ID')" = "$(readelf -nW "$debug" | grep 'Build ID')" ] ||
    fail "$debug belongs to another program"
done
cat >locked.c <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *unused) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  return count != 2;
}
END
"$CC" -g -pthread -o locked locked.c
VALGRIND_LIB=$plugin vg -q --cdr-out-file=locked.trace ./locked
ends 0 "$stripped" races locked.trace
"$stripped" dump --events=sync locked.trace | grep -c 'mutex-lock' >locks || fail "no wrapper of the stripped library works"
install_to uninstall prefix=/usr || fail "make uninstall: $(cat make.log)"
[ ! -e "$plugin" ] || fail "left: $(ls -A "$plugin")"
[ -z "$(find "$work/installed" -type f)" ] || fail "files are left"
