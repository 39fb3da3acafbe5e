"""scikit-learn's conventions: its own checks, and the estimators where scikit-learn's users put them."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator

from ppdnmf import NMF, DistributedNMF
from support import low_rank

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
BOTH = [NMF(n_components=3, random_state=1), DistributedNMF(n_components=3, n_agents=3, max_iter=20, random_state=1)]


@pytest.mark.parametrize("estimator", [NMF(), DistributedNMF()], ids=["NMF", "DistributedNMF"])
def test_every_check_of_scikit_learn_passes(estimator):
    checks = 0
    for instance, check in check_estimator(estimator, generate_only=True):
        check(instance)
        checks += 1
    assert checks > 30


@pytest.mark.parametrize("estimator", BOTH, ids=lambda e: type(e).__name__)
class TestBoth:
    def test_in_a_pipeline(self, estimator):
        X = low_rank(30, 8, 3)
        pipeline = make_pipeline(MinMaxScaler(), clone(estimator))
        W = pipeline.fit_transform(X)
        assert W.shape == (30, 3)
        np.testing.assert_allclose(pipeline.transform(X), W, rtol=1e-9, atol=1e-12)

    def test_in_a_grid_search_over_the_number_of_components(self, estimator):
        X = low_rank(40, 8, 3, noise=0.01)
        search = GridSearchCV(clone(estimator), {"n_components": [1, 2, 3]}, cv=3).fit(X)
        assert search.best_params_ == {"n_components": 3}
        assert np.all(np.diff(search.cv_results_["mean_test_score"]) > 0)

    def test_a_clone_gives_the_same_bytes(self, estimator):
        X = low_rank(30, 8, 3)
        first = clone(estimator).fit(X)
        second = clone(first).fit(X)
        assert not hasattr(clone(first), "components_")
        assert first.components_.tobytes() == second.components_.tobytes()

    def test_a_pickled_model_transforms_alike(self, estimator):
        X = low_rank(30, 8, 3)
        model = clone(estimator).fit(X)
        again = pickle.loads(pickle.dumps(model))
        assert again.transform(X).tobytes() == model.transform(X).tobytes()
        assert again.run_ == model.run_

    def test_with_a_pandas_frame(self, estimator):
        frame = pd.DataFrame(low_rank(30, 8, 3), columns=[f"gene {i}" for i in range(8)], index=np.arange(30) + 100)
        model = clone(estimator).set_output(transform="pandas").fit(frame)
        assert list(model.feature_names_in_) == list(frame.columns)
        W = model.transform(frame)
        prefix = type(model).__name__.lower()
        assert list(W.columns) == [f"{prefix}{i}" for i in range(3)] == list(model.get_feature_names_out())
        assert list(W.index) == list(frame.index)
        with pytest.raises(ValueError, match="feature names"):
            model.transform(frame.rename(columns={"gene 0": "other"}))

    def test_random_state_decides_alone(self, estimator):
        X = low_rank(30, 8, 3)
        one = clone(estimator).fit(X).components_
        assert one.tobytes() == clone(estimator).fit(X.copy(order="F")).components_.tobytes()
        assert not np.array_equal(one, clone(estimator).set_params(random_state=2).fit(X).components_)
        states = [clone(estimator).set_params(random_state=np.random.RandomState(5)).fit(X).components_ for _ in range(2)]
        assert states[0].tobytes() == states[1].tobytes()
        np.random.seed(3)
        first = clone(estimator).set_params(random_state=None).fit(X).components_
        second = clone(estimator).set_params(random_state=None).fit(X).components_
        assert not np.array_equal(first, second)

    def test_score_is_the_explained_part_of_the_squared_norm(self, estimator):
        X = low_rank(30, 8, 4, noise=0.1)
        model = clone(estimator).fit(X)
        W = model.transform(X)
        expected = 1 - np.linalg.norm(X - W @ model.components_) ** 2 / np.linalg.norm(X) ** 2
        assert model.score(X) == pytest.approx(expected, rel=1e-12)
        assert model.score(np.zeros((2, 8))) == 1
