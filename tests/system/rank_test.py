"""The number of components, found by itself: the command rank, ranges of ranks elsewhere, and what they refuse."""

import json
import random
import unittest

from support import TestCase, read_npy, run, shape, write_npy

USAGE = 2


def made_counts(seed=1, components=3, columns=60, per=5):
    draw = random.Random(seed)
    rows = components * per
    truth = [[0.02 + (draw.gammavariate(2, 1) if r // per == k else 0) for k in range(components)] for r in range(rows)]
    matrix = [[0.0] * columns for _ in range(rows)]
    for c in range(columns):
        amount = [draw.gammavariate(0.6, 60) for _ in range(components)]
        for r in range(rows):
            mean = sum(truth[r][k] * amount[k] for k in range(components))
            matrix[r][c] = float(max(0, round(draw.gauss(mean, mean ** 0.5))))
    return matrix


class Rank(TestCase):
    def setUp(self):
        super().setUp()
        self.data = write_npy(self.folder / "Z.npy", made_counts())

    def rank(self, *more, command="rank", ranks="--ranks", out=None):
        out = out or self.out
        self.succeed(command, self.data, ranks, "2-6", "--agents", 3, "--starts", 4, "--iterations", 15, "--quiet", "--out", out, *more)
        return json.loads((out / "run.json").read_text())

    def test_finds_the_components_that_are_there_and_keeps_all_candidates(self):
        record = self.rank()
        self.assertEqual(record["rank"], 3)
        self.assertEqual(shape(self.out / "X.npy"), (15, 3))
        self.assertEqual(shape(self.out / "Y.npy"), (3, 60))
        self.assertEqual(record["parameters"]["loss"], "poisson")  # the data are counts, and nobody said otherwise
        self.assertEqual(record["parameters"]["rank"], "2-6")
        self.assertIn("3 components were found", record["reason"])
        for candidate in record["candidates"]:
            self.assertEqual(shape(self.out / candidate["X"]), (15, candidate["rank"]))
            self.assertEqual(len(candidate["silhouettes"]), candidate["rank"])
            self.assertLessEqual(candidate["stability"], 1)
        losses = [candidate["loss"] for candidate in record["candidates"]]
        self.assertEqual(losses[:2], sorted(losses[:2], reverse=True))
        self.assertIn("The number of components", (self.out / "report.html").read_text())
        self.assertEqual(len((self.out / "history.csv").read_text().splitlines()), len(losses) + 2)

    def test_processes_and_a_simulated_range_give_the_same_bytes(self):
        self.rank()
        for command in ("simulate", "launch"):
            other = self.folder / command
            self.rank("--loss", "poisson", command=command, ranks="--rank", out=other)
            for name in ("X.npy", "Y.npy", "agents/1/Y.npy", "candidates/X_2.npy", "candidates/X_4.npy"):
                self.assertEqual((self.out / name).read_bytes(), (other / name).read_bytes(), f"{command} {name}")
            own, theirs = (json.loads((folder / "run.json").read_text()) for folder in (self.out, other))
            for key in ("rank", "reason", "candidates", "found"):
                self.assertEqual(own[key], theirs[key])

    def test_one_machine_and_threads(self):
        self.rank("--threads", 2)
        again = self.folder / "again"
        self.rank("--threads", 1, out=again)
        self.assertEqual((self.out / "X.npy").read_bytes(), (again / "X.npy").read_bytes())
        alone = self.folder / "alone"
        self.succeed("rank", self.data, "--ranks", "2-6", "--agents", 1, "--starts", 4, "--iterations", 15, "--quiet", "--out", alone)
        together, one = read_npy(self.out / "X.npy"), read_npy(alone / "X.npy")
        for a, b in zip(together, one):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-6)

    def test_another_run_leaves_no_candidates_of_this_one(self):
        self.rank()
        self.succeed("rank", self.data, "--ranks", "3-4", "--agents", 3, "--starts", 2, "--iterations", 5, "--quiet", "--force", "--out", self.out)
        self.assertEqual(sorted(file.name for file in (self.out / "candidates").iterdir()), ["X_3.npy", "X_4.npy"])

    def test_a_private_search_costs_what_a_private_run_costs(self):
        data = write_npy(self.folder / "many.npy", made_counts(seed=2, columns=900))
        budget = ("--agents", 3, "--epsilon", 8, "--delta", 1e-6, "--normalise", "l2", "--iterations", 1, "--starts", 4, "--quiet")
        self.succeed("rank", data, "--ranks", "2-6", *budget, "--out", self.out)
        record = json.loads((self.out / "run.json").read_text())
        self.assertEqual(record["rank"], 3)
        self.assertEqual(shape(self.out / "X.npy"), (15, 3))
        self.assertEqual([one["rank"] for one in record["candidates"]], [2, 3, 4, 5, 6])
        self.assertEqual(len(record["stability"]), 3)
        self.assertIn("costs nothing of the budget", " ".join(record["notes"]))
        launched = self.folder / "launch"
        self.succeed("launch", data, "--rank", "2-6", *budget, "--scheme", "moments", "--out", launched)
        given = self.folder / "given"
        self.succeed("simulate", data, "--rank", 3, *budget, "--scheme", "moments", "--out", given)
        for name in ("X.npy", "Y.npy", "candidates/X_4.npy"):
            self.assertEqual((self.out / name).read_bytes(), (launched / name).read_bytes(), name)
        self.assertEqual((self.out / "X.npy").read_bytes(), (given / "X.npy").read_bytes())
        theirs = json.loads((given / "run.json").read_text())
        for key in ("rho", "opening_noise", "opening_part"):
            self.assertEqual(record["parameters"][key], theirs["parameters"][key])
        opened = json.loads(self.succeed("rank", data, "--ranks", "2-6", *budget[:-1], "--estimate", "--json").stdout)
        self.assertEqual(opened["numbers_opened"], 15 * 16 // 2)

    def test_the_estimate_says_what_is_opened(self):
        done = self.succeed("rank", self.data, "--ranks", "2-6", "--estimate", "--json")
        self.assertGreater(json.loads(done.stdout)["numbers_opened"], 0)
        self.assertIn("opened", self.succeed("rank", self.data, "--ranks", "2-6", "--estimate").stdout)

    def test_refuses_in_a_sentence(self):
        for ranks in ("6-2", "4", "a-b", "0-4", "3-3", "2-"):
            self.refuse(USAGE, "two whole numbers as 4-20", "rank", self.data, "--ranks", ranks)
        self.refuse(USAGE, "a whole number from 1", "simulate", self.data, "--rank", "6-2")
        self.refuse(USAGE, "more than the data allow", "rank", self.data, "--ranks", "2-30")
        self.refuse(USAGE, "needs --scheme sum", "rank", self.data, "--ranks", "2-6", "--scheme", "hardened")
        budget = ("--epsilon", 1, "--delta", 1e-6, "--normalise", "l2")
        self.refuse(USAGE, "needs --scheme moments", "rank", self.data, "--ranks", "2-6", *budget, "--scheme", "sum")
        self.refuse(USAGE, "needs --epsilon", "rank", self.data, "--ranks", "2-6", "--scheme", "moments")
        self.refuse(USAGE, "poisson", "rank", self.data, "--ranks", "2-6", *budget, "--loss", "poisson")
        self.refuse(USAGE, "--known", "rank", self.data, "--ranks", "2-6", *budget, "--known", self.data)
        self.refuse(USAGE, "needs --start random", "rank", self.data, "--ranks", "2-6", "--start", "ones")
        self.refuse(USAGE, "'ppdnmf rank'", "factorize", self.data, "--rank", "2-6")
        self.assertEqual(run("rank", self.data).returncode, USAGE)


if __name__ == "__main__":
    unittest.main()
