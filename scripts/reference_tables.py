#!/usr/bin/env python3
"""Puts the tables that the program knows into the reference pages, between their markers.

    scripts/reference_tables.py build/ppdnmf            write the pages
    scripts/reference_tables.py build/ppdnmf --check    say which are stale, with exit code 1
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = {
    "docs/command_line.md": {"settings": "command-line", "exit-codes": "exit-codes"},
    "docs/python.md": {"python-settings": "python"},
}


def table(program, name):
    return subprocess.run([program, "settings", "--markdown", name], check=True, capture_output=True, text=True).stdout


def refreshed(text, marker, content):
    pattern = rf"(<!-- begin {marker}: [^\n]*-->\n).*?(<!-- end {marker} -->)"
    new, found = re.subn(pattern, lambda match: match[1] + content + match[2], text, flags=re.S)
    if found != 1:
        sys.exit(f"the marker {marker} is there {found} times")
    return new


def main():
    program = sys.argv[1]
    stale = []
    for page, markers in TABLES.items():
        path = ROOT / page
        old = new = path.read_text()
        for marker, name in markers.items():
            new = refreshed(new, marker, table(program, name))
        if new == old:
            continue
        stale.append(page)
        if "--check" not in sys.argv:
            path.write_text(new)
    if "--check" in sys.argv and stale:
        sys.exit(f"stale: {', '.join(stale)}; run scripts/reference_tables.py {program}")


main()
