#!/usr/bin/env python3
"""Site effects: three made sites with artefacts of their own, with --site-effects and without.

    bench/site_effects.py [--seeds 5] [--weight 0.1] [--artefact 0.6] [--program build/ppdnmf]

Site i has Z_i = (X + V_i) Y_i and 2 % noise; V_i has three rows in each of four components, 0.3 to 0.8 times --artefact
high where X's columns have length one. One line for each seed: the smallest cosine of a true component and its match
in X, without and with, and the same of X + V_i with V.npy (the mean over sites).
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

ROOT = Path(__file__).resolve().parent.parent


def unit(A):
    return A / np.maximum(np.linalg.norm(A, axis=0), 1e-300)


def made(seed, artefact, rows=40, rank=4, columns=150, sites=3):
    draw = np.random.default_rng(seed)
    X = unit(draw.gamma(0.3, 1, (rows, rank)))
    Z, V = [], []
    for _ in range(sites):
        own = np.zeros((rows, rank))
        for k in range(rank):
            own[draw.choice(rows, 3, replace=False), k] = artefact * draw.uniform(0.3, 0.8, 3)
        Y = draw.exponential(1, (rank, columns)) * (draw.random((rank, columns)) < 0.5)
        data = (X + own) @ Y
        Z.append(np.maximum(data + 0.02 * data.mean() * draw.standard_normal(data.shape), 0))
        V.append(own)
    return X, V, Z


def worst_match(truth, found):
    cosines = unit(truth).T @ unit(found)
    return float(cosines[linear_sum_assignment(-cosines)].min())


def run(program, folder, files, rank, *more):
    subprocess.run([program, "simulate", *files, "--rank", str(rank), "--iterations", "150", "--seed", "1", "--force", "--quiet",
                    "--out", str(folder / "out"), *more], check=True)
    return np.load(folder / "out/X.npy")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--weight", default="0.1")
    parser.add_argument("--artefact", type=float, default=0.6)
    parser.add_argument("--program", default=str(ROOT / "build/ppdnmf"))
    options = parser.parse_args()
    print("seed  without  with  X+V")
    for seed in range(1, options.seeds + 1):
        X, V, Z = made(seed, options.artefact)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = []
            for i, data in enumerate(Z):
                files.append(str(folder / f"site{i}.npy"))
                np.save(files[-1], np.asfortranarray(data))
            without = worst_match(X, run(options.program, folder, files, X.shape[1]))
            found = run(options.program, folder, files, X.shape[1], "--site-effects", options.weight)
            own = [worst_match(X + V[i], found + np.load(folder / f"out/agents/{i}/V.npy")) for i in range(len(Z))]
            print(f"{seed:4d} {without:8.3f} {worst_match(X, found):5.3f} {np.mean(own):4.3f}", flush=True)


if __name__ == "__main__":
    main()
