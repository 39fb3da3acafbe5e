#!/usr/bin/env python3
"""Parts of faces, learned by ten agents who keep their own pictures to themselves.

usage: faces.py [--data faces_u8.npy] [--out FOLDER]

The data are 361 x 2429: the CBCL faces, a column each, 19 x 19 pixels column after column. Without them, the handwritten
digits that come with scikit-learn are taken.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from common import ACCENT, INK, QUIET, arguments, bare, save
from ppdnmf import NMF, DistributedNMF


def load(path):
    """Samples in rows, and the side of a picture."""
    if path.exists():
        return np.load(path).T.astype(float) / 255, 19
    digits = load_digits().images.transpose(0, 2, 1)
    return digits.reshape(len(digits), -1) / 16, 8


def picture(axes, values, side, colours="gray_r"):
    axes.imshow(values.reshape(side, side).T, cmap=colours)
    axes.set_xticks([])
    axes.set_yticks([])


def main():
    chosen = arguments(__doc__.splitlines()[0], "cbcl_faces/faces_u8.npy")
    samples, side = load(chosen.data)
    network = DistributedNMF(n_components=25, n_agents=10, random_state=1).fit(samples)
    alone = NMF(n_components=25, random_state=1, tol=0, max_iter=50).fit(samples)

    figure = plt.figure(figsize=(11, 5.2), constrained_layout=True)
    left, middle, right = figure.subfigures(1, 3, width_ratios=[1.25, 0.9, 1.1])
    left.suptitle("25 common components", color=INK)
    for axes, component in zip(left.subplots(5, 5).ravel(), network.components_):
        picture(axes, component, side)

    middle.suptitle("pictures, and as 25 parts", color=INK)
    few = samples[:: len(samples) // 5][:5]
    again = network.inverse_transform(network.transform(few))
    for row, original, made in zip(middle.subplots(5, 2), few, again):
        picture(row[0], original, side, "gray")
        picture(row[1], np.clip(made, 0, None), side, "gray")

    axes = right.subplots()
    bare(axes)
    axes.plot(alone.history_["iteration"], alone.history_["relative_error"], color=QUIET, linewidth=5, label="one machine with all pictures")
    axes.plot(network.history_["rounds"], network.history_["relative_error"], color=ACCENT, label="ten agents, masked sums")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("rounds, or iterations")
    axes.set_ylabel("relative error")
    axes.legend(frameon=False)
    right.suptitle(f"{network.run_['bytes_sent'] / 1e6:.1f} MB sent by all agents", color=INK)
    save(figure, chosen.out / "faces.png")


if __name__ == "__main__":
    main()
