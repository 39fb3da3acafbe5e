"""The same seed and options give the same bytes as the command line."""

import json
import subprocess

import numpy as np
import pytest

from ppdnmf import NMF, DistributedNMF
from support import PROGRAM, low_rank

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X = low_rank(60, 15, 4, noise=0.1)


def run(folder, command, *options):
    np.save(folder / "Z.npy", X.T)
    out = folder / "out"
    subprocess.run([PROGRAM, command, str(folder / "Z.npy"), *map(str, options), "--out", str(out), "--quiet"], check=True)
    return out


def test_one_machine(tmp_path):
    out = run(tmp_path, "factorize", "--rank", 4, "--seed", 5, "--iterations", 40, "--tolerance", 0)
    model = NMF(n_components=4, random_state=5, max_iter=40, tol=0).fit(X)
    assert np.array_equal(np.load(out / "X.npy"), model.components_.T)


@pytest.mark.parametrize("scheme, updates", [("sum", "corrected"), ("hardened", "corrected"), ("as-printed", "as-printed")])
def test_a_network(tmp_path, scheme, updates):
    out = run(tmp_path, "simulate", "--rank", 4, "--seed", 5, "--agents", 4, "--cipher", "none", "--iterations", 10, "--scheme",
              scheme, "--updates", updates)
    model = DistributedNMF(n_components=4, n_agents=4, random_state=5, max_iter=10, cipher="none", scheme=scheme, updates=updates).fit(X)
    assert np.array_equal(np.load(out / "X.npy"), model.components_.T)
    for number, agent in enumerate(model.agents_):
        assert np.array_equal(np.load(out / "agents" / str(number) / "X.npy"), agent.components.T)
        assert np.array_equal(np.load(out / "agents" / str(number) / "Y.npy"), agent.coordinates.T)


def test_a_private_network(tmp_path):
    many = low_rank(3000, 15, 3, noise=0.1)
    np.save(tmp_path / "Z.npy", many.T)
    subprocess.run([PROGRAM, "simulate", str(tmp_path / "Z.npy"), "--rank", "3", "--seed", "5", "--agents", "4", "--epsilon", "4", "--delta", "1e-6",
                    "--normalise", "l2", "--assume-honest", "2", "--out", str(tmp_path / "out"), "--quiet"], check=True)
    private = {"epsilon": 4, "delta": 1e-6, "normalise": "l2", "assume_honest": 2}
    model = DistributedNMF(n_components=3, n_agents=4, random_state=5, **private).fit(many)
    assert np.array_equal(np.load(tmp_path / "out" / "X.npy"), model.components_.T)
    # The record says the same of both: what the budget means, who could collude, what was asked for.
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert model.run_["notes"] == record["notes"][: len(model.run_["notes"])]
    assert any("follows from its seed" in note for note in model.run_["notes"])
    assert dict(model.run_["parameters"]).keys() == record["parameters"].keys()
    assert dict(model.run_["parameters"])["scheme"] == record["parameters"]["scheme"] == "moments", "the plan chooses"
    assert model.run_["seconds_crypto"] > 0


def test_coordinates(tmp_path):
    model = NMF(n_components=4, random_state=5).fit(X)
    np.save(tmp_path / "X.npy", model.components_.T)
    new = np.random.default_rng(3).random((9001, 15))
    np.save(tmp_path / "new.npy", new.T)
    subprocess.run([PROGRAM, "transform", str(tmp_path / "X.npy"), str(tmp_path / "new.npy"), "--out", str(tmp_path / "out"),
                    "--quiet"], check=True)
    assert np.array_equal(np.load(tmp_path / "out" / "Y.npy"), model.transform(new).T)
