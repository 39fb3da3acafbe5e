"""The Debian packages, by dpkg-deb from staged trees."""
import email.utils
import os
import subprocess
import tempfile
from pathlib import Path

from staging import ROOT, compress, even_out, files, fresh, install, run, write, digest

MAINTAINER = "ppdnmf maintainers <ppdnmf@example.org>"
ABOUT = """ Organisations that hold samples of the same kind, and may not pool them,
 factorise a nonnegative matrix together: all end with one common factor, and
 each keeps its own columns and their coordinates to itself. There is no
 server; runs may be differentially private for each column."""

PACKAGES = {
    "ppdnmf": {
        "Section": "science",
        "Recommends": "gnuplot-nox | gnuplot",
        "Suggests": "python3-ppdnmf",
        "Description": "factorise a nonnegative matrix together, each keeping its data\n" + ABOUT +
                       "\n .\n This package has the program, its manual pages and a service for runs.",
    },
    "ppdnmf-mpi": {
        "Section": "science",
        "Depends": "openmpi-bin",
        "Recommends": "ppdnmf, gnuplot-nox | gnuplot",
        "Description": "factorise on many machines of one site - the program for MPI\n" + ABOUT +
                       "\n .\n This package has the program for a site whose columns are on several machines.",
    },
    "libppdnmf-dev": {
        "Section": "libdevel",
        "Depends": "libeigen3-dev, libexpected-dev, libfmt-dev, libgmp-dev, libssl-dev, pkg-config, zlib1g-dev",
        "Description": "nonnegative factorisation of divided data - static libraries\n" + ABOUT +
                       "\n .\n This package has the libraries, with headers and a package for CMake.",
    },
    "python3-ppdnmf": {
        "Section": "python",
        "Depends": "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, python3-sklearn",
        "Recommends": "gnuplot-nox | gnuplot",
        "Description": "nonnegative factorisation of divided data - Python module\n" + ABOUT +
                       "\n .\n This package has estimators in the manner of scikit-learn.",
    },
}

# What dh_python3 writes: bytecode is made here and goes with the package.
PYTHON_SCRIPTS = {
    "postinst": "#!/bin/sh\nset -e\nif command -v py3compile >/dev/null 2>&1; then\n  py3compile -p python3-ppdnmf\nfi\n",
    "prerm": "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null 2>&1; then\n  py3clean -p python3-ppdnmf\nfi\n",
}
# A new or removed unit is known at once where systemd runs. Nothing is enabled: which runs there are is the owner's to say.
UNIT_SCRIPTS = {
    "postinst": "#!/bin/sh\nset -e\nif [ -d /run/systemd/system ]; then\n  systemctl --system daemon-reload >/dev/null || true\nfi\n",
    "postrm": "#!/bin/sh\nset -e\nif [ -d /run/systemd/system ]; then\n  systemctl --system daemon-reload >/dev/null || true\nfi\n"
              "if [ \"$1\" = purge ]; then\n  rmdir /etc/ppdnmf 2>/dev/null || true\nfi\n",
}
SCRIPTS = {"ppdnmf": UNIT_SCRIPTS, "python3-ppdnmf": PYTHON_SCRIPTS}


def shared_libraries(tree):
    """Depends, as dpkg-shlibdeps finds them for the tree's programs and modules."""
    binaries = [p for p in files(tree) if p.read_bytes()[:4] == b"\x7fELF"]
    if not binaries:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "debian/control", "Source: ppdnmf\n\nPackage: ppdnmf\nArchitecture: any\n")
        out = run("dpkg-shlibdeps", "-O", "--ignore-missing-info", *binaries, cwd=folder, stderr=subprocess.DEVNULL)
    return out.strip().removeprefix("shlibs:Depends=")


def control(name, tree, version, architecture):
    about = dict(PACKAGES[name])
    depends = ", ".join(part for part in (shared_libraries(tree), about.pop("Depends", "")) if part)
    size = sum((path.stat().st_size + 1023) // 1024 for path in files(tree))
    fields = {"Package": name, "Source": "ppdnmf", "Version": version, "Architecture": architecture,
              "Maintainer": MAINTAINER, "Installed-Size": size, "Depends": depends}
    if name == "ppdnmf":
        del fields["Source"]
    description = about.pop("Description")
    fields |= about | {"Priority": "optional", "Description": description}
    return "".join(f"{key}: {value}\n" for key, value in fields.items())


def changelog(name, seconds):
    return (f"ppdnmf ({name[0]}) unstable; urgency=medium\n\n  * Made from commit {name[1]};\n    "
            f"what changed is in /usr/share/doc/ppdnmf/CHANGELOG.md.gz.\n\n"
            f" -- {MAINTAINER}  {email.utils.formatdate(seconds)}\n")


def build(name, tree, version, commit_name, seconds, out):
    """out/name_version_arch.deb of the tree, which gets its DEBIAN folder and Debian's own documents here."""
    architecture = run("dpkg", "--print-architecture").strip()
    install(ROOT / "packaging/copyright", tree / f"usr/share/doc/{name}/copyright")
    compress(changelog((version, commit_name), seconds), tree / f"usr/share/doc/{name}/changelog.gz")
    even_out(tree, seconds)
    meta = tree / "DEBIAN"
    text = control(name, tree, version, architecture)
    sums = "".join(f"{digest(path, 'md5')}  {path.relative_to(tree)}\n" for path in files(tree) if not path.is_symlink())
    write(meta / "control", text)
    write(meta / "md5sums", sums)
    for script, content in SCRIPTS.get(name, {}).items():
        write(meta / script, content, 0o755)
    even_out(meta, seconds)
    os.utime(tree, (seconds, seconds))
    target = out / f"{name}_{version}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, target, env=os.environ | {"SOURCE_DATE_EPOCH": str(seconds)})
    return target
