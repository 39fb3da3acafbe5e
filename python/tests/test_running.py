"""While it runs: callbacks, Ctrl-C, threads."""

import os
import threading
import time

import numpy as np
import pytest

from ppdnmf import NMF, DistributedNMF
from support import low_rank, run_python

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
MAKERS = pytest.mark.parametrize(
    "make",
    [
        lambda **options: NMF(n_components=3, random_state=1, tol=0, **options),
        lambda **options: DistributedNMF(n_components=3, n_agents=3, random_state=1, **options),
    ],
    ids=["NMF", "DistributedNMF"],
)


@MAKERS
class TestCallbacks:
    def test_are_called_after_every_iteration(self, make):
        rows = []
        model = make(max_iter=15).fit(low_rank(30, 8, 3), callback=rows.append)
        assert [row["iteration"] for row in rows] == list(range(1, 16))
        assert [row["relative_error"] for row in rows] == model.history_["relative_error"].tolist()

    def test_can_end_a_fit(self, make):
        model = make(max_iter=50).fit(low_rank(30, 8, 3), callback=lambda row: row["iteration"] >= 5)
        assert 5 <= model.n_iter_ < 15
        assert model.stopped_because_ == "request"

    def test_exceptions_come_through(self, make):
        def fail(row):
            raise RuntimeError(f"enough at {row['iteration']}")

        with pytest.raises(RuntimeError, match="enough at 1"):
            make(max_iter=50).fit(low_rank(30, 8, 3), callback=fail)

    def test_verbose_prints_lines(self, make, capsys):
        make(max_iter=20, verbose=1).fit(low_rank(30, 8, 3))
        assert capsys.readouterr().out.count("relative error") == 2
        make(max_iter=20, verbose=2).fit(low_rank(30, 8, 3))
        assert capsys.readouterr().out.count("relative error") == 20


INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from ppdnmf import NMF, DistributedNMF, paillier
draw = np.random.default_rng(0)
{setup}
sent = []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer(1.0, interrupt)
timer.start()
try:
    {call}
    print("not interrupted")
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.parametrize(
    "setup, call",
    [
        ("X = draw.random((400, 300))", "NMF(20, tol=0, max_iter=10**6).fit(X)"),
        # One iteration of this takes longer than a second.
        ("X = draw.random((4000, 2000))", "NMF(250, tol=0, max_iter=10**6).fit(X)"),
        ("X = draw.random((400, 100))", "DistributedNMF(20, max_iter=10**6).fit(X)"),
        ("X = draw.random((60, 20))", "DistributedNMF(5, scheme='hardened').fit(X)"),
        ("m = NMF(60, max_iter=2, tol=0).fit(draw.random((100, 90))); X = draw.random((60000, 90))",
         "[m.transform(X) for _ in range(100)]"),
        ("k = paillier.generate_keypair(2048)[0]", "k.encrypt(np.arange(10**6))"),
    ],
    ids=["NMF", "NMF in a long step", "DistributedNMF", "encrypted", "transform", "paillier"],
)
def test_ctrl_c_ends_within_a_second(setup, call):
    done = run_python(INTERRUPTED.format(setup=setup, call=call))
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1.0


def test_the_interpreter_works_while_a_fit_runs():
    ticks = 0
    thread = threading.Thread(target=lambda: NMF(20, tol=0, max_iter=100, random_state=0).fit(low_rank(600, 300, 9, noise=1)))
    thread.start()
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 20


def runnable_threads():
    """How many other threads of this process are computing, or would be if a processor were free."""
    states = []
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/stat", encoding="ascii", errors="replace") as stat:
                states.append(task != str(threading.get_native_id()) and stat.read().rpartition(") ")[2][0] == "R")
        except FileNotFoundError:
            pass
    return sum(states)


def test_fits_in_threads_run_in_parallel():
    X = low_rank(600, 300, 9, noise=1)
    threads = [threading.Thread(target=lambda: NMF(20, tol=0, max_iter=150, random_state=0, n_jobs=1).fit(X)) for _ in range(2)]
    for thread in threads:
        thread.start()
    seen = []
    while all(thread.is_alive() for thread in threads):
        seen.append(runnable_threads() >= 2)
        time.sleep(0.002)
    for thread in threads:
        thread.join()
    # Whoever waits for the interpreter's lock is not runnable.
    assert len(seen) > 20 and np.mean(seen) > 0.5
