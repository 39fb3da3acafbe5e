#!/usr/bin/env python3
"""Whether two builds of ppdnmf give the same X and Y: every scheme, on ten made data sets, to the bit.

usage: same_bytes.py OLD NEW [--only WORD]

OLD and NEW are programs. A line per run says "same", or how far X and Y are apart. Exits with 1 if any differ.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TODAY = {"--scheme": "--exchange", "--iterations": "--bcd"}  # what older programs call today's options


def make_data(folder):
    """Ten data sets, each with what makes it special in its name."""
    random = np.random.default_rng(7)
    low_rank = lambda rows, columns, rank: random.gamma(1, 1, (rows, rank)) @ random.gamma(0.5, 1, (rank, columns))  # noqa: E731
    zeros = low_rank(60, 200, 4)
    zeros[random.random(zeros.shape) < 0.7] = 0
    zeros[0] += 1
    mostly_zero = random.poisson(0.03, (150, 300)).astype(float)
    mostly_zero[:, 0] += 1
    sets = {
        "dense": low_rank(40, 120, 3),
        "zeros": zeros,
        "mostly_zero": mostly_zero,
        "counts": random.poisson(low_rank(96, 150, 5)).astype(float) + 0.0,
        "one_column_each": low_rank(20, 10, 2),
        "tall": low_rank(2000, 60, 4),
        "wide": low_rank(12, 1500, 3),
        "tiny": low_rank(30, 80, 3) * 1e-90,
        "huge": low_rank(30, 80, 3) * 1e90,
        "noisy": low_rank(50, 90, 3) + random.random((50, 90)),
    }
    for name, values in sets.items():
        np.save(folder / f"{name}.npy", values)
    return list(sets)


def runs(names):
    """(name, command without program and output)"""
    for name in names:
        data = f"{name}.npy"
        yield f"{name} factorize", ["factorize", data, "--rank", "2"]
        for topology in ["ring", "line", "star", "complete", "random:3"]:
            yield f"{name} sum {topology}", ["simulate", data, "--rank", "2", "--topology", topology]
            short = ["--iterations", "8", "--cipher", "none"]
            yield f"{name} hardened {topology}", ["simulate", data, "--rank", "2", "--scheme", "hardened", "--topology", topology, *short]
        yield f"{name} as-printed", ["simulate", data, "--rank", "2", "--scheme", "as-printed", "--updates", "as-printed",
                                     "--topology", "ring", "--iterations", "8", "--cipher", "none"]
        yield f"{name} private", ["simulate", data, "--rank", "2", "--epsilon", "4", "--delta", "1e-6", "--normalise", "l2"]
    for name in ["dense", "zeros", "counts"]:
        data = f"{name}.npy"
        yield f"{name} factorize admm", ["factorize", data, "--rank", "3", "--solver", "admm", "--iterations", "40"]
        yield f"{name} factorize starts", ["factorize", data, "--rank", "3", "--starts", "4"]
        yield f"{name} sum starts", ["simulate", data, "--rank", "3", "--starts", "3", "--agents", "4"]
        yield f"{name} sum stops early", ["simulate", data, "--rank", "3", "--tolerance", "1e-3", "--agents", "4"]
        yield f"{name} encrypted", ["simulate", data, "--rank", "2", "--scheme", "hardened", "--agents", "3", "--topology", "ring",
                                    "--iterations", "2", "--key-bits", "2048"]
        yield f"{name} private l1", ["simulate", data, "--rank", "2", "--epsilon", "1", "--delta", "1e-6", "--normalise", "l1",
                                     "--agents", "5"]
        yield f"{name} launch", ["launch", data, "--rank", "2", "--agents", "3", "--topology", "ring", "--iterations", "12"]


def spell(program, command):
    """The command as this program spells it."""
    helped = subprocess.run([program, "simulate", "--help"], capture_output=True, text=True, check=True).stdout
    names = TODAY if "--scheme" not in helped else {}
    return [program] + [names.get(word, word) for word in command]


def results(folder):
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.npy"))}


def difference(old, new):
    """0 if equal to the bit; else the largest difference relative to the largest entry."""
    if old.read_bytes() == new.read_bytes():
        return 0.0
    a, b = np.load(old), np.load(new)
    return float(np.abs(a - b).max() / max(np.abs(a).max(), 1e-300)) if a.shape == b.shape else np.inf


def compare(folder, old, new, name, command):
    outs = []
    for who, program in (("old", old), ("new", new)):
        out = folder / who / name.replace(" ", "_").replace(":", "_")
        done = subprocess.run(spell(program, command) + ["--out", str(out), "--quiet", "--force", "--seed", "3"], cwd=folder,
                              capture_output=True, text=True)
        outs.append((done.returncode, done.stderr.strip(), results(out)))
    (a, said_a, files_a), (b, said_b, files_b) = outs
    if a != b or files_a.keys() != files_b.keys():
        return f"DIFFERENT END: {a} '{said_a}' against {b} '{said_b}'"
    if a != 0:
        return "same (both refuse)"
    worst = {file: difference(files_a[file], files_b[file]) for file in files_a}
    apart = {file: value for file, value in worst.items() if value != 0}
    return "same" if not apart else f"apart by {max(apart.values()):.1e} in {len(apart)} of {len(worst)} files"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", help="runs whose name has this word")
    chosen = parser.parse_args()
    old, new = str(Path(chosen.old).resolve()), str(Path(chosen.new).resolve())
    same = total = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, command in runs(make_data(folder)):
            if chosen.only not in name:
                continue
            verdict = compare(folder, old, new, name, command)
            total += 1
            same += verdict.startswith("same")
            print(f"{name:32} {verdict}", flush=True)
    print(f"{same} of {total} runs the same")
    sys.exit(0 if same == total else 1)


if __name__ == "__main__":
    main()
