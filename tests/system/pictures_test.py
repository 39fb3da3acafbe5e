"""What is made of X and Y once they are found: pictures, matches with a catalogue, pruned exposures and intervals."""

import json
import math
import random
import unittest

from support import TestCase, read_npy, run, shape, write_npy

USAGE, DATA, FILE = 2, 3, 4
BASES = "ACGT"
CHANNELS = [f"{left}[{change}]{right}" for change in ("C>A", "C>G", "C>T", "T>A", "T>C", "T>G") for left in BASES for right in BASES]


def poisson(draw, mean):
    """Knuth's way, in pieces small enough for it."""
    count = 0
    while mean > 0:
        limit, product = math.exp(-min(mean, 30)), draw.random()
        while product > limit:
            product *= draw.random()
            count += 1
        mean -= 30
    return count


def signatures(number, draw):
    columns = [[draw.random() ** 6 + 0.001 for _ in CHANNELS] for _ in range(number)]
    return [[x / sum(column) for x in column] for column in columns]


class Pictures(TestCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.signatures = signatures(3, draw)
        exposures = [[draw.choice((0, 400, 900)) + 100 for _ in range(3)] for _ in range(24)]
        for column in exposures[::2]:
            column[draw.randrange(3)] = 0
        counts = [[poisson(draw, sum(y * s[row] for y, s in zip(column, self.signatures))) for column in exposures]
                  for row in range(96)]
        self.counts = counts
        self.data = self.folder / "counts.csv"
        self.data.write_text("type," + ",".join(f"s{c}" for c in range(24)) + "\n" +
                             "".join(f"{name},{','.join(map(str, row))}\n" for name, row in zip(CHANNELS, counts)))
        # The catalogue has one component more, its rows upside down and spelled in another way.
        catalogue = self.signatures + signatures(1, draw)
        self.reference = self.folder / "catalogue.csv"
        lines = [f"{name[2:5]}:{name[0]}{name[2]}{name[6]},{','.join(str(s[row]) for s in catalogue)}\n"
                 for row, name in enumerate(CHANNELS)]
        self.reference.write_text("type,first,second,third,other\n" + "".join(reversed(lines)))
        self.wishes = ["--rank", 3, "--loss", "poisson", "--seed", 5, "--reference", self.reference, "--prune",
                       "--intervals", 40]

    def record(self, out=None):
        return json.loads(((out or self.out) / "run.json").read_text())

    def test_a_catalogue_is_matched_one_to_one(self):
        self.succeed("factorize", self.data, *self.wishes, "--out", self.out)
        matches = self.record()["matches"]
        self.assertEqual([one["component"] for one in matches], [1, 2, 3])
        self.assertEqual({one["name"] for one in matches}, {"first", "second", "third"})
        for one in matches:
            self.assertGreater(one["cosine"], 0.95)
        page = (self.out / "report.html").read_text()
        self.assertIn("Guessed from their names: the rows are the channels of SBS96", page)
        self.assertIn("like second <i>cosine 0.9", page)

    def test_exposures_are_pruned_and_have_intervals(self):
        self.succeed("factorize", self.data, "--rank", 3, "--loss", "poisson", "--seed", 5, "--out", self.folder / "plain")
        self.succeed("factorize", self.data, *self.wishes, "--out", self.out)
        self.assertEqual((self.out / "X.npy").read_bytes(), (self.folder / "plain" / "X.npy").read_bytes())
        Y, low, high = (read_npy(self.out / name) for name in ("Y.npy", "Y_low.npy", "Y_high.npy"))
        for k in range(3):
            for m in range(24):
                self.assertLessEqual(low[k][m], high[k][m])
                if Y[k][m] == 0:
                    self.assertEqual((low[k][m], high[k][m]), (0, 0))
                else:
                    self.assertLessEqual(low[k][m], 1.01 * Y[k][m])
                    self.assertGreaterEqual(high[k][m], 0.99 * Y[k][m])
        exposures = self.record()["exposures"]
        self.assertEqual((exposures["prune"], exposures["intervals"]), (0.04, 40))
        self.assertLessEqual(exposures["active_mean"], exposures["before_pruning"]["active_mean"])
        self.assertGreater(exposures["cosine_5th_percentile"], 0.9)
        self.assertGreater(sum(y == 0 for row in Y for y in row), 6)
        plain = self.record(self.folder / "plain")["exposures"]
        self.assertIsNone(plain["prune"])
        self.assertEqual({name: plain[name] for name in exposures["before_pruning"]}, exposures["before_pruning"])
        self.assertTrue((self.out / "Y_low.csv").read_text().startswith(",s0,s1,"))
        # Another run into the folder leaves nothing of this one behind.
        self.succeed("factorize", self.data, "--rank", 3, "--out", self.out, "--force")
        self.assertFalse((self.out / "Y_low.npy").exists() or (self.out / "Y_high.csv").exists())

    def test_the_same_bytes_from_processes_and_on_any_threads(self):
        files = ("X.npy", "Y.npy", "Y_low.npy", "Y_high.npy", "agents/2/Y.npy")
        network = ["--agents", 3, "--iterations", 8]
        self.succeed("simulate", self.data, *self.wishes, *network, "--threads", 1, "--out", self.out)
        self.succeed("simulate", self.data, *self.wishes, *network, "--threads", 2, "--topology", "line", "--out", self.folder / "b")
        self.succeed("launch", self.data, *self.wishes, *network, "--out", self.folder / "c")
        for other in ("b", "c"):
            for name in files:
                self.assertEqual((self.out / name).read_bytes(), (self.folder / other / name).read_bytes(), (other, name))
            for key in ("matches", "exposures"):
                self.assertEqual(self.record()[key], self.record(self.folder / other)[key], other)

    def test_transform(self):
        X = write_npy(self.folder / "X.npy", [[s[row] for s in self.signatures] for row in range(96)])
        self.succeed("transform", X, self.data, "--loss", "poisson", "--prune", "0.1", "--intervals", 30, "--out", self.out)
        self.assertEqual(shape(self.out / "Y_high.npy"), (3, 24))
        self.assertEqual(self.record()["exposures"]["prune"], 0.1)

    def test_rows_get_names_from_a_file(self):
        data = write_npy(self.folder / "counts.npy", self.counts)
        names = self.folder / "names.txt"
        names.write_text("\n".join(CHANNELS) + "\n")
        quick = ["--rank", 2, "--iterations", 3]
        self.succeed("factorize", data, *quick, "--row-names", names, "--reference", self.reference, "--out", self.out)
        self.assertTrue((self.out / "X.csv").read_text().splitlines()[1].startswith("A[C>A]A,"))
        self.assertIn("Guessed from their names", (self.out / "report.html").read_text())
        self.succeed("factorize", data, *quick, "--show", "signatures", "--force", "--out", self.out)
        self.assertIn("they are taken to be, in the order of the field", (self.out / "report.html").read_text())
        for show in ("topics", "curves"):
            self.succeed("factorize", data, *quick, "--show", show, "--force", "--out", self.out)

    def test_what_is_refused(self):
        quick = ["factorize", self.data, "--rank", 2]
        self.refuse(USAGE, ["--show", "bars"], *quick, "--show", "bars")
        self.refuse(USAGE, ["--show images", "--image HxW"], *quick, "--show", "images")
        self.refuse(USAGE, "is not a part above 0 and at most 1", *quick, "--prune", "0")
        self.refuse(USAGE, "is not a part above 0 and at most 1", "factorize", "--rank", 2, "--prune", self.data)
        self.refuse(USAGE, "--intervals", *quick, "--intervals", 5)
        self.refuse(FILE, "none.csv", *quick, "--reference", self.folder / "none.csv")
        other = self.folder / "other.csv"
        other.write_text("type,a\n" + "".join(f"gene{n},1\n" for n in range(96)))
        for command in ("factorize", "simulate"):
            self.refuse(DATA, ["other.csv", "'A[C>A]A' and 95 more", "'gene0' and 95 more", "those of the data"],
                        command, self.data, "--rank", 2, "--reference", other)
        self.refuse(USAGE, ["--show signatures", "'gene0' is none"], "factorize", other, "--rank", 1, "--show", "signatures")
        names = self.folder / "names.txt"
        names.write_text("a\nb\n")
        self.refuse(USAGE, ["names.txt", "2 names", "96 rows"], *quick, "--row-names", names)
        names.write_text("\n".join(f"x{n}" for n in range(96)))
        self.refuse(USAGE, ["other names already", "--row-names"], *quick, "--row-names", names)


if __name__ == "__main__":
    unittest.main()
