"""The package as others get it: types, documentation that runs, pip."""

import doctest
import importlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import ppdnmf
from ppdnmf import _core
from support import SOURCE

PACKAGE = Path(ppdnmf.__file__).parent
MODULES = ["ppdnmf", "ppdnmf._agent", "ppdnmf._nmf", "ppdnmf._distributed", "ppdnmf.paillier"]


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_examples_in_docstrings_run(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert failed == 0 and tried > 0


def test_examples_in_the_documentation_run():
    failed, tried = doctest.testfile(str(SOURCE / "docs" / "python.md"), module_relative=False)
    assert failed == 0 and tried > 0


def test_types_hold(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(SOURCE / "pyproject.toml"), "--cache-dir", str(tmp_path), str(PACKAGE)],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_names_all_that_the_extension_has():
    stub = (PACKAGE / "_core.pyi").read_text()
    for name, value in vars(_core).items():
        if name.startswith("__") and name != "__version__":
            continue
        assert re.search(rf"^(def|class) {name}\b|^{name}:", stub, re.M), name
        if isinstance(value, type):
            body = stub.split(f"class {name}:")[1].split("\nclass ")[0]
            for member in vars(value):
                assert member.startswith("_") or f"def {member}(" in body, f"{name}.{member}"


def test_the_version_is_cmakes():
    assert f"project(ppdnmf VERSION {ppdnmf.__version__} " in (SOURCE / "CMakeLists.txt").read_text()


def test_pip_installs_without_network(tmp_path):
    # The extension is the one that is being tested, so that nothing is compiled again.
    environment = {**os.environ, "PPDNMF_CORE": _core.__file__, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment.pop("PYTHONPATH", None)
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    wheels = tmp_path / "wheels"
    subprocess.run([python, "-m", "pip", "wheel", str(SOURCE), "--no-build-isolation", "--no-deps", "--no-index", "--quiet",
                    "--wheel-dir", str(wheels)], check=True, env=environment)
    (wheel,) = wheels.iterdir()
    assert wheel.name.startswith(f"ppdnmf-{ppdnmf.__version__}-cp3")
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("ppdnmf/__init__.py", "ppdnmf/py.typed", "ppdnmf/_core.pyi", f"ppdnmf/{Path(_core.__file__).name}"):
        assert name in names
    subprocess.run([python, "-m", "pip", "install", str(wheel), "--no-index", "--quiet"], check=True, env=environment)
    code = "import ppdnmf; print(ppdnmf.__file__); print(ppdnmf.NMF(1, random_state=0).fit([[1.0, 2.0], [2.0, 4.0]]).n_components_)"
    done = subprocess.run([python, "-c", code], check=True, env=environment, capture_output=True, text=True, cwd=tmp_path)
    file, components = done.stdout.split()
    assert file.startswith(str(tmp_path)) and components == "1"
