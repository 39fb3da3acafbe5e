"""Sparse files: the bytes of the same matrix written out, and no memory for its zeros."""

import json
import os
import random
import resource
import unittest

from support import TestCase, run, write_npy

ROWS, COLUMNS = 40, 700


def counts(seed=1):
    """A list of rows, nine of ten entries zero."""
    draw = random.Random(seed)
    topics = [[draw.random() < 0.25 for _ in range(ROWS)] for _ in range(3)]
    columns = []
    for _ in range(COLUMNS):
        topic = draw.choice(topics)
        columns.append([draw.randint(1, 6) if draw.random() < (0.3 if topic[row] else 0.03) else 0 for row in range(ROWS)])
    return [[float(column[row]) for column in columns] for row in range(ROWS)]


def write_mtx(path, matrix):
    entries = [(r + 1, c + 1, value) for r, row in enumerate(matrix) for c, value in enumerate(row) if value]
    random.Random(2).shuffle(entries)
    path.write_text(f"%%MatrixMarket matrix coordinate real general\n{len(matrix)} {len(matrix[0])} {len(entries)}\n" +
                    "".join(f"{r} {c} {value}\n" for r, c, value in entries))
    return path


def without(names, path):
    record = json.loads(path.read_text())
    for name in ("seconds", "title", *names):
        del record[name]
    record["notes"] = [note.replace(".mtx", ".npy") for note in record["notes"]]
    return record


class Sparse(TestCase):
    def setUp(self):
        super().setUp()
        matrix = counts()
        self.dense = write_npy(self.folder / "Z.npy", matrix)
        self.sparse = write_mtx(self.folder / "Z.mtx", matrix)

    def same(self, command, *options, files=("X.npy", "Y.npy"), before=()):
        for data, out in ((self.dense, "dense"), (self.sparse, "sparse")):
            self.succeed(command, *before, data, *options, "--quiet", "--out", self.folder / out)
        for name in files:
            self.assertEqual((self.folder / "dense" / name).read_bytes(), (self.folder / "sparse" / name).read_bytes(), name)
        # Between processes parts are signed, and a signature may be a byte shorter than the last one.
        differs = ["bytes_sent"] if command == "launch" else []
        self.assertEqual(without(differs, self.folder / "dense/run.json"), without(differs, self.folder / "sparse/run.json"))

    def test_factorize(self):
        for number, options in enumerate(([], ["--loss", "poisson"], ["--normalise", "l1"], ["--cap", 0.8],
                                          ["--solver", "admm"], ["--l1-y", 0.1], ["--prune", 0.04])):
            with self.subTest(options=options):
                for out in ("dense", "sparse"):
                    if (self.folder / out).exists():
                        (self.folder / out).rename(self.folder / f"{out}.{number}")
                self.same("factorize", "--rank", 3, "--iterations", 12, *options)

    def test_simulate(self):
        for number, options in enumerate(([], ["--crowd", "blank"], ["--crowd", "drop"], ["--scheme", "moments"],
                                          ["--scheme", "hardened", "--cipher", "none", "--iterations", 4],
                                          ["--epsilon", 8, "--delta", 1e-3, "--normalise", "l2"])):
            with self.subTest(options=options):
                for out in ("dense", "sparse"):
                    if (self.folder / out).exists():
                        (self.folder / out).rename(self.folder / f"{out}.{number}")
                self.same("simulate", "--rank", 2, "--agents", 2, *options)

    def test_transform(self):
        self.succeed("factorize", self.dense, "--rank", 3, "--quiet", "--out", self.folder / "model")
        self.same("transform", files=["Y.npy"], before=[self.folder / "model/X.npy"])

    def test_launch(self):
        self.same("launch", "--rank", 2, "--agents", 2, "--iterations", 4)

    def test_no_memory_for_zeros(self):
        """100,000 x 100,000, which would take 80 GB, within 2 GiB of addresses."""
        draw = random.Random(3)
        size = 100_000
        lines = "".join(f"{draw.randint(1, size)} {draw.randint(1, size)} {draw.randint(1, 9)}\n" for _ in range(20_000))
        data = self.folder / "large.mtx"
        data.write_text(f"%%MatrixMarket matrix coordinate integer general\n{size} {size} 20000\n{lines}")
        limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))}
        if os.environ.get("PPDNMF_SANITIZE"):
            limits = {}  # sanitizers take addresses by the terabyte
        done = run("factorize", data, "--rank", 2, "--iterations", 3, "--threads", 2, "--quiet", "--out", self.out, **limits)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = run("simulate", data, "--rank", 2, "--agents", 2, "--iterations", 3, "--threads", 2, "--quiet", "--out",
                    self.folder / "agents", **limits)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_files_that_lie(self):
        banner = "%%MatrixMarket matrix coordinate real general\n"
        data = self.folder / "bad.mtx"
        for text, words in (("6 6 2\n1 1 1\n7 1 1\n", "outside 1 to 6"), ("6 6 2\n1 1 1\n", "not complete"),
                            ("6 6 1\n1 1 1\n2 2 1\n", "follows after the last entry"), ("6 6 1\n0 1 1\n", "outside 1 to 6"),
                            ("6 999999999999 1\n1 1 1\n", "it claims"), ("6 6 1\n1 1 x\n", "not a number"),
                            ("6 6 1\n1 1 -2\n", "negative"), ("6 6 1\n1 1 inf\n", "not finite")):
            with self.subTest(text=text):
                data.write_text(banner + text)
                self.refuse(3 if "negative" in words or "finite" in words else 4, words, "factorize", data, "--rank", 2)


if __name__ == "__main__":
    unittest.main()
