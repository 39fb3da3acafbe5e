"""Data that stay on disk: the bytes of the same data in memory, little memory, and files that change meanwhile."""

import os
import random
import resource
import signal
import struct
import subprocess
import unittest
import zipfile
from pathlib import Path

from network import Network
from sparse_test import counts, write_mtx
from support import PROGRAM, TestCase, run, wait_for, write_npy


def write_columns(path, matrix, letter="d"):
    """As numpy saves an array in Fortran order; letter: struct's."""
    kind = {"d": "<f8", "f": "<f4", "B": "|u1"}[letter]
    header = repr({"descr": kind, "fortran_order": True, "shape": (len(matrix), len(matrix[0]))})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    values = [value if letter != "B" else int(value) for column in zip(*matrix) for value in column]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}{letter}", *values))
    return path


class OnDisk(TestCase):
    def setUp(self):
        super().setUp()
        self.matrix = counts()
        self.memory = write_npy(self.folder / "memory.npy", self.matrix)
        sparse = self.folder / "sparse.npz"
        self.succeed("convert", write_mtx(self.folder / "Z.mtx", self.matrix), sparse, "--quiet")
        self.kinds = [write_columns(self.folder / f"{name}.npy", self.matrix, letter)
                      for name, letter in (("double", "d"), ("float", "f"), ("bytes", "B"))] + [self.memory, sparse]

    def factors(self, name, command, *arguments):
        out = self.folder / name
        self.succeed(command, *arguments, "--quiet", "--out", out)
        return [(out / file).read_bytes() for file in ("X.npy", "Y.npy") if (out / file).exists()]

    def test_the_same_bytes_wherever_data_are(self):
        for number, options in enumerate((["--rank", 3, "--iterations", 12], ["--rank", 2, "--loss", "poisson", "--iterations", 8],
                                          ["--rank", 2, "--normalise", "l2", "--iterations", 5],
                                          ["--rank", 2, "--solver", "admm", "--iterations", 4])):
            expected = self.factors(f"memory{number}", "factorize", self.memory, *options)
            for kind in self.kinds:
                for threads in (1, 2, 4):
                    with self.subTest(kind=kind.name, threads=threads, options=options):
                        name = f"{kind.name}{number}{threads}"
                        found = self.factors(name, "factorize", kind, *options, "--on-disk", "--threads", threads)
                        self.assertEqual(found, expected)

    def test_simulate_and_transform(self):
        for number, options in enumerate(([], ["--scheme", "moments"], ["--epsilon", 8, "--delta", 1e-3, "--normalise", "l2"])):
            expected = self.factors(f"memory{number}", "simulate", self.memory, "--rank", 2, "--agents", 3, *options)
            for kind in self.kinds:
                with self.subTest(kind=kind.name, options=options):
                    found = self.factors(f"{kind.name}{number}", "simulate", kind, "--rank", 2, "--agents", 3, *options, "--on-disk")
                    self.assertEqual(found, expected)
        model = self.folder / "memory0/X.npy"
        expected = self.factors("transformed", "transform", model, self.memory)
        for kind in self.kinds:
            self.assertEqual(self.factors(f"{kind.name}.t", "transform", model, kind, "--on-disk"), expected, kind.name)

    def test_agents(self):
        (self.folder / "network").mkdir()
        network = Network(self.folder / "network", self.memory, ["--rank", 2, "--iterations", 6], 3, more=["--on-disk"])
        self.addCleanup(network.stop)
        network.start().finish()
        self.assertEqual(set(network.factors()), {network.simulated()})

    def test_little_memory(self):
        """400 MB of numbers within 200 MB of addresses beyond what the program takes anyway."""
        data = self.folder / "large.npy"
        rows, columns = 200, 250_000
        header = repr({"descr": "<f8", "fortran_order": True, "shape": (rows, columns)})
        header += " " * (-(len(header) + 11) % 64) + "\n"
        some = struct.pack(f"<{rows * 100}d", *(random.Random(1).random() for _ in range(rows * 100)))
        with data.open("wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
            for _ in range(columns // 100):
                file.write(some)
        limit = 320 << 20
        limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}
        if os.environ.get("PPDNMF_SANITIZE"):
            limits = {}  # sanitizers take addresses by the terabyte
        common = ["factorize", data, "--rank", 2, "--iterations", 2, "--threads", 1, "--quiet", "--out"]
        done = run(*common, self.out, "--on-disk", **limits)
        self.assertEqual(done.returncode, 0, done.stderr)
        if limits:
            self.assertNotEqual(run(*common, self.folder / "memory", **limits).returncode, 0, "the limit is none")

    def test_a_file_that_changes_ends_the_run_with_a_sentence(self):
        for how, words in (("cut", "became shorter while it was used"), ("written", "was changed while it was used")):
            with self.subTest(how=how):
                data = write_columns(self.folder / f"{how}.npy", self.matrix)
                out = self.folder / f"out-{how}"
                with subprocess.Popen([PROGRAM, "factorize", data, "--rank", "4", "--iterations", "1000000", "--tolerance", "0",
                                       "--on-disk", "--threads", "1", "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True) as process:
                    self.assertTrue(wait_for(out.exists))  # made when the iterations begin
                    if how == "cut":
                        os.truncate(data, data.stat().st_size // 2)
                    else:
                        with data.open("r+b") as file:
                            file.seek(-8, os.SEEK_END)
                            file.write(struct.pack("<d", 1e9))
                    said = process.communicate(timeout=60)[1].strip().splitlines()
                self.assertEqual(process.returncode, 4, said)
                self.assertIn(f"{how}.npy: {words}", said[-1])
                self.assertFalse(out.exists(), "the folder is gone with the run")

    def test_cells_of_hdf5_files(self):
        cells = Path(__file__).resolve().parents[2] / "src/ppdnmf/convert/testdata"
        for name in ("csr.h5ad", "csc.h5ad", "dense.h5ad", "10x.h5"):
            with self.subTest(name=name):
                expected = self.factors(f"{name}.read", "factorize", cells / name, "--rank", 2, "--iterations", 5)
                self.assertIn("ENSG3", (self.folder / f"{name}.read/X.csv").read_text())
                for ending in ("npy", "npz"):
                    converted = self.folder / f"{name}.{ending}"
                    self.succeed("convert", cells / name, converted, "--quiet")
                    found = self.factors(f"{name}.{ending}.out", "factorize", converted, "--on-disk", "--rank", 2, "--iterations", 5)
                    self.assertEqual(found, expected)

    def test_what_cannot_stay_on_disk_says_so(self):
        self.refuse(4, "cannot be worked with where it is", "factorize", self.folder / "Z.mtx", "--rank", 2, "--on-disk")
        self.refuse(2, "a search for the rank", "simulate", self.memory, "--rank", "2-3", "--agents", 2, "--on-disk")
        compressed = self.folder / "broken.npz"
        compressed.write_bytes(b"PK\x05\x06" + bytes(18))
        self.refuse(4, "broken.npz: ", "factorize", compressed, "--rank", 2, "--on-disk")

    def test_a_file_that_may_not_grow_is_a_sentence_and_leaves_nothing(self):
        """A limit of the process, as a disk that is full, in the middle of the numbers or of a temporary file."""
        limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))}
        data = self.folder / "text.csv"
        data.write_text("".join(",".join(map(str, row)) + "\n" for row in self.matrix))
        before = set(self.folder.iterdir())
        for source, ending in ((self.memory, "npy"), (self.memory, "csv"), (data, "npz"), (self.folder / "Z.mtx", "npy")):
            with self.subTest(source=source.name, ending=ending):
                done = run("convert", source, self.folder / f"new.{ending}", "--quiet", **limits)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn("cannot be written: File too large", done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertEqual(set(self.folder.iterdir()), before)

    def test_an_archive_out_of_order_goes_through_convert(self):
        """The sentence sends its owner to 'convert', which has to help."""
        with zipfile.ZipFile(self.folder / "sparse.npz") as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        starts = struct.unpack("<3q", members["indptr.npy"][128:128 + 24])
        first, second = starts[1], starts[2]
        self.assertGreater(second - first, 1)
        for name, size in (("data.npy", 8), ("indices.npy", 4)):  # the second column from below
            content = members[name]
            head = len(content) - size * ((len(content) - 128) // size)
            numbers = [content[head + size * i:head + size * (i + 1)] for i in range((len(content) - head) // size)]
            numbers[first:second] = reversed(numbers[first:second])
            members[name] = content[:head] + b"".join(numbers)
        untidy = self.folder / "untidy.npz"
        with zipfile.ZipFile(untidy, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        self.refuse(4, "column 2 are not in the order of their rows", "factorize", untidy, "--rank", 2, "--on-disk")
        self.succeed("convert", untidy, self.folder / "tidy.npz", "--quiet")
        self.assertEqual((self.folder / "tidy.npz").read_bytes(), (self.folder / "sparse.npz").read_bytes())

    def test_an_interrupted_conversion_leaves_nothing(self):
        data = self.folder / "long.csv"
        line = ",".join("0.123456789" for _ in range(500)) + "\n"
        with data.open("w") as file:
            for _ in range(20_000):
                file.write(line)
        before = set(self.folder.iterdir())
        with subprocess.Popen([PROGRAM, "convert", data, self.folder / "long.npy"], stderr=subprocess.PIPE, text=True) as process:
            catches = f"/proc/{process.pid}/status"  # the signal, from when the program asks for it
            self.assertTrue(wait_for(lambda: int(Path(catches).read_text().split("SigCgt:")[1].split()[0], 16) & 2))
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(set(self.folder.iterdir()), before)


if __name__ == "__main__":
    unittest.main()
