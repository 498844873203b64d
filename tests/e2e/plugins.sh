# SPDX-License-Identifier: GPL-2.0-or-later
# A plug-in is closed, and another one opened in its place: they are two modules, and each block belongs to
# the one that was there when it ran, also where both have the same bytes at the same address.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

for n in 1 2; do "$CC" -g -O0 -shared -fPIC -DANSWER=$n -o plugin$n.so "$corners/plugin.c"; done
record plugins -- ./plugin1.so ./plugin2.so
printf '%s\n' 41 42 'the same place: yes' | cmp - plugins.out
events plugins --events=module,block >plugins.events

serial() { sed -nE "s/.* module-mapped module=([0-9]+) path=\"[^\"]*plugin$1\\.so\".*/\1/p" plugins.events; }
one=$(serial 1) two=$(serial 2)
[ -n "$one" ] && [ -n "$two" ] && [ "$one" -lt "$two" ] || fail "modules '$one' and '$two'"

# blocks SERIAL: its blocks, all between its two events.
blocks() {
  awk -v serial="module=$1" '
    / module-mapped / && $4 == serial { mapped = 1 }
    / module-unmapped / && $4 == serial { mapped = 0; ended = 1 }
    / block / { for (i = 4; i < 8; i++) if ($i == serial) { if (!mapped) exit 1; n++ } }
    END { print n + 0; exit !ended }' plugins.events || fail "module $1: a block stands outside its time, or it is not unmapped"
}
[ "$(blocks "$one")" -gt 3 ] || fail "blocks of the first: $(blocks "$one")"
[ "$(blocks "$one")" = "$(blocks "$two")" ] || fail "$(blocks "$one") blocks of the first, $(blocks "$two") of the second"
