#!/usr/bin/env python3
"""Seconds by the clock of `ppdnmf-mpi factorize` on one, two and four processes of one thread each, on this machine.

usage: cluster.py [--program build/ppdnmf-mpi] [--only wide|tall|sparse] [--iterations 30] [--times 3]

wide    dense, 1,000 rows x 20,000 columns, rank 20
tall    dense, 20,000 rows x 1,100 columns, rank 20
sparse  10,000 rows x 40,000 columns, 1.5 million nonzeros, rank 30

"run" is the run itself as its record says, "command" is everything, with the start of MPI and reading. Medians of some
times each; ratios are to one process. X and Y are compared.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse

TOP = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def dense(rows, columns):
    draw = np.random.default_rng(1)
    return np.asfortranarray(draw.gamma(0.3, size=(rows, 12)) @ draw.gamma(0.3, size=(12, columns)) +
                             0.1 * draw.random((rows, columns)))


CASES = {"wide": (lambda: dense(1000, 20000), 20), "tall": (lambda: dense(20000, 1100), 20),
         "sparse": (lambda: sparse.random(10000, 40000, 1.5e6 / 4e8, format="csc", random_state=1), 30)}


def measure(program, data, rank, processes, options, out):
    begun = time.perf_counter()
    subprocess.run(["mpirun", "-n", str(processes), "--bind-to", "none", program, "factorize", data, "--rank", str(rank),
                    "--iterations", str(options.iterations), "--tolerance", "0", "--threads", "1", "--quiet", "--force",
                    "--out", out], check=True, env=ENVIRONMENT)
    command = time.perf_counter() - begun
    run = json.loads((Path(out) / "run.json").read_text())["seconds"]["total"]
    return run, command, [(Path(out) / name).read_bytes() for name in ("X.npy", "Y.npy")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf-mpi"))
    parser.add_argument("--only", choices=CASES)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    for name in [options.only] if options.only else CASES:
        make, rank = CASES[name]
        with tempfile.TemporaryDirectory() as folder:
            Z = make()
            data = f"{folder}/Z.npz" if sparse.issparse(Z) else f"{folder}/Z.npy"
            sparse.save_npz(data, Z, compressed=False) if sparse.issparse(Z) else np.save(data, Z)
            times, bytes_of = {}, {}
            for _ in range(options.times):
                for processes in (1, 2, 4):
                    run, command, factors = measure(options.program, data, rank, processes, options, f"{folder}/out")
                    times.setdefault(processes, []).append((run, command))
                    bytes_of[processes] = factors
            medians = {processes: np.median(some, axis=0) for processes, some in times.items()}
            for processes, (run, command) in medians.items():
                same = "same bytes" if bytes_of[processes] == bytes_of[1] else "OTHER BYTES"
                print(f"{name:7} {processes} processes: run {run:6.2f} s ({medians[1][0] / run:.2f}), command {command:6.2f} s "
                      f"({medians[1][1] / command:.2f}), {same}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
