# SPDX-License-Identifier: GPL-2.0-or-later
# cdrgrind help: the manual page on a terminal that has man and the page, else the text of --help; what pages name.
. "$top_srcdir/tests/e2e/common.sh"

# Not on a terminal: as --help.
same_as_help() {
  "$cdrgrind" "$@" >said
  cmp said out || fail "$* is not as --help"
}
"$cdrgrind" --help >out
same_as_help help
same_as_help help help
same_as_help help --help
for command in record races stats; do
  "$cdrgrind" $command --help >out
  same_as_help help $command
done
grep -q "cdrgrind help COMMAND" <("$cdrgrind" --help) || fail "--help does not mention it"

# What there is no help for.
ends 2 "$cdrgrind" bogus
mv err unknown
refused 2 "no command 'bogus'; try 'cdrgrind --help'" help bogus
cmp err unknown
refused 2 "no command ''" help ''
refused 2 'one command at a time' help races sync
refused 2 "try 'cdrgrind --help'" help --bogus

# On a terminal: what man does. This one has all pages but one.
mkdir bin
cat >bin/man <<'END'
#!/bin/sh
[ "$1" = -w ] && shift && [ "$2" = cdrgrind-stats ] && exit 16
[ "$1" = 1 ] && echo "the page of $2"
END
chmod +x bin/man
on_terminal() {
  PATH=$PWD/bin:$PATH script -qec "$*" typescript </dev/null | tr -d '\r' >said
}
on_terminal "$cdrgrind" help races
grep -qx 'the page of cdrgrind-races' said || fail "races: $(cat said)"
on_terminal "$cdrgrind" help help
grep -qx 'the page of cdrgrind' said || fail "help: $(cat said)"
on_terminal "$cdrgrind" help stats
grep -q '^Usage: cdrgrind stats' said || fail "stats: $(cat said)"
! grep -q 'the page' said || fail "stats: $(cat said)"
(set +e; on_terminal "$cdrgrind" help bogus; [ "${PIPESTATUS[0]}" = 2 ]) || fail "bogus: $(cat said)"
printf '#!/bin/sh\nexit 1\n' >bin/man
on_terminal "$cdrgrind" help races
grep -q '^Usage: cdrgrind races' said || fail "no man: $(cat said)"

# Each command has a page with all its options, and is named in cdrgrind(1) and in README's table.
list_commands
while IFS= read -r command; do
  grep -q "^.It Ic $command" "$top_srcdir/docs/man/cdrgrind.1" || fail "cdrgrind(1) does not name $command"
  [ $command != help ] || continue
  grep -q "^| \`cdrgrind $command " "$top_srcdir/README.md" || fail "README.md's table does not name $command"
  page=$top_srcdir/docs/man/cdrgrind-$command.1
  [ -f "$page" ] || fail "$command has no page"
  for option in $("$cdrgrind" $command --help | sed '/^For tests:/,/^$/d' | options_in); do
    case $option in --*) mark="Fl Fl ${option#--}" ;; *) mark="Fl ${option#-}" ;; esac
    grep -qE -- "$mark( |\$)" "$page" || fail "cdrgrind-$command(1) does not name $option"
  done
done <commands
