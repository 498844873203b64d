# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads Valgrind's XML output, protocol 4, as tools do that know helgrind's, and refuses what these do not expect.

usage: valgrind_xml.py XML [RACES]
  XML    cdrgrind races --format=xml
  RACES  cdrgrind races --format=json: the XML must have its roots and tangles

Written from the description of the protocol that Valgrind's sources have and from helgrind's output.
"""
import json
import re
import sys
import xml.etree.ElementTree as tree

# What may stand in an element, as a regular expression over the names of its children, each followed by a blank.
CHILDREN = {
    "valgrindoutput": "protocolversion protocoltool preamble pid ppid tool args status (announcethread |error )*"
                      "status errorcounts suppcounts ",
    "preamble": "(line )+",
    "args": "vargv argv ",
    "vargv": "exe (arg )*",
    "argv": "exe (arg )*",
    "status": "state time ",
    "announcethread": "hthreadid (isrootthread |stack )",
    "error": "unique tid kind xwhat stack xauxwhat stack (auxwhat (stack )?|xauxwhat (stack )?)*",
    "xwhat": "text hthreadid ",
    "xauxwhat": "text (hthreadid |file line |)",
    "stack": "(frame )+",
    "frame": "ip (obj )?(fn )?(dir )?(file )?(line )?",
    "errorcounts": "(pair )*",
    "pair": "count unique ",
    "suppcounts": "(pair )*",
}
HEX, DECIMAL = r"0x[0-9A-F]+", r"\d+"
TEXTS = {
    "protocolversion": "4", "protocoltool": "helgrind", "tool": "helgrind", "pid": DECIMAL, "ppid": DECIMAL, "tid": DECIMAL,
    "state": "RUNNING|FINISHED", "time": r"\d\d:\d\d:\d\d:\d\d\.\d\d\d ", "hthreadid": DECIMAL, "unique": HEX, "ip": HEX,
    "kind": "Race", "count": DECIMAL, "line": ".*", "isrootthread": "", "text": ".+", "auxwhat": ".+", "exe": ".+",
    "arg": ".*", "obj": ".+", "fn": ".+", "dir": ".+", "file": ".+",
}


def check(element, parent):
    names = "".join(child.tag + " " for child in element)
    if element.tag in CHILDREN:
        assert re.fullmatch(CHILDREN[element.tag], names), f"{element.tag}: {names}"
        assert not (element.text or "").strip(), f"{element.tag}: text '{element.text}'"
    else:
        assert element.tag in TEXTS and not names, f"{element.tag}: {names}"
        pattern = DECIMAL if element.tag == "line" and parent != "preamble" else TEXTS[element.tag]
        assert re.fullmatch(pattern, element.text or "", re.S), f"{element.tag}: '{element.text}'"
    for child in element:
        check(child, element.tag)


def top_line(stack):
    frame = stack.find("frame")
    return int(frame.findtext("line", "0"))


def main():
    root = tree.parse(sys.argv[1]).getroot()
    assert root.tag == "valgrindoutput"
    check(root, None)
    announced = {t.findtext("hthreadid") for t in root.findall("announcethread")}
    errors = root.findall("error")
    for e in errors:
        for what in e.find("xwhat"), e.find("xauxwhat"):
            assert what.findtext("hthreadid") in announced, what.findtext("text")
        text = e.find("xwhat").findtext("text")
        assert re.fullmatch(r"Possible data race during (read|write|free) of size \d+ at 0x[0-9A-F]+ by thread #\d+", text), text
    uniques = [e.findtext("unique") for e in errors]
    assert len(set(uniques)) == len(uniques)
    counts = {p.findtext("unique"): int(p.findtext("count")) for p in root.find("errorcounts")}
    assert set(counts) == set(uniques)
    assert [s.findtext("state") for s in root.findall("status")] == ["RUNNING", "FINISHED"]
    if len(sys.argv) > 2:
        with open(sys.argv[2]) as f:
            races = [r for r in json.load(f)["races"] if r["labels"]["status"] != "artifact"]
        want = [(r["second"]["thread"], r["first"]["thread"], r["instances"],
                 r["second"]["stack"][0]["line"], r["first"]["stack"][0]["line"]) for r in races]
        got = [(int(e.find("xwhat").findtext("hthreadid")), int(e.find("xauxwhat").findtext("hthreadid")),
                counts[e.findtext("unique")], top_line(e.findall("stack")[0]), top_line(e.findall("stack")[1])) for e in errors]
        assert got == want, (got, want)


if __name__ == "__main__":
    main()
