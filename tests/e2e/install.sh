# SPDX-License-Identifier: GPL-2.0-or-later
# Installing into a folder of our own, with debug information or beside it, and removing exactly that again.
. "$top_srcdir/tests/e2e/common.sh"

# A make of its own: not a part of the one that runs the tests.
unset MAKEFLAGS MAKELEVEL MFLAGS
install_to() {
  make -C "$top_builddir" -s "$@" DESTDIR="$work/root" plugindir=/opt/plugin >make.log 2>&1
}
plugin=$work/root/opt/plugin

# What stood there before stays: a file, and a link like ours.
mkdir -p "$plugin"
echo mine >"$plugin/default.supp"
ln -s "$VALGRIND_LIB/none-amd64-linux" "$plugin/none-amd64-linux"

install_to install || fail "make install: $(cat make.log)"
[ -x "$plugin/cdrgrind-amd64-linux" ] || fail "no tool"
[ -f "$plugin/vgpreload_cdrgrind-amd64-linux.so" ] || fail "no preload library"
[ "$(cat "$plugin/default.supp")" = mine ] || fail "a file of somebody else was replaced"
: >"$plugin/default.supp"
VALGRIND_LIB=$plugin vg -q /bin/true
VALGRIND_LIB=$plugin "$VALGRIND" --vgdb=no -q --tool=lackey /bin/true >lackey.log 2>&1 ||
  fail "Valgrind's own tools are not linked"

install_to install || fail "a second make install: $(cat make.log)"
install_to uninstall || fail "make uninstall: $(cat make.log)"
left=$(ls "$plugin" | tr '\n' ' ')
[ "$left" = "default.supp none-amd64-linux " ] || fail "left or lost: $left"
[ -z "$(find "$work/root" -type f ! -path "$plugin/*")" ] || fail "files are left"

rm -f "$plugin"/*
install_to install && install_to uninstall || fail "$(cat make.log)"
[ ! -e "$plugin" ] || fail "the empty plug-in folder is left"

# Without debug information, which lies beside; what is wrapped in the program is known by names that stay.
install_to install-strip prefix=/usr || fail "make install-strip: $(cat make.log)"
at_most() {
  [ "$(stat -c %s "$2")" -le $(($1 << 20)) ] || fail "more than $1 MiB: $(stat -c '%n %s' "$2")"
}
stripped=$work/root/usr/bin/cdrgrind
at_most 12 "$stripped"
at_most 8 "$plugin/cdrgrind-amd64-linux"
at_most 1 "$plugin/vgpreload_cdrgrind-amd64-linux.so"
for file in "$stripped" "$plugin/cdrgrind-amd64-linux" "$plugin/vgpreload_cdrgrind-amd64-linux.so"; do
  readelf -SW "$file" >sections
  ! grep -qE '\.debug_info|\.symtab' sections || fail "$file is not stripped"
  grep -q '\.gnu_debuglink' sections || fail "$file has no link"
  debug=${file%/*}/.debug/${file##*/}.debug
  readelf -SW "$debug" | grep -q '\.debug_info' || fail "no debug information in $debug"
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
[ -z "$(find "$work/root" -type f)" ] || fail "files are left"

# Refused before anything is copied.
rm -rf root
expect 2 make -C "$top_builddir" -s install DESTDIR= prefix="$work/root" plugindir=/dev/null/plugin >make.log 2>&1
grep -q -- '--with-plugin-dir' make.log || fail "the refusal does not name --with-plugin-dir"
[ ! -e root ] || fail "something was installed all the same"
