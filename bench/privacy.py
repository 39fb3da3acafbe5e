#!/usr/bin/env python3
"""What differential privacy costs: error over epsilon and number of columns, as a table and a figure.

usage: privacy.py [--only cosmic|cbcl|reuters|prototype] [--out FOLDER] [--seeds 3] [--program build/ppdnmf]

cosmic     counts made from eight COSMIC signatures: gamma exposures, Poisson counts, a lognormal number of mutations; 96 rows, rank 8
cbcl       MIT-CBCL faces, 361 x 2429, rank 49        reuters  term counts, 1000 x 7285, rank 10
prototype  ours beside shared/reference/privacy_prototype.py on such counts, with many mutations and with few, every agent assumed honest

Columns have length one (--normalise l2), ten agents, delta 1e-6 (cosmic, reuters, cbcl alike). Every number is the median over seeds of the relative error
of a whole `build/ppdnmf simulate --scheme sum --epsilon E` divided by the best one without noise. Data that are not there are skipped.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
PROGRAM = ROOT / "build/ppdnmf"
EPSILONS = (0.5, 1, 2, 4, 8)
SIGNATURES = ("SBS1", "SBS2", "SBS3", "SBS4", "SBS5", "SBS7a", "SBS13", "SBS17b")


def counts(columns, median=3000, seed=1):
    lines = (SHARED / "data/mutational_signatures/cosmic_v3.4_sbs_grch37.csv").read_text().splitlines()
    names = lines[0].split(",")
    table = np.array([[float(x) for x in line.split(",")[1:]] for line in lines[1:]])
    signatures = table[:, [names.index(name) - 1 for name in SIGNATURES]]
    draw = np.random.default_rng(seed)
    exposures = draw.gamma(0.5, 1, (8, columns)) * (draw.random((8, columns)) < 0.6) + 1e-3
    exposures /= exposures.sum(0)
    return draw.poisson(signatures / signatures.sum(0) @ exposures * np.exp(draw.normal(np.log(median), 1.2, columns))).astype(float)


def unit(Z):
    Z = Z[:, Z.sum(0) > 0]
    return np.asfortranarray(Z / np.linalg.norm(Z, axis=0))


def error(file, rank, seed, epsilon=None, honest=None):
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "simulate", file, "--rank", rank, "--agents", 10, "--scheme", "sum", "--seed", seed, "--threads", 1]
        command += ["--quiet", "--json", "--force", "--out", folder]
        if epsilon:
            command += ["--epsilon", epsilon, "--delta", 1e-6, "--normalise", "l2"] + (["--assume-honest", honest] if honest else [])
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)["relative_error"]


def measure(name, Z, rank, seeds, rows):
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, Z)
        best = min(error(file.name, rank, seed) for seed in seeds)
        values = [np.median([error(file.name, rank, seed, epsilon) for seed in seeds]) / best for epsilon in EPSILONS]
    print(f"| {name} | {Z.shape[1]} | {best:.4f} | " + " | ".join(f"{value:.3f}" for value in values) + " |", flush=True)
    rows.append((name, Z.shape[1], best, values))


def against_prototype(seeds):
    sys.path.insert(0, str(SHARED / "reference"))
    import privacy_prototype

    print("| mutations | columns | error without noise | by | epsilon 1 | epsilon 2 | epsilon 4 | epsilon 8 |\n|---|---|---|---|---|---|---|---|")
    root = np.sqrt(np.log(1e6))
    for median in (3000, 100):
        for columns in (14675, 5000, 1000):
            Z = unit(counts(columns, median))
            with tempfile.NamedTemporaryFile(suffix=".npy") as file:
                np.save(file.name, Z)
                best = min(error(file.name, 8, seed) for seed in seeds)
                theirs, ours = [], []
                for epsilon in (1, 2, 4, 8):
                    rho = (np.sqrt(root**2 + epsilon) - root) ** 2
                    theirs.append(np.mean([privacy_prototype.run(Z, 8, seed, 10, np.sqrt(10 / (2 * rho))) for seed in seeds]) / best)
                    ours.append(np.mean([error(file.name, 8, seed, epsilon, honest=10) for seed in seeds]) / best)
            for who, values in (("prototype", theirs), ("ours", ours)):
                print(f"| {median} | {Z.shape[1]} | {best:.4f} | {who} | " + " | ".join(f"{value:.3f}" for value in values) + " |", flush=True)


def draw(rows, folder):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 4.5), constrained_layout=True)
    cosmic = [row for row in rows if row[0] == "COSMIC"]
    colours = plt.cm.viridis(np.linspace(0, 0.85, max(1, len(cosmic))))
    for row, colour in zip(cosmic, colours):
        axis.plot(EPSILONS, row[3], "o-", color=colour, label=f"COSMIC, {row[1]:,} columns")
    for row, style in zip([row for row in rows if row[0] != "COSMIC"], ("s--", "^:")):
        axis.plot(EPSILONS, row[3], style, color="grey", label=f"{row[0]}, {row[1]:,} columns")
    axis.set(xscale="log", yscale="log", xlabel="epsilon (delta 1e-6)", ylabel="error over error without noise")
    axis.set_xticks(EPSILONS, [f"{e:g}" for e in EPSILONS])
    ticks = (1, 1.2, 1.5, 2, 3, 5)
    axis.set_yticks(ticks, [f"{t:g}" for t in ticks])
    axis.minorticks_off()
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "privacy.png", dpi=130)
    figure.savefig(folder / "privacy.svg")


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["cosmic", "cbcl", "reuters", "prototype"])
    parser.add_argument("--out", type=Path, default=ROOT / "out/privacy")
    parser.add_argument("--seeds", type=int, help="3; 30 for prototype, since either may miss a component by chance")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    options = parser.parse_args()
    PROGRAM = options.program
    rows, only = [], options.only
    seeds = range(1, 1 + (options.seeds or (30 if only == "prototype" else 3)))
    if only == "prototype":
        return against_prototype(seeds)
    print("| data | columns | error without noise | " + " | ".join(f"epsilon {e:g}" for e in EPSILONS) + " |\n|---|---|---|" + "---|" * len(EPSILONS))
    if only in (None, "cosmic"):
        for columns in (500, 1000, 2000, 5000, 10000, 20000):
            measure("COSMIC", unit(counts(columns)), 8, seeds, rows)
    faces = SHARED / "data/cbcl_faces/faces_u8.npy"
    if only in (None, "cbcl") and faces.exists():
        measure("CBCL", unit(np.load(faces).astype(float)), 49, seeds, rows)
    reuters = SHARED / "data/reuters21578/reuters_top10_1000terms.mtx"
    if only in (None, "reuters") and reuters.exists():
        from scipy.io import mmread

        measure("Reuters", unit(mmread(reuters).toarray().astype(float)), 10, seeds, rows)
    draw(rows, options.out)


if __name__ == "__main__":
    main()
