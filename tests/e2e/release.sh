# SPDX-License-Identifier: GPL-2.0-or-later
# ./dev release --check: version, news, packages and tag must agree, and all be committed.
. "$top_srcdir/tests/e2e/common.sh"
command -v git >/dev/null || skip "no git"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$PWD
for who in AUTHOR COMMITTER; do export GIT_${who}_NAME=tester GIT_${who}_EMAIL=tester@example.org; done
mkdir -p tree/debian
cp "$top_srcdir/dev" "$top_srcdir/configure.ac" "$top_srcdir/NEWS.md" tree/
cp "$top_srcdir/debian/changelog" tree/debian/
cd tree
chmod u+w -R .
git init -q .
commit() {
  git add -A
  git commit -q --allow-empty -m "$1"
}
# told PATTERN: not ready, for this reason alone.
told() {
  ends 1 ./dev release --check
  [ "$(wc -l <err)" = 1 ] || fail "more than one reason: $(cat err)"
  grep -qE -- "^dev: error: $1" err || fail "not '$1': $(cat err)"
  rm out err
}
ready() {
  ends 0 ./dev release --check
  grep -qx 'dev: 7.8.9 is ready' out || fail "$(cat out)"
  mv out ../said && rm err
}

printf 'out\nerr\n' >.gitignore
sed -i 's/^AC_INIT.*/AC_INIT([cdrgrind],[7.8.9])/' configure.ac
sed -i '0,/^## .*/s//## 7.8.9 (2026-02-03)/' NEWS.md
sed -i '1s/.*/cdrgrind (7.8.9) unstable; urgency=medium/' debian/changelog
commit ready
ready
grep -q "git tag -a v7.8.9 -m 'cdrgrind 7.8.9'" ../said || fail "no word about the tag: $(cat ../said)"
git tag -a v7.8.9 -m 'cdrgrind 7.8.9'
ready
! grep -q 'git tag' ../said || fail "the tag is there: $(cat ../said)"

: >more
told 'not all is committed'
commit more
told 'v7.8.9 is another commit'
git tag -d v7.8.9 >/dev/null

# differs FILE SED PATTERN: after the change, committed, that is the reason.
differs() {
  sed -i "$2" "$1"
  commit changed
  told "$3"
  git revert -n HEAD
  commit back
}
differs NEWS.md '0,/^## /s/^## .*/## 7.8.8 (2026-02-03)/' 'NEWS.md begins with 7.8.8, configure.ac says 7.8.9'
differs NEWS.md '0,/^## /s/^## .*/## 7.8.9 (not released)/' "NEWS.md: '## 7.8.9 \(not released\)' names no day"
differs debian/changelog '1s/7.8.9/7.8.10/' 'debian/changelog begins with \(7.8.10\), configure.ac says 7.8.9'
differs debian/changelog '1s/unstable/UNRELEASED/' 'debian/changelog: 7.8.9 is UNRELEASED'
ready

# All reasons at once, and wrong use.
sed -i 's/7.8.9/7.9.0/' configure.ac
ends 1 ./dev release --check
[ "$(grep -c '^dev: error: ' err)" = 3 ] || fail "not three reasons: $(cat err)"
ends 1 ./dev release --bogus
grep -q 'release takes --check' err || fail "$(cat err)"
