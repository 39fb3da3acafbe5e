"""What fits leave in memory, and how often they copy their data."""

import pytest

from ppdnmf import NMF, DistributedNMF
from support import low_rank, run_python

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def resident_kib():
    with open("/proc/self/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def test_a_thousand_fits_leak_nothing():
    X = low_rank(60, 20, 3)
    network = DistributedNMF(n_components=2, n_agents=3, max_iter=1, random_state=0)

    def fits(count):
        for _ in range(count):
            NMF(n_components=2, max_iter=2, tol=0, random_state=0).fit(X)
            network.fit(X)

    fits(100)
    before = resident_kib()
    fits(1000)
    # X alone has 9 KiB: a thousand forgotten copies would be 9 MiB.
    assert resident_kib() - before < 2048


MEASURED = """
import resource, numpy as np, warnings
warnings.simplefilter("ignore")
from ppdnmf import NMF
X = np.empty((8000, 1000), order="{order}")
for row in X:
    row[:] = np.random.default_rng(0).random(1000)
NMF(2, max_iter=1, tol=0, random_state=0).fit(X[:100])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
NMF(2, max_iter=1, tol=0, random_state=0).fit(X)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / X.nbytes)
"""


@pytest.mark.parametrize("order", ["C", "F"])
def test_samples_are_copied_once(order):
    done = run_python(MEASURED.format(order=order))
    assert done.returncode == 0, done.stderr
    assert 0.9 < float(done.stdout) < 1.3
