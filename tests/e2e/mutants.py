#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mutants.py CDRGRIND PROGRAMS FOLDER SEED COUNT TRACE...

Makes COUNT mutants of the traces, changed behind their checksums (tests/programs/traces/mutant.cc), in FOLDER, and
gives each, and the traces themselves, to every command, in 1 GB of memory and 20 seconds of a processor. What can be demanded of any
file whatever:

- no command ends by a signal or takes longer, and what it complains of is one line for people, with status 3; where
  memory does not suffice it names the file and the command;
- a file that `verify --dependences` calls fine says the same whichever way it is read: from its front and from any
  place (seek_check); as it is and repacked (events, and the dependences computed from them); the dependences that it
  brings along and those that its events give; and no reader of the events is refused.

A changed address or value that contradicts nothing is another trace, which nobody can tell from a recorded one.
A mutant of which something else is true is kept in FOLDER, its seed is printed, and the status is 1.
"""
import os
import re
import resource
import signal
import subprocess
import sys

MEMORY = 1 << 30
SECONDS = 20
PATIENCE = 600  # seconds by the clock, on a machine that does other things, too

COMMANDS = [
    ["verify"],
    ["verify", "--dependences"],
    ["stats"],
    ["stats", "--format=json"],
    ["stats", "--compare"],
    ["stats", "--control"],
    ["annotate"],
    ["annotate", "--from-trace", "--format=json"],
    ["races"],
    ["races", "--format=sarif", "--from-events"],
    ["sync"],
    ["sharing"],
    ["mpi"],
    ["mpi", "--format=json"],
    ["patterns"],
    ["advise"],
    ["loops", "--of=blocks"],
    ["paths"],
    ["paths", "--strata"],
    ["dump"],
    ["dump", "--format=json"],
    ["dump", "--dataflow"],
    ["dump", "--dependences=trace"],
    ["dump", "--dependences=online"],
    ["dump", "--from=100", "--events=block,call"],
    ["dump", "--at-sync=1", "--thread=1", "--segment"],
    ["dump", "--at-block=200", "--thread=1"],
]
# Most mutants tell the commands that read programs and libraries, which the trace names, to look elsewhere: what they
# read there takes much longer than the trace does.
EVERY = 8
# What is for programmers, not for users.
BARE = re.compile(r"std::|bad_alloc|basic_string|vector::|json\.exception|terminate|what\(\)|_M_|Assert|assert|"
                  r"Sanitizer|unexpected|filesystem error")


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Finding(Exception):
    pass


class Mutants:
    def __init__(self, cdrgrind, programs, folder):
        self.cdrgrind, self.programs, self.folder = cdrgrind, programs, folder
        self.accepted = self.short_of_memory = self.refused = 0
        self.without_symbols = False
        self.with_symbols = {name for name in {words[0] for words in COMMANDS} if "--path-map" in subprocess.run(
            [cdrgrind, name, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout}

    def run(self, words, out):
        """Status and complaints; standard output goes to the file `out`."""
        with open(os.path.join(self.folder, out), "wb") as to:
            try:
                done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=to, stderr=subprocess.PIPE,
                                      preexec_fn=limited, timeout=PATIENCE, check=False)
            except subprocess.TimeoutExpired:
                raise Finding(f"{' '.join(words)}: does not end") from None
        return done.returncode, done.stderr.decode("utf-8", "replace")

    def command(self, words, trace, out="out"):
        called = " ".join(words)
        if self.without_symbols and words[0] in self.with_symbols:
            words = [*words, "--path-map=/=/nonexistent/"]
        status, err = self.run([self.cdrgrind, *words, trace], out)
        if status < 0:
            raise Finding(f"{called}: ended by {signal.Signals(-status).name}: {err[-2000:]}")
        errors = [line for line in err.splitlines() if line.startswith("cdrgrind: error: ")]
        if status not in (0, 1, 3) or (status == 3 and len(errors) != 1 and words[0] != "verify"):
            raise Finding(f"{called}: status {status}: {err[-2000:]}")
        for line in err.splitlines():
            if BARE.search(line) or not line.startswith("cdrgrind: "):
                raise Finding(f"{called}: a bare message: {line}")
            if "memory" in line and "out of memory" in line:
                self.short_of_memory += 1
                print(f"{called}: {line}")
                if trace not in line or words[0] not in line:
                    raise Finding(f"{called}: not named: {line}")
        return status

    def same(self, a, b, what):
        with open(os.path.join(self.folder, a), "rb") as x, open(os.path.join(self.folder, b), "rb") as y:
            if x.read() != y.read():
                raise Finding(what)

    def same_dependences(self):
        """Tables of older recorders do not tell where a row was first seen."""
        with open(os.path.join(self.folder, "online"), "rb") as x, open(os.path.join(self.folder, "first"), "rb") as y:
            online, computed = x.read().split(b"\n"), y.read().split(b"\n")
        if len(online) == len(computed):
            computed = [c.rpartition(b"\t")[0] + b"\t-" if o.endswith(b"\t-") else c for o, c in zip(online, computed)]
        if online != computed:
            raise Finding("other dependences in the file than its events give")

    def agrees(self, trace):
        """The ways to read a file that verify calls fine."""
        status, err = self.run([os.path.join(self.programs, "seek_check"), trace, "40", "1"], "seek")
        if status != 0 and b"not compact" not in err.encode() and "EVENTS" not in err:
            with open(os.path.join(self.folder, "seek"), encoding="utf-8") as f:
                raise Finding(f"seek_check: status {status}: {f.read()}{err}")
        repacked = os.path.join(self.folder, "repacked")
        if self.command(["repack", "-o", repacked], trace) != 0:
            raise Finding("repack refuses what verify accepts")
        if self.command(["verify"], repacked) != 0:
            raise Finding("verify refuses what repack made")
        for kind in (["dump"], ["dump", "--dependences=trace"]):
            first = self.command(kind, trace, "first")
            if first != self.command(kind, repacked, "second"):
                raise Finding(f"{' '.join(kind)}: another status when repacked")
            self.same("first", "second", f"{' '.join(kind)}: something else when repacked")
        if self.command(["dump", "--dependences=online"], trace, "online") == 0:
            self.same_dependences()

    def check(self, trace):
        status = {" ".join(words): self.command(words, trace) for words in COMMANDS}
        fine = status["verify --dependences"] == 0
        if fine and status["dump"] != 0:
            raise Finding("dump refuses what verify accepts")
        self.accepted += fine
        self.refused += not fine
        if fine:
            self.agrees(trace)


def main():
    cdrgrind, programs, folder, seed, count, *traces = sys.argv[1:]
    mutants = Mutants(cdrgrind, programs, folder)
    findings = 0
    for source in traces:
        with open(source, "rb") as given, open(os.path.join(folder, "whole"), "wb") as to:
            to.write(given.read())
        mutants.check(os.path.join(folder, "whole"))
    if mutants.refused or mutants.short_of_memory:
        raise Finding("a recording is refused")
    mutants.accepted = 0
    for number in range(int(seed), int(seed) + int(count)):
        source = traces[number % len(traces)]
        mutant = os.path.join(folder, f"mutant-{number}")
        with open(mutant, "wb") as to:
            made = subprocess.run([os.path.join(programs, "traces/mutant"), source, str(number), str(1 + number % 3)],
                                  stdout=to, stderr=subprocess.PIPE, check=True, text=True)
        mutants.without_symbols = number % EVERY != 0
        try:
            mutants.check(mutant)
        except Finding as finding:
            findings += 1
            print(f"FINDING: seed {number} of {source} ({made.stderr.strip()}): {finding}", flush=True)
            continue
        os.unlink(mutant)
    print(f"{count} mutants from seed {seed}: {mutants.accepted} fine, {mutants.refused} refused by verify, "
          f"{mutants.short_of_memory} times out of memory, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
