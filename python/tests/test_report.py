"""model.report(path): the page that the command line writes."""

import base64
import html
import re

import numpy as np
import pandas as pd
import pytest

from ppdnmf import NMF, DistributedNMF
from support import low_rank

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def words_of(path):
    """The page's text and that of its plots."""
    page = path.read_text()
    plots = [base64.b64decode(plot).decode() for plot in re.findall(r"data:image/svg\+xml;base64,([^\"]*)", page)]
    return html.unescape(re.sub(r'src="data:[^"]*"', "", page) + "".join(plots))


def test_the_report_of_a_network(tmp_path):
    frame = pd.DataFrame(low_rank(40, 6, 2), columns=[f"gene {i}" for i in range(6)])
    model = DistributedNMF(n_components=2, n_agents=4, max_iter=10, scheme="hardened", cipher="none", random_state=1).fit(frame)
    model.report(tmp_path / "page.html")
    page = words_of(tmp_path / "page.html")
    for word in ("gene 3", "DistributedNMF", "hardened", f"{model.run_['rounds']}"):
        assert word in page, word
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_the_report_of_one_machine_shows_images(tmp_path):
    model = NMF(n_components=3, random_state=1).fit(low_rank(40, 20, 3))
    model.report(str(tmp_path / "report.html"), image=(5, 4))
    assert (tmp_path / "report.html").read_text().count("data:image/png") >= 1
    model.report(tmp_path / "report.html")  # overwrites
    with pytest.raises(ValueError, match="20 pixels"):
        model.report(tmp_path / "report.html", image=(3, 3))
    with pytest.raises(FileNotFoundError):
        model.report(tmp_path / "nowhere" / "report.html")
    assert np.isfinite(model.run_["worst_agent_error"])


CHANNELS = [f"{a}[{change}]{b}" for change in ("C>A", "C>G", "C>T", "T>A", "T>C", "T>G") for a in "ACGT" for b in "ACGT"]


def test_signatures_beside_a_catalogue(tmp_path):
    draw = np.random.default_rng(4)
    truth = draw.random((3, 96)) ** 6 + 0.001
    counts = pd.DataFrame(draw.poisson(300 * draw.random((30, 3)) @ truth), columns=CHANNELS)
    model = NMF(n_components=2, beta_loss="kullback-leibler", random_state=1, max_iter=40, tol=0).fit(counts)
    catalogue = pd.DataFrame(truth, columns=CHANNELS, index=["one", "two", "three"])
    matches = model.match(catalogue[CHANNELS[::-1]])
    assert len(matches) == 2 and len({name for name, _ in matches}) == 2
    file = tmp_path / "catalogue.csv"
    catalogue.T.to_csv(file)
    assert model.match(file) == matches
    assert model.match(truth) == [({"one": "1", "two": "2", "three": "3"}[name], cosine) for name, cosine in matches]
    assert model.match(truth[:1]).count((None, None)) == 1
    model.report(tmp_path / "page.html", reference=catalogue)
    page = words_of(tmp_path / "page.html")
    assert "the rows are the channels of SBS96" in page and f"cosine {matches[0][1]:.3f}" in page
    model.report(tmp_path / "page.html", show="topics")
    assert 'class="topics"' in words_of(tmp_path / "page.html")
    with pytest.raises(ValueError, match="image"):
        model.report(tmp_path / "page.html", show="images")
    with pytest.raises(ValueError, match="not one of auto"):
        model.report(tmp_path / "page.html", show="bars")
    with pytest.raises(ValueError, match="lacks the row"):
        model.match(catalogue.rename(columns={"A[C>A]A": "gene"}))


def test_exposures_without_components_that_do_not_pay():
    draw = np.random.default_rng(5)
    truth = draw.random((4, 60)) ** 4 + 0.01
    W = 200 * draw.random((25, 4)) * (draw.random((25, 4)) < 0.6)
    counts = draw.poisson(W @ truth).astype(float)
    model = NMF(n_components=4, beta_loss="kullback-leibler", random_state=1, max_iter=60, tol=0).fit(counts)
    plain = model.exposures(counts)
    assert plain.low is None and plain.before is None and np.allclose(plain.W, model.transform(counts))
    found = model.exposures(counts, prune=True, intervals=40, random_state=3)
    assert (found.low <= found.high).all() and (found.high[found.W == 0] == 0).all()
    assert found.before == plain.measures
    assert (found.W > 0).sum() < (plain.W > 0).sum() and (plain.W[found.W > 0] > 0).all()
    again = model.exposures(counts[::-1], prune=0.04, intervals=40, random_state=3)
    assert np.array_equal(again.low[::-1], found.low) and np.array_equal(again.W[::-1], found.W)
    for wrong in ({"prune": -1}, {"prune": 2}, {"intervals": 5}, {"intervals": 2.5}):
        with pytest.raises(ValueError):
            model.exposures(counts, **wrong)
