# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind export`: tables hold what the commands' JSON does; read back by Python and by sqlite3.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
command -v zstd >/dev/null || skip "no zstd"
tables="blocks accesses sync dependences races loops"

# export_all NAME: all tables of NAME.trace, unpacked, and the JSON that they are held against.
export_all() {
  local name=$1 table
  for table in $tables timeline; do
    "$cdrgrind" export $name.trace --table=$table -o $name/tables >out
    [ ! -s out ] || fail "$table: something on standard output"
  done
  for table in $tables; do zstd -qdf $name/tables/$table.csv.zst; done
  "$cdrgrind" dump --format=json $name.trace >$name/events.json
  "$cdrgrind" sync --format=json $name.trace >$name/sync.json
  "$cdrgrind" annotate --format=json $name.trace >$name/dependences.json
  "$cdrgrind" races --format=json $name.trace >$name/races.json || :
  "$cdrgrind" advise --format=json $name.trace >$name/loops.json
  python3 "$top_srcdir/tests/e2e/export_check.py" $name || fail "$name"
}
mkdir threads
"${CC:-cc}" -g -O0 -pthread -o threads/program "$top_srcdir/tests/programs/diff/threads.c"
record threads threads/program
export_all threads
# Faults, signals, system calls that touch memory.
mkdir -p faults
record faults "$programs/corners/faults"
export_all faults

# A part; a trace that stays as it is; files that are replaced.
"$cdrgrind" export threads.trace --table=blocks --from=1000 --count=500 -o part
zstd -qdf part/blocks.csv.zst
python3 - <<'END'
import csv
whole = list(csv.DictReader(open("threads/tables/blocks.csv")))
part = list(csv.DictReader(open("part/blocks.csv")))
assert part and part == [r for r in whole if 1000 <= int(r["event"]) < 1500]
END
cp part/blocks.csv.zst before
"$cdrgrind" export threads.trace --table=blocks --from=1000 --count=500 -o part
cmp before part/blocks.csv.zst
"$cdrgrind" verify threads.trace >out

# Another engine.
if command -v sqlite3 >/dev/null; then
  # Every table of both programs, by a reader of CSV that is not ours.
  for name in threads faults; do
    for table in $tables; do
      sqlite3 all.db '.mode csv' ".import $name/tables/$table.csv ${name}_$table"
      rows=$(sqlite3 all.db "select count(*) from ${name}_$table")
      want=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["rows"])' $name/tables/$table.json)
      [ "$rows" = "$want" ] || fail "sqlite3 has $rows rows of $table of $name, not $want"
      columns=$(sqlite3 all.db "select group_concat(name) from pragma_table_info('${name}_$table')")
      want=$(python3 -c 'import json, sys; print(",".join(c["name"] for c in json.load(open(sys.argv[1]))["columns"]))' \
        $name/tables/$table.json)
      [ "$columns" = "$want" ] || fail "sqlite3 has other columns of $table of $name: $columns"
    done
  done
  sqlite3 db '.mode csv' '.import threads/tables/accesses.csv accesses' '.import threads/tables/blocks.csv blocks'
  rows=$(sqlite3 db 'select count(*) from accesses')
  [ "$rows" = "$(($(wc -l <threads/tables/accesses.csv) - 1))" ] || fail "sqlite3 has $rows accesses"
  stores=$(sqlite3 db "select count(*) from accesses join blocks using (event) where store and accesses.function = 'count'")
  [ "$stores" -gt 200 ] || fail "sqlite3 finds $stores stores"
fi

# What is wrong.
refused 2 'table' export threads.trace -o part
refused 2 'bogus' export threads.trace --table=bogus -o part
refused 2 'o' export threads.trace --table=blocks
refused 2 'is for tables of events, not for races' export threads.trace --table=races --from=3 -o part
refused 3 'cannot be opened' export missing.trace --table=blocks -o part
: >file
refused 2 'cannot be made a folder' export threads.trace --table=blocks -o file
record bare threads/program --cdr-data=none
refused 3 'recorded with --cdr-data=none' export bare.trace --table=accesses -o bare
refused 3 'recorded with --cdr-data=none' export bare.trace --table=races -o bare
"$cdrgrind" export bare.trace --table=blocks -o bare
[ ! -e bare/accesses.csv.zst ] || fail "a table that could not be made is there"
