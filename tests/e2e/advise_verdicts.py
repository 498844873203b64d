# SPDX-License-Identifier: GPL-2.0-or-later
"""Random loops of statements of which it is known whether iterations depend on each other, each with variables of its own.

advise_verdicts.py make SEED: a program in C; the lines of its loops that are not parallel have the comment "not parallel".
advise_verdicts.py check SOURCE ADVICE LEVEL: no such loop is called parallel. Prints how many of the others are not. Of O3
nests that are walked by columns are left out: their loops may be exchanged, and have each other's lines.
"""

import json
import random
import re
import sys

LOOPS, LENGTH, WIDTH = 40, 300, 100
# Declarations, statements, what is left; {s} and {u} are scalars, {A}, {B}, {E} and {H} arrays. The input is a, b, f and k.
PARALLEL = [
    ("double {s} = 0;", "{s} += a[i];", "{s}"),
    ("double {s} = 1;", "{s} *= 1 + a[i] * 1e-6;", "{s}"),
    ("double {s} = 0;", "{s} -= b[i];", "{s}"),
    ("double {s} = 0;", "if (a[i] > {s}) {s} = a[i];", "{s}"),
    ("double {s} = 0;", "{s} = a[i] > {s} ? a[i] : {s};", "{s}"),
    ("double {s} = 0;", "{{ double d = fabs(a[i] - b[i]); if (d > {s}) {s} = d; }}", "{s}"),
    ("float {s} = 0;", "{s} += f[i];", "{s}"),
    ("float {s} = 0;", "if (f[i] > {s}) {s} = f[i];", "{s}"),
    ("int {s} = 1000;", "if (k[i] < {s}) {s} = k[i];", "{s}"),
    ("int {s} = 0;", "{s} = k[i] > {s} ? k[i] : {s};", "{s}"),
    ("int {s} = 0;", "{s} += k[i] > 3;", "{s}"),
    ("int {s} = 0;", "{s} ^= k[i];", "{s}"),
    ("int {s} = 0;", "{s} |= k[i];", "{s}"),
    ("int {s} = 0;", "if (k[i] & 1) {s} += k[i];", "{s}"),
    ("long {s} = 0;", "{s} += (long)k[i] * k[i];", "{s}"),
    ("unsigned {s} = 0;", "{s} += k[i] & 255;", "{s}"),
    ("", "{A}[i] = a[i] * 2;", "{A}[5]"),
    ("", "{{ double t = a[i] * b[i]; {A}[i] = t + 1 / (t + 1); }}", "{A}[6]"),
    ("", "{H}[k[i] & 7]++;", "{H}[3]"),
    ("double {s} = 0;", "{s} = fmax({s}, a[i]);", "{s}"),
    ("double {s} = 9e9;", "{s} = {s} < b[i] ? {s} : b[i];", "{s}"),
    ("float {s} = 0;", "{s} = {s} > f[i] + 1 ? {s} : f[i] + 1;", "{s}"),
    ("double {s} = 9e9;", "{s} = fmin(fabs(a[i] - b[i]), {s});", "{s}"),
    ("double {s} = 0;", "{{ double t = fmax(a[i], b[i]); {s} = fmax(t, {s}); }}", "{s}"),
    ("float {s} = 9e9f;", "{s} = fminf({s}, f[i]);", "{s}"),
    ("int {s} = 0;", "step(&{s}); {A}[i] = {s};", "{s}"),
]
NOT_PARALLEL = [
    ("double {s} = 0;", "{s} += a[i]; {A}[i] = {s};", "{s}"),
    ("double {s} = 0;", "{s} = {s} * .5 + a[i];", "{s}"),
    ("double {s} = 0;", "{s} = a[i] - {s};", "{s}"),
    ("double {s} = 0;", "if ({s} < 5000) {s} += a[i];", "{s}"),
    ("double {s} = 0;", "{s} += a[i]; if ({s} > 3000) {s} = 3000;", "{s}"),
    ("double {s} = 0, {u} = 0;", "{s} += a[i]; {u} += {s};", "{s} + {u}"),
    ("double {s} = 0; int {u} = 0;", "if (a[i] > {s}) {{ {s} = a[i]; {u} = i; }}", "{s} + {u}"),
    ("double {s} = 0;", "if (a[i] > {s}) {s} = a[i] + 1;", "{s}"),
    ("double {s} = 0;", "if (a[i] > {s}) {s} = b[i];", "{s}"),
    ("double {s} = 0;", "if ({s} < a[i] && b[i] > {s}) {s} = a[i];", "{s}"),
    ("double {s} = 0;", "{s} = {s} - 1 > a[i] ? {s} - 1 : a[i];", "{s}"),
    ("double {s} = 0;", "if (a[i] > {s}) {s} = a[i]; {A}[i] = {s};", "{s}"),
    ("double {s} = 0;", "if (a[i] > {s}) {s} = a[i]; else {A}[i] = b[i];", "{s}"),
    ("double {s} = 0, {u} = 0;", "if (a[i] > {s}) {s} = a[i]; if ({s} > 500) {u} += 1;", "{s} + {u}"),
    ("double {s} = 0, {u} = 0;", "if (a[i] > {s}) {{ {u} = {s}; {s} = a[i]; }} else if (a[i] > {u}) {u} = a[i];", "{s} + {u}"),
    ("double {s} = 1;", "{s} = fmax({s} * .9, a[i]);", "{s}"),
    ("double {s} = 1;", "{s} = sqrt({s} + a[i]);", "{s}"),
    ("float {s} = 0;", "{s} = {s} + f[i]; {s} *= .99f;", "{s}"),
    ("int {s} = 7;", "{s} = {s} * 31 + k[i];", "{s}"),
    ("int {s} = 0;", "{s} = ({s} << 1) ^ k[i];", "{s}"),
    ("int {s} = 0;", "if (k[i] & 1) {B}[{s}++] = k[i];", "{s} + {B}[3]"),
    ("int {s} = 0, {u} = 0;", "if (k[i] > {s}) {{ {s} = k[i]; ++{u}; }}", "{s} + {u}"),
    ("int {s} = 0;", "if (k[i] > {s}) {s} = k[i]; else if (k[i] < 2) {s} = 0;", "{s}"),
    ("int {s} = 9;", "if (k[i] > {s}) {{ if (i & 1) {s} = k[i]; else {s} = k[i] - 1; }}", "{s}"),
    ("int {s} = 0;", f"{{s}} = k[({{s}} + i) % {LENGTH}];", "{s}"),
    ("double {s} = 0;", "{s} = fmax({s}, a[i]); {A}[i] = {s};", "{s}"),
    ("double {s} = 0;", "{A}[i] = {s} = fmax({s}, a[i]);", "{s}"),
    ("double {s} = 0;", "{A}[i] = {s}; {s} = fmax({s}, a[i]);", "{s}"),
    ("double {s} = 0;", "{A}[i] = {s} = {s} > a[i] ? {s} : a[i];", "{s}"),
    ("double {s} = 0;", "{s} = a[i] > {s} ? b[i] : {s};", "{s}"),
    ("double {s} = 0;", "{s} = a[i] > {s} ? a[i] : {s} - 1;", "{s}"),
    ("double {s} = 0, {u} = 0;", "{s} = {s} > a[i] ? ({u} += 1, {s}) : a[i];", "{s} + {u}"),
    ("double {s} = 0;", "{s} = {s} > a[i] ? {s} : ({A}[i] = 1, a[i]);", "{s}"),
    ("double {s} = 0;", "{s} = fmax({s}, a[i] - {s});", "{s}"),
    ("double {s} = 0;", "{s} = fmax(a[i], {s}) + 1;", "{s}"),
    ("double {s} = 0;", "{s} = fmax(b[i], fmax(a[i], {s} - 1));", "{s}"),
    ("double {s} = 0;", "{s} = fmax({s}, a[i]); {s} = fmin({s}, b[i]);", "{s}"),
    ("double {s} = 0, {u} = 0;", "{{ double t = {s}; {s} = fmax({s}, a[i]); {u} += t; }}", "{s} + {u}"),
    ("double {s} = 0, {u} = 0;", "{s} = fmax({s}, a[i]); if ({s} > 500) {u} += 1;", "{s} + {u}"),
    ("int {s} = 0;", "step_if(&{s}, k[i] & 1); {A}[i] = {s};", "{s}"),
    ("int {s} = 0;", "if (k[i] & 1) step(&{s}); {A}[i] = {s};", "{s}"),
    ("int {s} = 0;", "step_by(&{s}, k[i]); {A}[i] = {s};", "{s}"),
    ("int {s} = 1, {u} = 2;", "{A}[i] = {s}; {{ int t = {s}; {s} = {u}; {u} = t; }}", "{s} + {u}"),
    ("double {s} = 1, {u} = 2;", "{A}[i] = {s} * a[i]; {{ double t = {s}; {s} = {u}; {u} = t; }}", "{s} + {u}"),
    ("int {s} = 1, {u} = 2;", "{A}[i] = {s}; if (k[i] & 1) {{ int t = {s}; {s} = {u}; {u} = t; }}", "{s} + {u}"),
    ("int {s} = 1;", "{A}[i] = {s}; if (k[i] & 1) {s} = i;", "{s}"),
    ("double {s} = 1, {u} = 2;", "{A}[i] = {u}; {u} = {s}; {s} = {s} * .5 + a[i];", "{s} + {u}"),
    ("int {s} = 1, {u} = 2;", "{A}[i] = {s}; {s} = {u}; {u} = {s} + {u};", "{s} + {u}"),
    # Of these compilers make several loops, or calls of memcpy and memset.
    ("", "{A}[i + 1] = a[i]; {E}[i] += {A}[i];", "{E}[7] + (seen = {A}, seen[9])"),
    ("", "{A}[i + 1] = a[i] * 3; {E}[i] = {A}[i];", "{E}[7] + (seen = {A}, seen[9])"),
    ("", "{E}[i] = {A}[i + 1]; {A}[i] = 0;", "{E}[9] + (seen = {A}, seen[9])"),
    ("", "{A}[i] = 0; {E}[i] += {A}[i + 1] * 2;", "{E}[9] + (seen = {A}, seen[9])"),
    ("", "{A}[i] = b[i]; {H}[k[i] & 7]++; {E}[i] = {A}[i + 3];", "{E}[9] + (seen = {A}, seen[9])"),
]
# Of nests over i and j, by lines: whether the outer loop is parallel, whether the inner one is; the statement. {M} are
# matrices, {R} rows, {P} rows of structures.
NESTS = [
    (True, True, "{M}[i][j] = m[i][j] * 2;"),
    (True, False, "{M}[i][j + 1] = {M}[i][j] + m[i][j];"),
    (False, True, "{M}[i + 1][j] = {M}[i][j] * .5 + 1;"),
    (False, True, "{M}[i + 1][j + 1] = {M}[i][j] + 1;"),
    (False, True, "{M}[i][j] = {M}[i + 1][j] + 1;"),
    (True, False, "{M}[i][j] = {M}[i][j + 1] + 1;"),
    (False, True, "{M}[j][i + 1] = {M}[j][i] + 1;"),
    (False, True, "{M}[j + 1][i + 1] = {M}[j][i] + 1;"),
    (True, False, "{M}[j + 1][i] = {M}[j][i] + m[j][i];"),
    (True, False, "{M}[j][i] = {M}[j + 1][i] + 1;"),
    (False, True, "{M}[j][i] = {M}[j][i + 1] + 1;"),
    (False, True, "if (i) {M}[i][j] += {M}[i - 1][j];"),
    (False, True, "{M}[i + 1][j] = m[i][j]; {N}[i][j] = {M}[i][j];"),
    (True, False, "{M}[i][j + 1] = m[i][j]; {N}[i][j] += {M}[i][j];"),
    (True, True, "{R}[i] += m[i][j];"),
    (True, True, "{R}[j] += m[i][j];"),
    (False, True, "{R}[j] = {R}[j] * .5 + m[i][j];"),
    (True, False, "{R}[i] = {R}[i] * .5 + m[i][j];"),
    (True, True, "{P}[i].n[j & 3] += m[i][j] > 4; {P}[i].x += m[i][j];"),
    (True, False, "{P}[i].x = {P}[i].y + m[i][j]; {P}[i].y = {P}[i].x * .5;"),
    (False, True, "{P}[j].x = {P}[j].y + m[i][j]; {P}[j].y = {P}[j].x * .5;"),
    (False, True, "{P}[j].x += {P}[j].y; {P}[j].y = m[i][j];"),
]
# Of loops whose steps and ends are functions: whether these leave the loop parallel.
HEADS = [
    (True, "for (int i = 0; i < length(); i++) {"),
    (True, "for (int i = 0; is_below(&i, &limit); step(&i)) {"),
    (True, "for (int i = 0; is_below(&i, &limit); i++) {"),
    (True, f"for (int i = 0; i < {LENGTH}; step(&i)) {{"),
    (False, "for (int i = 0; goes_on(ends + i); i++) {"),
    (False, "for (int i = 0; goes_on_at(i); i++) {"),
    (False, "for (int i = 0; goes_on_by(&i); step(&i)) {"),
    (False, "for (int i = 0; i < length() && goes_on_by(&i); i++) {"),
    (False, "for (int i = 0; i < limit; step(&i)) { if (k[i] == 34 && i > 200) limit = i + 20;"),
    (False, "for (int i = 0; is_below(&i, &limit); step(&i)) { if (k[i] == 34 && i > 200) limit = i + 20;"),
    (False, f"for (int i = 0; i < {LENGTH}; step_over(&i)) {{"),
    (False, f"for (int i = 0, n; n = {LENGTH}, k[i] == 49 ? n = i + 1 : 0, is_below(&i, &n); i++) {{"),
]
ARRAYS = ["A0", "A1", "A2", "E0", "E1", "E2", "B0", "B1", "B2"]
SOURCE = f"""#include <math.h>
#include <stdio.h>
static double a[{LENGTH}], b[{LENGTH}], A0[{LENGTH} + 3], A1[{LENGTH} + 3], A2[{LENGTH} + 3];
static double E0[{LENGTH}], E1[{LENGTH}], E2[{LENGTH}], *volatile seen;
static float f[{LENGTH}];
static double m[{WIDTH} + 1][{WIDTH} + 1], M0[{WIDTH} + 1][{WIDTH} + 1], M1[{WIDTH} + 1][{WIDTH} + 1];
static double N0[{WIDTH} + 1][{WIDTH} + 1], N1[{WIDTH} + 1][{WIDTH} + 1], R0[{WIDTH}], R1[{WIDTH}];
static struct {{ double x, y; int n[4]; }} P0[{WIDTH}], P1[{WIDTH}];
static int k[{LENGTH}], B0[{LENGTH}], B1[{LENGTH}], B2[{LENGTH}], H0[8], H1[8], H2[8];
static double ends[{LENGTH} + 1];
static int limit = {LENGTH};
static int length(void) {{ return limit; }}
static int is_below(const int *i, const int *n) {{ return *i < *n; }}
static int goes_on(const double *p) {{ return *p >= 0; }}
static int goes_on_at(int i) {{ return ends[i] >= 0; }}
static int goes_on_by(const int *i) {{ return ends[*i] >= 0; }}
static void step(int *i) {{ ++*i; }}
static void step_if(int *i, int yes) {{ if (yes) ++*i; }}
static void step_by(int *i, int n) {{ *i += n; }}
static void step_over(int *i) {{ do ++*i; while (k[*i % {LENGTH}] == 34); }}
%FUNCTIONS%
int main(void) {{
  for (int i = 0; i < {LENGTH}; i++)
    A0[i] = A1[i] = A2[i] = i % 11, a[i] = i * 7919 % 1013 + i * .5, b[i] = i * 31 % 100, k[i] = i * 17 % 50, f[i] = i * 13 % 97;
  for (int i = 0; i <= {WIDTH}; i++) for (int j = 0; j <= {WIDTH}; j++) m[i][j] = i * 7 + j;
  ends[{LENGTH}] = -1;
  double sum = %CALLS%;
  for (int i = 0; i < {LENGTH}; i++)
    sum += {" + ".join(f"{name}[i] * {n + 1}" for n, name in enumerate(ARRAYS))};
  for (int i = 0; i < {WIDTH}; i++) for (int j = 0; j < {WIDTH}; j++)
    sum += M0[i][j] + M1[i][j] * 2 + N0[i][j] + N1[i][j] + R0[j] + R1[j] + P0[j].x + P1[j].n[1];
  printf("%g %d %d %d\\n", sum, H0[2], H1[2], H2[2]);
}}
"""


def function(number, choice):
    parts, parallel = [], True
    for n in range(choice.choice((1, 1, 2, 2, 3))):
        of = NOT_PARALLEL if choice.random() < .4 else PARALLEL
        parallel &= of is PARALLEL
        names = {"s": f"s{n}", "u": f"u{n}", "A": f"A{n}", "B": f"B{n}", "E": f"E{n}", "H": f"H{n}"}
        parts.append([text.format(**names) for text in choice.choice(of)])
    choice.shuffle(parts)
    declared, done, left = (list(p) for p in zip(*parts))
    nest = f"for (int o = 0; o < {LENGTH // WIDTH}; o++) for (int j = 0; j < {WIDTH}; j++) {{ int i = o * {WIDTH} + j;"
    head = nest if choice.random() < .35 else f"for (int i = 0; i < {LENGTH}; i++) {{"
    if choice.random() < .25:
        leaves, head = choice.choice(HEADS)
        parallel &= leaves
        declared.append(f"limit = {LENGTH};")
    mark = "" if parallel else " // not parallel"
    return (f"static double f{number}(void) {{ {' '.join(declared)}\n  {head} {' '.join(done)} }}{mark}\n"
            f"  return {' + '.join(left)}; }}")


def nest(number, choice):
    outer = inner = True
    done = []
    for n in range(choice.choice((1, 1, 2))):
        of_outer, of_inner, text = choice.choice(NESTS)
        outer &= of_outer
        inner &= of_inner
        done.append(text.format(**{name: f"{name}{n}" for name in "MNRP"}))
    heads = [f"for (int {v} = 0; {v} < {WIDTH}; {v}++) {{{'' if parallel else ' // not parallel'}"
             for v, parallel in (("i", outer), ("j", inner))]
    left = "(seen = M0[0], seen[70]) + (seen = N0[1], seen[90]) + R0[3] + P0[4].y"
    return (f"static double f{number}(void) {{\n  {heads[0]}\n    {heads[1]}\n      {' '.join(done)} }} }}\n"
            f"  return {left} + {left.replace('0', '1')}; }}")


def make(seed):
    choice = random.Random(seed)
    functions = "\n".join((nest if n % 3 == 2 else function)(n, choice) for n in range(LOOPS))
    calls = " + ".join(f"f{n}()" for n in range(LOOPS))
    print(SOURCE.replace("%FUNCTIONS%", functions).replace("%CALLS%", calls), end="")


def by_columns(lines, number):
    """Whether the nest that the line begins, or that it is within, is."""
    return any(re.search(r"M\d\[j[^\]]*\]\[i", text) for text in lines[number:number + 2])


def check(source, advice, level):
    lines = open(source).read().split("\n")
    wrong = worse = right = 0
    for loop in json.load(open(advice))["loops"]:
        place = loop["place"]
        line = lines[place["line"] - 1].strip()
        if not line.startswith("for") or place["function"].split("(")[0] == "main" or loop["verdict"] == "unseen":
            continue
        if level == "O3" and by_columns(lines, place["line"]):
            continue
        expected = not line.endswith("// not parallel")
        again = any("load that again" in c["edit"] for c in loop["carried"])
        if loop["verdict"] == "parallel" and not expected and not again:
            wrong += 1
            carried = [(c["class"], c["object"]) for c in loop["carried"]]
            print(f"{source}:{place['line']}: called parallel: {line}: {carried}")
        elif (loop["verdict"] == "parallel") != expected:
            worse += 1
        else:
            right += 1
    print(f"{source}: {right} right, {worse} that are parallel called worse, {wrong} wrong")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(make(int(sys.argv[2])) if sys.argv[1] == "make" else check(*sys.argv[2:5]))
