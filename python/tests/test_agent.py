"""Real runs on this machine: a process of its own for each member."""

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError

from ppdnmf import Agent
from support import PROGRAM, free_ports, low_rank

NAMES = ["a", "b", "c"]
IN_PYTHON = ["a", "c"]
FEATURES = [f"gene-{k}" for k in range(8)]
PARTS = dict(zip(NAMES, np.split(low_rank(75, 8, 3, noise=0.1), [25, 50])))
PASSPHRASE = "not for others"

# sys.argv: the member's name, its folder for results, its passphrase.
MEMBER = """
import json, sys, time
import numpy as np
from ppdnmf import Agent
name, out, passphrase = sys.argv[1:]
agent = Agent("trial.toml", f"{name}.key", out, passphrase=passphrase or None, max_wait=60, n_threads=1)
samples = np.load(f"{name}.npy").T
lines = []
def heard(line):
    lines.append(line)
    print(line["phase"], flush=True)
try:
    agent.fit(samples, callback=heard)
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
    sys.exit(5)
np.savez(f"{out}/fitted.npz", components=agent.components_, coordinates=agent.coordinates_,
         error=agent.reconstruction_err_, n_iter=agent.n_iter_, lines=json.dumps(lines))
"""


def program(folder, *arguments, **options):
    subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], cwd=folder, check=True, **options)


def lay_out(folder, *more):
    """Identities, the consortium file and everybody's samples; c's key is sealed."""
    folder.mkdir(exist_ok=True)
    members = []
    for name, port in zip(NAMES, free_ports(len(NAMES))):
        sealed = ["--passphrase-fd", 0] if name == "c" else []
        program(folder, "identity", "new", "--name", name, *sealed, input=PASSPHRASE.encode() + b"\n")
        members += ["--member", f"{name}.pub@127.0.0.1:{port}"]
        np.save(folder / f"{name}.npy", PARTS[name].T)
    if "--epsilon" not in more:
        more = ("--trust-members", *more)
    (folder / "rows.txt").write_text("\n".join(FEATURES) + "\n")
    program(folder, "consortium", "new", *members, "--topology", "ring", "--rank", 3, "--row-names", "rows.txt", "--scheme",
            "sum", "--iterations", 20, "--tolerance", 0, *more, "--out", "trial.toml")
    return folder


def start(folder, name, out=None):
    command = [sys.executable, "-B", "-c", MEMBER, name, out or f"out-{name}", PASSPHRASE if name == "c" else ""]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return output


def agent_of(folder, name, out=None, **options):
    options.setdefault("passphrase", PASSPHRASE if name == "c" else None)
    return Agent(folder / "trial.toml", folder / f"{name}.key", folder / (out or f"out-{name}"), **options)


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """A folder in which all three have taken part, b with the command; a was interrupted once, alone, and went on."""
    folder = lay_out(tmp_path_factory.mktemp("run") / "net")
    first = start(folder, "a")
    first.stdout.readline()
    time.sleep(0.5)
    sent = time.time()
    first.send_signal(signal.SIGINT)
    output, errors = first.communicate(timeout=60)
    assert first.returncode == 5, errors
    assert float(output.split()[-1]) - sent < 1.0
    command = [PROGRAM, "agent", "--consortium", "trial.toml", "--identity", "b.key", "--data", "b.npy", "--out", "out-b"]
    processes = [subprocess.Popen([*command, "--quiet"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)]
    processes += [start(folder, name) for name in IN_PYTHON]
    try:
        for process in processes:
            finish(process)
    finally:
        for process in processes:
            process.kill()
    return folder


def test_a_private_run_is_debited_to_the_ledger_beside_the_identity(tmp_path):
    folder = lay_out(tmp_path / "net", "--epsilon", 50, "--delta", 1e-6, "--normalise", "l2", "--columns", 75)
    with pytest.raises(ValueError, match="data_name='NAME'"):
        agent_of(folder, "a").fit(PARTS["a"])
    with pytest.raises(OSError, match="a.ledger: is not there"):
        agent_of(folder, "a", data_name="ward").fit(PARTS["a"])
    processes = []
    for name in NAMES:
        (folder / f"{name}.ledger").write_text("data ward epsilon 50 delta 1e-6\n")
        if name != "a":
            sealed = ["--passphrase-fd", "0"] if name == "c" else []
            command = [PROGRAM, "agent", "--consortium", "trial.toml", "--identity", f"{name}.key", "--data", f"{name}.npy", "--out",
                       f"out-{name}", "--data-name", "ward", "--quiet", *sealed]
            processes.append(subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    try:
        processes[1].stdin.write(PASSPHRASE.encode() + b"\n")
        processes[1].stdin.flush()
        agent = agent_of(folder, "a", data_name="ward", max_wait=60, n_threads=1).fit(PARTS["a"])
        for process in processes:
            _, errors = process.communicate(timeout=60)
            assert process.returncode == 0, errors
    finally:
        for process in processes:
            process.kill()
    np.testing.assert_array_equal(agent.components_, np.load(folder / "out-b" / "X.npy").T)
    assert agent.run_["common_error"] is None
    assert agent.run_["parameters"]["epsilon"] == 50
    assert (folder / "a.ledger").read_text().count("spent ward") == 1
    with pytest.raises(ValueError, match="more than is left"):
        agent_of(folder, "a", out="again", data_name="ward").fit(PARTS["a"])


def fitted(folder, name):
    return np.load(folder / f"out-{name}" / "fitted.npz")


def test_all_members_have_the_same_components(ended):
    first = fitted(ended, "a")
    assert first["components"].shape == (3, 8)
    for name in NAMES:
        assert np.array_equal(first["components"].T, np.load(ended / f"out-{name}" / "X.npy"))
    for name in IN_PYTHON:
        own = fitted(ended, name)
        assert np.array_equal(own["components"], first["components"])
        residual = PARTS[name] - own["coordinates"] @ own["components"]
        assert own["error"] == pytest.approx(np.linalg.norm(residual))
        assert own["error"] < 0.2 * np.linalg.norm(PARTS[name])


def test_the_callback_hears_every_iteration(ended):
    lines = json.loads(str(fitted(ended, "c")["lines"]))
    assert {line["iteration"] for line in lines} >= set(range(1, 21))
    assert lines[-1]["because"] == "iterations"
    assert lines[-1]["relative_error"] < 0.2


def test_a_folder_whose_run_has_ended_gives_its_result_again(ended):
    for name in NAMES:
        agent = agent_of(ended, name).fit(PARTS[name])
        assert np.array_equal(agent.components_, fitted(ended, "a")["components"])
        assert np.array_equal(agent.coordinates_.T, np.load(ended / f"out-{name}" / "Y.npy"))
        assert agent.n_iter_ == 20 and agent.n_features_in_ == 8 and agent.stopped_because_ == "iterations"
        assert agent.history_["iteration"].tolist() == list(range(1, 21))
        assert agent.history_["relative_error"][-1] == agent.run_["relative_error"]
        assert list(agent.feature_names_in_) == FEATURES
        assert any("has ended" in note for note in agent.notes_)


def test_frames_are_put_in_order_by_name(ended):
    frame = pandas.DataFrame(PARTS["a"], columns=FEATURES)[FEATURES[::-1]]
    agent = agent_of(ended, "a").fit(frame)
    assert np.array_equal(agent.components_, fitted(ended, "a")["components"])
    assert np.array_equal(agent.transform(frame), agent.transform(PARTS["a"]))
    assert np.linalg.norm(PARTS["a"] - agent.transform(frame) @ agent.components_) <= agent.reconstruction_err_ * (1 + 1e-9)
    with pytest.raises(ValueError, match="no feature 'gene-0'"):
        agent.transform(frame.drop(columns="gene-0"))
    with pytest.raises(ValueError, match="gene-0"):
        agent_of(ended, "a").fit(frame.rename(columns={"gene-0": "gene-x"}))


def test_other_samples_are_refused_in_a_folder_with_a_run(ended):
    with pytest.raises(ValueError, match="data"):
        agent_of(ended, "a").fit(PARTS["b"])


def test_what_is_wrong_is_said(ended, tmp_path):
    with pytest.raises(OSError, match="nowhere.toml: "):
        Agent(tmp_path / "nowhere.toml", ended / "a.key", tmp_path / "out").fit(PARTS["a"])
    with pytest.raises(OSError, match="nobody.key: "):
        Agent(ended / "trial.toml", tmp_path / "nobody.key", tmp_path / "out").fit(PARTS["a"])
    with pytest.raises(ValueError, match="features|rows"):
        agent_of(ended, "a", tmp_path / "out").fit(PARTS["a"][:, :7])
    with pytest.raises(ValueError, match="negative"):
        agent_of(ended, "a", tmp_path / "out").fit(-PARTS["a"])
    with pytest.raises(ValueError, match="listen"):
        agent_of(ended, "a", tmp_path / "out", listen="here").fit(PARTS["a"])
    for name, value in [("n_threads", 0), ("max_wait", 0), ("max_wait", "long")]:
        with pytest.raises(ValueError, match=name):
            agent_of(ended, "a", tmp_path / "out", **{name: value}).fit(PARTS["a"])
    with pytest.raises(NotFittedError):
        agent_of(ended, "a").transform(PARTS["a"])
    assert not os.path.exists(tmp_path / "out")


def test_a_sealed_key_needs_its_passphrase(ended):
    with pytest.raises(ValueError, match="c.key: needs its passphrase"):
        agent_of(ended, "c", passphrase=None).fit(PARTS["c"])
    with pytest.raises(ValueError, match="c.key: ") as refused:
        agent_of(ended, "c", passphrase="mistyped").fit(PARTS["c"])
    assert "mistyped" not in str(refused.value)
    assert agent_of(ended, "c", passphrase=lambda: PASSPHRASE).fit(PARTS["c"]).n_components_ == 3


def test_an_agent_shows_no_secret_and_is_not_copied(ended):
    agent = agent_of(ended, "c").fit(PARTS["c"])
    assert PASSPHRASE not in repr(agent) + str(agent) + repr(vars(agent))
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not copied or pickled"):
            take(agent)


def test_a_member_that_waits_in_vain_gives_up(ended, tmp_path):
    folder = lay_out(tmp_path / "net")
    said = []
    began = time.monotonic()
    with pytest.raises(ValueError, match="b"):
        agent_of(folder, "a", max_wait=1).fit(PARTS["a"], callback=said.append)
    assert time.monotonic() - began < 20
    assert any(set(line["waiting_for"]) == {"b", "c"} for line in said)


def test_an_exception_in_the_callback_comes_through(tmp_path):
    folder = lay_out(tmp_path / "net")

    def fail(line):
        raise RuntimeError(f"enough of {line['phase']}")

    for _ in range(2):  # the second call finds the folder free
        with pytest.raises(RuntimeError, match="enough of"):
            agent_of(folder, "a").fit(PARTS["a"], callback=fail)


def test_verbose_prints_the_digits(tmp_path, capsys):
    folder = lay_out(tmp_path / "net")
    with pytest.raises(ValueError):
        agent_of(folder, "a", max_wait=1, verbose=1).fit(PARTS["a"])
    said = capsys.readouterr().out
    assert "a, one of 3 members; all must see the same digits: " in said and "Agent connecting, waiting for b, c\n" in said
