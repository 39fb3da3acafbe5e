"""scikit-learn's own tests of NMF that apply, run against ours, and its objective: ours at most its value."""

import copy
from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.decomposition import NMF as TheirNMF

from ppdnmf import NMF, DistributedNMF
from support import low_rank

theirs = pytest.importorskip("sklearn.decomposition.tests.test_nmf")

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]

LOSSES = ["frobenius", "kullback-leibler"]

# Their other tests, and why they are not run here.
NOT_RUN = {
    "there is no MiniBatchNMF here": [
        "mbnmf_inverse_transform", "minibatch_nmf_negative_beta_loss", "minibatch_nmf_partial_fit", "minibatch_nmf_transform",
        "minibatch_nmf_verbose", "nmf_minibatchnmf_equivalence",
    ],
    "they are about private functions": [
        "beta_divergence", "initialize_close", "initialize_nn_output", "initialize_variants", "nmf_underflow", "special_sparse_dot",
    ],
    "there is no function non_negative_factorization here": [
        "nmf_decreasing", "nmf_multiplicative_update_sparse", "non_negative_factorization_checking",
        "non_negative_factorization_consistency",
    ],
    "there are no starts from an SVD, and 'cd' has the divergence": ["nmf_fit_close", "parameter_checking"],
    "results are float64, whatever comes in": ["nmf_custom_init_dtype_error", "nmf_dtype_match"],
    "there are no other losses": ["nmf_negative_beta_loss"],
    "the warning has other words": ["convergence_warning"],
    "it compares with exact zeros, and entries have a floor under the divergence": ["nmf_true_reconstruction"],
}


class Ours(NMF):
    """With their two solvers: 'mu' is how they minimise the divergence."""

    def __init__(
        self, n_components=None, *, init=None, solver="cd", tol=1e-4, max_iter=200, random_state=None, alpha_W=0.0,
        alpha_H="same", l1_ratio=0.0,
    ):
        super().__init__(
            n_components, init=init, solver="cd", beta_loss=LOSSES[solver == "mu"], tol=tol, max_iter=max_iter,
            random_state=random_state, alpha_W=alpha_W, alpha_H=alpha_H, l1_ratio=l1_ratio,
        )


SOLVERS = [{"solver": "cd"}, {"solver": "mu"}]


@pytest.mark.parametrize("alpha_H", [0.0, 1.0, "same"])
@pytest.mark.parametrize("alpha_W", [0.0, 1.0])
@pytest.mark.parametrize("init", [None, "random"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_factors_are_nonnegative(solver, init, alpha_W, alpha_H):
    theirs.test_nmf_fit_nn_output(Ours, solver, init, alpha_W, alpha_H)


@pytest.mark.parametrize("alpha_H", [0.0, 1.0, "same"])
@pytest.mark.parametrize("alpha_W", [0.0, 1.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_samples_are_those_written_out(monkeypatch, solver, alpha_W, alpha_H):
    monkeypatch.setattr(theirs, "clone", copy.deepcopy)  # Ours does not keep its arguments as they are
    theirs.test_nmf_sparse_input(Ours, solver, alpha_W, alpha_H)


@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_samples_can_be_transformed(solver):
    theirs.test_nmf_sparse_transform(Ours, solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_custom_starts_can_be_transformed_with(solver):
    theirs.test_nmf_transform_custom_init(Ours, solver)


@pytest.mark.parametrize("solver", SOLVERS)
def test_float32_and_float64_agree(solver):
    theirs.test_nmf_float32_float64_consistency(Ours, solver)


@pytest.mark.parametrize("alpha_H", [0.0, 1.0, "same"])
@pytest.mark.parametrize("alpha_W", [0.0, 1.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_samples_are_as_dense_ones(monkeypatch, solver, alpha_W, alpha_H):
    monkeypatch.setattr(theirs, "clone", copy.deepcopy)  # theirs would make 'cd' of 'mu'
    theirs.test_nmf_sparse_input(Ours, solver, alpha_W, alpha_H)


@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_samples_can_be_transformed(solver):
    theirs.test_nmf_sparse_transform(Ours, solver)


def test_more_components_than_features():
    theirs.test_n_components_greater_n_features(NMF)


def test_penalties_do_what_they_are_for():
    theirs.test_nmf_regularization(NMF, {"solver": "cd"})


@pytest.mark.parametrize("solver", ["cd", "mu"])
@pytest.mark.parametrize("name", ["test_nmf_transform", "test_nmf_inverse_transform"])
def test_transforms(monkeypatch, name, solver):
    monkeypatch.setattr(theirs, "NMF", Ours)
    getattr(theirs, name)(solver)


def test_names_of_features(monkeypatch):
    monkeypatch.setattr(theirs, "NMF", NMF)
    theirs.test_feature_names_out()


def test_every_test_of_theirs_is_run_or_has_a_reason():
    if not sklearn.__version__.startswith("1.2."):
        pytest.skip("the list of their tests is that of scikit-learn 1.2")
    here = Path(__file__).read_text()
    left_out = {f"test_{name}" for names in NOT_RUN.values() for name in names}
    for name in (name for name in dir(theirs) if name.startswith("test_")):
        run = f"theirs.{name}" in here or f'"{name}"' in here
        assert run != (name in left_out), name


def objective(model, X, W):
    H = model.components_
    R = W @ H
    if model.beta_loss == "frobenius":
        loss = 0.5 * np.sum((X - R) ** 2)
    else:
        loss = np.sum(X * np.log(np.where(X > 0, X, 1) / np.maximum(R, 1e-300))) - X.sum() + R.sum()
    n_samples, n_features = X.shape
    alpha_H = model.alpha_W if model.alpha_H == "same" else model.alpha_H
    ratio = model.l1_ratio
    on_W = model.alpha_W * n_features * (ratio * np.abs(W).sum() + (1 - ratio) / 2 * np.sum(W**2))
    on_H = alpha_H * n_samples * (ratio * np.abs(H).sum() + (1 - ratio) / 2 * np.sum(H**2))
    return loss + on_W + on_H


@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("alpha_W, alpha_H", [(0.0, "same"), (0.01, "same"), (0.02, 0.002)])
@pytest.mark.parametrize("beta_loss", LOSSES)
def test_the_median_of_five_seeds_is_at_most_theirs(beta_loss, alpha_W, alpha_H, l1_ratio):
    if alpha_W == 0 and l1_ratio > 0:
        pytest.skip("without penalties there is nothing to divide")
    X = low_rank(60, 25, 5, noise=0.2)
    values = {NMF: [], TheirNMF: []}
    for seed in range(5):
        for kind, solver in ((NMF, "cd"), (TheirNMF, "cd" if beta_loss == "frobenius" else "mu")):
            model = kind(
                5, init="random", solver=solver, beta_loss=beta_loss, tol=0, max_iter=500, random_state=seed, alpha_W=alpha_W,
                alpha_H=alpha_H, l1_ratio=l1_ratio,
            )
            values[kind].append(objective(model, X, model.fit_transform(X)))
    assert np.median(values[NMF]) <= np.median(values[TheirNMF]) * (1 + 1e-6)


@pytest.mark.parametrize("beta_loss", LOSSES)
def test_known_components_stay_and_the_others_are_found(beta_loss):
    pandas = pytest.importorskip("pandas")
    draw = np.random.default_rng(3)
    H = draw.random((5, 40)) ** 6
    X = pandas.DataFrame(50 * draw.random((200, 5)) ** 3 @ H, columns=[f"f{j}" for j in range(40)])
    known = pandas.DataFrame(H[:2], index=["SBS1", "SBS5"], columns=X.columns)[list(X.columns[::-1])]
    for model in (
        NMF(5, beta_loss=beta_loss, random_state=1, n_init=3, max_iter=300, tol=0, known=known),
        DistributedNMF(5, beta_loss=beta_loss, random_state=1, n_agents=4, n_init=3, max_iter=300, known=known),
    ):
        model.fit(X)
        assert np.array_equal(model.components_[:2], H[:2])
        found = model.components_[2:] / np.linalg.norm(model.components_[2:], axis=1, keepdims=True)
        cosines = found @ (H[2:] / np.linalg.norm(H[2:], axis=1, keepdims=True)).T
        assert cosines.max(axis=0).min() > 0.98
        assert model.run_["components"][:2] == ["SBS1", "SBS5"]
    with pytest.raises(ValueError, match="2 known components, more than n_components=1"):
        NMF(1, known=H[:2]).fit(X)
    with pytest.raises(ValueError, match="known has 39 features"):
        NMF(5, known=H[:2, :39]).fit(X)


def test_penalties_of_a_network_are_those_of_one_machine():
    X = low_rank(60, 25, 3, noise=0.2)
    alone = NMF(3, random_state=1, tol=0, max_iter=60, alpha_W=0.01, l1_ratio=0.5).fit(X)
    on_W, on_H = 0.01 * 25 / 2, 0.01 * 60 / 2
    network = DistributedNMF(3, random_state=1, max_iter=60, l1_y=on_W, l2_y=on_W, l1_x=on_H, l2_x=on_H).fit(X)
    np.testing.assert_allclose(network.components_, alone.components_, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(network.transform(X), alone.transform(X), rtol=1e-5, atol=1e-5)
