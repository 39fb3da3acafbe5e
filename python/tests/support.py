"""Data and helpers of the tests."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

PROGRAM = os.environ["PPDNMF"]
SOURCE = Path(__file__).resolve().parents[2]

# Ports as the tests of the program choose them.
_system = importlib.util.spec_from_file_location("system_support", SOURCE / "tests/system/support.py")
_module = importlib.util.module_from_spec(_system)
_system.loader.exec_module(_module)
free_ports = _module.free_ports


def low_rank(n_samples, n_features, rank, seed=0, noise=0.0):
    """Nonnegative samples of the given rank, with uniform noise on top."""
    draw = np.random.default_rng(seed)
    return draw.random((n_samples, rank)) @ draw.random((rank, n_features)) + noise * draw.random((n_samples, n_features))


def relative_error(X, W, H):
    return np.linalg.norm(X - W @ H) / np.linalg.norm(X)


def run_python(code, **options):
    """A fresh interpreter with the same package."""
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=120, **options)
