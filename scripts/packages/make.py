#!/usr/bin/env python3
"""Debian packages, a tarball for any Linux, a wheel, an SBOM and checksums, from a build with the preset `release`.

    scripts/packages/make.py BUILD OUT

BUILD has the program, the Python package and the target `portable`. The same build and commit give the same bytes; times
in the packages are the commit's, or SOURCE_DATE_EPOCH.
"""
import os
import shutil
import sys
import zipfile
from pathlib import Path

import debian
import pages
import sbom
from staging import ROOT, commit, compress, digest, even_out, files, fresh, install, run, tar_gz, version, write

STRIP = ("strip", "--remove-section=.comment", "--remove-section=.note")


def strip(path, *how):
    """Without symbols; and a look for what would make the bytes depend on where they were made."""
    run(*STRIP, *how, path)
    content = path.read_bytes()
    for place in (str(ROOT), "../src/ppdnmf"):
        if place.encode() in content:
            sys.exit(f"{path.name} has '{place}' in it: a check in a header, or a path that -fmacro-prefix-map does not know")


def add_manual(program, tree, compressed):
    """Manual pages and completion."""
    folder = fresh(program.parent / "manual")
    run(sys.executable, "-B", ROOT / "scripts/packages/manual.py", program, folder)
    for page in sorted((folder / "man1").iterdir()):
        if compressed:
            compress(page.read_bytes(), tree / f"share/man/man1/{page.name}.gz")
        else:
            install(page, tree / f"share/man/man1/{page.name}")
    install(folder / f"{program.name}.bash", tree / "share/bash-completion/completions" / program.name)


def stage_program(build, installed, tree):
    install(installed / "bin/ppdnmf", tree / "usr/bin/ppdnmf", 0o755)
    strip(tree / "usr/bin/ppdnmf")
    add_manual(build / "ppdnmf", tree / "usr", True)
    pages.add(tree / "usr/share/doc/ppdnmf", "copyright")
    install(ROOT / "packaging/ppdnmf-agent@.service", tree / "lib/systemd/system/ppdnmf-agent@.service")
    (tree / "etc/ppdnmf").mkdir(parents=True)


def stage_mpi(build, tree):
    install(build / "ppdnmf-mpi", tree / "usr/bin/ppdnmf-mpi", 0o755)
    strip(tree / "usr/bin/ppdnmf-mpi")
    add_manual(build / "ppdnmf-mpi", tree / "usr", True)


def stage_libraries(installed, tree):
    for path in files(installed / "lib") + files(installed / "include"):
        target = tree / "usr" / path.relative_to(installed)
        install(path, target)
        if target.suffix == ".a":
            strip(target, "--strip-debug", "--enable-deterministic-archives")


def make_wheel(module, out, work, seconds):
    """By pip, from a copy of what it needs: it writes beside its sources."""
    fresh(work)
    for name in ("pyproject.toml", "setup.py", "CMakeLists.txt", "README.md", "LICENSE"):
        install(ROOT / name, work / name)
    shutil.copytree(ROOT / "python/ppdnmf", work / "python/ppdnmf", ignore=shutil.ignore_patterns("__pycache__"))
    even_out(work, seconds)
    environment = os.environ | {"PPDNMF_CORE": str(module), "SOURCE_DATE_EPOCH": str(seconds)}
    run(sys.executable, "-m", "pip", "wheel", work, "--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--wheel-dir", out,
        env=environment)
    return next(out.glob("ppdnmf-*.whl"))


def stage_python(wheel, tree):
    target = tree / "usr/lib/python3/dist-packages"
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if not name.endswith(("RECORD", "LICENSE")):
                write(target / name, packed.read(name))


def stage_portable(build, tree):
    """bin, lib/ppdnmf and share beside each other; licences of everything that is in it."""
    install(build / "portable/ppdnmf", tree / "bin/ppdnmf", 0o755)
    strip(tree / "bin/ppdnmf")
    carried = sbom.bundled(build / "portable/ppdnmf")
    for path in carried:
        install(path, tree / "lib/ppdnmf" / Path(path).name)
    add_manual(build / "ppdnmf", tree, False)
    install(ROOT / "LICENSE", tree / "LICENSE")
    pages.add(tree / "share/doc/ppdnmf", "../../../LICENSE")
    linked = sbom.owners(sbom.archives(build / "portable/ppdnmf.map"))
    contained = sbom.owners(carried)
    for name in {*linked, *contained}:
        install(f"/usr/share/doc/{name}/copyright", tree / f"share/doc/ppdnmf/licences/{name}")
    return {"STATIC_LINK": linked, "CONTAINS": contained}


def main():
    os.umask(0o022)
    build, out = (Path(argument).resolve() for argument in sys.argv[1:3])
    commit_name, seconds = commit()
    number = version()
    fresh(out)
    work = fresh(build / "package")
    installed = work / "installed"
    run("cmake", "--install", build, "--prefix", installed)
    made_from = sbom.owners(sbom.headers(build))

    module = work / next((build / "python/ppdnmf").glob("_core*.so")).name
    install(next((build / "python/ppdnmf").glob("_core*.so")), module)
    strip(module, "--strip-unneeded")
    wheel = make_wheel(module, out, work / "wheel", seconds)

    trees = {name: work / name for name in debian.PACKAGES}
    stage_program(build, installed, trees["ppdnmf"])
    stage_mpi(build, trees["ppdnmf-mpi"])
    stage_libraries(installed, trees["libppdnmf-dev"])
    stage_python(wheel, trees["python3-ppdnmf"])
    debs = {name: debian.build(name, tree, number, commit_name, seconds, out) for name, tree in trees.items()}

    portable = work / f"ppdnmf-{number}-linux-{os.uname().machine}"
    inside = stage_portable(build, portable)
    even_out(portable, seconds)
    tarball = out / f"{portable.name}.tar.gz"
    tar_gz(portable, tarball, seconds)

    parts = {debs["ppdnmf"]: {"DYNAMIC_LINK": sbom.owners(sbom.loaded(build / "ppdnmf")), "BUILD_DEPENDENCY_OF": made_from},
             debs["ppdnmf-mpi"]: {"DYNAMIC_LINK": sbom.owners(sbom.loaded(build / "ppdnmf-mpi")),
                                  "BUILD_DEPENDENCY_OF": sbom.owners(sbom.headers(build, mpi=True))},
             debs["libppdnmf-dev"]: {"BUILD_DEPENDENCY_OF": made_from},
             debs["python3-ppdnmf"]: {"DYNAMIC_LINK": sbom.owners(sbom.loaded(module)), "BUILD_DEPENDENCY_OF": made_from},
             wheel: {"DYNAMIC_LINK": sbom.owners(sbom.loaded(module)), "BUILD_DEPENDENCY_OF": made_from},
             tarball: inside | {"BUILD_DEPENDENCY_OF": made_from}}
    write(out / f"ppdnmf-{number}.spdx.json", sbom.document(number, commit_name, seconds, parts))
    write(out / "SHA256SUMS", "".join(f"{digest(path)}  {path.name}\n" for path in files(out) if path.name != "SHA256SUMS"))
    print((out / "SHA256SUMS").read_text(), end="")


main()
