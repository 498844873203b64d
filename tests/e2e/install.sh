# SPDX-License-Identifier: GPL-2.0-or-later
# Installing into a folder of our own, and removing exactly that again.
. "$top_srcdir/tests/e2e/common.sh"

plugin=$work/installed/opt/plugin

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
[ -z "$(find "$work/installed" -type f ! -path "$plugin/*")" ] || fail "files are left"

rm -f "$plugin"/*
install_to install && install_to uninstall || fail "$(cat make.log)"
[ ! -e "$plugin" ] || fail "the empty plug-in folder is left"

# Refused before anything is copied.
rm -rf installed
unset MAKEFLAGS MAKELEVEL MFLAGS
expect 2 make -C "$top_builddir" -s install DESTDIR= prefix="$work/installed" plugindir=/dev/null/plugin >make.log 2>&1
grep -q -- '--with-plugin-dir' make.log || fail "the refusal does not name --with-plugin-dir"
[ ! -e installed ] || fail "something was installed all the same"
