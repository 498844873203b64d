# SPDX-License-Identifier: GPL-2.0-or-later
# Languages whose compilers know no OpenMP: what `cdrgrind advise` says to do is said without it; Ada's names are as its
# compiler writes them, variables that a task uses of the subprogram around it have names.
. "$top_srcdir/tests/e2e/common.sh"
[ ! -d "$HOME/.rustup" ] || export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
rustc --version >/dev/null 2>&1 || skip "no rustc"
command -v gnatmake >/dev/null || skip "no gnatmake"

cat >counts.rs <<'RUST'
fn count(values: &[u64], counts: &mut [u32]) {
    for &v in values {
        counts[(v % 64) as usize] += 1;
    }
}
fn main() {
    let values: Vec<u64> = (0..2000).map(|i| i * 7919 % 1009).collect();
    let mut counts = vec![0u32; 64];
    for _ in 0..3 {
        count(&values, &mut counts);
    }
    println!("{}", counts[3]);
}
RUST
rustc -g -O -o counts counts.rs
record counts ./counts
"$cdrgrind" advise --format=json counts.trace >counts.json
python3 - counts.json <<'END'
import json, sys
loops = {l["place"]["line"]: l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["file"].endswith("counts.rs")}
assert loops[2]["verdict"].startswith("parallel"), loops[2]["verdict"]
edits = {i["edit"] for l in loops.values() for i in l["carried"]}
assert "update it atomically, or give each thread its own" in edits, edits
assert not any("omp" in e or "'for'" in e for e in edits), edits
assert not any(l["pragma"] for l in loops.values())
END

cat >sums.adb <<'ADA'
with Ada.Text_IO;
procedure Sums is
   type Table is array (1 .. 100) of Integer;
   Left   : Integer := 0;
   Totals : Table := (others => 0);
   task type Worker (Id : Integer);
   task body Worker is
   begin
      for Round in 1 .. 20 loop
         for I in Totals'Range loop
            Totals (I) := Totals (I) + I * Id;
         end loop;
         Left := Left + Round;
         delay 0.0;
      end loop;
   end Worker;
begin
   declare
      A : Worker (1);
      B : Worker (2);
   begin
      null;
   end;
   Ada.Text_IO.Put_Line (Integer'Image (Totals (7) + Left));
end Sums;
ADA
gnatmake -q -g sums.adb -o sums 2>made || fail "$(cat made)"
record sums ./sums
"$cdrgrind" races sums.trace >text && fail "no race found"
grep -q '^#[12] totals\[…\] of sums  (root)' text || fail "$(cat text)"
grep -q '^#[12] left of sums  (root)' text || fail "$(cat text)"
grep -q 'at sums__workerTB (' text || fail "$(cat text)"
