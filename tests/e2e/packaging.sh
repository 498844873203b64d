# SPDX-License-Identifier: GPL-2.0-or-later
# What packages and images are made of, without making them: ./dev package and ./dev package-on do.
. "$top_srcdir/tests/e2e/common.sh"

# The Containerfile: what the base image is can be chosen; each step is a shell's.
bash "$top_srcdir/tests/containerfile.sh" list "$top_srcdir/Containerfile" >steps
grep -qE '^ARG BASE=[a-z0-9]+:[a-z0-9.-]+$' steps || fail "the base image is no plain name: $(cat steps)"
[ "$(grep -c '^FROM ' steps)" = 2 ] || fail "not two stages: $(cat steps)"
! grep '^FROM ' steps | grep -vF 'FROM ${BASE}' || fail "another base image"
! grep -vE '^(ARG|FROM|COPY|WORKDIR|RUN|ENTRYPOINT) ' steps || fail "tests/containerfile.sh does not know these"
[ "$(grep -c '^RUN ' steps)" = 3 ] || fail "not three steps: $(cat steps)"
while IFS= read -r step; do
  sh -n -c "${step#RUN }" || fail "no shell's: $step"
done < <(grep '^RUN ' steps)
refused_steps() {
  ends 1 bash "$top_srcdir/tests/containerfile.sh" "$@"
  grep -q "^containerfile: error: " err || fail "$(cat err)"
}
refused_steps
refused_steps bogus Containerfile

# debian/: the version, shell scripts, and what is installed beside.
version=$(sed -n 's/^AC_INIT(\[cdrgrind\],\[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
[ "$(sed -n '1s/^cdrgrind (\(.*\)) .*/\1/p' "$top_srcdir/debian/changelog")" = "$version" ] ||
  fail "debian/changelog does not begin with $version"
[ -x "$top_srcdir/debian/rules" ] || fail "debian/rules cannot be executed"
sh -n "$top_srcdir/debian/tests/threads"
make -n -f "$top_srcdir/debian/rules" -C "$top_srcdir" build >/dev/null || fail "debian/rules is no makefile"
# What the build wants of Debian, ./dev installs, too.
sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9-]*\).*/\1/p' "$top_srcdir/debian/control" | sort >wanted
sed -n '/^packages=(/,/^)/p; /^package_packages=(/p' "$top_srcdir/dev" | tr ' ()' '\n' | sort >installed
[ "$(wc -l <wanted)" -ge 10 ] || fail "only these: $(cat wanted)"
missing=$(comm -23 wanted installed | grep -vx debhelper-compat || :)
[ -z "$missing" ] || fail "./dev does not install $missing"
while IFS= read -r file; do
  [ -f "$top_srcdir/$file" ] || fail "debian/docs: no $file"
done <"$top_srcdir/debian/docs"
