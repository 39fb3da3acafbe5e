#!/usr/bin/env python3
"""What differential privacy costs: error over epsilon and number of columns, as a table and a figure.

usage: privacy.py [--only cosmic|cbcl|reuters|resampled|prototype] [--columns N,N] [--epsilons E,E] [--ways exchanges,moments,rounds,plan]
                  [--seeds 10] [--first-seed 1] [--jobs 2] [--out FOLDER] [--shared FOLDER] [--program build/ppdnmf]

cosmic     counts made from eight COSMIC signatures: gamma exposures, Poisson counts, a lognormal number of mutations; 96 rows, rank 8
cbcl       MIT-CBCL faces, 361 x 2429, rank 49        reuters  term counts, 1000 x 7285, rank 10
resampled  stand-ins for real catalogues: columns of shared/data/signature_benchmark's SBS_set1 (540), drawn anew by their own Poisson noise and
           with other totals, 96 rows, rank 8; 1,000 and 14,675 columns, only if asked for
prototype  exchanges beside shared/reference/privacy_prototype.py on such counts, with many mutations and with few, every agent assumed honest

exchanges  --scheme sum: sixty rounds                 moments  --scheme moments --iterations 1: one opening of second moments
rounds     --scheme moments --iterations 7: an opening, then six rounds in its span      plan  what the program chooses by itself

Columns have length one (--normalise l2), ten agents, delta 1e-6. Every number is the median over seeds of the relative error of a whole
`build/ppdnmf simulate --epsilon E` divided by the best one without noise; below it, for counts, the median cosine between the signatures that were found and
the true ones, paired so that their sum is largest. Every run is a process of one thread, and --jobs of them run at a time. What was measured is appended to
FOLDER/measured.csv and not measured again, so that the table can be made in parts and be resumed; another program needs another folder. Data that are not
there are skipped.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
PROGRAM = ROOT / "build/ppdnmf"
EPSILONS = (0.5, 1, 2, 4, 8)
SIGNATURES = ("SBS1", "SBS2", "SBS3", "SBS4", "SBS5", "SBS7a", "SBS13", "SBS17b")


def counts(columns, median=3000, seed=1):
    true = signatures()
    draw = np.random.default_rng(seed)
    exposures = draw.gamma(0.5, 1, (8, columns)) * (draw.random((8, columns)) < 0.6) + 1e-3
    exposures /= exposures.sum(0)
    return draw.poisson(true / true.sum(0) @ exposures * np.exp(draw.normal(np.log(median), 1.2, columns))).astype(float)


def resampled(columns, seed=1):
    """So many columns, each a given one at a random total (of the others' totals) with Poisson noise of its own."""
    given = np.load(SHARED / "data/signature_benchmark/SBS_set1_catalog.npy").astype(float)
    given = given[:, given.sum(0) > 0]
    draw = np.random.default_rng(seed)
    which, total = draw.integers(given.shape[1], size=(2, columns))
    return draw.poisson(given[:, which] / given[:, which].sum(0) * given[:, total].sum(0)).astype(float)


def unit(Z):
    Z = Z[:, Z.sum(0) > 0]
    return np.asfortranarray(Z / np.linalg.norm(Z, axis=0))


def signatures():
    lines = (SHARED / "data/mutational_signatures/cosmic_v3.4_sbs_grch37.csv").read_text().splitlines()
    names = lines[0].split(",")
    table = np.array([[float(x) for x in line.split(",")[1:]] for line in lines[1:]])
    return table[:, [names.index(name) - 1 for name in SIGNATURES]]


def cosine(X, truth):
    """Median over the true signatures of the cosine to the one that was found for each."""
    from scipy.optimize import linear_sum_assignment

    lengths = np.linalg.norm(X, axis=0)
    near = (truth / np.linalg.norm(truth, axis=0)).T @ (X / np.where(lengths > 0, lengths, 1))
    rows, columns = linear_sum_assignment(-near)
    return float(np.median(near[rows, columns]))


WAYS = {"exchanges": ["--scheme", "sum"], "moments": ["--scheme", "moments", "--iterations", 1], "rounds": ["--scheme", "moments", "--iterations", 7], "plan": []}


def run(file, rank, seed, epsilon=None, way="exchanges", honest=None, truth=None):
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "simulate", file, "--rank", rank, "--agents", 10, "--seed", seed, "--threads", 1]
        command += WAYS[way] + ["--quiet", "--json", "--force", "--out", folder]
        if epsilon:
            command += ["--epsilon", epsilon, "--delta", 1e-6, "--normalise", "l2"] + (["--assume-honest", honest] if honest else [])
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        near = cosine(np.load(Path(folder) / "X.npy"), truth) if truth is not None else None
        record = json.loads(done.stdout)
        return record["relative_error"], near, chosen(record["parameters"])


def chosen(parameters):
    """Which of the ways a private run was, whoever chose it."""
    if parameters["scheme"] == "sum":
        return "exchanges"
    return {0: "moments", 6: "rounds"}.get(parameters.get("span_rounds"))


def error(file, rank, seed, epsilon=None, honest=None):
    return run(file, rank, seed, epsilon, honest=honest)[0]


class Measured:
    """A line per run in a file, looked up before anything is run again."""

    FIELDS = ["data", "columns", "rank", "epsilon", "way", "seed", "error", "cosine"]

    def __init__(self, folder, jobs):
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "measured.csv"
        self.jobs = jobs
        self.known = {}
        if not self.file.exists():
            self.file.write_text(",".join(self.FIELDS) + "\n")
        with self.file.open() as lines:
            for line in csv.DictReader(lines):
                key = tuple(line[field] for field in self.FIELDS[:6])
                self.known[key] = (float(line["error"]), float(line["cosine"]) if line["cosine"] else None)

    @staticmethod
    def key(name, columns, rank, epsilon, way, seed):
        return (name, str(columns), str(rank), f"{epsilon:g}" if epsilon else "", way, str(seed))

    def fill(self, wanted, compute):
        """Runs what is not known yet, a few at a time, and writes each down when it is there. What the plan chose is not run twice."""
        with ThreadPoolExecutor(self.jobs) as pool:
            for part in ([key for key in wanted if key[4] == "plan"], [key for key in wanted if key[4] != "plan"]):
                missing = [key for key in part if key not in self.known]
                for key, (error, near, way) in zip(missing, pool.map(compute, missing)):
                    self.write(key, error, near)
                    same = key[:4] + (way, key[5])
                    if key[4] == "plan" and way and same not in self.known:
                        self.write(same, error, near)

    def write(self, key, error, near):
        self.known[key] = (error, near)
        with self.file.open("a") as file:
            file.write(",".join(key) + f",{error!r},{'' if near is None else repr(near)}\n")


def measure(name, Z, rank, options, rows, truth=None):
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    known = options.measured.known
    key = lambda seed, epsilon, way: options.measured.key(name, Z.shape[1], rank, epsilon, way, seed)
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file.name, Z)
        wanted = [key(seed, None, "exchanges") for seed in seeds]
        wanted += [key(seed, epsilon, way) for way in options.ways for epsilon in options.epsilons for seed in seeds]
        options.measured.fill(wanted, lambda k: run(file.name, rank, int(k[5]), float(k[3]) if k[3] else None, k[4], truth=truth))
    best = min(known[key(seed, None, "exchanges")][0] for seed in seeds)
    for way in options.ways:
        runs = [[known[key(seed, epsilon, way)] for seed in seeds] for epsilon in options.epsilons]
        values = [float(np.median([one[0] for one in each])) / best for each in runs]
        print(f"| {name} | {Z.shape[1]} | {best:.4f} | {way} | " + " | ".join(f"{value:.3f}" for value in values) + " |", flush=True)
        if truth is not None:
            print("| | | | cosine | " + " | ".join(f"{np.median([one[1] for one in each]):.3f}" for each in runs) + " |", flush=True)
        rows.append((name, Z.shape[1], way, values))


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


def draw(rows, epsilons, folder):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 4.5), constrained_layout=True)
    cosmic = sorted({row[1] for row in rows if row[0] == "COSMIC"})
    colours = dict(zip(cosmic, plt.cm.viridis(np.linspace(0, 0.85, max(1, len(cosmic))))))
    for name, columns, way, values in rows:
        if way not in ("exchanges", "plan"):
            continue
        style = ("o" if name == "COSMIC" else "s" if name == "CBCL" else "^") + ("-" if way == "plan" else ":")
        axis.plot(epsilons, values, style, color=colours.get(columns, "grey") if name == "COSMIC" else "grey", label=f"{name}, {columns:,} columns" if way == "plan" else None)
    axis.set(xscale="log", yscale="log", xlabel="epsilon (delta 1e-6)", ylabel="error over error without noise (dotted: exchanges)")
    axis.set_xticks(epsilons, [f"{e:g}" for e in epsilons])
    ticks = (1, 1.2, 1.5, 2, 3, 5)
    axis.set_yticks(ticks, [f"{t:g}" for t in ticks])
    axis.minorticks_off()
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "privacy.png", dpi=130)
    figure.savefig(folder / "privacy.svg")


def main():
    global PROGRAM, SHARED
    numbers = lambda kind: lambda text: [kind(word) for word in text.split(",")]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["cosmic", "cbcl", "reuters", "resampled", "prototype"])
    parser.add_argument("--columns", type=numbers(int), help="of the made counts (500,1000,2000,5000,10000,20000) or the resampled ones (1000,14675)")
    parser.add_argument("--epsilons", type=numbers(float), default=list(EPSILONS))
    parser.add_argument("--ways", type=numbers(str), default=["exchanges", "moments", "plan"])
    parser.add_argument("--out", type=Path, default=ROOT / "out/privacy")
    parser.add_argument("--seeds", type=int, help="10; 30 for prototype, since either may miss a component by chance")
    parser.add_argument("--first-seed", type=int, default=1, help="of as many as --seeds says, one after the other")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="runs at a time")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder of data and prototypes")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    options = parser.parse_args()
    PROGRAM, SHARED = options.program, options.shared
    rows, only = [], options.only
    options.seeds = options.seeds or (30 if only == "prototype" else 10)
    if only == "prototype":
        return against_prototype(range(1, 1 + options.seeds))
    options.measured = Measured(options.out, options.jobs)
    print("| data | columns | error without noise | way | " + " | ".join(f"epsilon {e:g}" for e in options.epsilons) + " |\n|---|---|---|---|" + "---|" * len(options.epsilons))
    if only in (None, "cosmic"):
        for columns in options.columns or (500, 1000, 2000, 5000, 10000, 20000):
            measure("COSMIC", unit(counts(columns)), 8, options, rows, signatures())
    faces = SHARED / "data/cbcl_faces/faces_u8.npy"
    if only in (None, "cbcl") and faces.exists():
        measure("CBCL", unit(np.load(faces).astype(float)), 49, options, rows)
    reuters = SHARED / "data/reuters21578/reuters_top10_1000terms.mtx"
    if only in (None, "reuters") and reuters.exists():
        from scipy.io import mmread

        measure("Reuters", unit(mmread(reuters).toarray().astype(float)), 10, options, rows)
    if only == "resampled":
        for columns in options.columns or (1000, 14675):
            measure("resampled", unit(resampled(columns)), 8, options, rows)
    draw(rows, options.epsilons, options.out)


if __name__ == "__main__":
    main()
