"""Known components and penalties: what stays, what is minimised, and the same bytes from every command."""

import csv
import json
import unittest

from support import TestCase, low_rank, read_npy, run, shape, write_npy

USAGE, DATA = 2, 3
ROWS = [f"r{l}" for l in range(12)]
NETWORKS = (("simulate", "--agents", 4), ("simulate", "--agents", 4, "--topology", "line", "--threads", 2),
            ("simulate", "--agents", 4, "--cipher", "none"), ("launch", "--agents", 4))


def write_csv(path, matrix, rows, columns):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["row", *columns])
        for name, row in zip(rows, matrix):
            out.writerow([name, *map(repr, row)])
    return path


class Known(TestCase):
    def setUp(self):
        super().setUp()
        Z = low_rank(12, 40, 4)
        self.data = write_csv(self.folder / "Z.csv", Z, ROWS, [f"c{m}" for m in range(40)])
        self.columns = low_rank(12, 2, 2, seed=7)
        # In another order: rows are matched by name.
        self.known = write_csv(self.folder / "known.csv", self.columns[::-1], ROWS[::-1], ["SBS1", "SBS5"])

    def record(self, folder):
        return json.loads((folder / "run.json").read_text())

    def objective(self, folder, poisson, l1_x=0.0, l1_y=0.0, l2_x=0.0, l2_y=0.0):
        import math

        X, Y = read_npy(folder / "X.npy"), read_npy(folder / "Y.npy")
        Z = low_rank(12, 40, 4)
        R = [[sum(X[l][k] * Y[k][m] for k in range(len(Y))) for m in range(40)] for l in range(12)]
        pairs = [(z, r) for a, b in zip(Z, R) for z, r in zip(a, b)]
        fit = sum(z * math.log(z / r) - z + r for z, r in pairs) if poisson else sum((z - r) ** 2 for z, r in pairs) / 2
        on = lambda l1, l2, matrix: sum(l1 * v + l2 / 2 * v * v for row in matrix for v in row)
        return fit + on(l1_x, l2_x, X) + on(l1_y, l2_y, Y)

    def test_known_columns_stay_with_their_names_in_every_command(self):
        for loss in ("squares", "poisson"):
            common = ("--rank", 4, "--known", self.known, "--loss", loss, "--iterations", 9, "--seed", 3, "--quiet", "--force")
            factors = set()
            for number, (command, *more) in enumerate((("factorize", "--tolerance", 0), *NETWORKS)):
                out = self.folder / f"out{number}"
                self.succeed(command, self.data, *common, *more, "--out", out)
                X = read_npy(out / "X.npy")
                self.assertEqual([row[:2] for row in X], self.columns, (loss, command))
                record = self.record(out)
                self.assertEqual(record["components"], ["SBS1", "SBS5", "component 3", "component 4"])
                self.assertEqual(record["parameters"]["known"], 2)
                with open(out / "X.csv", newline="") as file:
                    self.assertEqual(next(csv.reader(file))[1:], record["components"])
                self.assertIn("SBS5", (out / "report.html").read_text())
                if command != "factorize":
                    factors.add((out / "X.npy").read_bytes())
            self.assertEqual(len(factors), 1)

    def test_all_known_is_transform(self):
        for loss in ("squares", "poisson"):
            self.succeed("factorize", self.data, "--rank", 2, "--known", self.known, "--loss", loss, "--out", self.out, "--quiet", "--force")
            self.assertEqual(self.record(self.out)["stopped_because"], "known")
            self.succeed("transform", self.out / "X.npy", self.data, "--loss", loss, "--out", self.folder / "new", "--quiet", "--force")
            ours, theirs = self.record(self.out), self.record(self.folder / "new")
            self.assertLess(abs(ours["loss"] / theirs["loss"] - 1), 1e-6)
            self.succeed("simulate", self.data, "--rank", 2, "--known", self.known, "--loss", loss, "--agents", 3, "--out", self.folder / "net",
                         "--quiet", "--force")
            self.assertLess(abs(self.record(self.folder / "net")["loss"] / theirs["loss"] - 1), 1e-6)

    def test_penalties_are_in_the_loss_and_alike_in_every_command(self):
        penalties = {"l1_x": 0.5, "l1_y": 0.25, "l2_x": 0.125, "l2_y": 0.75}
        options = [word for name, value in penalties.items() for word in (f"--{name.replace('_', '-')}", value)]
        for loss in ("squares", "poisson"):
            common = ("--rank", 3, "--loss", loss, "--iterations", 12, "--seed", 3, "--quiet", "--force", *options)
            factors, losses = set(), []
            for number, (command, *more) in enumerate((("factorize", "--tolerance", 0), *NETWORKS)):
                out = self.folder / f"out{number}"
                self.succeed(command, self.data, *common, *more, "--out", out)
                record = self.record(out)
                losses.append(record["loss"])
                self.assertLess(abs(self.objective(out, loss == "poisson", **penalties) / record["loss"] - 1), 1e-9, (loss, command))
                for name, value in penalties.items():
                    self.assertEqual(record["parameters"][name], value)
                with open(out / "history.csv", newline="") as file:
                    last = list(csv.DictReader(file))[-1]
                self.assertLess(abs(float(last["loss"]) / record["loss"] - 1), 1e-9, (loss, command))
                if command != "factorize":
                    factors.add((out / "X.npy").read_bytes() + (out / "Y.npy").read_bytes())
            self.assertEqual(len(factors), 1)
            for one in losses:
                self.assertLess(abs(one / losses[0] - 1), 1e-6, loss)

    def test_transform_with_penalties(self):
        self.succeed("factorize", self.data, "--rank", 3, "--out", self.out, "--quiet")
        sums = []
        for penalty in (0, 5):
            self.succeed("transform", self.out / "X.npy", self.data, "--l1-y", penalty, "--out", self.folder / "new", "--quiet", "--force")
            sums.append(sum(map(sum, read_npy(self.folder / "new" / "Y.npy"))))
        self.assertLess(sums[1], sums[0])

    def test_a_rank_above_the_smaller_side_is_factorised_with_a_note(self):
        small = write_npy(self.folder / "small.npy", low_rank(3, 8, 2))
        for command in (("factorize",), ("simulate", "--agents", 2)):
            self.succeed(command[0], small, "--rank", 5, *command[1:], "--out", self.out, "--quiet", "--force")
            self.assertEqual(shape(self.out / "X.npy"), (3, 5))
            self.assertIn("Rank 5 is above the smaller side of the data, 3", " ".join(self.record(self.out)["notes"]))
        self.refuse_in("--scheme", "hardened")
        self.refuse_in("--epsilon", 4, "--delta", 1e-3, "--normalise", "l2")

    def refuse_in(self, *more):
        done = run("simulate", self.folder / "small.npy", "--rank", 5, "--agents", 2, "--out", self.folder / "none", *more)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("larger than", done.stderr)

    def test_bad_input_is_one_sentence(self):
        factorize = ("factorize", self.data, "--quiet")
        self.refuse(USAGE, "there are 2 known components, more than --rank 1", *factorize, "--rank", 1, "--known", self.known)
        other = write_csv(self.folder / "other.csv", self.columns, [*ROWS[:-1], "x"], ["a", "b"])
        self.refuse(DATA, ["other.csv", "lacks the row 'r11' and has the row 'x'"], *factorize, "--rank", 3, "--known", other)
        short = write_npy(self.folder / "short.npy", self.columns[:-1])
        self.refuse(DATA, ["short.npy: has 11 rows, but the data have 12"], *factorize, "--rank", 3, "--known", short)
        zero = write_npy(self.folder / "zero.npy", [[1.0, 0.0]] * 12)
        self.refuse(USAGE, "the known component known 2 is all zero", *factorize, "--rank", 3, "--known", zero)
        self.refuse(USAGE, "--l1-y", *factorize, "--rank", 3, "--l1-y", -1)
        simulate = ("simulate", self.data, "--rank", 3, "--quiet")
        self.refuse(USAGE, "--known needs --scheme sum without --epsilon", *simulate, "--known", self.known, "--scheme", "moments")
        self.refuse(USAGE, "--l1-y needs --scheme sum without --epsilon", *simulate, "--l1-y", 1, "--scheme", "moments")
        self.refuse(USAGE, "--l1-y 1 has no meaning for --scheme hardened", *simulate, "--l1-y", 1, "--scheme", "hardened")

    def test_members_must_have_the_same_known_components(self):
        members = []
        for name in ("a", "b", "c"):
            self.succeed("identity", "new", "--name", name, "--out", self.folder, "--quiet")
            members += ["--member", f"{self.folder / name}.pub@127.0.0.1:{len(members) + 1}"]
        names = self.folder / "rows.txt"
        names.write_text("\n".join(ROWS))
        common = ("consortium", "new", *members, "--rank", 4, "--row-names", names, "--trust-members", "--crowd", "off", "--force")
        digits = set()
        for known in (("--known", self.known), ("--known", write_csv(self.folder / "b.csv", self.columns, ROWS, ["SBS1", "b"])), ()):
            made = self.succeed(*common, *known, "--json", "--out", self.folder / f"{len(digits)}.toml")
            digits.add(json.loads(made.stdout)["digits"])
        self.assertEqual(len(digits), 3)
        agent = ("agent", "--identity", self.folder / "a.key", "--data", self.data, "--quiet")
        self.refuse_agent("give the file that they are in with --known", *agent, "--consortium", self.folder / "0.toml")
        self.refuse_agent("other components than the consortium file keeps", *agent, "--consortium", self.folder / "1.toml", "--known", self.known)
        self.refuse_agent("knows no components: leave out --known", *agent, "--consortium", self.folder / "2.toml", "--known", self.known)
        private = run("consortium", "new", *members, "--rank", 4, "--rows", 12, "--columns", 2000, "--known", self.known, "--out", self.folder / "p.toml")
        self.assertEqual(private.returncode, USAGE)
        self.assertIn("needs --scheme sum without --epsilon", private.stderr)

    def refuse_agent(self, words, *arguments):
        done = run(*arguments, "--out", self.folder / "agent")
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
