"""Prints what clang-tidy has to read: the compiled files of a build folder, each of which may include several sources.

Fails if a source is in none of them. Looks for what clang-tidy cannot see in an included source: names that are declared
by `using` and not used, and sources that include others. usage: tidy_sources.py BUILD_DIR
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ELSEWHERE = re.compile(r"_fuzz\.cc$|^tests/compile_fail/|^tests/install/|^examples/|^bench/")  # compiled in other ways
INCLUDED = re.compile(r'^#include "([^"]+\.cc)"', re.M)
DECLARED = re.compile(r"^\s*(?:using (?:[\w:]+::)?(\w+);|namespace (\w+) = [\w:]+;)", re.M)


def main():
    build, root = Path(sys.argv[1]).resolve(), Path.cwd()
    listed = subprocess.run(["git", "ls-files", "*.cc"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    sources = {root / name for name in listed if not ELSEWHERE.search(name)}
    compiled = {Path(entry["file"]) for entry in json.loads((build / "compile_commands.json").read_text())}
    mistakes, covered, to_read = [], set(), []
    for file in sorted(compiled):
        within = {Path(name) for name in INCLUDED.findall(file.read_text())} if "Unity" in file.parts else {file}
        if within & sources:
            to_read.append(file)
            covered |= within
    mistakes += [f"{file}: no target compiles it" for file in sorted(sources - covered)]
    for file in sorted(sources):
        text = file.read_text()
        mistakes += [f"{file}: includes {name}" for name in INCLUDED.findall(text)]
        for names in DECLARED.findall(text):
            name = names[0] or names[1]
            if len(re.findall(rf"\b{name}\b", text)) < 2:
                mistakes.append(f"{file}: {name} is declared and not used")
    if mistakes:
        sys.exit("\n".join(mistakes))
    print(*to_read, sep="\n")


main()
