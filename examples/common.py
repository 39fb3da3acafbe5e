"""Where the examples find data and leave figures."""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

TOP = Path(__file__).resolve().parents[1]
DATA = TOP.parent / "shared" / "data"
INK, QUIET, ACCENT = "#222222", "#9aa5b1", "#c8553d"


def arguments(description, data):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=DATA / data)
    parser.add_argument("--out", type=Path, default=TOP / "out" / "examples")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    return chosen


def bare(axes):
    """No frame but the two lines that carry numbers."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def save(figure, path):
    figure.savefig(path, dpi=110, bbox_inches="tight")
    print(path)
