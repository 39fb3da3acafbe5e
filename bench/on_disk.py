"""Data on disk against the same data in memory: seconds an iteration and peak memory of `ppdnmf factorize`.

usage: on_disk.py [--rows 96] [--columns 1000000] [--rank 8] [--iterations 6] [--type f8|f4] [--limit MIB] [--only-disk] [--folder DIR]

The matrix is made: products of eight components with noise, small entries zero. --limit is the most that the process may
have of addresses, as `ulimit -v`. --only-disk leaves out the run in memory, where it would not fit.
"""

import argparse
import csv
import os
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np

PROGRAM = os.environ.get("PPDNMF", "build/ppdnmf")


def write_matrix(path, rows, columns, kind):
    """Column after column; what is made is used again and again, since making it takes longer than using it."""
    draw = np.random.default_rng(1)
    components = (draw.random((8, rows)) ** 4).astype("f4")
    step, made = 20_000, []
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": True, "shape": (rows, columns)})
        for number, first in enumerate(range(0, columns, step)):
            if len(made) < 8:
                weights = draw.random((step, 8), dtype=np.float32) ** 4
                block = weights @ components * (0.8 + 0.4 * draw.random((step, rows), dtype=np.float32))
                block[block < 0.05] = 0
                made.append(np.ascontiguousarray(block, dtype=kind))
            file.write(made[number % len(made)][:columns - first].tobytes())


def measure(data, out, options, limit):
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))

    command = [PROGRAM, "factorize", str(data), "--rank", str(options.rank), "--iterations", str(options.iterations),
               "--tolerance", "0", "--threads", "1", "--quiet", "--out", str(out)]
    process = subprocess.Popen(command + (["--on-disk"] if "disk" in out.name else []), preexec_fn=limited)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, f"{command} ended with {status}"
    with (out / "history.csv").open() as file:
        seconds = [float(row["seconds"]) for row in csv.DictReader(file)]
    steps = sorted(b - a for a, b in zip(seconds, seconds[1:]))
    print(f"{out.name:8} {steps[len(steps) // 2]:8.3f} s an iteration {used.ru_maxrss / 1024:8.0f} MiB at most"
          f" {used.ru_utime + used.ru_stime:8.1f} s of the processor", flush=True)
    return steps[len(steps) // 2]


def main():
    parser = argparse.ArgumentParser()
    for name, default in (("rows", 96), ("columns", 1_000_000), ("rank", 8), ("iterations", 6), ("limit", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--type", default="f8")
    parser.add_argument("--only-disk", action="store_true")
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        write_matrix(folder / "Z.npy", options.rows, options.columns, "<" + options.type)
        size = (folder / "Z.npy").stat().st_size
        print(f"{options.rows} x {options.columns}, {options.type}, {size / 1e9:.2f} GB, rank {options.rank}")
        on_disk = measure(folder / "Z.npy", folder / "disk", options, options.limit)
        if options.only_disk:
            return
        in_memory = measure(folder / "Z.npy", folder / "memory", options, 0)
        print(f"{on_disk / in_memory:.2f} times as long on disk (target: at most 1.5)")
        same = all((folder / "disk" / file).read_bytes() == (folder / "memory" / file).read_bytes() for file in ("X.npy", "Y.npy"))
        print("the same bytes" if same else "OTHER BYTES")


if __name__ == "__main__":
    main()
