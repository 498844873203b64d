# SPDX-License-Identifier: GPL-2.0-or-later
# A tool belongs to one version of Valgrind: `record' refuses the others before anything runs.
. "$top_srcdir/tests/e2e/common.sh"

built=$(sed -n 's/^#define CDRGRIND_VALGRIND_VERSION "\(.*\)"/\1/p' "$top_builddir/cdrgrind/config.h")

# A Valgrind that says what the file `version' holds, and leaves a file when it shall run something.
mkdir bin
cat >bin/valgrind <<'END'
#!/bin/sh
[ "$1" = --version ] && exec cat version
: >ran
END
chmod +x bin/valgrind
export PATH=$PWD/bin:$PATH

for version in 3.18.0 9.9.9 "${built}1"; do
  echo "valgrind-$version" >version
  refused 3 "bin/valgrind is Valgrind $version, and cdrgrind was built for $built" record /bin/true
  [ ! -e ran ] || fail "Valgrind $version was run"
done
echo 'command not found' >version
refused 3 'bin/valgrind: does not tell its version' record /bin/true
[ ! -e ran ] || fail "it was run without a version"

# A distribution's suffix does not matter.
for version in "$built" "$built.GIT" "$built-Debian"; do
  echo "valgrind-$version" >version
  rm -f ran
  "$cdrgrind" record /bin/true >out 2>&1 || :
  [ -e ran ] || fail "Valgrind $version was not run: $(cat out)"
done
