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
