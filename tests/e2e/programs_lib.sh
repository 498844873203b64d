# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For tests that record programs which nobody here wrote, after common.sh. A program is a function do_NAME that is
# called in a folder with the inputs, which make_inputs has made in the folder inputs. "${R[@]}" stands before the command
# that is recorded: nothing the first time, the recorder the second. Files named *.varies are not compared. Above it
# a line `# NAME: COMMAND: what is run', COMMAND being what must be installed.
# A function check_NAME, where there is one, is called with NAME while NAME.trace is there, and must succeed.
#   run_programs SCRIPT [NAME...]   all programs of SCRIPT, or those named
#   reports       the commands that each trace must answer, in $report_seconds of processor time and $report_kilobytes
#   may_exceed    those that may take more: `NAME COMMAND', with the reason behind it

seconds=${PROGRAM_SECONDS:-300}  # a program that takes longer is ended and has failed
reports=()
report_seconds=60
report_kilobytes=1048576
declare -A may_exceed=()

unset PYTHONHOME PYTHONPATH
[ ! -d "$HOME/.rustup" ] || export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
export HOME=$work TZ=UTC PYTHONHASHSEED=0 GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1 MAKEFLAGS= MAKELEVEL=
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_AUTHOR_DATE='2026-01-01T00:00:00Z'
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'

# once NAME KIND: runs the program in a fresh copy of the inputs; leaves NAME.KIND.dir and the seconds in $took.
once() {
  local name=$1 kind=$2 status=0 begin=$EPOCHREALTIME
  rm -rf run
  cp -r inputs run
  (cd run && do_"$name" >stdout 2>stderr </dev/null) || status=$?
  took=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
  echo $status >run/status
  # What Valgrind says with any tool of system calls that it does not know.
  [ "$kind" = alone ] || sed -i '/^--[0-9]*-- /d' run/stderr
  rm -rf "$name.$kind.dir"
  mv run "$name.$kind.dir"
}

instructions_of() {
  sed -n 's/^Instructions: *//p' "$1"
}
threads_of() {
  awk '/^-- / { here = $2 == "Threads" } here && $1 ~ /^[0-9]+$/ { n++ } END { print n + 0 }' "$1"
}

# answers NAME: has each command report on the trace; leaves what exceeded the limits, with its reason, in $exceeded.
answers() {
  local name=$1 command status reason good=0
  exceeded=
  for command in "${reports[@]}"; do
    status=0
    (ulimit -v $report_kilobytes -t $report_seconds && exec "$cdrgrind" "$command" "$name.trace") \
      >"$name.$command.report" 2>"$name.$command.err" || status=$?
    [ $status -gt 1 ] || continue
    reason=${may_exceed[$name $command]:-}
    exceeded+="${exceeded:+; }$command: ${reason:-status $status}"
    [ -n "$reason" ] && continue
    tail -n 3 "$name.$command.err"
    good=1
  done
  return $good
}

# one NAME WHAT: a line of the table; false if anything was not as it should.
one() {
  local name=$1 what=$2 native verdict=fine trace
  R=()
  once "$name" alone
  native=$took
  R=(timeout "$seconds" "$cdrgrind" record -q "--cdr-out-file=$work/$name.trace" --)
  once "$name" recorded
  diff -r -x '*.varies' "$name.alone.dir" "$name.recorded.dir" >"$name.diff" 2>&1 || verdict='behaves otherwise'
  [ -s "$name.trace" ] || verdict='no trace'
  # Forked children have traces of their own, behind the same name.
  for trace in "$name.trace"*; do
    "$cdrgrind" verify "$trace" >"$name.verify" 2>&1 || verdict="verify: $(tail -n 1 "$name.verify")"
  done
  "$cdrgrind" stats "$name.trace" >"$name.stats" 2>&1 || :
  exceeded=
  answers "$name" || [ "$verdict" != fine ] || verdict="a report fails"
  ! declare -F "check_$name" >/dev/null || "check_$name" "$name" || [ "$verdict" != fine ] || verdict='its check fails'
  printf '| %s | %s | %s | %s | %s | %s | %s | %s |' "$name" "$what" "$(threads_of "$name.stats")" \
    "$(instructions_of "$name.stats")" "$native" "$took" \
    "$(stat -c %s "$name.trace" 2>/dev/null | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta')" "$verdict" >line
  [ ${#reports[@]} = 0 ] || printf ' %s |' "${exceeded:-all}" >>line
  echo >>line
  tee -a programs.md <line
  rm -rf "$name.trace"* "$name".*.report
  [ "$verdict" = fine ] && { rm -rf "$name".*.dir; return; }
  head -n 20 "$name.diff"
  [ ! -e "$name.verify" ] || tail -n 5 "$name.verify"
  return 1
}

run_programs() {
  local script=$1 name command what failed=0 done=0 last='' rule=''
  shift
  [ ${#reports[@]} = 0 ] || last=' reports |' rule='---|'
  make_inputs
  {
    echo "| program | what is run | threads | instructions | alone, s | recording, s | trace, bytes | verify |$last"
    echo "|---|---|--:|--:|--:|--:|--:|---|$rule"
  } >programs.md
  while IFS=: read -r name command what; do
    name=${name#\# } command=${command# } what=${what# }
    declare -F "do_$name" >/dev/null || continue
    [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
    if ! PATH=$PATH:/usr/sbin command -v "$command" >/dev/null; then
      echo "not installed: $command"
      continue
    fi
    done=$((done + 1))
    one "$name" "$what" || failed=$((failed + 1))
  done < <(grep -E '^# [a-z0-9-]+: [A-Za-z0-9.+-]+: ' "$script")
  [ $done -gt 0 ] || skip "none of the programs is installed"
  [ $failed = 0 ] || fail "$failed of $done programs"
}
