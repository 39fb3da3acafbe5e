#!/usr/bin/env python3
"""The number of components found by itself, on catalogues of mutations whose signatures are known.

    bench/signatures.py [--data FOLDER] [--seeds 5] [--first-seed 11] [--agents 10] [--half] [--only NAME] [--keep FOLDER]
    bench/signatures.py --made
    bench/signatures.py --exposures FOLDER
    bench/signatures.py --refit FOLDER

FOLDER has signature_benchmark and mutational_signatures (see SOURCE.txt in each). For every set and seed one line: how many
components `ppdnmf rank --ranks 2-40` chose, which part of them are true ones (PPV: matched one-to-one at a cosine above 0.9),
which part of the true ones was found (TPR), F1, the same at 0.95, the largest cosine between two of them, and seconds of the
processor; then the medians, beside what SigProfilerExtractor reaches on the same sets (F1 0.789 and 0.875). Seeds begin with
11: the rule was chosen with smaller ones in sight. --half: every second column. --keep: leave every X in this folder, and the part of
the runs in which each component was found.
--program: build/ppdnmf, or another.
--exposures: with each X that --keep left, how well `ppdnmf transform` explains the columns (cosine: median, 5th percentile),
and how many components a column has above 1 % of its sum (median), as they are and with --prune.
--refit: F1 of each such X, and after 200 multiplicative updates of X and Y that begin there, on columns capped as the search
has them.
--made: counts made of 5, 8 and 12 COSMIC signatures, 200 to 2,000 columns, three seeds each; how many components were chosen,
and how many the true number given finds (rank K, ten starts, the best of them): where that misses some, they cannot be found.
"""
import argparse
import json
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

ROOT = Path(__file__).resolve().parent.parent
THEIRS = {"SBS_set1": 0.789, "indel_set1": 0.875}


def unit(A):
    return A / np.maximum(np.linalg.norm(A, axis=0), 1e-300)


def score(found, truth, least):
    """PPV, TPR and F1 of the best one-to-one matches."""
    cosine = unit(found).T @ unit(truth)
    rows, columns = linear_sum_assignment(np.where(cosine > least, cosine, 0), maximize=True)
    hits = int((cosine[rows, columns] > least).sum())
    ppv, tpr = hits / found.shape[1], hits / truth.shape[1]
    return ppv, tpr, 2 * ppv * tpr / max(ppv + tpr, 1e-9)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(program, command, data, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/Z.npy", data)
        before = processor_seconds()
        subprocess.run([program, command, f"{folder}/Z.npy", *map(str, arguments), "--quiet", "--out", f"{folder}/out"], check=True)
        seconds = processor_seconds() - before
        return np.load(f"{folder}/out/X.npy"), seconds, json.loads(Path(f"{folder}/out/run.json").read_text())


def benchmark(options):
    for name, theirs in THEIRS.items():
        if options.only not in (None, name):
            continue
        folder = Path(options.data) / "signature_benchmark"
        Z = np.load(folder / f"{name}_catalog.npy").astype(float)
        truth = np.load(folder / f"{name}_truth.npy")
        if options.half:
            Z = Z[:, ::2]
        lines = []
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            X, seconds, record = run(options.program, "rank", Z, "--ranks", "2-40", "--agents", options.agents, "--seed", seed)
            alike = unit(X).T @ unit(X) - np.eye(X.shape[1])
            lines.append((*score(X, truth, 0.9), *score(X, truth, 0.95), alike.max(), seconds))
            if options.keep:
                np.save(options.keep / f"{name}{'_half' if options.half else ''}_{seed}.npy", X)
                (options.keep / f"{name}{'_half' if options.half else ''}_{seed}.json").write_text(json.dumps(record["found"]))
            print(f"{name} seed {seed}: {X.shape[1]} of {truth.shape[1]}", "PPV {:.3f} TPR {:.3f} F1 {:.3f}; at 0.95 {:.3f} {:.3f} {:.3f}; "
                  "largest cosine {:.3f}; {:.0f} s".format(*lines[-1]), flush=True)
        median = [statistics.median(column) for column in zip(*lines)]
        print(f"{name} median: PPV {median[0]:.3f} TPR {median[1]:.3f} F1 {median[2]:.3f} (SigProfilerExtractor {theirs}), worst F1 "
              f"{min(line[2] for line in lines):.3f}; at 0.95 {median[5]:.3f}; {median[7]:.0f} s", flush=True)


def kept(options, folder):
    """Of every X in the folder its name, the set's columns and truth, and X."""
    for file in sorted(Path(folder).glob("*_[0-9]*.npy")):
        name = next(name for name in THEIRS if file.name.startswith(name))
        data = Path(options.data) / "signature_benchmark"
        Z = np.load(data / f"{name}_catalog.npy").astype(float)
        yield file.stem, Z[:, ::2] if "half" in file.stem else Z, np.load(data / f"{name}_truth.npy"), np.load(file)


def explained(program, X, Z, *arguments):
    """Cosines of the columns to what X makes of them, and how many components each has."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/X.npy", X)
        np.save(f"{folder}/Z.npy", Z)
        subprocess.run([program, "transform", f"{folder}/X.npy", f"{folder}/Z.npy", "--loss", "poisson", *arguments, "--quiet",
                        "--out", f"{folder}/out"], check=True)
        Y = np.load(f"{folder}/out/Y.npy")
    active = (Y * X.sum(0)[:, None] > 0.01 * (X @ Y).sum(0)).sum(0)
    return (unit(Z) * unit(X @ Y)).sum(0), active


def exposures(options):
    for name, Z, truth, X in kept(options, options.exposures):
        for what, factor in (("found", X), ("true", truth)):
            for arguments in ((), ("--prune",)):
                cosine, active = explained(options.program, factor, Z, *arguments)
                print(f"{name}, {what} X of {factor.shape[1]} {' '.join(arguments) or 'as they are'}: cosine {np.median(cosine):.4f}, 5th percentile "
                      f"{np.percentile(cosine, 5):.4f}; {np.median(active):.0f} active", flush=True)


def refit(options):
    for name, Z, truth, X in kept(options, options.refit):
        totals = Z.sum(0)
        Z = Z * np.minimum(1, np.quantile(totals, 0.75) / np.maximum(totals, 1))
        W, H = X / X.sum(0) + 1e-12, np.full((X.shape[1], Z.shape[1]), Z.sum(0) / X.shape[1])
        for n in range(300):
            H *= W.T @ (Z / (W @ H + 1e-12))
            if n >= 100:
                W *= (Z / (W @ H + 1e-12)) @ H.T / H.sum(1)
                W /= W.sum(0)
        print(f"{name}: F1 {score(X, truth, 0.9)[2]:.3f}, refitted {score(W, truth, 0.9)[2]:.3f}; at 0.95 {score(X, truth, 0.95)[2]:.3f}, "
              f"refitted {score(W, truth, 0.95)[2]:.3f}", flush=True)


def made_counts(S, seed, count, columns):
    """Signatures no two of which have a cosine above 0.85, sparse exposures, Poisson noise."""
    draw = np.random.default_rng(seed)
    chosen = []
    for k in draw.permutation(S.shape[1]):
        if all(unit(S[:, [k]]).T @ unit(S[:, [j]]) < 0.85 for j in chosen):
            chosen.append(k)
        if len(chosen) == count:
            break
    exposures = draw.gamma(0.5, 1, (count, columns))
    exposures *= np.exp(draw.normal(7.5, 1, columns)) / exposures.sum(0)
    return draw.poisson(S[:, chosen] @ exposures).astype(float), S[:, chosen]


def made(options):
    S = np.load(Path(options.data) / "mutational_signatures/cosmic_v3.4_sbs_grch37.npy")
    S = S / S.sum(0)
    near, all_runs = 0, 0
    for count in (5, 8, 12):
        for columns in (200, 600, 2000):
            for seed in range(1, 4):
                Z, truth = made_counts(S, 10000 * count + 10 * columns + seed, count, columns)
                X, _, _ = run(options.program, "rank", Z, "--ranks", "2-20", "--agents", options.agents, "--seed", seed)
                given, _, _ = run(options.program, "simulate", Z, "--rank", count, "--agents", options.agents, "--seed", seed, "--loss", "poisson",
                               "--starts", 10, "--cap", 0.75)
                near += abs(X.shape[1] - count) <= 1
                all_runs += 1
                print(f"{count} signatures, {columns} columns, seed {seed}: {X.shape[1]} chosen, TPR {score(X, truth, 0.9)[1]:.2f}; with the "
                      f"number given {score(given, truth, 0.9)[1]:.2f}", flush=True)
    print(f"within one of the truth: {near} of {all_runs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=11)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--agents", type=int, default=10)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--exposures", type=Path)
    parser.add_argument("--refit", type=Path)
    parser.add_argument("--only")
    parser.add_argument("--program", default=str(ROOT / "build/ppdnmf"))
    options = parser.parse_args()
    (exposures if options.exposures else refit if options.refit else made if options.made else benchmark)(options)


main()
