# SPDX-License-Identifier: GPL-2.0-or-later
# What configure says to versions of Valgrind: nothing to those that cdrgrind is tested with, a warning to others, no to
# what is too old or cannot be used.
. "$top_srcdir/tests/e2e/common.sh"

# configure_for VERSION PREFIX OPTION...: configure with a Valgrind that says it is that version. Its answers of the
# last time are taken where they do not depend on Valgrind. Prints to the file out.
configure_for() {
  mkdir -p pc
  sed "s,^Version:.*,Version: $1,; s,^prefix=.*,prefix=$2," "$(pkg-config --variable=pcfiledir valgrind)/valgrind.pc" \
    >pc/valgrind.pc
  shift 2
  sed -n '/^## Cache variables/,/^## Output variables/{/_cv_/{/_cv_env_/!p}}' "$top_builddir/config.log" |
    sed 's/^\([^=]*\)=\(.*\)$/test ${\1+y} || \1=\2/' >cache
  PKG_CONFIG_PATH=$PWD/pc "$top_srcdir/configure" --cache-file="$PWD/cache" CC="$CC" CXX="$CXX" "$@" >out 2>&1
}

# It ends at the folder, behind what it says to the version.
says_to() {
  expect 1 configure_for "$1" /usr --with-valgrind-libexec="$work/none"
  grep -q 'no none-amd64-linux in' out || fail "it ended at something else: $(tail -n 5 out)"
  sed -n 's/^configure: WARNING: \(.*Valgrind.*\)/\1/p' out
}

mkdir build
cd build
said=$(says_to 3.19.0)$(says_to 3.24.0)$(says_to 3.24.1.GIT)
[ -z "$said" ] || fail "a warning to a version that is tested: $said"
for version in 3.20.0 3.27.1 4.0; do
  said=$(says_to $version)
  [ "$said" = "cdrgrind is tested with Valgrind 3.19 and 3.24; Valgrind $version is tried" ] || fail "$version: $said"
done

for version in 3.18.1 3.2.0 2.4; do
  expect 1 configure_for $version /usr
  grep -qx "configure: error: this is Valgrind $version; cdrgrind wants 3.19 or newer" out || fail "$version: $(tail -n 5 out)"
done

# Headers without what the tool needs.
mkdir -p lacks/include
cp -r "$(pkg-config --variable=includedir valgrind)" lacks/include/valgrind
sed -i 's/am_munmap_valgrind\|basic_tool_funcs/other_name/' lacks/include/valgrind/*.h
expect 1 configure_for 9.8.7 "$PWD/lacks" --with-valgrind-libexec="$(dirname "$(readlink -f "$VALGRIND_LIB/none-amd64-linux")")"
grep -q 'error: a tool for Valgrind 9.8.7: it cannot be compiled or linked' out || fail "it is not refused: $(tail -n 5 out)"
