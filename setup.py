"""The extension module is CMake's: this asks for it, and takes the version from where CMake has it.

PPDNMF_CORE names an extension module that was built already (build/python/ppdnmf/_core*.so) to be packed instead.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TOP = Path(__file__).resolve().parent


def version() -> str:
    found = re.search(r"project\(ppdnmf VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text(encoding="utf-8"))
    if found is None:
        sys.exit("CMakeLists.txt names no version")
    return found.group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext: Extension) -> None:
        module = (Path.cwd() / self.get_ext_fullpath(ext.name)).resolve()
        module.parent.mkdir(parents=True, exist_ok=True)
        if "PPDNMF_CORE" in os.environ:
            shutil.copy(os.environ["PPDNMF_CORE"], module)
            return
        folder = Path(self.build_temp).resolve()
        jobs = str(self.parallel or os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or os.cpu_count() or 1)
        subprocess.check_call(
            ["cmake", "-S", str(TOP), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DPPDNMF_TESTS=OFF",
             "-DPPDNMF_BENCH=OFF", f"-DPPDNMF_PYTHON_EXECUTABLE={sys.executable}", f"-DPPDNMF_PYTHON_OUTPUT={module.parent}"])
        subprocess.check_call(["cmake", "--build", str(folder), "-j", jobs, "--target", "python_core"])
        if not module.exists():
            sys.exit(f"{module} was not built: pybind11-dev or python3-dev is missing")


setup(version=version(), ext_modules=[Extension("ppdnmf._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
