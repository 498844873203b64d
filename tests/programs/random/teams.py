# SPDX-License-Identifier: GPL-2.0-or-later
"""teams.py SEED: prints a C program with OpenMP for the comparison of `cdrgrind races' with its slow reference.

The first line of the program tells the flags to compile it with: `// flags: -O1 ...'. What is recorded may differ from
run to run; each run ends. Static variables alone are shared: what the reference looks at.

No run waits for ever: barriers and worksharing stand in regions and not within each other, what is done under a lock is
nothing but accesses, or locks with greater numbers.
"""
import random
import sys

PRELUDE = """
#include <omp.h>
#include <stdint.h>
#define V volatile
static V uint64_t quad[8];
static V uint32_t word[8];
static V uint16_t half[8];
static V union { uint64_t q[2]; uint32_t w[4]; uint8_t b[16]; } mixed;
static omp_lock_t lock[2];
static omp_nest_lock_t nest;
static char place[4]; /* of depend clauses */
/* Where iterations of a shared loop begin, and where it, or the body of a single, is left: no compiler makes accesses of this width of its own. */
static long double mark;
#define ITERATION __asm__ volatile("fldz; fstpt %0" : "=m"(mark))
#define LEFT __asm__ volatile("fldt %0; fstp %%st(0)" ::"m"(mark))
"""
SCHEDULES = ["static", "static, 1", "dynamic", "dynamic, 2", "dynamic, 9", "guided", "monotonic: dynamic"]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.left = 26  # constructs
        self.depth = 0
        self.regions = 0
        self.names = 0

    def put(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def pick(self, *what):
        return self.random.choice(what)

    def block(self, pragma, body, *arguments):
        if pragma:
            self.put("#pragma omp " + pragma)
        self.put("{")
        self.depth += 1
        body(*arguments)
        self.depth -= 1
        self.put("}")

    # --- accesses ---

    def target(self, index):
        at = f"{index} & 7" if index and self.chance(2) else str(self.random.randrange(8))
        kind = self.random.randrange(6)
        if kind == 0:
            return f"word[{at}]"
        if kind == 1:
            return f"half[{at}]"
        if kind == 2:
            return f"mixed.b[{at}]"
        if kind == 3:
            return f"mixed.w[({at}) & 3]"
        if kind == 4:
            return f"mixed.q[({at}) & 1]"
        return f"quad[{at}]"

    def accesses(self, index, most=3):
        for _ in range(self.random.randint(1, most)):
            target = self.target(index)
            kind = self.random.randrange(5)
            if kind < 2:
                self.put(f"{target} = {self.random.randrange(100)};")
            elif kind < 4:
                self.put(f"(void){target};")
            else:
                self.put(f"{target} += 1;")

    # --- anywhere in a region ---

    def locked(self, index, least=0):
        kind = self.random.randint(least, 5)
        inner = (lambda: (self.accesses(index, 2), self.locked(index, kind + 1), self.accesses(index, 1))) \
            if kind < 5 and self.chance(4) else lambda: self.accesses(index)
        if kind <= 2:
            return self.block(("critical", "critical(a)", "critical(b)")[kind], inner)
        name = ("lock[0]", "lock[1]", "nest")[kind - 3]
        of = "nest_lock" if name == "nest" else "lock"
        self.put(f"omp_set_{of}(&{name});")
        if of == "nest_lock" and self.chance(2):
            self.put("omp_set_nest_lock(&nest);")
            self.accesses(index, 1)
            self.put("omp_unset_nest_lock(&nest);")
        inner()
        self.put(f"omp_unset_{of}(&{name});")

    def task(self, index, level):
        clauses = ""
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            kind = self.pick("in", "in", "out", "inout", "mutexinoutset")
            address = self.random.randrange(4)
            if f"place[{address}]" not in clauses:
                clauses += f" depend({kind} : place[{address}])"
        if self.chance(5):
            clauses += self.pick(" if(0)", " final(1)", " untied", " priority(1)")
        if index and self.chance(2):
            clauses += f" firstprivate({index})"
        self.block("task" + clauses, self.in_task, index, level + 1)

    def taskloop(self, index, level):
        name = f"i{self.names}"
        self.names += 1
        grain = self.pick("", " grainsize(1)", " num_tasks(2)", " nogroup")
        self.put(f"#pragma omp taskloop{grain}")
        self.put(f"for (int {name} = 0; {name} < 4; {name}++)")
        self.block("", lambda: (self.put("ITERATION;"), self.in_task(name, level + 1)))

    def in_task(self, index, level):
        for _ in range(self.random.randint(1, 3)):
            self.statement(index, level)

    def statement(self, index, level):
        """What may stand in tasks, chunks and sections, too."""
        kind = self.random.randrange(12)
        if self.left <= 0 or level > 3 or kind < 4:
            return self.accesses(index)
        self.left -= 1
        if kind < 6:
            return self.locked(index)
        if kind < 9:
            return self.task(index, level)
        if kind == 9:
            return self.put(self.pick("#pragma omp taskwait", f"#pragma omp taskwait depend({self.pick('in', 'inout')} : "
                                      f"place[{self.random.randrange(4)}])"))
        if kind == 10:
            return self.block("taskgroup", self.in_task, index, level + 1)
        if self.regions < 2 and self.chance(2):
            return self.region(level + 1)
        return self.taskloop(index, level)

    # --- in a region, not within each other ---

    def nowait(self):
        return self.pick("", "", " nowait")

    def loop(self, level):
        name = f"i{self.names}"
        self.names += 1
        count = self.random.randint(2, 6)
        kind = self.random.randrange(4)
        schedule = self.random.choice(SCHEDULES[:-1])
        if kind == 0:
            self.put(f"#pragma omp for ordered schedule({schedule}){self.nowait()}")
            body = lambda: (self.accesses(name, 2), self.block("ordered", self.accesses, name), self.accesses(name, 1))
        elif kind == 1:
            distance = self.random.randint(1, 2)
            self.put(f"#pragma omp for ordered(1) schedule({schedule}){self.nowait()}")

            def body():
                self.accesses(name, 1)
                self.put(f"#pragma omp ordered depend(sink : {name} - {distance})")
                self.accesses(name)
                self.put("#pragma omp ordered depend(source)")
                self.accesses(name, 1)
        else:
            self.put(f"#pragma omp for schedule({self.random.choice(SCHEDULES)}){self.nowait()}")
            body = lambda: self.in_task(name, level + 1)
        self.put(f"for (int {name} = 0; {name} < {count}; {name}++)")
        self.block("", lambda: (self.put("ITERATION;"), body()))
        self.put("LEFT;")

    def sections(self, level):
        def body():
            for _ in range(self.random.randint(2, 3)):
                # With LLVM's library sections are iterations of a loop.
                self.block("section", lambda: (self.put("ITERATION;"), self.in_task("", level + 1)))
        self.block("sections" + self.nowait(), body)
        self.put("LEFT;")

    def worksharing(self, level):
        self.left -= 1
        kind = self.random.randrange(9)
        if kind < 3:
            return self.loop(level)
        if kind == 3:
            return self.sections(level)
        if kind == 4:
            return self.block("single" + self.nowait(), lambda: (self.in_task("", level + 1), self.put("LEFT;")))
        if kind == 5:
            name = f"p{self.names}"
            self.names += 1

            def body():
                self.put(f"#pragma omp single copyprivate({name})")
                self.put("{")
                self.put(f"  {name} = 1;")
                self.accesses("")
                self.put("}")
            self.put("{")
            self.put(f"int {name} = 0;")
            body()
            self.put(f"(void){name};")
            return self.put("}")
        if kind == 6:
            return self.block("master", self.in_task, "", level + 1)
        if kind == 7:
            return self.put("#pragma omp barrier")
        return self.statement("", level)

    def region(self, level):
        self.regions += 1
        threads = self.random.randint(1, 3)

        def body():
            for _ in range(self.random.randint(2, 5)):
                self.worksharing(level)
        self.block(f"parallel num_threads({threads})", body)
        self.regions -= 1

    def text(self):
        flags = f"// flags: -{self.pick('O0', 'O1', 'O2')} -g -fopenmp -w"
        for _ in range(self.random.randint(1, 3)):
            self.left = max(self.left, 8)
            self.accesses("")
            self.region(0)
            if self.chance(4):
                self.task("", 2)
        self.accesses("")
        setup = ["  omp_set_dynamic(0);", "  omp_set_max_active_levels(2);", "  omp_init_lock(&lock[0]);",
                 "  omp_init_lock(&lock[1]);", "  omp_init_nest_lock(&nest);"]
        return "\n".join([flags, PRELUDE, "int main(void) {", *setup, *self.lines, "  return 0;", "}"])


print(Program(int(sys.argv[1])).text())
