#!/usr/bin/env python3
"""CPU time to reach the same relative error: `ppdnmf factorize` against scikit-learn's coordinate descent, one thread each.

usage: solver_vs_sklearn.py [--program build/ppdnmf] [--faces faces_u8.npy] [--only faces|tall]

faces  MIT-CBCL, 361 x 2429, rank 49, until 0.0830; skipped when the file is not there
tall   20,000 x 500, rank 20, a product of gamma factors of shapes 0.3 and 0.5, until 1.5e-4

"solving" is the time inside the solver. Ours is the run's own clock at the iteration that reached the target, in
history.csv, times the part of that time that the process had a processor; scikit-learn's is its CPU time, started again
every few iterations from where it was (coordinate descent has no other state), so that the error can be looked at
without being charged for. "process" is the CPU time of our whole process: reading, solving, the final exact least
squares, results and report, gnuplot included. The ratios are to the faster of scikit-learn's two starts.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np
from sklearn.decomposition import non_negative_factorization
from sklearn.decomposition._nmf import _initialize_nmf

TOP = Path(__file__).resolve().parents[1]
FACES = TOP.parent / "shared" / "data" / "cbcl_faces" / "faces_u8.npy"
CHUNK = 5
MAX_ITERATIONS = 1500


def sklearn_path(Z, rank, init, target, max_seconds):
    """CPU seconds, iterations and error when the error first is `target` or less, or time or iterations are used up."""
    begin = time.process_time()
    W, H = _initialize_nmf(Z, rank, init=init, random_state=1)
    seconds = time.process_time() - begin
    norm = np.linalg.norm(Z)
    error = np.inf
    iterations = 0
    while iterations < MAX_ITERATIONS and error > target and seconds < max_seconds:
        begin = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "did not converge" is what max_iter = 5 means
            W, H, _ = non_negative_factorization(Z, W=W, H=H, n_components=rank, init="custom", solver="cd", tol=0,
                                                 max_iter=CHUNK)
        seconds += time.process_time() - begin
        iterations += CHUNK
        error = np.linalg.norm(Z - W @ H) / norm
    return seconds, iterations, error


def run_ours(program, data, rank, out, iterations):
    """CPU seconds and seconds by the clock of the process, and its history as (iteration, error, seconds)."""
    begin = time.monotonic()
    process = subprocess.Popen([program, "factorize", str(data), "--rank", str(rank), "--out", str(out), "--force", "--quiet",
                                "--tolerance", "0", "--iterations", str(iterations)])
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{program} failed")
    rows = [line.split(",") for line in (out / "history.csv").read_text().splitlines()[1:]]
    return usage.ru_utime + usage.ru_stime, clock, [(int(row[0]), float(row[3]), float(row[6])) for row in rows]


def ours(program, data, rank, target, folder):
    """Seconds of solving, CPU seconds of the process, iterations and error at the target."""
    out = folder / "out"
    iterations = 100
    while True:
        reached = [n for n, error, _ in run_ours(program, data, rank, out, iterations)[2] if error <= target]
        if reached:
            break
        iterations *= 2
        if iterations > 2000:
            sys.exit(f"ppdnmf did not reach {target} in {iterations // 2} iterations")
    cpu, clock, history = run_ours(program, data, rank, out, reached[0])
    return history[-1][2] * min(1, cpu / clock), cpu, reached[0], history[-1][1]


def compare(program, name, data, Z, rank, target, folder):
    print(f"{name}: {Z.shape[0]} x {Z.shape[1]}, rank {rank}, until {target:g}, one thread each", flush=True)
    solving, process, iterations, error = ours(program, data, rank, target, folder)
    print(f"  ppdnmf factorize          {solving:8.2f} s solving, {process:.2f} s process, {iterations:4d} iterations, error {error:.6f}",
          flush=True)
    theirs = {}
    for init in ("nndsvda", "random"):  # its default for this shape, and our kind of start
        seconds, iterations, error = sklearn_path(Z, rank, init, target, 20 * process + 5)
        reached = "" if error <= target else "  (target not reached: more than that)"
        theirs[init] = seconds
        print(f"  scikit-learn cd, {init:8s} {seconds:8.2f} s solving, {iterations:19d} iterations, error {error:.6f}{reached}", flush=True)
    fastest = min(theirs.values())
    print(f"  ratio to the faster one: {solving / fastest:.3f} solving, {process / fastest:.3f} the whole process", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--faces", type=Path, default=FACES)
    parser.add_argument("--only", choices=("faces", "tall"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.only != "tall":
            if arguments.faces.exists():
                Z = np.load(arguments.faces).astype(np.float64)
                compare(arguments.program, "faces", arguments.faces, Z, 49, 0.0830, folder)
            else:
                print(f"faces: skipped, {arguments.faces} is not there (--faces)")
        if arguments.only != "faces":
            draw = np.random.default_rng(1)
            Z = draw.gamma(0.3, size=(20000, 20)) @ draw.gamma(0.5, size=(20, 500))
            data = folder / "tall.npy"
            np.save(data, Z)
            compare(arguments.program, "tall", data, Z, 20, 1.5e-4, folder)


if __name__ == "__main__":
    main()
