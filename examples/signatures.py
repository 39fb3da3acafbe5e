#!/usr/bin/env python3
"""Mutational signatures of breast cancers, found by three hospitals together, against COSMIC's.

usage: signatures.py [--data FOLDER] [--out FOLDER]

The folder has brca21_sbs96.csv (96 kinds of mutation x 21 tumours) and cosmic_v3.4_sbs_grch37.csv (96 x signatures),
each with names in the first row and column. Without them there is nothing to draw.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from common import INK, arguments, bare, save
from ppdnmf import DistributedNMF

SUBSTITUTIONS = {"C>A": "#4aa3c7", "C>G": "#222222", "C>T": "#c8553d", "T>A": "#9aa5b1", "T>C": "#8fb25c", "T>G": "#d99fb0"}


def cosines(a, b):
    return (a / np.linalg.norm(a, axis=1, keepdims=True)) @ (b / np.linalg.norm(b, axis=1, keepdims=True)).T


def main():
    chosen = arguments(__doc__.splitlines()[0], "mutational_signatures")
    if not (chosen.data / "brca21_sbs96.csv").exists():
        sys.exit(f"{chosen.data} does not hold brca21_sbs96.csv: name its folder with --data")
    tumours = pd.read_csv(chosen.data / "brca21_sbs96.csv", index_col=0).T
    cosmic = pd.read_csv(chosen.data / "cosmic_v3.4_sbs_grch37.csv", index_col=0).T[tumours.columns]
    shares = tumours.div(tumours.sum(axis=1), axis=0)  # every tumour counts the same, however many mutations it has
    hospital = np.arange(len(tumours)) % 3
    model = DistributedNMF(n_components=4, n_init=10, max_iter=500, random_state=1).fit(shares, groups=hospital)

    found = model.components_ / model.components_.sum(axis=1, keepdims=True)
    likeness = cosines(found, cosmic.to_numpy())
    kinds = [next(s for s in SUBSTITUTIONS if s in name) for name in tumours.columns]
    order = np.argsort(kinds, kind="stable")
    colours = [SUBSTITUTIONS[kinds[i]] for i in order]

    figure, rows = plt.subplots(4, 1, figsize=(10, 8), sharex=True, constrained_layout=True)
    for axes, component, alike in zip(rows, found, likeness):
        bare(axes)
        axes.bar(range(96), 100 * component[order], color=colours)
        best = np.argsort(alike)[::-1][:3]
        names = ", ".join(f"{cosmic.index[i]} {alike[i]:.2f}" for i in best)
        axes.set_title(f"cosine with {names}", loc="left", fontsize=10, color=INK)
        axes.set_ylabel("percent")
    middles = [np.mean([k for k, i in enumerate(order) if kinds[i] == s]) for s in SUBSTITUTIONS]
    rows[-1].set_xticks(middles, list(SUBSTITUTIONS))
    rows[-1].tick_params(axis="x", length=0)
    error = model.run_["relative_error"]
    figure.suptitle(f"Four signatures of 21 breast cancers in three hospitals, relative error {error:.3f}", color=INK)
    save(figure, chosen.out / "signatures.png")


if __name__ == "__main__":
    main()
