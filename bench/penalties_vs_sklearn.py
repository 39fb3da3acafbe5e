#!/usr/bin/env python3
"""Penalties: the minimum that is found against scikit-learn's of the same objective, on many random cases.

    PYTHONPATH=build/python bench/penalties_vs_sklearn.py [--cases 100] [--seeds 5] [--iterations 500]

A case is a shape, a kind of data (uniform, gamma or counts), a loss, two alphas and an l1_ratio, drawn from its number. Of
each: the median objective over the seeds, ours over scikit-learn's ('cd', or 'mu' for the divergence), and the components
that are left in each of our runs. Then how these ratios are distributed, and the same of scikit-learn with other seeds over
scikit-learn: what the luck of a start is worth.
"""
import argparse
import os
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402
from sklearn.decomposition import NMF as TheirNMF  # noqa: E402

from ppdnmf import NMF  # noqa: E402

LOSSES = ("frobenius", "kullback-leibler")


def data(draw):
    samples, features, rank, kind = draw.integers(15, 90), draw.integers(10, 50), draw.integers(2, 7), draw.integers(3)
    if kind == 0:
        X = draw.random((samples, rank)) @ draw.random((rank, features)) + draw.uniform(0, 0.5) * draw.random((samples, features))
    elif kind == 1:
        X = draw.gamma(0.4, 1, (samples, rank)) @ draw.gamma(0.4, 1, (rank, features)) + 0.05 * draw.random((samples, features))
    else:
        X = draw.poisson(10 * draw.gamma(0.5, 1, (samples, rank)) @ draw.random((rank, features)) ** 3).astype(float)
    X = X[X.sum(axis=1) > 0]
    return X[:, X.sum(axis=0) > 0]


def case(number):
    """Data, and the arguments that both estimators have."""
    draw = np.random.default_rng(number)
    X = data(draw)
    loss = LOSSES[draw.integers(2)]
    size = X.mean() if loss == "frobenius" else 1
    alpha_W = 10 ** draw.uniform(-3.5, -1) * size
    alpha_H = "same" if draw.random() < 0.5 else 10 ** draw.uniform(-3.5, -1) * size
    ratio = draw.choice([0.0, 0.2, 0.5, 0.8, 1.0, 1.0])
    return X, {"n_components": int(draw.integers(2, 9)), "beta_loss": loss, "alpha_W": alpha_W, "alpha_H": alpha_H, "l1_ratio": ratio}


def objective(model, X, W):
    H = model.components_
    R = W @ H
    if model.beta_loss == "frobenius":
        loss = 0.5 * np.sum((X - R) ** 2)
    else:
        loss = np.sum(X * np.log(np.where(X > 0, X, 1) / np.maximum(R, 1e-300))) - X.sum() + R.sum()
    alpha_H = model.alpha_W if model.alpha_H == "same" else model.alpha_H
    on = lambda weight, A: weight * (model.l1_ratio * A.sum() + (1 - model.l1_ratio) / 2 * np.sum(A**2))
    return loss + on(model.alpha_W * X.shape[1], W) + on(alpha_H * X.shape[0], H)


def values(kind, X, common, seeds, iterations):
    """The objective for every seed, and how many components are left."""
    solver = "cd" if kind is NMF or common["beta_loss"] == "frobenius" else "mu"
    found, left = [], []
    for seed in seeds:
        model = kind(init="random", solver=solver, tol=0, max_iter=iterations, random_state=seed, **common)
        found.append(objective(model, X, model.fit_transform(X)))
        left.append(int((model.components_.sum(axis=1) > 0).sum()))
    return np.array(found), left


def say(title, ratios):
    ratios = np.array(ratios)
    quantiles = " ".join(f"{q:.4f}" for q in np.quantile(ratios, [0, 0.1, 0.5, 0.9, 1]))
    print(f"{title}: smallest, tenth, median, nine tenths, largest {quantiles}; above 1: {(ratios > 1 + 1e-6).sum()} of {len(ratios)}, "
          f"above 1.001: {(ratios > 1.001).sum()}, above 1.01: {(ratios > 1.01).sum()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("cases", 100), ("seeds", 5), ("iterations", 500)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    ours, luck = [], []
    for number in range(options.cases):
        X, common = case(number)
        mine, left = values(NMF, X, common, range(options.seeds), options.iterations)
        theirs, _ = values(TheirNMF, X, common, range(2 * options.seeds), options.iterations)
        first, second = np.median(theirs[: options.seeds]), np.median(theirs[options.seeds :])
        ours.append(np.median(mine) / first)
        luck.append(second / first)
        print(f"{number:4d} {X.shape[0]:3d} x {X.shape[1]:2d} {common['beta_loss']:16} rank {common['n_components']} l1_ratio {common['l1_ratio']:.1f} "
              f"ratio {ours[-1]:.5f} left {left}", flush=True)
    say("ours over scikit-learn's", ours)
    say("scikit-learn's, other seeds", luck)


if __name__ == "__main__":
    main()
