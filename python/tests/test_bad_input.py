"""Bad input gets scikit-learn's kind of error, with a sentence."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from ppdnmf import NMF, DistributedNMF
from support import low_rank

X = low_rank(20, 6, 2)
BOTH = pytest.mark.parametrize("make", [NMF, DistributedNMF])


def altered(value):
    bad = X.copy()
    bad[3, 2] = value
    return bad


@BOTH
@pytest.mark.parametrize(
    "data, words",
    [
        (altered(-1.0), "Negative values"),
        (altered(np.nan), "NaN"),
        (altered(np.inf), "infinity"),
        (np.zeros((0, 6)), "0 sample"),
        (np.zeros((5, 0)), "0 feature"),
        (X[0], "1D array"),
        (X[None], "dim 3"),
        ([["a", "b"], ["c", "d"]], "could not convert string"),
        (np.zeros((5, 6)), "all entries are zero"),
        (1e200 * X, "choose a unit"),
    ],
    ids=["negative", "nan", "infinite", "no samples", "no features", "1-D", "3-D", "strings", "zero", "huge"],
)
def test_data_that_cannot_be_factorised(make, data, words):
    with pytest.raises(ValueError, match=words):
        make(n_components=2, random_state=0).fit(data)


@BOTH
@pytest.mark.parametrize(
    "data, words",
    [
        (-X, "Negative values"),
        (np.where(X > 0.5, np.nan, X), "NaN"),
        (np.where(X > 0.5, np.inf, X), "infinity"),
        (0 * X, "all entries are zero"),
    ],
    ids=["negative", "nan", "infinite", "zero"],
)
def test_sparse_data_that_cannot_be_factorised(make, data, words):
    with pytest.raises(ValueError, match=words):
        make(n_components=2, random_state=0).fit(sparse.csr_matrix(data))


@BOTH
def test_missing_entries_need_dense_samples(make):
    with pytest.raises(ValueError, match="missing entries need dense samples"):
        make(n_components=2, missing="nan").fit(sparse.csr_matrix(np.where(X > 0.9, np.nan, X)))


@BOTH
@pytest.mark.parametrize(
    "options, words",
    [
        ({"n_components": 0}, "n_components must be at least 1, not 0"),
        ({"n_components": -2}, "at least 1"),
        ({"n_components": 2.5}, "whole number"),
        ({"n_components": "many"}, "whole number"),
        ({"n_components": 101}, "rank 101 is larger than the data allow: 6 rows and 20 columns give at most 100"),
        ({"max_iter": 0}, "max_iter must be (at least 1|a whole number from 1 to)"),
        ({"tol": -1}, r"tol must be (a number )?in \[0, 1\)"),
        ({"tol": "small"}, "tol must be a number"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": "seed"}, "seed"),
    ],
)
def test_arguments_of_both(make, options, words):
    with pytest.raises(ValueError, match=words):
        make(**{"n_components": 2, **options}).fit(X)


@pytest.mark.parametrize(
    "options",
    [
        {"init": "nndsvd"},
        {"solver": "mu"},
        {"beta_loss": "itakura-saito"},
        {"beta_loss": 0},
        {"beta_loss": "kullback-leibler", "solver": "admm"},
        {"alpha_W": 0.1, "solver": "admm"},
        {"known": X[:1], "solver": "admm"},
        {"shuffle": True},
    ],
    ids=lambda options: next(iter(options)),
)
def test_what_nmf_does_not_offer_is_said(options):
    with pytest.raises(ValueError, match="not offered"):
        NMF(n_components=2, **options).fit(X)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"n_agents": 0}, "n_agents must be at least 1"),
        ({"topology": "torus"}, "torus"),
        ({"topology": [(0, 1)]}, "connected|reach"),
        ({"topology": [(0, 99)]}, "99"),
        ({"topology": [(0, 1, 2)]}, "pairs of agents"),
        ({"topology": 5}, "pairs of agents"),
        ({"topology": [(0, -1)]}, "an agent in topology"),
        ({"scheme": "open"}, "scheme must be one of"),
        ({"updates": "better"}, "updates must be one of"),
        ({"cipher": "rot13"}, "cipher must be one of"),
        ({"scheme": "hardened", "key_bits": 1000}, "1000"),
        ({"key_profile": "slow"}, "key_profile must be one of"),
        ({"init": "zeros"}, "init must be one of"),
        ({"n_jobs": 0}, "n_jobs must be at least 1"),
        ({"n_init": 0}, "n_init must be a whole number from 1 to"),
        ({"n_init": 2, "scheme": "hardened"}, "n_init=2 has no meaning for scheme='hardened': leave it out, or choose scheme='sum'"),
        ({"n_init": 2, "init": "ones"}, "would repeat the same start"),
        ({"updates": "as-printed"}, "updates='as-printed' has no meaning for scheme='sum'"),
    ],
)
def test_arguments_of_the_network(options, words):
    with pytest.raises(ValueError, match=words):
        DistributedNMF(**{"n_components": 2, "max_iter": 2, **options}).fit(X)


@pytest.mark.parametrize(
    "options, start, words",
    [
        ({}, {}, "needs the first components"),
        ({}, {"H": np.ones((3, 6))}, r"H has the shape \(3, 6\), but must have \(2, 6\)"),
        ({}, {"H": np.ones((2, 6)), "W": np.ones((3, 2))}, r"W has the shape \(3, 2\), but must have \(20, 2\)"),
        ({}, {"H": -np.ones((2, 6))}, "Negative"),
        ({}, {"H": np.full((2, 6), np.nan)}, "NaN"),
        ({}, {"H": np.zeros((2, 6))}, "not all zero"),
        ({"init": "random"}, {"H": np.ones((2, 6))}, "init='custom'"),
        ({"n_init": 2}, {"H": np.ones((2, 6))}, "several starts"),
        ({"n_init": 2, "solver": "admm", "init": None}, {}, "several starts"),
    ],
)
def test_starts_that_do_not_fit(options, start, words):
    with pytest.raises(ValueError, match=words):
        NMF(**{"n_components": 2, "init": "custom", **options}).fit(X, **start)


def test_groups_that_do_not_fit():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        DistributedNMF(n_components=2).fit(X, groups=[0, 1] * 9)
    with pytest.raises(ValueError, match="one agent only"):
        DistributedNMF(n_components=2).fit(X, groups=np.zeros(20))
    with pytest.raises(ValueError, match="array 1 has 5 features"):
        DistributedNMF(n_components=2).fit([X, X[:, :5]])
    with pytest.raises(ValueError, match="groups cannot be given"):
        DistributedNMF(n_components=2).fit([X, X], groups=[0] * 40)


@BOTH
def test_before_and_beside_a_fit(make):
    for method in ("transform", "inverse_transform", "score"):
        with pytest.raises(NotFittedError):
            getattr(make(n_components=2), method)(X)
    model = make(n_components=2, random_state=0, max_iter=5, tol=0).fit(X)
    with pytest.raises(ValueError, match="5 features"):
        model.transform(X[:, :5])
    with pytest.raises(ValueError, match="Negative"):
        model.transform(altered(-1))
    with pytest.raises(ValueError, match="W has 3 columns"):
        model.inverse_transform(np.ones((4, 3)))
    with pytest.raises(ValueError, match="callback"):
        make(n_components=2).fit(X, callback=3)


@pytest.mark.parametrize("changed, words", [
    ({"epsilon": None}, "is for private runs: add epsilon"),
    ({"delta": None}, "needs delta"),
    ({"normalise": None}, "needs normalise"),
    ({"normalise": "max"}, "normalise"),
    ({"epsilon": "much"}, "epsilon"),
    ({"epsilon": -1}, "epsilon"),
    ({"epsilon": float("nan")}, "epsilon"),
    ({"epsilon": 0}, "epsilon"),
    ({"delta": 0.1}, "delta"),
    ({"epsilon": 0.001}, "columns"),
    ({"assume_honest": 0}, "assume_honest"),
    ({"assume_honest": 9}, "honest"),
    ({"scheme": "hardened"}, "scheme='sum'"),
    ({"cipher": "none"}, "masks"),
    ({"n_init": 2}, "n_init"),
    ({"tol": 1e-3}, "tol"),
])
def test_private_runs(changed, words):
    samples = np.random.default_rng(1).random((900, 6))
    private = {"n_agents": 3, "epsilon": 8, "delta": 1e-6, "normalise": "l2"}
    with pytest.raises(ValueError, match=words):
        DistributedNMF(n_components=2, random_state=1, **{**private, **changed}).fit(samples)
