# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in shells: all commands, all options that --help names, what their values can be, files.
. "$top_srcdir/tests/e2e/common.sh"

scripts=$top_builddir/cdrgrind/cli/completion
"$cdrgrind" completion bash | cmp - "$scripts/cdrgrind"
"$cdrgrind" completion zsh | cmp - "$scripts/_cdrgrind"
refused 2 'bash or zsh' completion
refused 2 'bash or zsh' completion fish

list_commands

mkdir options
while IFS= read -r command; do
  [ $command = help ] || "$cdrgrind" $command --help | options_in >options/$command
done <commands
grep -qx -- --cdr-out-file options/record && grep -qx -- -I options/races || fail "no options: $(head options/*)"

# complete LINE WORD...: what bash offers for the last of the words, one a line, in the file offered.
. "$scripts/cdrgrind"
complete -p cdrgrind | grep -q -- '-F _cdrgrind cdrgrind' || fail "bash does not ask for it"
complete_words() {
  COMP_WORDS=(cdrgrind "$@") COMP_CWORD=$# COMPREPLY=()
  _cdrgrind
  printf '%s\n' "${COMPREPLY[@]}" | sort >offered
}
offers() {
  local wanted=$1
  shift
  complete_words "$@"
  diff <(tr ' ' '\n' <<<"$wanted" | sort) offered || fail "$*: not '$wanted'"
}

complete_words ''
diff <(sort commands) <(grep -v '^-' offered) || fail "not all commands"
offers 'record repack report' re
offers '--help --version' --
offers "$(grep '^s' commands | tr '\n' ' ' | sed 's/ $//')" help s
while IFS= read -r command; do
  [ $command != help ] || continue
  complete_words $command -
  sed -i 's/=$//' offered
  sort -o offered offered
  # Valgrind's that record names besides are more.
  if [ $command = record ]; then comm -23 options/record offered; else diff options/$command offered; fi >differences ||
    :
  [ ! -s differences ] || fail "$command: $(cat differences)"
done <commands
complete_words record -
grep -qx -- --trace-children= offered || fail "no option of Valgrind"

# Values: in the same word, which bash takes apart, or in the next one.
offers 'text json gcc sarif xml' races --format ''
offers 'json' races --format = j
offers 'text json gcc sarif xml' races --format =
offers '--format=sarif' races --format=s
offers 'always auto' paths --color = a
offers 'raw war waw' annotate --kind ''
offers 'raw,war raw,waw' annotate --kind raw,w
offers 'none nonstack' record --cdr-data = n
offers 'body span' loops --order ''
offers '' paths -n ''
offers '--cdr-data= --cdr-dataflow=' record --cdr-dat
offers '--color=' stats --col

# Files and folders.
mkdir -p files/folder
: >files/trace.one
: >files/folder/inner
offers 'files/folder files/trace.one' races files/
offers 'files/trace.one' races --only-roots files/t
offers 'files/folder' races -I files/
offers 'files/folder' races --path-map = /old = files/
offers 'files/folder' races --path-map /old = files/
offers 'files/folder files/trace.one' races --baseline = files/
offers 'files/trace.one' repack -o files/t

# record: a program, then what it takes.
printf '#!/bin/sh\n' >files/folder/program
chmod +x files/folder/program
PATH=$PWD/files/folder:$PATH offers 'program' record --cdr-data = none progra
offers 'files/folder/inner files/folder/program' record files/folder/
offers 'files/trace.one' record ls files/t
offers '' record ls --f
offers '' record -- --f
_command_offset() { COMPREPLY=("from $1"); }
complete_words record --cdr-data = none ls -
grep -qx 'from 5' offered || fail "the program's own completion is not asked: $(cat offered)"

# zsh: each command with each of its options in one line of its own.
while IFS= read -r command; do
  grep -qF "'$command:" "$scripts/_cdrgrind" || fail "zsh: no $command"
  [ $command != help ] || continue
  sed -n "/^    $command)\$/,/^      ;;\$/p" "$scripts/_cdrgrind" >case
  while IFS= read -r option; do
    grep -qE -- "[*'{,)]$option(=-?|\\+)?[[,}]" case || fail "zsh: $command: no $option"
  done <options/$command
done <commands
[ "$(head -n 1 "$scripts/_cdrgrind")" = '#compdef cdrgrind' ] || fail "zsh does not know what it completes"
if command -v zsh >/dev/null; then zsh -n "$scripts/_cdrgrind"; fi
