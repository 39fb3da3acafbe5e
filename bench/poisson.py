#!/usr/bin/env python3
"""The Poisson loss from totals against scikit-learn's multiplicative updates: loss, rounds, processor time, bytes.

    bench/poisson.py [--data FOLDER] [--only NAME] [--seeds 10] [--updates 2000] [--cache FILE] [--program build/ppdnmf]

FOLDER has mutational_signatures, signature_benchmark, reuters21578 and cbcl_faces (see SOURCE.txt in each); counts made of
signatures need the first only. For every set of data and both curvatures, one line: the median loss over the seeds of 50
(full) or 80 (scaled) rounds, and of 2,000 updates (solver='mu', one thread, sparse where that is faster, the same seeds); the part by which
ours is above theirs (below zero: better); rounds until ours is within 0.5 % of their median; processor seconds until
then over those of the updates. Then whether one machine, five agents on two graphs, 1 and 2 threads, no masks, and
processes give one X to the byte, and how far the loss of the totals is from one machine's. The updates take by far the
longest: with --cache their losses and times are kept in FILE and taken from there (--theirs-only: nothing else is done).
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import tempfile
import warnings
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402
import scipy.sparse  # noqa: E402
from sklearn.decomposition import NMF  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
WITHIN = 1.005


def made_counts(folder):
    S = np.load(folder / "mutational_signatures/cosmic_v3.4_sbs_grch37.npy")[:, [0, 1, 4, 5, 15, 20]]
    draw = np.random.default_rng(0)
    return draw.poisson((S / S.sum(0)) @ (draw.gamma(0.5, 1, (6, 200)) * np.exp(draw.normal(7, 1.2, 200)))).astype(float)


def reuters(folder):
    from scipy.io import mmread

    Z = np.asarray(mmread(folder / "reuters21578/reuters_top10_1000terms.mtx").todense(), dtype=float)
    return Z if Z.shape[0] == 1000 else Z.T


SETS = {
    "brca21": (lambda f: np.load(f / "mutational_signatures/brca21_sbs96.npy").astype(float), 4),
    "made": (made_counts, 6),
    "SBS_set1": (lambda f: np.load(f / "signature_benchmark/SBS_set1_catalog.npy").astype(float), 20),
    "reuters": (reuters, 10),
    "cbcl": (lambda f: np.load(f / "cbcl_faces/faces_u8.npy").astype(float), 49),
}


def divergence(Z, R):
    positive = Z > 0
    return float((Z[positive] * np.log(Z[positive] / R[positive])).sum() - Z.sum() + R.sum())


def cpu(who=resource.RUSAGE_SELF):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def kept(cache, name, seed, updates, compute):
    """What `compute` gives, from the file if it is there."""
    if cache is None:
        return compute()
    key = f"{name} {seed} {updates}"
    known = json.loads(cache.read_text()) if cache.exists() else {}
    if key not in known:
        value = compute()
        known = json.loads(cache.read_text()) if cache.exists() else {}  # another process may have written meanwhile
        known[key] = value
        part = cache.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(known, indent=1))
        part.rename(cache)
    return tuple(known[key])


def theirs(Z, rank, seed, updates):
    start = cpu()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = NMF(rank, init="random", solver="mu", beta_loss="kullback-leibler", tol=0, max_iter=updates, random_state=seed)
        W = model.fit_transform(scipy.sparse.csr_matrix(Z.T) if (Z > 0).mean() < 0.2 else np.ascontiguousarray(Z.T))
    return divergence(Z, (W @ model.components_).T), cpu() - start


def run(program, *arguments):
    subprocess.run([program, *map(str, arguments), "--quiet", "--force"], check=True)


def history(folder):
    with open(folder / "history.csv", newline="") as file:
        return [(float(row["loss"]), float(row["seconds"])) for row in csv.DictReader(file)]


def ours(program, Z, rank, seed, curvature, rounds):
    """(loss, processor seconds) after every iteration, on one thread: the clock's seconds, in the proportion that the whole
    process took of a processor."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/Z.npy", Z)
        arguments = ("factorize", f"{folder}/Z.npy", "--rank", rank, "--loss", "poisson", "--curvature", curvature,
                     "--tolerance", 0, "--seed", seed, "--threads", 1, "--out", f"{folder}/out")
        start = cpu(resource.RUSAGE_CHILDREN)
        run(program, *arguments, "--iterations", 1)  # files, report, start
        middle = cpu(resource.RUSAGE_CHILDREN)
        run(program, *arguments, "--iterations", rounds)
        steps = max(0.0, cpu(resource.RUSAGE_CHILDREN) - middle - (middle - start))
        rows = history(Path(folder) / "out")
        part = steps / max(rows[-1][1] - rows[0][1], 1e-9)
        return [(loss, seconds * min(part, 1)) for loss, seconds in rows]


def compare(name, Z, rank, arguments):
    their = [kept(arguments.cache, name, seed, arguments.updates, lambda seed=seed: theirs(Z, rank, seed, arguments.updates))
             for seed in range(1, arguments.seeds + 1)]
    if arguments.theirs_only:
        return
    target = float(np.median([loss for loss, _ in their]))
    their_seconds = float(np.median([seconds for _, seconds in their]))
    for curvature, rounds in (("full", 50), ("scaled", 80)):
        if curvature == "full" and rank > 30 and not arguments.all:
            continue
        runs = [ours(arguments.program, Z, rank, seed, curvature, rounds) for seed in range(1, arguments.seeds + 1)]
        medians = np.median([[loss for loss, _ in one] for one in runs], axis=0)
        clocks = np.median([[seconds for _, seconds in one] for one in runs], axis=0)
        within = np.flatnonzero(medians <= WITHIN * target)
        first = int(within[0]) if len(within) else None
        print(f"{name:9} rank {rank:2} {curvature:6} ours {medians[-1]:.6g} theirs {target:.6g} above {medians[-1] / target - 1:+.4f} "
              f"rounds to 0.5 % {'never' if first is None else first + 1} of {rounds} "
              f"time {'-' if first is None else format(clocks[first] / their_seconds, '.3f')} of {their_seconds:.2f} s", flush=True)


def same_bytes(name, Z, rank, arguments):
    common = ["--rank", rank, "--loss", "poisson", "--iterations", 12, "--seed", 3]
    variants = {"random graph": ["simulate", "--agents", 5, "--threads", 1], "2 threads": ["simulate", "--agents", 5, "--threads", 2],
                "line": ["simulate", "--agents", 5, "--topology", "line"], "no masks": ["simulate", "--agents", 5, "--cipher", "none"],
                "launch": ["launch", "--agents", 5]}
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/Z.npy", Z)
        factors = {}
        for variant, (command, *rest) in variants.items():
            run(arguments.program, command, f"{folder}/Z.npy", *common, *rest, "--out", f"{folder}/{variant}")
            factors[variant] = Path(folder, variant, "X.npy").read_bytes()
        run(arguments.program, "factorize", f"{folder}/Z.npy", *common, "--tolerance", 0, "--out", f"{folder}/one")
        one, many = history(Path(folder, "one")), history(Path(folder, "random graph"))
        apart = max(abs(a - b) / a for (a, _), (b, _) in zip(one, many))
        X, Y = np.load(f"{folder}/random graph/X.npy"), np.load(f"{folder}/random graph/Y.npy")
        said = json.loads(Path(folder, "random graph", "run.json").read_text())["loss"]
        print(f"{name:9} one X to the byte: {len(set(factors.values())) == 1} ({', '.join(factors)}); "
              f"totals against one machine, largest of all iterations: {apart:.1e}; "
              f"run.json against X and Y: {abs(said / divergence(Z, X @ Y) - 1):.1e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--only", choices=list(SETS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--theirs-only", action="store_true")
    parser.add_argument("--program", default=str(ROOT / "build/ppdnmf"))
    parser.add_argument("--all", action="store_true", help="full curvature above rank 30, too")
    arguments = parser.parse_args()
    for name, (load, rank) in SETS.items():
        if arguments.only in (None, name):
            try:
                Z = load(arguments.data)
            except FileNotFoundError as missing:
                print(f"{name:9} not measured: there is no {missing.filename}")
                continue
            compare(name, Z, rank, arguments)
            if not arguments.theirs_only:
                same_bytes(name, Z, rank, arguments)


main()
