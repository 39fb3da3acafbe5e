"""Sparse samples: the same results as of the same array, to the bit, from where they lie."""

import numpy as np
import pytest
from scipy import sparse

from ppdnmf import NMF, DistributedNMF, _core
from ppdnmf._base import lent


def counts(n_samples=150, n_features=90, density=0.08, seed=1):
    draw = np.random.default_rng(seed)
    low = draw.gamma(0.3, size=(n_samples, 4)) @ draw.gamma(0.3, size=(4, n_features))
    return draw.poisson(low / low.mean() * density) * (draw.random((n_samples, n_features)) < 0.7) * 1.5


X = counts()


def same_fit(make, data, **params):
    dense = make().fit(X, **params)
    other = make().fit(data, **params)
    np.testing.assert_array_equal(other.components_, dense.components_)
    np.testing.assert_array_equal(other.transform(data), dense.transform(X))
    assert other.reconstruction_err_ == dense.reconstruction_err_
    assert other.score(data) == dense.score(X)
    np.testing.assert_array_equal(other.history_["relative_error"], dense.history_["relative_error"])
    return other


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array])
def test_every_format_gives_the_bytes_of_the_array(kind):
    same_fit(lambda: NMF(3, random_state=1, max_iter=30, tol=0), kind(X))


@pytest.mark.parametrize(
    "options",
    [
        {"beta_loss": "kullback-leibler"},
        {"normalise": "l1"},
        {"normalise": "l2"},
        {"cap": 0.8},
        {"alpha_W": 0.01, "l1_ratio": 0.5},
        {"solver": "admm"},
        {"n_jobs": 1},
    ],
    ids=lambda options: "-".join(options),
)
def test_every_option_gives_the_bytes_of_the_array(options):
    same_fit(lambda: NMF(3, random_state=2, max_iter=15, tol=0, **options), sparse.csr_matrix(X))


def test_sample_weights_and_exposures():
    weights = np.arange(len(X)) % 3
    model = same_fit(lambda: NMF(3, random_state=1, max_iter=15, tol=0), sparse.csr_matrix(X), sample_weight=weights)
    dense, other = model.exposures(X), model.exposures(sparse.csr_matrix(X))
    np.testing.assert_array_equal(other.W, dense.W)
    assert other.measures == dense.measures


def test_agents_with_sparse_samples():
    make = lambda: DistributedNMF(3, random_state=1, n_agents=3, max_iter=10)  # noqa: E731
    model = same_fit(make, sparse.csr_matrix(X))
    parts = make().fit([sparse.csr_matrix(X[:50]), sparse.csr_matrix(X[50:100]), sparse.csr_matrix(X[100:])])
    np.testing.assert_array_equal(parts.components_, model.components_)


def test_the_number_of_components_is_looked_for():
    make = lambda: NMF("auto", ranks=(2, 4), random_state=1, n_init=3)  # noqa: E731
    dense, other = make().fit(X), make().fit(sparse.csr_matrix(X))
    np.testing.assert_array_equal(other.components_, dense.components_)


def test_untidy_matrices_are_copied_and_left_as_they_are():
    tidy = sparse.csr_matrix(X)
    row = np.repeat(np.arange(X.shape[0]), np.diff(tidy.indptr))
    halves = sparse.coo_matrix((np.tile(tidy.data / 2, 2), (np.tile(row, 2), np.tile(tidy.indices, 2))), X.shape)
    untidy = sparse.csr_matrix((halves.data[::-1], (halves.row[::-1], halves.col[::-1])), X.shape)
    twice = sparse.csr_matrix(
        (np.concatenate([tidy.data[:3] * 0, tidy.data]), np.concatenate([[80, 81, 82], tidy.indices]), np.concatenate([[0], tidy.indptr[1:] + 3])),
        X.shape,
    )
    for data in (untidy, twice):
        before = data.data.copy(), data.indices.copy()
        same_fit(lambda: NMF(3, random_state=1, max_iter=5, tol=0), data)
        np.testing.assert_array_equal(data.data, before[0])
        np.testing.assert_array_equal(data.indices, before[1])


def test_entries_are_lent_not_copied():
    data = sparse.csr_matrix(X)
    references = __import__("sys").getrefcount(data.data)
    held = lent(data)
    assert __import__("sys").getrefcount(data.data) > references
    del held


@pytest.mark.parametrize(
    "indptr, indices, words",
    [
        ([0, 1], [0, 1], "end with their entries"),
        ([1, 2], [0, 1], "rise from 0"),
        ([0, 2, 1], [0, 1], "rise from 0"),
        ([0, 2], [0, 5], "beyond"),
        ([0, 2], [1, 1], "out of order"),
        ([0, 2], [-1, 1], "beyond"),
        ([0, 2], [0], "fit together"),
    ],
)
def test_lying_arrays_are_refused(indptr, indices, words):
    with pytest.raises(ValueError, match=words):
        _core.SparseSamples(np.array(indptr), np.array(indices, np.int32), np.ones(2), 5)
