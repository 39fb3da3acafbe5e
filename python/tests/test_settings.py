"""The arguments of DistributedNMF come from the table of settings that the command line has, too."""

import re
import inspect
import subprocess

import numpy as np
import pytest
from sklearn.base import clone

from ppdnmf import NMF, DistributedNMF, _core
from support import PROGRAM, low_rank

TABLE = [row for row in _core.settings_table() if row["name"] != "n_components"]


def test_the_signature_has_every_setting_with_its_default():
    parameters = inspect.signature(DistributedNMF).parameters
    for row in TABLE:
        assert parameters[row["name"]].default == row["default"], row["name"]
        assert parameters[row["name"]].kind is inspect.Parameter.KEYWORD_ONLY
    assert not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


def test_scikit_learn_sees_and_copies_every_setting():
    model = DistributedNMF(scheme="hardened", admm_x=4, mu=2.5, max_seconds=9.0)
    assert set(model.get_params()) == set(inspect.signature(DistributedNMF).parameters)
    copy = clone(model).set_params(admm_x=5)
    assert (copy.scheme, copy.admm_x, copy.mu, copy.max_seconds) == ("hardened", 5, 2.5, 9.0)
    assert repr(model) == "DistributedNMF(admm_x=4, max_seconds=9.0, mu=2.5, scheme='hardened')"


@pytest.mark.parametrize("estimator", [NMF, DistributedNMF])
def test_every_argument_is_documented(estimator):
    for name in inspect.signature(estimator).parameters:
        assert estimator.__doc__.count(f"\n    {name} : ") == 1, name
    for name in ("stability_", "candidates_", "reason_"):
        assert f"\n    {name} : " in estimator.__doc__.split("Attributes")[1]
    assert not re.search(r"\n    <\w+>\n", estimator.__doc__)


def test_no_docstring_speaks_of_flags():
    said = DistributedNMF.__doc__.split("Attributes")[0].replace("ppdnmf simulate --seed", "")
    assert not re.search(r"(?<!-)--[a-z]", said)


def test_an_unknown_argument_is_a_type_error():
    with pytest.raises(TypeError, match="unexpected keyword argument 'exchange'"):
        DistributedNMF(exchange="sum")


def test_settings_reach_the_run():
    X = low_rank(20, 6, 2)
    options = {"scheme": "hardened", "cipher": "none", "max_iter": np.int64(3), "admm_x": 2, "mu": np.float64(1.5)}
    run = DistributedNMF(2, n_agents=3, random_state=1, **options).fit(X).run_
    parameters = dict(run["parameters"])
    assert (parameters["scheme"], parameters["iterations"], parameters["admm_x"], parameters["mu"]) == ("hardened", "3", "2", "1.5")
    assert run["rounds"] == 6


def test_the_command_line_has_the_same_settings():
    done = subprocess.run([PROGRAM, "settings", "--markdown", "python"], check=True, capture_output=True, text=True)
    listed = [line.split("`")[1] for line in done.stdout.splitlines()[2:]]
    assert listed == ["n_components", *(row["name"] for row in TABLE)]


@pytest.mark.parametrize("value", [True, 2.5, "many", [3], np.array([1, 2]), 10**30, float("nan")])
def test_a_value_of_another_kind_is_refused_with_the_argument(value):
    with pytest.raises(ValueError, match="admm_y must be a whole number"):
        DistributedNMF(2, n_agents=3, scheme="hardened", admm_y=value).fit(low_rank(20, 6, 2))
