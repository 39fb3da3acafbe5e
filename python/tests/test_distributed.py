"""What DistributedNMF promises: who is an agent, what they hold, what a run tells."""

import numpy as np
import pandas as pd
import pytest

from ppdnmf import NMF, DistributedNMF
from support import low_rank, relative_error

X = low_rank(60, 8, 3, noise=0.02)


def model(**options):
    return DistributedNMF(**{"n_components": 3, "random_state": 1, "max_iter": 30, **options})


def test_groups_are_agents():
    groups = np.array(["b", "a", "c"] * 20)
    fitted = model().fit(X, groups=groups)
    assert [agent.label for agent in fitted.agents_] == ["a", "b", "c"]
    for agent in fitted.agents_:
        assert np.array_equal(agent.samples, np.flatnonzero(groups == agent.label))
        assert agent.components.shape == (3, 8) and agent.coordinates.shape == (20, 3)
        assert relative_error(X[agent.samples], agent.coordinates, agent.components) < 0.05
        assert agent.error < 0.05


def test_a_list_of_arrays_is_the_same_as_groups_one_after_the_other():
    parts = [X[:10], X[10:35], X[35:]]
    by_list = model().fit(parts)
    by_groups = model().fit(X, groups=np.repeat([0, 1, 2], [10, 25, 25]))
    assert by_list.components_.tobytes() == by_groups.components_.tobytes()
    assert [len(a.samples) for a in by_list.agents_] == [10, 25, 25]
    assert model().fit_transform(parts).shape == (60, 3)
    frames = model().fit([pd.DataFrame(part, columns=list("abcdefgh")) for part in parts])
    assert frames.components_.tobytes() == by_list.components_.tobytes()
    assert list(frames.feature_names_in_) == list("abcdefgh")


def test_samples_are_split_evenly_and_few_samples_make_few_agents():
    assert [len(a.samples) for a in model(n_agents=7).fit(X).agents_] == [9, 9, 9, 9, 8, 8, 8]
    assert len(model(n_agents=100).fit(X[:12]).agents_) == 12


def test_sums_give_every_agent_the_components_of_one_machine():
    run = model(n_agents=4).fit(X)
    assert run.run_["disagreement"] == 0
    for agent in run.agents_:
        assert agent.components.tobytes() == run.components_.tobytes()
    alone = NMF(n_components=3, random_state=1, tol=0, max_iter=30).fit(X)
    np.testing.assert_allclose(run.components_, alone.components_, rtol=1e-3, atol=1e-6)
    assert run.reconstruction_err_ == pytest.approx(alone.reconstruction_err_, rel=1e-4)


def test_neighbours_agree_and_explain_as_one_machine_does():
    run = model(n_agents=4, scheme="hardened", cipher="none", max_iter=None).fit(X)
    assert run.run_["disagreement"] < 0.02
    alone = NMF(n_components=3, random_state=1, tol=0, max_iter=300).fit(X)
    assert run.reconstruction_err_ < 1.1 * alone.reconstruction_err_
    assert run.run_["worst_agent_error"] == max(agent.error for agent in run.agents_)


def test_several_starts_are_those_of_one_machine():
    hard = low_rank(60, 20, 6, seed=3) ** 4
    run = model(n_components=6, n_agents=3, max_iter=100, n_init=4).fit(hard)
    alone = NMF(n_components=6, random_state=1, tol=0, max_iter=100, n_init=4).fit(hard)
    assert run.reconstruction_err_ == pytest.approx(alone.reconstruction_err_, rel=1e-4)
    assert not np.allclose(run.components_, model(n_components=6, n_agents=3, max_iter=100).fit(hard).components_, rtol=1e-2)


def test_fit_transform_is_transform():
    W = model().fit_transform(X)
    fitted = model().fit(X)
    np.testing.assert_allclose(fitted.transform(X), W, rtol=1e-9, atol=1e-12)
    assert fitted.reconstruction_err_ == pytest.approx(np.linalg.norm(X - W @ fitted.components_), rel=1e-10)


def test_threads_do_not_change_a_bit():
    one = model(n_jobs=1).fit(X).components_.tobytes()
    for n_jobs in (2, -1, None):
        assert model(n_jobs=n_jobs).fit(X).components_.tobytes() == one


def test_encryption_does_not_change_a_bit():
    for scheme, keys in (("sum", {}), ("hardened", {"key_bits": 2048, "key_profile": "fast"})):
        options = {"n_agents": 3, "max_iter": 1, "scheme": scheme, "n_jobs": 2, **keys}
        plain = model(cipher="none", **options).fit(X)
        secret = model(cipher="paillier", **options).fit(X)
        assert plain.components_.tobytes() == secret.components_.tobytes()
    assert secret.run_["bytes_sent"] > plain.run_["bytes_sent"]


def model_between_neighbours(**options):
    return model(scheme="hardened", cipher="none", **options)


def test_graphs_by_name_and_by_edges():
    for topology in ("ring", "line", "star", "complete", "random:2"):
        assert len(model(n_agents=4, topology=topology, max_iter=2).fit(X).agents_) == 4
    ring = model_between_neighbours(n_agents=4, topology="ring", max_iter=3).fit(X)
    edges = model_between_neighbours(n_agents=4, topology=[(0, 1), (1, 2), (2, 3), (3, 0)], max_iter=3).fit(X)
    assert ring.components_.tobytes() == edges.components_.tobytes()
    assert edges.run_["edges"] == [(0, 1), (0, 3), (1, 2), (2, 3)]


def test_the_printed_algorithm_disagrees():
    printed = model(n_agents=4, updates="as-printed", scheme="as-printed", cipher="none", init="ones").fit(X)
    assert printed.run_["disagreement"] > 0.05
    assert not np.array_equal(printed.agents_[0].components, printed.agents_[1].components)


def test_the_history_counts_rounds_and_bytes():
    fitted = model(n_agents=4).fit(X)
    history = fitted.history_
    assert len(history["iteration"]) == fitted.n_iter_ <= fitted.run_["rounds"] <= 30
    assert np.all(np.diff(history["rounds"]) > 0) and np.all(np.diff(history["bytes"].astype(float)) > 0)
    assert history["relative_error"][-1] == fitted.run_["relative_error"]


def test_persons_share_the_bound_of_one_sample_and_the_notes_speak_of_them():
    samples = low_rank(300, 6, 2, noise=0.02)
    private = {"n_components": 2, "n_agents": 3, "epsilon": 20, "delta": 1e-6, "normalise": "l2", "scheme": "sum", "max_iter": 6}
    alone = model(**private).fit(samples)
    same = model(**private).fit(samples, persons=np.arange(300))
    assert same.components_.tobytes() == alone.components_.tobytes()
    shared = model(**private).fit(samples, persons=np.arange(300) // 4)
    assert shared.components_.tobytes() != alone.components_.tobytes()
    assert any("for one person" in note for note in shared.run_["notes"])
    assert not any("for one person" in note for note in alone.run_["notes"])
    with pytest.raises(ValueError, match="one person for each of the 300 samples"):
        model(**private).fit(samples, persons=["x"])
    with pytest.raises(ValueError, match="persons is for private runs"):
        model().fit(samples, persons=np.arange(300))
