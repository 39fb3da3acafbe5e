#!/usr/bin/env python3
"""How much joining is worth: the error on new samples, learned alone and together.

usage: joining.py [--data faces_u8.npy] [--out FOLDER]

Data as for faces.py.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from common import ACCENT, INK, QUIET, arguments, bare, save
from faces import load
from ppdnmf import NMF, DistributedNMF

AGENTS, COMPONENTS, TRIALS = 8, 15, 5
SHARES = (16, 24, 40, 64, 100)


def error_on(model, new):
    return np.sqrt(1 - model.score(new))


def main():
    chosen = arguments(__doc__.splitlines()[0], "cbcl_faces/faces_u8.npy")
    warnings.simplefilter("ignore", ConvergenceWarning)
    samples, _ = load(chosen.data)
    alone, together = [], []
    for share in SHARES:
        errors = [[], []]
        for trial in range(TRIALS):
            shuffled = np.random.default_rng(trial).permutation(samples)
            own, new = shuffled[: AGENTS * share], shuffled[-400:]
            options = {"n_components": COMPONENTS, "random_state": trial}
            errors[0].append(error_on(NMF(max_iter=100, **options).fit(own[:share]), new))
            errors[1].append(error_on(DistributedNMF(n_agents=AGENTS, max_iter=100, cipher="none", **options).fit(own), new))
        alone.append(errors[0])
        together.append(errors[1])

    figure, axes = plt.subplots(figsize=(7, 4.4), constrained_layout=True)
    bare(axes)
    for errors, colour, label in ((alone, QUIET, "each alone"), (together, ACCENT, f"{AGENTS} agents together")):
        axes.fill_between(SHARES, np.min(errors, axis=1), np.max(errors, axis=1), color=colour, alpha=0.2, linewidth=0)
        axes.plot(SHARES, np.mean(errors, axis=1), color=colour, marker="o", label=label)
    axes.set_xscale("log")
    axes.set_xticks(SHARES, [str(share) for share in SHARES])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("samples of each agent")
    axes.set_ylabel("relative error on new samples")
    axes.legend(frameon=False)
    axes.set_title(f"What joining is worth: {COMPONENTS} components, mean and range of {TRIALS} trials", loc="left", fontsize=11, color=INK)
    save(figure, chosen.out / "joining.png")


if __name__ == "__main__":
    main()
