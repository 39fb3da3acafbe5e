"""What NMF promises: shapes, signs, errors, starts, stopping."""

import warnings

import numpy as np
import pytest
from sklearn.decomposition import NMF as TheirNMF
from sklearn.exceptions import ConvergenceWarning

from ppdnmf import NMF
from support import low_rank, relative_error

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(50, 12), (12, 50)])
def test_shapes_signs_and_attributes(shape, order):
    X = np.array(low_rank(*shape, 4, noise=0.05), order=order)
    model = NMF(n_components=4, random_state=0)
    W = model.fit_transform(X)
    assert W.shape == (shape[0], 4) and model.components_.shape == (4, shape[1])
    assert W.dtype == model.components_.dtype == np.float64
    assert W.min() >= 0 and model.components_.min() >= 0
    assert (model.n_components_, model.n_features_in_) == (4, shape[1])
    assert model.n_iter_ == len(model.history_["iteration"]) >= 1
    assert model.reconstruction_err_ == pytest.approx(np.linalg.norm(X - W @ model.components_), rel=1e-10)


def test_transform_of_the_training_data_is_what_fit_transform_gave():
    X = low_rank(60, 15, 5, noise=0.1)
    model = NMF(n_components=5, random_state=0)
    W = model.fit_transform(X)
    np.testing.assert_allclose(model.transform(X), W, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(NMF(n_components=5, random_state=0).fit(X).transform(X), W, rtol=1e-9, atol=1e-12)


def test_transform_is_the_best_nonnegative_coordinates():
    from scipy.optimize import nnls

    model = NMF(n_components=4, random_state=0).fit(low_rank(40, 10, 4))
    new = np.random.default_rng(5).random((6, 10))
    W = model.transform(new)
    for row, sample in zip(W, new):
        np.testing.assert_allclose(row, nnls(model.components_.T, sample)[0], rtol=1e-6, atol=1e-9)


def test_transform_of_many_samples_is_that_of_each():
    # More samples than are solved at a time.
    model = NMF(n_components=3, random_state=0).fit(low_rank(40, 6, 3))
    new = np.random.default_rng(5).random((10001, 6))
    np.testing.assert_allclose(model.transform(new)[[0, 4095, 4096, 10000]], model.transform(new[[0, 4095, 4096, 10000]]))


def test_inverse_transform_is_the_product():
    X = low_rank(30, 8, 3)
    model = NMF(n_components=3, random_state=0, tol=0, max_iter=500)
    W = model.fit_transform(X)
    np.testing.assert_allclose(model.inverse_transform(W), W @ model.components_)
    assert relative_error(X, model.inverse_transform(W), np.eye(8)) < 0.01


def test_data_of_the_rank_are_explained():
    X = low_rank(50, 20, 3)
    model = NMF(n_components=3, random_state=1, tol=0, max_iter=1000)
    assert relative_error(X, model.fit_transform(X), model.components_) < 1e-3


def test_errors_are_those_of_scikit_learn():
    X = low_rank(80, 30, 6, noise=0.3)
    ours = min(NMF(n_components=5, random_state=s, tol=0, max_iter=500).fit(X).reconstruction_err_ for s in range(3))
    theirs = min(
        TheirNMF(n_components=5, init="random", random_state=s, tol=0, max_iter=500).fit(X).reconstruction_err_
        for s in range(3)
    )
    assert ours < 1.01 * theirs


def test_without_a_number_of_components_there_are_as_many_as_features():
    assert NMF(random_state=0, max_iter=5).fit(low_rank(20, 4, 2)).n_components_ == 4


def test_other_types_of_numbers_become_float64():
    counts = np.random.default_rng(0).poisson(3, size=(20, 6))
    expected = NMF(n_components=2, random_state=0).fit_transform(counts.astype(float))
    for other in (counts, counts.tolist(), counts.astype(np.float32), counts.astype(np.uint8)):
        assert NMF(n_components=2, random_state=0).fit_transform(other).tobytes() == expected.tobytes()


def test_an_unusual_layout_is_read_as_what_it_is():
    X = low_rank(40, 12, 3)
    expected = NMF(n_components=2, random_state=0).fit_transform(np.ascontiguousarray(X[::-2, 1::3]))
    assert NMF(n_components=2, random_state=0).fit_transform(X[::-2, 1::3]).tobytes() == expected.tobytes()


def test_a_custom_start_is_begun_with():
    X = low_rank(40, 10, 3, noise=0.1)
    first = NMF(n_components=3, random_state=0, tol=0, max_iter=30).fit(X)
    H = first.components_.copy()
    W = first.transform(X)
    again = NMF(n_components=3, init="custom", tol=0, max_iter=1)
    again.fit(X, H=H, W=W)
    assert again.reconstruction_err_ <= first.reconstruction_err_ * 1.01
    assert np.array_equal(H, first.components_)  # not written to
    assert again.reconstruction_err_ < NMF(n_components=3, random_state=0, tol=0, max_iter=1).fit(X).reconstruction_err_


def test_several_starts_end_no_worse_than_one():
    X = low_rank(60, 20, 6, seed=3) ** 4
    one = [NMF(6, random_state=s, tol=0, max_iter=150).fit(X).reconstruction_err_ for s in range(4)]
    some = [NMF(6, random_state=s, tol=0, max_iter=150, n_init=5).fit(X).reconstruction_err_ for s in range(4)]
    assert max(some) < max(one)


def test_the_papers_solver_is_there_to_compare_with():
    X = low_rank(40, 10, 3, noise=0.1)
    cd = NMF(3, random_state=0, tol=0, max_iter=50).fit(X)
    admm = NMF(3, random_state=0, tol=0, max_iter=50, solver="admm").fit(X)
    assert not np.array_equal(cd.components_, admm.components_)
    assert admm.reconstruction_err_ < 1.2 * cd.reconstruction_err_


def test_tol_ends_a_fit_and_max_iter_warns():
    X = low_rank(40, 10, 3, noise=0.1)
    loose = NMF(n_components=3, random_state=0, tol=1e-2, max_iter=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        loose.fit(X)
    assert loose.stopped_because_ == "tolerance"
    tight = NMF(n_components=3, random_state=0, tol=1e-6, max_iter=1000).fit(X)
    assert tight.n_iter_ > loose.n_iter_ and tight.reconstruction_err_ < loose.reconstruction_err_
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        short = NMF(n_components=3, random_state=0, max_iter=2).fit(X)
    assert (short.n_iter_, short.stopped_because_) == (2, "iterations")


def test_the_error_falls():
    history = NMF(n_components=3, random_state=0).fit(low_rank(40, 10, 3, noise=0.1)).history_
    assert history["relative_error"][-1] < history["relative_error"][0]
    assert np.all(np.diff(history["seconds"]) >= 0)


def counts(n_samples=60, n_features=15, rank=3):
    draw = np.random.default_rng(3)
    return draw.poisson(low_rank(n_samples, n_features, rank) * 8).astype(float)


def divergence(X, R):
    return np.where(X > 0, X * np.log(np.where(X > 0, X, 1) / R), 0).sum() - X.sum() + R.sum()


@pytest.mark.parametrize("loss", ["kullback-leibler", 1])
def test_the_divergence_is_at_most_what_scikit_learn_reaches(loss):
    X = counts()
    model = NMF(n_components=3, beta_loss=loss, random_state=1, tol=0, max_iter=100)
    W = model.fit_transform(X)
    ours = divergence(X, W @ model.components_)
    assert model.reconstruction_err_ == pytest.approx(np.sqrt(2 * ours), rel=1e-9)
    assert model.history_["loss"][-1] == pytest.approx(ours, rel=1e-3)
    theirs = TheirNMF(3, beta_loss="kullback-leibler", solver="mu", init="random", random_state=1, tol=0, max_iter=1000).fit(X)
    assert model.reconstruction_err_ <= 1.005 * theirs.reconstruction_err_
    np.testing.assert_allclose(model.transform(X), W, rtol=1e-5, atol=1e-8)
    assert divergence(X, W @ model.components_) <= model.history_["loss"][-1] * (1 + 1e-9)


def test_agents_minimise_the_divergence_too():
    from ppdnmf import DistributedNMF

    X = counts()
    one = NMF(n_components=3, beta_loss="kullback-leibler", random_state=1, tol=0, max_iter=40).fit(X)
    many = DistributedNMF(3, beta_loss="kullback-leibler", n_agents=4, random_state=1, max_iter=40).fit(X)
    np.testing.assert_allclose(many.history_["loss"], one.history_["loss"], rtol=1e-9)
    assert many.reconstruction_err_ == pytest.approx(one.reconstruction_err_, rel=1e-3)
    with pytest.raises(ValueError, match="beta_loss must be 'frobenius' or 'kullback-leibler', not 'itakura-saito'"):
        DistributedNMF(3, beta_loss="itakura-saito").fit(X)
    with pytest.raises(ValueError, match="beta_loss='kullback-leibler' has no meaning for scheme='hardened'"):
        DistributedNMF(3, beta_loss="kullback-leibler", scheme="hardened").fit(X)
