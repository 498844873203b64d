#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# timed.sh COMMAND...: runs a compiler, a linker or a test, and appends what it took to the file CDR_TIMES: seconds of
# processor time, seconds by the clock, the source or script, or else the output.

source='' output='' before=''
for word; do
  case $word in *.c | *.cc | *.sh) source=$word ;; esac
  [ "$before" != -o ] || output=$word
  before=$word
done
what=${source:-${output:-$*}}
used=$(mktemp)
trap 'rm -f "$used"' EXIT
begin=$EPOCHREALTIME status=0
"$@" || status=$?
end=$EPOCHREALTIME
# Its second line is that of children: user, system.
times >"$used"
awk -v clock="$begin $end" -v what="${what#../}" '
  function seconds(time,    part) { split(time, part, /[ms]/); return part[1] * 60 + part[2] }
  NR == 2 { split(clock, c, " "); printf "%.2f %.2f %s\n", seconds($1) + seconds($2), c[2] - c[1], what }' \
  "$used" >>"$CDR_TIMES"
exit $status
