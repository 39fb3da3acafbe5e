"""The number of components, found by itself: n_components='auto'."""
import unittest

import numpy as np
from ppdnmf import NMF, DistributedNMF


def made_counts(seed, n_components=3, n_samples=90, per=6):
    draw = np.random.default_rng(seed)
    components = np.kron(np.eye(n_components), np.ones((1, per))) * draw.gamma(2, 1, (n_components, n_components * per)) + 0.02
    return draw.poisson(draw.gamma(0.5, 60, (n_samples, n_components)) @ components).astype(float), components


def cosines(found, true):
    unit = lambda A: A / np.linalg.norm(A, axis=1, keepdims=True)  # noqa: E731
    return unit(found) @ unit(true).T


class Auto(unittest.TestCase):
    def test_finds_the_components_that_are_there(self):
        X, true = made_counts(1)
        model = NMF(n_components="auto", ranks=(2, 7), beta_loss="kullback-leibler", n_init=5, random_state=1)
        W = model.fit_transform(X)
        self.assertEqual(model.n_components_, 3)
        self.assertEqual(W.shape, (90, 3))
        self.assertGreater(cosines(model.components_, true).max(0).min(), 0.98)
        self.assertEqual(model.stability_.shape, (3,))
        self.assertGreater(model.stability_.min(), 0.95)
        self.assertIn("3 components", model.reason_)
        self.assertEqual([one["rank"] for one in model.candidates_][:2], [2, 3])
        for one in model.candidates_:
            self.assertEqual(one["components"].shape, (one["rank"], X.shape[1]))
            self.assertEqual(len(one["silhouettes"]), one["rank"])
        np.testing.assert_allclose(model.transform(X), W)

    def test_agents_find_what_one_machine_finds(self):
        X, _ = made_counts(2)
        arguments = dict(n_components="auto", ranks=(2, 6), beta_loss="kullback-leibler", n_init=4, random_state=1)
        alone = NMF(**arguments).fit(X)
        together = DistributedNMF(n_agents=4, **arguments).fit(X)
        self.assertEqual(alone.n_components_, together.n_components_)
        np.testing.assert_allclose(alone.components_, together.components_, rtol=1e-6, atol=1e-9)
        self.assertEqual(len(alone.candidates_), len(together.candidates_))

    def test_squares(self):
        draw = np.random.default_rng(3)
        X = draw.gamma(0.5, 1, (120, 3)) @ np.kron(np.eye(3), np.ones((1, 5))) + 0.05 * draw.random((120, 15))
        model = NMF(n_components="auto", ranks=(2, 6), n_init=4, random_state=1).fit(X)
        self.assertEqual(model.n_components_, 3)

    def test_refuses_in_a_sentence(self):
        X, _ = made_counts(1)
        for arguments, words in (
            ({"ranks": (5, 3)}, "smaller one first"),
            ({"ranks": 5}, "two whole numbers"),
            ({"ranks": (2, 500)}, "more than the data allow"),
            ({"ranks": (2, 5), "solver": "admm"}, "solver='cd'"),
        ):
            with self.subTest(arguments=arguments), self.assertRaisesRegex(ValueError, words):
                NMF(n_components="auto", **arguments).fit(X)
        with self.assertRaisesRegex(ValueError, "ranks is for n_components='auto'"):
            NMF(n_components=3, ranks=(2, 5)).fit(X)
        with self.assertRaisesRegex(ValueError, "moments"):
            DistributedNMF(n_components="auto", epsilon=1.0, delta=1e-6, normalise="l2", scheme="sum").fit(X)

    def test_private_agents_look_for_it_in_what_they_open_once(self):
        X, true = made_counts(4, n_samples=900)
        model = DistributedNMF(
            n_agents=3, n_components="auto", ranks=(2, 5), epsilon=8.0, delta=1e-6, normalise="l2", n_init=3, random_state=1
        ).fit(X)
        self.assertEqual(model.n_components_, 3)
        self.assertGreater(cosines(model.components_, true).max(0).min(), 0.9)
        self.assertEqual(len(model.candidates_), 4)
        self.assertEqual(model.stability_.shape, (3,))
        self.assertIn("noise", model.reason_)


if __name__ == "__main__":
    unittest.main()
