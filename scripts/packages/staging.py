"""What all packages share: the commit's time, commands, trees of files, and the bytes that follow from them alone."""
import gzip
import hashlib
import os
import re
import shutil
import stat
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def run(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def commit():
    """Its name and its time in seconds; a tree without git has neither, and SOURCE_DATE_EPOCH or zero."""
    try:
        name, seconds = run("git", "-C", ROOT, "log", "-1", "--format=%H %ct", stderr=subprocess.DEVNULL).split()
    except (subprocess.CalledProcessError, FileNotFoundError):
        name, seconds = "unknown", "0"
    return name, int(os.environ.get("SOURCE_DATE_EPOCH", seconds))


def version():
    return re.search(r"project\(ppdnmf VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def install(source, target, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def write(target, content, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content if isinstance(content, bytes) else content.encode())
    target.chmod(mode)


def compress(content, target):
    """gzip without name and time, as Debian wants pages and changelogs."""
    write(target, gzip.compress(content if isinstance(content, bytes) else content.encode(), 9, mtime=0))


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def even_out(folder, seconds):
    """Modes and times that follow from the content, whatever umask and clock made the tree."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_symlink():
            continue
        if path.is_dir():
            path.chmod(0o755)
        else:
            path.chmod(0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644)
        os.utime(path, (seconds, seconds))


def tar_gz(folder, target, seconds):
    """The folder under its own name: sorted, owned by nobody in particular, gzipped without name and time."""
    def neutral(info):
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        info.mtime = seconds
        return info
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            archive.add(folder, folder.name, recursive=False, filter=neutral)
            for path in sorted(folder.rglob("*")):
                archive.add(path, f"{folder.name}/{path.relative_to(folder)}", recursive=False, filter=neutral)


def digest(path, kind="sha256"):
    return hashlib.new(kind, path.read_bytes(), usedforsecurity=False).hexdigest()
