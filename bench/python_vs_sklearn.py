#!/usr/bin/env python3
"""ppdnmf.NMF against sklearn.decomposition.NMF (cd) to the same error, one thread each.

usage: PYTHONPATH=build/python python_vs_sklearn.py [--quick]

scikit-learn fits with its defaults (nndsvda, tol 1e-4, 200 iterations at most) and from random starts. Ours fits until its error is no larger
than the one scikit-learn ended with. Times are processor times of whole fit_transform calls: checks, copies, ours with its
exact coordinates at the end. Both get dense arrays; Reuters is sparse, so scikit-learn's time on the sparse matrix is shown, too.
"""
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.io import mmread
from sklearn.decomposition import NMF as Theirs

from ppdnmf import NMF as Ours

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MOST_ITERATIONS = 2000


def timed(call):
    begin = time.process_time()
    result = call()
    return time.process_time() - begin, result


def relative_error(X, model):
    return model.reconstruction_err_ / np.linalg.norm(X.data if hasattr(X, "tocsr") else X)


def compare(name, X, rank, sparse=None):
    print(f"{name}: {X.shape[0]} samples x {X.shape[1]} features, {rank} components", flush=True)
    for init in ("nndsvda", "random"):
        theirs = Theirs(rank, init=init, solver="cd", random_state=1)
        seconds, _ = timed(lambda: theirs.fit_transform(X))
        target = relative_error(X, theirs)
        ours = Ours(rank, tol=0, max_iter=MOST_ITERATIONS, random_state=1)
        own, _ = timed(lambda: ours.fit_transform(X, callback=lambda row: row["relative_error"] <= target))
        reached = relative_error(X, ours) <= target * (1 + 1e-9)
        print(f"  error {target:.5f}: scikit-learn ({init}, {theirs.n_iter_} iterations) {seconds:.2f} s, ours ({ours.n_iter_} "
              f"iterations) {own:.2f} s, ratio {own / seconds:.3f}{'' if reached else '  NOT REACHED'}", flush=True)
        if sparse is not None:
            again, _ = timed(lambda: Theirs(rank, init=init, solver="cd", random_state=1).fit_transform(sparse))
            print(f"    scikit-learn on the sparse matrix {again:.2f} s, ratio {own / again:.3f}", flush=True)


def main():
    warnings.simplefilter("ignore")
    faces = DATA / "cbcl_faces" / "faces_u8.npy"
    if faces.exists():
        compare("CBCL", np.ascontiguousarray(np.load(faces).T.astype(float)), 49)
    reuters = DATA / "reuters21578" / "reuters_top10_1000terms.mtx"
    if reuters.exists():
        documents = mmread(reuters).T.tocsr().astype(float)
        compare("Reuters", documents.toarray(), 10, documents)
    if "--quick" not in sys.argv:
        draw = np.random.default_rng(1)
        Z = draw.exponential(size=(20000, 30)) @ draw.exponential(size=(30, 2000))
        Z *= draw.uniform(0.5, 1.5, size=Z.shape)
        compare("synthetic", Z, 30)


if __name__ == "__main__":
    main()
