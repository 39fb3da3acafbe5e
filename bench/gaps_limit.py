#!/usr/bin/env python3
"""What can be reached where entries are missing, by whoever knows more than data tell. Needs numpy and scipy; minutes.

    bench/gaps_limit.py [--rows 30] [--columns 200] [--rank 4] [--uneven] [--seeds 3] [--noise 0.1]

The data are those of bench/gaps.py. For 10, 30 and 50 % of the entries removed, medians over the seeds: the error on the
removed entries over that on the kept ones, and in brackets the error on the removed ones over the noise, of
- least squares from a random start, and begun at the true factors: are there better minima than ours?
- the mean of the posterior (Gibbs sampling) by one who knows the noise and how the factors were drawn: nothing else
  predicts the removed entries with a smaller expected squared error. Where its ratio is above the limit
  1.05 sqrt((1 + p/n) / (1 - p/n)), that limit is out of reach for any good prediction;
- the same by one who is told the true X besides.
"""
import argparse

import numpy as np
from gaps import made, root_mean_square
from scipy.stats import truncnorm


def grams(X, W):
    """For every column of W the Gram matrix of the rows of X that it has."""
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    return (W.T @ products).reshape(-1, X.shape[1], X.shape[1])


def squares(G, S, y, sweeps=20):
    """Coordinate descent of y' G y / 2 - S y over y >= 0, for all columns at once."""
    y = y.copy()
    for _ in range(sweeps):
        for k in range(y.shape[1]):
            g = np.maximum(G[:, k, k], 1e-12)
            y[:, k] = np.maximum(y[:, k] + (S[:, k] - np.einsum("mj,mj->m", G[:, k], y)) / g, 0)
    return y


def least_squares(Z, W, X, rounds=100):
    Y = np.zeros((X.shape[1], Z.shape[1]))
    for _ in range(rounds):
        Y = squares(grams(X, W), (Z * W).T @ X, Y.T).T
        X = squares(grams(Y.T, W.T), (Z * W) @ Y.T, X)
    return X @ Y


def sample(draw, y, G, S, variance, uneven):
    """One sweep: from the normal that the data say, truncated; accepted as the factors' own distribution says."""
    log_prior = (lambda v: -0.5 * np.log(v) - v) if uneven else (lambda v: np.where(v <= 1, 0, -np.inf))
    for k in range(y.shape[1]):
        g = np.maximum(G[:, k, k], 1e-12)
        mean = y[:, k] + (S[:, k] - np.einsum("mj,mj->m", G[:, k], y)) / g
        deviation = np.sqrt(variance / g)
        high = np.inf if uneven else (1 - mean) / deviation
        new = np.maximum(mean + deviation * truncnorm.rvs(-mean / deviation, high, random_state=draw), 1e-12)
        taken = np.isfinite(new) & (np.log(draw.random(len(y))) < log_prior(new) - log_prior(y[:, k]))
        y[:, k] = np.where(taken, new, y[:, k])
    return y


def posterior(Z, W, X, Y, variance, uneven, known_X, sweeps=300):
    draw = np.random.default_rng(0)
    X, Y, mean = np.maximum(X, 1e-12), np.maximum(Y, 1e-12), 0
    for n in range(sweeps):
        Y = sample(draw, Y.T.copy(), grams(X, W), (Z * W).T @ X, variance, uneven).T
        if not known_X:
            X = sample(draw, X.copy(), grams(Y.T, W.T), (Z * W) @ Y.T, variance, uneven)
        if n >= sweeps // 3:
            mean = mean + X @ Y / (sweeps - sweeps // 3)
    return mean


def one(seed, part, options):
    Z, draw, X, Y = made(seed, options.rows, options.columns, options.rank, options.uneven, options.noise, factors=True)
    W = (draw.random(Z.shape) >= part).astype(float)
    noise = options.noise * (X @ Y).mean()
    found = [
        least_squares(Z, W, np.random.default_rng(seed).random(X.shape)),
        least_squares(Z, W, X),
        posterior(Z, W, X, Y, noise**2, options.uneven, False),
        posterior(Z, W, X, Y, noise**2, options.uneven, True),
    ]
    removed = [root_mean_square((Z - R)[W == 0]) for R in found]
    kept = [root_mean_square((Z - R)[W == 1]) for R in found]
    share = options.rank * (options.rows + options.columns - options.rank) / W.sum()
    limit = 1.05 * np.sqrt((1 + share) / (1 - share))
    return [limit] + [value for r, k in zip(removed, kept) for value in (r / k, r / noise)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("rows", 30), ("columns", 200), ("rank", 4), ("seeds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--uneven", action="store_true")
    options = parser.parse_args()
    print("removed  limit  from random    from the truth  posterior      posterior, X known")
    for part in (0.1, 0.3, 0.5):
        v = np.median([one(seed, part, options) for seed in range(1, options.seeds + 1)], axis=0)
        print(f"{part:7.0%}  {v[0]:.3f}  " + "  ".join(f"{v[i]:.3f} ({v[i + 1]:.3f})" for i in range(1, len(v), 2)), flush=True)


if __name__ == "__main__":
    main()
