# SPDX-License-Identifier: GPL-2.0-or-later
"""loops.py SEED: prints a C program for the comparison of `cdrgrind advise' with its slow reference.

Functions with loops of all kinds, nested, left and continued early, made of gotos, some entered in the middle; recursion,
calls, heap blocks, accesses of several widths to the same bytes. Each loop has a counter that nothing else lowers, and
every call costs fuel, so each run ends. All arithmetic is unsigned, and indices are masked. Nothing is called in a loop
that the system has to do with.
"""
import random
import sys

PRELUDE = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long u64;
static u32 fuel = {fuel};
u32 g0 = 3, g1 = 1, g2 = 4, g3 = 1;
u64 q0 = 5, q1 = 9;
u8 b0 = 2, b1 = 6;
u32 w[32];
u64 q[16];
u16 h[32];
u8 b[64];
double d[16];
struct {{ u32 a; u16 c; u8 e[10]; u64 f; }} s[8];
u32 *p = w + 5;
"""
ARRAYS = [("w", 31), ("q", 15), ("h", 31), ("b", 63)]
GLOBALS = ["g0", "g1", "g2", "g3", "q0", "q1", "b0", "b1"]


class Function:
    def __init__(self, random_numbers, number):
        self.r = random_numbers
        self.number = number
        self.lines = []
        self.counters = 0
        self.labels = 0
        self.size = self.r.randint(8, 22)
        self.loops = []  # the innermost last; what may leave it

    def put(self, text):
        self.lines.append("  " * (1 + len(self.loops)) + text)

    # ---- Expressions ----

    def index(self):
        """Inductions more often than not."""
        of_loops = [c for c, _ in self.loops if c]
        x = self.r.choice(of_loops) if of_loops and self.r.random() < 0.8 else self.value()
        return self.r.choice(["{}", "{}", "({} + 1)", "({} - 1)", "({} * 2)", "({} - 3)", "({} >> 1)"]).format(x)

    def value(self):
        pick = self.r.random()
        if pick < 0.3:
            return self.r.choice(["l0", "l1", "x"])
        if pick < 0.5:
            return self.r.choice(GLOBALS)
        if pick < 0.6:
            return str(self.r.randint(0, 9))
        return self.place()

    def place(self):
        pick = self.r.random()
        name, mask = self.r.choice(ARRAYS)
        if pick < 0.55:
            return f"{name}[{self.index()} & {mask}]"
        if pick < 0.65:
            return f"((u8 *)w)[{self.index()} & 127]"
        if pick < 0.7:
            return f"((u32 *)(b + ({self.index()} & 31)))[{self.r.randint(0, 3)}]"
        if pick < 0.78:
            return f"s[{self.index()} & 7].{self.r.choice(['a', 'c', 'e[3]', 'f', 'e[g1 & 7]'])}"
        if pick < 0.86:
            return f"t[{self.index()} & 7]"
        if pick < 0.93:
            return f"p[{self.index()} & 15]"
        return "*p"

    def target(self):
        pick = self.r.random()
        if pick < 0.25:
            return self.r.choice(["l0", "l1"])
        return self.r.choice(GLOBALS) if pick < 0.5 else self.place()

    def expression(self):
        a, c = self.value(), self.value()
        return self.r.choice([a, f"{a} + {c}", f"{a} - {c}", f"{a} ^ {c}", f"({a} & {c}) + 1", f"{a} * 3 + {c}", f"~{a}",
                              f"({a} > {c} ? {a} : {c})"])

    def condition(self):
        a, c = self.value(), self.value()
        return self.r.choice([f"{a} & {1 << self.r.randint(0, 3)}", f"{a} < {c}", f"{a} % 5 == {self.r.randint(0, 4)}",
                              f"({a} ^ {c}) & 3", f"{a} != {c}"])

    # ---- Statements ----

    def counter(self):
        self.counters += 1
        return f"i{self.counters}"

    def label(self):
        self.labels += 1
        return f"m{self.labels}"

    def body(self, counter, kind, most=4):
        self.loops.append((counter, kind))
        for _ in range(self.r.randint(1, most)):
            self.statement()
        self.loops.pop()

    def count(self):
        return self.r.choice([str(self.r.randint(1, 7)), str(self.r.randint(2, 12)), "2 + (g1 & 7)", "(x & 3) + 1"])

    def loop(self):
        c, n, kind = self.counter(), self.count(), self.r.randint(0, 6)
        also = f" && {self.condition()}" if self.r.random() < 0.15 else ""
        if kind <= 1:
            step = self.r.choice(["++", "++", "++", " += 2", " += 3"])
            self.put(f"for ({c} = 0; {c} < {n}{also}; {c}{step}) {{")
            self.body(c, "loop")
            self.put("}")
        elif kind == 2:
            self.put(f"{c} = {n};")
            self.put(f"while ({c}-- > 0{also}) {{")
            self.body(c, "loop")
            self.put("}")
        elif kind == 3:
            self.put(f"{c} = 0;")
            self.put("do {")
            self.body(c, "loop")
            self.put(f"}} while (++{c} < {n}{also});")
        elif kind == 4:
            self.put(f"for ({c} = 0;;) {{")
            self.body(c, "goto", 2)
            self.put(f"  if ({c}++ >= {n}) break;")
            self.body(c, "loop", 2)
            self.put("}")
        elif kind == 5:  # of gotos
            top = self.label()
            self.put(f"{c} = 0;")
            self.put(f"{top}:")
            self.body(c, "goto")
            if self.r.random() < 0.4:
                self.put(f"if ({self.condition()} && {c}++ < {n}) goto {top};")
                self.body(c, "goto", 2)
            self.put(f"if (++{c} < {n}) goto {top};")
        else:  # entered in the middle
            top, middle = self.label(), self.label()
            self.put(f"{c} = 0;")
            self.put(f"if ({self.condition()}) goto {middle};")
            self.put(f"{top}:")
            self.body(c, "goto", 2)
            self.put(f"{middle}:")
            self.body(c, "goto", 2)
            if self.r.random() < 0.3:
                self.put(f"if ({self.condition()} && {c}++ < {n}) goto {middle};")
            self.put(f"if (++{c} < {n}) goto {top};")

    def statement(self):
        self.size -= 1
        pick = self.r.random()
        if pick < 0.25 and len(self.loops) < 3 and self.size > 0:
            self.loop()
        elif pick < 0.33 and self.size > 0:
            self.put(f"if ({self.condition()}) {{")
            self.statement()
            if self.r.random() < 0.4:
                self.put("} else {")
                self.statement()
            self.put("}")
        elif pick < 0.40 and self.loops and self.loops[-1][1] == "loop":
            self.put(f"if ({self.condition()}) {self.r.choice(['break', 'continue'])};")
        elif pick < 0.42 and self.loops:
            self.put(f"if ({self.condition()}) return {self.value()};")
        elif pick < 0.50 and self.number:
            self.put(f"{self.target()} = f{self.r.randrange(self.number)}({self.expression()}, {self.r.choice(['t', 't', 'w'])});")
        elif pick < 0.54 and self.number:
            self.put(f"if (deep < 4) {self.target()} += f{self.number}({self.expression()}, t);")
        elif pick < 0.57:
            self.put(f"r = malloc({self.r.choice([16, 40, 72])});")
            self.put(f"r[{self.index()} & 3] = {self.value()};")
            self.put("r[1] = 7;")
            self.put("l0 += r[1];")
            self.put("free(r);")
        elif pick < 0.60:
            self.put(self.r.choice([f"memset(b + ({self.index()} & 31), 1, {self.r.randint(1, 32)});",
                                    f"memcpy(w, w + 16 + ({self.index()} & 7), {self.r.randint(1, 24)});",
                                    "s[1] = s[g0 & 3];"]))
        elif pick < 0.64:
            i = self.index()
            self.put(f"d[{i} & 15] = d[({i} - 1) & 15] * 0.5 + {self.value()};")
        elif pick < 0.66:
            self.put(f"p = w + ({self.value()} & 15);")
        else:
            self.put(f"{self.target()} {self.r.choice(['=', '=', '+=', '^=', '-=', '|='])} {self.expression()};")

    def text(self):
        while self.size > 0:
            self.statement()
        counters = "".join(f", i{k + 1} = 0" for k in range(self.counters))
        static = self.r.choice(["static ", "static __attribute__((noinline)) ", "__attribute__((noinline)) "])
        return "\n".join([
            f"{static}u32 f{self.number}(u32 x, u32 *a) {{",
            "  static u32 deep;",
            f"  u32 l0 = x, l1 = 1{counters}, t[8] = {{x, a[1]}}, *r = t;",
            "  if (!fuel) return x;",
            "  fuel--, deep++;",
            *[line.replace("return ", "return deep--, ") for line in self.lines],
            "  deep--;",
            f"  return l0 + l1 + t[2];",
            "}"])


def main():
    r = random.Random(int(sys.argv[1]))
    print(PRELUDE.format(fuel=r.choice([8, 15, 30])))
    last = r.randint(2, 5)
    for k in range(last):
        print(Function(r, k).text())
    print(f"""int main(void) {{
  u64 sum = 0;
  for (u32 i = 0; i < 32; i++) w[i] = i * 7, h[i] = i * 5, b[i] = i * 3, q[i & 15] = i;
  for (u32 i = 0; i < 3; i++) sum += f{last - 1}(i, w);
  for (u32 i = 0; i < 32; i++) sum = sum * 3 + w[i] + h[i] + b[i] + q[i & 15];
  printf("%lu\\n", sum + g0 + q1);
  return 0;
}}""")


main()
