#!/usr/bin/env python3
"""Missing entries: how well they are found, beside the statistical limit and beside filling them in with means.

    bench/gaps.py [--rows 60] [--columns 600] [--rank 5] [--agents 10] [--seeds 10] [--first 1] [--noise 0.1] [--uneven] [--l2 W]
                  [--program build/ppdnmf]

Data of known factors, uniform ones, with normal noise (a tenth of the mean). For 10, 30 and 50 % of the entries removed at
random one line for each seed: the error on the removed entries over that on the kept ones, with --missing nan; what it may
be, 1.05 sqrt((1 + p/n) / (1 - p/n)) with p = K (L + M - K) and n entries left; 1 / (1 - p/n); the ratio when rows' means fill
the gaps; the error on the removed entries with means over that without; and rounds until the error is within 1 % of where
200 end, before coordinates are held back. Then the medians, and how many seeds exceed what the ratio may be.

Without signs least squares comes to about 1 / (1 - p/n): a kept entry of leverage h leaves (1 - h) s² of the noise's
s², and one that was removed costs s² / (1 - h), where h is p/n if all entries share the numbers evenly. That exceeds the
limit above from p/n = 0.31 on. With --uneven factors (gamma, shape 1/2) leverages differ, and the mean of 1 / (1 - h) is
larger still: bench/gaps_limit.py says what can be reached. --l2 W gives both factors penalties on squares of W times the
noise, as `--l2-x` and `--l2-y`, in place of what the program does by itself (docs/mathematics.md, section 14).
"""
import argparse
import csv
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FORMAT = "{:6.3f} {:11.3f} {:10.3f} {:12.3f} {:11.2f} {:13.0f}"


def made(seed, rows, columns, rank, uneven, noise=0.1, factors=False):
    draw = np.random.default_rng(seed)
    factor = (lambda *shape: draw.gamma(0.5, 1, shape)) if uneven else lambda *shape: draw.random(shape)
    X, Y = factor(rows, rank), factor(rank, columns)
    Z = X @ Y
    Z = np.maximum(Z + noise * Z.mean() * draw.standard_normal(Z.shape), 0)
    return (Z, draw, X, Y) if factors else (Z, draw)


def fit(program, Z, rank, agents, rounds, *more):
    """X Y, and the relative error of every iteration."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/Z.npy", np.asfortranarray(Z))
        subprocess.run([program, "simulate", f"{folder}/Z.npy", "--rank", str(rank), "--agents", str(agents), "--iterations", str(rounds),
                        "--quiet", "--out", f"{folder}/out", *more], check=True)
        with open(f"{folder}/out/history.csv") as file:
            errors = [float(row["relative_error"]) for row in csv.DictReader(file)]
        return np.load(f"{folder}/out/X.npy") @ np.load(f"{folder}/out/Y.npy"), errors


def root_mean_square(x):
    return float(np.sqrt(np.mean(x**2)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("rows", 60), ("columns", 600), ("rank", 5), ("agents", 10), ("seeds", 10), ("rounds", 200)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--uneven", action="store_true")
    parser.add_argument("--l2", type=float, default=0)
    parser.add_argument("--program", default=str(ROOT / "build/ppdnmf"))
    options = parser.parse_args()
    print("removed seed  ratio  limit*1.05  1/(1-p/n)  ratio_means  means/ours  rounds_to_1%")
    for part in (0.1, 0.3, 0.5):
        lines = []
        for seed in range(options.first, options.first + options.seeds):
            Z, draw = made(seed, options.rows, options.columns, options.rank, options.uneven, options.noise)
            gone = draw.random(Z.shape) < part
            gappy = np.where(gone, np.nan, Z)
            run = lambda data, *more: fit(options.program, data, options.rank, options.agents, options.rounds, *more)
            weight = options.l2 * options.noise * Z.mean()
            R, errors = run(gappy, "--missing", "nan", *(("--l2-x", str(weight), "--l2-y", str(weight)) if weight > 0 else ()))
            means = np.where(gone, np.nanmean(gappy, axis=1, keepdims=True), Z)
            R_means, _ = run(means)
            n = int((~gone).sum())
            p = options.rank * (options.rows + options.columns - options.rank)
            ours, kept = root_mean_square((Z - R)[gone]), root_mean_square((Z - R)[~gone])
            theirs, theirs_kept = root_mean_square((Z - R_means)[gone]), root_mean_square((Z - R_means)[~gone])
            rounds = next(i + 1 for i, error in enumerate(errors) if error <= 1.01 * min(errors))
            limit = 1.05 * np.sqrt((1 + p / n) / (1 - p / n))
            lines.append((ours / kept, limit, 1 / (1 - p / n), theirs / theirs_kept, theirs / ours, rounds))
            print(f"{part:7.0%} {seed:4d} {FORMAT.format(*lines[-1])}", flush=True)
        over = sum(line[0] > line[1] for line in lines)
        print(f"{part:7.0%}  all {FORMAT.format(*np.median(lines, axis=0))}  {over} of {len(lines)} above the limit, "
              f"at most {max(line[5] for line in lines)} rounds", flush=True)


if __name__ == "__main__":
    main()
