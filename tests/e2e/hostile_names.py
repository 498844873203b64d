# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what the commands print about a program with hostile names, and refuses what a terminal would obey.

usage: hostile_names.py name                 the name itself, for the shell
       hostile_names.py words                the same words again and again
       hostile_names.py rename FILE NEW      FILE with the name in place of what stands for it
       hostile_names.py FORMAT OPTIONS FILE  FILE is well-formed, and holds the names
  --names=A,B  each is in it, followed by the name
  --payload    the name is in it
  --lines      of JSON: a document a line
  --one-line   nothing else
  --words      items between single blanks
  --after=T    of text: what stands behind T; Valgrind itself prints what is before it
"""
import json
import os
import re
import sys
import xml.etree.ElementTree as tree
from urllib.parse import unquote_to_bytes

PAYLOAD = b'\x1b[2J\n"><script>]]>\xff\xc2\x85\xe2\x80\xae\r'
PLACE = b"HOSTILE_HOSTILE_HOSTILE_H"
COMMENT = b"SOURCE_COMMENT_SOURCE_COM"
IN_COMMENT = b"SOURCE \x1b[2J \xff \xc2\x85 \xe2\x80\xae ]]>\r"
VISIBLE = '\\x1b[2J\\n"><script>]]>\\xff\\u0085\\u202e\\r'
# Whatever moves the cursor, ends a line or turns the direction.
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]")
COLOR = re.compile("\x1b\\[[0-9]*m")

assert len(PAYLOAD) == len(PLACE)


def refuse(what):
    sys.exit(f"hostile_names.py: {what}")


def require(condition, what):
    if not condition:
        refuse(what)


class Options:
    def __init__(self, words):
        self.names, self.flags, self.after, self.file = [], set(), None, None
        for word in words:
            if word.startswith("--names="):
                self.names = word[8:].split(",")
            elif word.startswith("--after="):
                self.after = word[8:]
            elif word.startswith("--"):
                self.flags.add(word)
            else:
                self.file = word


def text_of(options):
    data = open(options.file, "rb").read()
    if options.after:
        require(options.after.encode() in data, f"no '{options.after}'")
        data = data[data.index(options.after.encode()):]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        refuse(f"no UTF-8: {e}")
    bad = UNSEEN.search(COLOR.sub("", text))
    require(bad is None, bad and f"{bad.group()!r} in {text[max(0, bad.start() - 60):bad.start() + 20]!r}")
    return text


def holds(text, options, shown=VISIBLE):
    for name in options.names:
        require(name + shown in text, f"no {name}{shown}")
    if "--payload" in options.flags:
        require(shown in text, f"no {shown}")


def bytes_of(text):
    """What a text of a format for programs stands for."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m.group(1), 16)]), text.encode("utf-8"))


def holds_bytes(texts, options):
    texts = [bytes_of(t) for t in texts]
    for name in options.names:
        require(any(name.encode() + PAYLOAD in t for t in texts), f"nothing that stands for {name} and the name")


def strings_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings_of(part)


def check_text(options):
    text = text_of(options)
    holds(text, options)
    if "--one-line" in options.flags:
        require(text.count("\n") == 1 and text.endswith("\n"), f"not one line: {text!r}")
    if "--words" in options.flags:
        require(re.fullmatch(r"(\S+( \S+)*)?\n", text), f"not words: {text!r}")


def check_json(options):
    text = text_of(options)
    documents = text.splitlines() if "--lines" in options.flags else [text]
    holds_bytes([s for d in documents for s in strings_of(json.loads(d))], options)


def check_sarif(options):
    run = json.loads(text_of(options))["runs"][0]
    holds_bytes(strings_of(run), Options(["--names=" + ",".join(n for n in options.names if n != "hostile_")]))
    uris = [s for s in find(run, "uri")]
    require(uris, "no addresses")
    for uri in uris:
        require(re.fullmatch(r"[A-Za-z0-9._~/%:-]*", uri), f"no URI: {uri!r}")
    require(any(b"hostile_" + PAYLOAD + b".c" in unquote_to_bytes(u) for u in uris), "no address of the source")


def find(value, wanted):
    if isinstance(value, dict):
        for key, part in value.items():
            if key == wanted:
                yield part
            yield from find(part, wanted)
    elif isinstance(value, list):
        for part in value:
            yield from find(part, wanted)


def check_xml(options):
    text_of(options)
    root = tree.parse(options.file).getroot()
    holds_bytes([e.text or "" for e in root.iter()], options)
    arguments = [bytes_of(e.text or "") for e in root.findall("args/argv/*")]
    require(arguments == [b"./program_" + PAYLOAD, PAYLOAD, b"it's"], f"arguments {arguments}")
    recorder = [e.text for e in root.findall("args/vargv/*")]
    require(len(recorder) == len(set(recorder)) and "--tool=cdrgrind" in recorder, f"options {recorder}")


def check_svg(options):
    text_of(options)
    texts = [e.text or "" for e in tree.parse(options.file).getroot().iter()]
    holds("\n".join(texts), options)


def check_gcc(options):
    text = text_of(options)
    for line in text.splitlines():
        require(re.fullmatch(r"[^:]+:\d+:\d+: (warning|note): .+", line), f"no line of gcc's: {line!r}")
    require(len(text.splitlines()) % 2 == 0, "a warning without its note")
    holds(text, options)


def check_lackey(options):
    for line in text_of(options).splitlines():
        require(re.fullmatch(r"(I | L| S| M) [0-9a-f]+,\d+|I  [0-9a-f]+,\d+", line), f"no line of lackey's: {line!r}")


def check_suppressions(options):
    """As Valgrind's parser: blanks around lines do not count, `#` begins a comment."""
    lines = [l.strip(" \t\r") for l in text_of(options).split("\n")]
    lines = [l for l in lines if l and not l.startswith("#")]
    patterns = []
    while lines:
        require(lines.pop(0) == "{", "'{' expected")
        lines.pop(0)
        require(lines.pop(0) == "cdrgrind:Race", "a kind expected")
        frames = lines[:lines.index("}")]
        del lines[:len(frames) + 1]
        require(1 <= len(frames) <= 24, f"{len(frames)} frames")
        for frame in frames:
            require(frame[:4] in ("fun:", "obj:") and len(frame) > 4, f"no frame: {frame!r}")
            patterns.append(frame[4:].encode())
    for name in options.names:
        whole = name.encode() + PAYLOAD
        require(any(fits(p, whole) for p in patterns), f"nothing that fits {whole}")


def fits(pattern, name):
    regex = b"".join({b"*": b".*", b"?": b"."}.get(bytes([c]), re.escape(bytes([c]))) for c in pattern)
    return pattern != b"*" and re.fullmatch(regex, name, re.DOTALL)


def check_callgrind(options):
    known, names, costs, total = {}, set(), 0, None
    head = True
    for line in text_of(options).splitlines():
        if head and (line.startswith("#") or re.match(r"(version|creator|cmd|desc|positions|events|summary): ", line)):
            continue
        head = head and not line
        spec = re.fullmatch(r"(ob|fl|fi|fe|fn)=(.+)", line)
        if spec:
            kind = {"fi": "fl", "fe": "fl"}.get(spec[1], spec[1])
            short = re.fullmatch(r"\((\d+)\)( (.*))?", spec[2])
            require(short or not spec[2].startswith("("), f"neither a name nor a number: {line!r}")
            require(spec[2] == spec[2].strip(), f"blanks around a name: {line!r}")
            if short and short[3] is not None:
                require((kind, short[1]) not in known, f"defined twice: {line!r}")
                known[kind, short[1]] = short[3]
            elif short:
                require((kind, short[1]) in known, f"not defined: {line!r}")
            names.add(known[kind, short[1]] if short else spec[2])
        elif re.fullmatch(r"\d+ \d+", line):
            costs += int(line.split()[1])
        elif line.startswith("totals: "):
            total = int(line[8:])
        else:
            require(not line, f"no line of callgrind's: {line!r}")
    require(total == costs, f"totals {total}, {costs} in lines")
    for name in options.names:
        require(any(name + VISIBLE in n for n in names), f"no {name}")


def check_dot(options):
    text = text_of(options)
    rest = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    line = r'  (node \[shape=box\]|\w+ \[label=""\]|\w+ -> \w+);'
    require(re.fullmatch(rf"digraph loops \{{\n({line}\n)*\}}\n", rest), f"no graph: {rest!r}")


def check_mermaid(options):
    text = text_of(options)
    line = r"    (participant \w+ as [\w ]+|\w+->>\w+: [^;%<>]+|Note over \w+: [^;%<>]+)"
    for one in re.sub(r"#(\d+|lt|gt);", "", text).splitlines()[1:]:
        require(re.fullmatch(line, one), f"no line of Mermaid's: {one!r}")
    shown = VISIBLE.replace("<", "#lt;").replace(">", "#gt;")
    holds(text, options, shown)


def rename(file, new):
    data = open(file, "rb").read()
    # The lines of a source stay where they are.
    data = data.replace(COMMENT, IN_COMMENT) if file.endswith(".c") else data.replace(PLACE, PAYLOAD)
    with open(os.fsencode(new), "wb") as to:
        to.write(data)


def main():
    what, words = sys.argv[1], sys.argv[2:]
    if what == "name":
        sys.stdout.buffer.write(PAYLOAD)
    elif what == "words":
        sys.stdout.buffer.write(b"a\x1b[2J \xff\"><script>]]> \xe2\x80\xae\\ " * 20)
    elif what == "rename":
        rename(*words)
    else:
        globals()["check_" + what](Options(words))


main()
