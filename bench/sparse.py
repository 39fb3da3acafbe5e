#!/usr/bin/env python3
"""CPU time to the same relative error on sparse matrices, one thread: `ppdnmf factorize` against scikit-learn's coordinate
descent on the same scipy matrix; and the memory that `factorize` takes.

usage: sparse.py [--program build/ppdnmf] [--only reuters|zipf|turned] [--iterations 60]

reuters  term counts of ../shared/data, rank 10; skipped when the file is not there
zipf     made counts, 10,000 terms x 40,000 documents, 1.5 million nonzeros, rank 30
turned   the same transposed: 40,000 rows x 10,000 columns

The target is 1.002 times the error that scikit-learn's random start has after 100 iterations. "solving" and "process" are
as in solver_vs_sklearn.py. Memory is the peak of the process beside 4 times the nonzeros' 12 bytes plus the factors.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np
from scipy import io, sparse
from sklearn.decomposition import non_negative_factorization
from sklearn.decomposition._nmf import _initialize_nmf

TOP = Path(__file__).resolve().parents[1]
REUTERS = TOP.parent / "shared" / "data" / "reuters21578" / "reuters_top10_1000terms.mtx"


def zipf(rows, columns, nonzeros, topics, seed):
    """Documents (columns) of terms whose frequency falls as 1 / place, from a few topics each."""
    draw = np.random.default_rng(seed)
    common = 1 / (10 + np.arange(rows))
    terms = np.array([np.cumsum(common * draw.gamma(0.1, size=rows)) for _ in range(topics)])
    terms /= terms[:, -1:]
    lengths = draw.lognormal(0, 0.7, columns)
    lengths = np.maximum(3, lengths / lengths.sum() * nonzeros * 1.15).astype(int)
    row, column = [], []
    for m, length in enumerate(lengths):
        weights = draw.dirichlet(np.full(topics, 0.08))
        for k, count in enumerate(draw.multinomial(length, weights)):
            row.append(np.searchsorted(terms[k], draw.random(count)))
            column.append(np.full(count, m))
    entries = np.ones(lengths.sum())
    Z = sparse.csc_matrix((entries, (np.concatenate(row), np.concatenate(column))), shape=(rows, columns))
    Z.sum_duplicates()
    Z.data = 1 + np.log(Z.data)
    return Z


def error_of(Z, W, H, squared_norm):
    product = np.sum((Z @ H.T) * W)
    return np.sqrt(max(0, squared_norm - 2 * product + np.sum((W.T @ W) * (H @ H.T))) / squared_norm)


def theirs(Z, rank, init, target, most):
    """(CPU seconds, iterations, error), iteration by iteration; the error is not charged for."""
    squared_norm = Z.multiply(Z).sum()
    begin = time.process_time()
    W, H = _initialize_nmf(Z, rank, init=init, random_state=1)
    seconds = time.process_time() - begin
    error, n = np.inf, 0
    while n < most and error > target:
        begin = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            W, H, _ = non_negative_factorization(Z, W=W, H=H, n_components=rank, init="custom", solver="cd", tol=0, max_iter=2)
        seconds += time.process_time() - begin
        n += 2
        error = error_of(Z, W, H, squared_norm)
    return seconds, n, error


def ours(program, data, rank, iterations, target, folder):
    """(solver's CPU seconds, iterations, error, the process's CPU seconds, its peak in bytes)."""
    begin = time.monotonic()
    process = subprocess.Popen([program, "factorize", data, "--rank", str(rank), "--out", folder, "--force", "--quiet",
                                "--threads", "1", "--tolerance", "0", "--iterations", str(iterations)])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("ppdnmf failed")
    wall = time.monotonic() - begin
    used = usage.ru_utime + usage.ru_stime
    for line in (Path(folder) / "history.csv").read_text().splitlines()[1:]:
        cells = line.split(",")
        if float(cells[3]) <= target:
            return float(cells[6]) * min(1, used / wall), int(cells[0]), float(cells[3]), used, usage.ru_maxrss * 1024
    return np.nan, iterations, float(cells[3]), used, usage.ru_maxrss * 1024


def compare(name, Z, rank, options):
    print(f"{name}: {Z.shape[0]} x {Z.shape[1]}, {Z.nnz} nonzeros, rank {rank}", flush=True)
    samples = sparse.csr_matrix(Z.T)
    target = 1.002 * theirs(samples, rank, "random", 0, 100)[2]
    rows = {init: theirs(samples, rank, init, target, 300) for init in ("random", "nndsvda")}
    for init, (seconds, n, error) in rows.items():
        print(f"  scikit-learn cd {init:8} {seconds:7.2f} s  {n:3} iterations, error {error:.5f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "Z.npz")
        sparse.save_npz(data, sparse.csc_matrix(Z), compressed=False)
        seconds, n, error, used, peak = ours(options.program, data, rank, options.iterations, target, os.path.join(folder, "out"))
    print(f"  ppdnmf factorize         {seconds:7.2f} s  {n:3} iterations, error {error:.5f}; process {used:.2f} s")
    print(f"  solving over random {seconds / rows['random'][0]:.2f} (0.5 allowed), over nndsvda {seconds / rows['nndsvda'][0]:.2f} (1)")
    factors = 8 * rank * sum(Z.shape)
    print(f"  memory {peak / 2**20:.0f} MiB; nonzeros {12 * Z.nnz / 2**20:.0f} MiB, factors {factors / 2**20:.0f} MiB: "
          f"{(peak - factors) / (12 * Z.nnz):.1f} times the nonzeros beside the factors (4)", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--only", choices=("reuters", "zipf", "turned"))
    parser.add_argument("--iterations", type=int, default=60)
    options = parser.parse_args()
    if options.only in (None, "reuters"):
        if REUTERS.exists():
            compare("reuters", sparse.csc_matrix(io.mmread(REUTERS), dtype=float), 10, options)
        else:
            print(f"reuters: skipped, {REUTERS} is not there")
    if options.only != "reuters":
        Z = zipf(10_000, 40_000, 1_500_000, 30, 1)
        if options.only in (None, "zipf"):
            compare("zipf", Z, 30, options)
        if options.only in (None, "turned"):
            compare("turned", sparse.csc_matrix(Z.T), 30, options)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
