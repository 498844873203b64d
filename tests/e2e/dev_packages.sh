# SPDX-License-Identifier: GPL-2.0-or-later
# What ./dev asks apt for where nothing is installed: packages by names that no release of Debian changes, but for
# clang's runtime, which follows the clang that came.
. "$top_srcdir/tests/e2e/common.sh"

mkdir tree bin
cp "$top_srcdir/dev" tree/
touch tree/Makefile.in
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
stand_in tree/configure 'echo configured >>../../asked; exit 1'
stand_in bin/dpkg-query 'exit 1'
stand_in bin/apt-get 'echo "$@" >>../asked'
stand_in bin/sudo 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"'
stand_in bin/clang '[ "$1" != -dumpversion ] || echo 97.1.8'
export PATH=$PWD/bin:$PATH

ends 1 tree/dev soak
grep -q 'configure failed' err || fail "it ended at something else: $(cat err)"
grep -q '^configured$' asked || fail "configure did not run"
sed -n 's/.* install --no-install-recommends //p' asked | tr ' ' '\n' | sort >packages
for package in g++ valgrind catch2 librapidcheck-dev clang libclang-rt-97-dev; do
  grep -qx "$package" packages || fail "$package is not asked for"
done
versions=$(grep -E -- '-[0-9][0-9.]*(-|$)' packages | grep -vx libclang-rt-97-dev || :)
[ -z "$versions" ] || fail "only some releases of Debian have $versions"
