#!/usr/bin/env python3
"""CPU time to reach the same relative error: `ppdnmf factorize` against scikit-learn's coordinate descent, one thread each.

usage: factorize_vs_sklearn.py [--program build/ppdnmf] [--data faces_u8.npy] [--target 0.0830] [--rank 49]

Ours is the CPU time of the whole process as the operating system counts it: reading the file, factorising, the final exact
least squares, writing results and report, gnuplot included. scikit-learn's is the CPU time inside its solver alone, started
again every few iterations from where it was (coordinate descent has no other state), so that the error can be looked at
without being charged for; reading and the measuring of errors are not counted against it. Without the face images a
synthetic matrix of their shape is made, and the target is what scikit-learn reaches after 200 iterations.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import warnings

import numpy as np
from sklearn.decomposition import non_negative_factorization
from sklearn.decomposition._nmf import _initialize_nmf

TOP = Path(__file__).resolve().parents[1]
FACES = TOP.parent / "shared" / "data" / "cbcl_faces" / "faces_u8.npy"
CHUNK = 5
MOST_ITERATIONS = 1500


def sklearn_path(Z, rank, init, stop_error, stop_iterations):
    """CPU seconds, iterations and error when the error first is stop_error or less, or the iterations are used up."""
    begin = time.process_time()
    W, H = _initialize_nmf(Z, rank, init=init, random_state=1)
    seconds = time.process_time() - begin
    norm = np.linalg.norm(Z)
    error = np.inf
    iterations = 0
    while iterations < stop_iterations and error > stop_error:
        begin = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "did not converge" is what max_iter = 5 means
            W, H, _ = non_negative_factorization(Z, W=W, H=H, n_components=rank, init="custom", solver="cd", tol=0,
                                                 max_iter=CHUNK)
        seconds += time.process_time() - begin
        iterations += CHUNK
        error = np.linalg.norm(Z - W @ H) / norm
    return seconds, iterations, error


def run_ours(program, data, rank, out, *more):
    """CPU seconds of the process and everything it waited for, and its run.json."""
    process = subprocess.Popen([program, "factorize", str(data), "--rank", str(rank), "--out", str(out), "--force", "--quiet",
                                *map(str, more)])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{program} failed")
    return usage.ru_utime + usage.ru_stime, json.loads((out / "run.json").read_text())


def first_iteration_at(out, target):
    for line in (out / "history.csv").read_text().splitlines()[1:]:
        fields = line.split(",")
        if float(fields[3]) <= target:
            return int(fields[0])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--data", type=Path, default=FACES)
    parser.add_argument("--target", type=float, default=0.0830)
    parser.add_argument("--rank", type=int, default=49)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        data, target = arguments.data, arguments.target
        if not data.exists():
            draw = np.random.default_rng(1)
            Z = draw.exponential(size=(361, arguments.rank)) @ draw.exponential(size=(arguments.rank, 2429))
            Z *= draw.uniform(0.5, 1.5, size=Z.shape)
            print(f"{data} is not there: a synthetic matrix of its shape instead")
            data = Path(folder) / "synthetic.npy"
            np.save(data, Z)
            target = sklearn_path(Z, arguments.rank, "nndsvda", 0, 200)[2]
        Z = np.load(data).astype(np.float64)
        print(f"{data.name}: {Z.shape[0]} x {Z.shape[1]}, rank {arguments.rank}, target relative error {target:.4f}, one thread each")

        theirs = {}
        for init in ("nndsvda", "random"):  # its default for this shape, and our kind of start
            seconds, iterations, error = sklearn_path(Z, arguments.rank, init, target, MOST_ITERATIONS)
            reached = error <= target
            theirs[init] = seconds
            print(f"  scikit-learn cd, {init:8s}  {seconds:8.2f} s CPU, {iterations:5d} iterations, error {error:.5f}"
                  f"{'' if reached else '  (target not reached)'}", flush=True)

        run_ours(arguments.program, data, arguments.rank, out, "--bcd", 2000, "--tolerance", 0)
        iterations = first_iteration_at(out, target)
        if iterations is None:
            sys.exit("ppdnmf did not reach the target in 2000 BCD iterations")
        seconds, record = run_ours(arguments.program, data, arguments.rank, out, "--bcd", iterations, "--tolerance", 0)
        print(f"  ppdnmf factorize          {seconds:8.2f} s CPU, {iterations:5d} BCD iterations, error {record['relative_error']:.5f}"
              f"  ({record['seconds']['total']:.2f} s of it factorising, by the clock)")
        print(f"  ratio to the faster of scikit-learn's: {seconds / min(theirs.values()):.3f}")


if __name__ == "__main__":
    main()
