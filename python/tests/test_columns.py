"""Missing entries, weights and scale of samples."""

import numpy as np
import pytest

from ppdnmf import NMF, DistributedNMF
from support import low_rank

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X = low_rank(80, 12, 3, noise=0.02)
GONE = np.random.default_rng(1).random(X.shape) < 0.3


def alone(**options):
    return NMF(**{"n_components": 3, "random_state": 1, "tol": 0, "max_iter": 60, **options})


def together(**options):
    return DistributedNMF(**{"n_components": 3, "random_state": 1, "max_iter": 60, "n_agents": 4, **options})


@pytest.mark.parametrize("loss", ["frobenius", "kullback-leibler"])
def test_what_is_missing_is_found(loss):
    gappy = np.where(GONE, np.nan, X)
    for model in (alone(missing="nan", beta_loss=loss), together(missing="nan", beta_loss=loss)):
        W = model.fit_transform(gappy)
        assert np.isfinite(W).all() and np.isfinite(model.reconstruction_err_)
        R = W @ model.components_
        assert np.abs(R - X)[GONE].max() < 0.1
        np.testing.assert_allclose(model.transform(gappy), W, rtol=1e-6, atol=1e-9)
        assert np.isfinite(model.score(gappy))
    if loss == "frobenius":
        fit = alone(missing="nan").fit(gappy)
        R = fit.transform(gappy) @ fit.components_
        assert fit.reconstruction_err_ == pytest.approx(np.sqrt(((R - X)[~GONE] ** 2).sum()), rel=1e-9)


def test_transform_holds_coordinates_back_as_the_fit_does():
    draw = np.random.default_rng(5)
    few = draw.random((60, 3)) @ draw.random((3, 14))
    whole = few + 0.1 * few.mean() * draw.random(few.shape)
    gone = draw.random(few.shape) < 0.5
    gone[:, 0] = False
    gappy = np.where(gone, np.nan, whole)
    model = NMF(3, missing="nan", random_state=1, n_init=1)
    W = model.fit_transform(gappy)
    assert np.array_equal(model.transform(gappy), W)
    plain = NMF(3, init="custom", missing="nan").fit(whole, H=model.components_)
    plain.components_ = model.components_
    free = plain.transform(gappy)
    error = lambda W: np.sqrt(np.mean((W @ model.components_ - whole)[gone] ** 2))
    assert error(W) < 0.95 * error(free)
    network = DistributedNMF(3, n_agents=4, missing="nan", random_state=1).fit(gappy)
    for agent in network.agents_:
        assert np.allclose(agent.coordinates, network.transform(gappy)[agent.samples], rtol=1e-5, atol=1e-6 * W.max())


def test_a_mask_is_the_same_as_nan_whatever_it_hides():
    gappy = np.where(GONE, np.nan, X)
    expected = alone(missing="nan").fit(gappy)
    for hidden in (X, np.where(GONE, -7.0, X), gappy):
        masked = alone().fit(hidden, mask=GONE)
        assert masked.components_.tobytes() == expected.components_.tobytes()
        assert masked.transform(hidden, mask=GONE).tobytes() == expected.transform(gappy).tobytes()
    by_network = together(missing="nan").fit(X, mask=GONE)
    assert by_network.components_.tobytes() == together(missing="nan").fit(gappy).components_.tobytes()


def test_bad_gaps_get_a_sentence():
    gappy = np.where(GONE, np.nan, X)
    with pytest.raises(ValueError, match="NaN"):
        alone().fit(gappy)
    with pytest.raises(ValueError, match="missing must be one of"):
        alone(missing="zero").fit(X)
    with pytest.raises(ValueError, match="mask must be an array of booleans"):
        alone().fit(X, mask=GONE[:3])
    with pytest.raises(ValueError, match="where the mask has an entry"):
        alone().fit(gappy, mask=np.zeros_like(GONE))
    with pytest.raises(ValueError, match="missing='nan'"):
        together().fit(X, mask=GONE)
    with pytest.raises(ValueError, match="solver='admm'"):
        alone(solver="admm", missing="nan").fit(gappy)
    with pytest.raises(ValueError, match="Negative"):
        alone(missing="nan").fit(np.where(GONE, np.nan, -X))
    for axis, name in ((0, "sample 5"), (1, "feature 5")):
        whole = X.copy()
        whole[(5, slice(None)) if axis == 0 else (slice(None), 5)] = np.nan
        with pytest.raises(ValueError, match=name):
            alone(missing="nan").fit(whole)
    for options in ({"scheme": "hardened"}, {"scheme": "moments"}, {"epsilon": 8.0, "delta": 1e-6, "normalise": "l2"}):
        with pytest.raises(ValueError, match="missing='nan'"):
            together(missing="nan", max_iter=None, **options).fit(gappy)


@pytest.mark.parametrize("make", [alone, together])
@pytest.mark.parametrize("loss", ["frobenius", "kullback-leibler"])
def test_a_weight_of_two_is_a_sample_twice(make, loss):
    weights = np.ones(len(X))
    weights[:7] = 2
    weighted = make(beta_loss=loss).fit(X, sample_weight=weights)
    copied = make(beta_loss=loss).fit(np.vstack([X, X[:7]]))
    a, b = weighted.history_["loss"][-1], copied.history_["loss"][-1]
    assert a == pytest.approx(b, rel=0.02)
    np.testing.assert_allclose(weighted.transform(X), weighted.fit_transform(X, sample_weight=weights), rtol=1e-6, atol=1e-9)
    ones = make(beta_loss=loss).fit(X, sample_weight=np.ones(len(X)))
    assert ones.components_.tobytes() == make(beta_loss=loss).fit(X).components_.tobytes()


@pytest.mark.parametrize("make", [alone, together])
def test_a_weight_of_zero_leaves_a_sample_out(make):
    weights = np.ones(len(X))
    weights[::5] = 0
    weighted = make().fit(X, sample_weight=weights)
    assert weighted.components_.tobytes() == make().fit(X[weights > 0]).components_.tobytes()
    assert weighted.fit_transform(X, sample_weight=weights).shape == (len(X), 3)
    for wrong, words in (([-1.0] + [1.0] * 79, "not negative"), (np.zeros(80), "zero for every sample"), ([1.0, 2.0], "shape")):
        with pytest.raises(ValueError, match=words):
            make().fit(X, sample_weight=wrong)


def test_weights_are_not_for_private_runs():
    with pytest.raises(ValueError, match="private run"):
        together(epsilon=8.0, delta=1e-6, normalise="l2", max_iter=None).fit(X, sample_weight=np.ones(80))
    with pytest.raises(ValueError, match="agent 'b'"):
        together().fit(X, groups=np.repeat(["a", "b"], 40), sample_weight=np.repeat([1.0, 0.0], 40))


def test_cap_and_normalise():
    uneven = X * np.where(np.arange(80) < 8, 100.0, 1.0)[:, None]
    for make in (alone, together):
        for options in ({"cap": 0.5}, {"normalise": "l1"}, {"normalise": "l2"}):
            model = make(**options)
            W = model.fit_transform(uneven)
            assert np.abs(W @ model.components_ - uneven).max() < 10
            assert model.components_.tobytes() != make().fit(uneven).components_.tobytes()
    for wrong in (0, 1, 1.5, "much"):
        with pytest.raises(ValueError, match="cap"):
            alone(cap=wrong).fit(X)
    with pytest.raises(ValueError, match="normalise"):
        alone(cap=0.5, normalise="l1").fit(X)
    with pytest.raises(ValueError, match="normalise"):
        alone(normalise="l3").fit(X)


def test_site_effects_stay_with_their_agents():
    fitted = together(site_effects=0.2).fit(X, groups=np.arange(80) % 3)
    for agent in fitted.agents_:
        assert agent.own_part.shape == fitted.components_.shape and agent.own_part.min() >= 0
        assert agent.components.tobytes() == fitted.components_.tobytes()
    assert together().fit(X).agents_[0].own_part is None
    with pytest.raises(ValueError, match="beta_loss"):
        together(site_effects=0.2, beta_loss="kullback-leibler").fit(X)
