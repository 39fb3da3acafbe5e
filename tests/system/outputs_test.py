"""What a run leaves and prints."""

import html
import json
import math
import os
import stat
import unittest

from support import TestCase, low_rank, read_npy, relative_difference, run, shape, write_npy

QUICK = ["--iterations", 6, "--admm-x", 2, "--cipher", "none"]


class Outputs(TestCase):
    def setUp(self):
        super().setUp()
        self.data = write_npy(self.folder / "Z.npy", low_rank(9, 14, 3))

    def check_files(self, out, agents):
        self.assertEqual(shape(out / "X.npy"), (9, 3))
        self.assertEqual(shape(out / "Y.npy"), (3, 14))
        for name in ("history.csv", "run.json", "report.html"):
            self.assertTrue((out / name).is_file(), name)
        lines = (out / "history.csv").read_text().splitlines()
        self.assertEqual(lines[0], "iteration,rounds,nmse,relative_error,loss,disagreement,seconds,bytes")
        self.assertEqual([line.split(",")[0] for line in lines[1:]], [str(n) for n in range(1, len(lines))])
        record = json.loads((out / "run.json").read_text())
        for key in ("relative_error", "loss", "nmse", "disagreement", "worst_agent_error", "iterations", "rounds",
                    "bytes_sent", "seconds", "seed", "parameters", "version"):
            self.assertIn(key, record)
        self.assertEqual(set(record["seconds"]), {"total", "crypto", "numerics"})
        self.assertEqual(record["iterations"], len(lines) - 1)
        self.assertEqual(float(lines[-1].split(",")[3]), record["relative_error"])
        self.assertEqual(float(lines[-1].split(",")[4]), record["loss"])
        self.assertEqual(record["parameters"]["loss"], "squares")
        X, Y, Z = (read_npy(path) for path in (out / "X.npy", out / "Y.npy", self.data))
        half = sum((Z[r][c] - sum(X[r][k] * Y[k][c] for k in range(3))) ** 2 for r in range(9) for c in range(14)) / 2
        self.assertAlmostEqual(record["loss"], half, delta=1e-6 * half + 1e-12 * sum(z * z for row in Z for z in row))
        self.assertFalse((out / "checkpoint.bin").exists())
        self.assertEqual([p.name for p in out.iterdir() if p.name.startswith(".")], [])
        self.assertEqual(sorted(int(p.name) for p in (out / "agents").iterdir()) if agents else [], list(range(agents)))
        return record

    def test_simulate(self):
        self.succeed("simulate", self.data, "--rank", 3, "--agents", 4, *QUICK, "--seed", 7, "--out", self.out)
        record = self.check_files(self.out, 4)
        self.assertEqual(record["seed"], 7)
        self.assertEqual(record["rounds"], 12)
        X = [read_npy(self.out / "agents" / str(i) / "X.npy") for i in range(4)]
        mean = [[sum(x[r][k] for x in X) / 4 for k in range(3)] for r in range(9)]
        self.assertLess(relative_difference(read_npy(self.out / "X.npy"), mean), 1e-12)
        Y = [read_npy(self.out / "agents" / str(i) / "Y.npy") for i in range(4)]
        self.assertEqual([len(y[0]) for y in Y], [4, 4, 3, 3])
        self.assertEqual(read_npy(self.out / "Y.npy"), [sum((y[k] for y in Y), []) for k in range(3)])

    def test_factorize(self):
        self.succeed("factorize", self.data, "--rank", 3, "--iterations", 9, "--out", self.out)
        record = self.check_files(self.out, 0)
        self.assertEqual(record["iterations"], 9)
        Z = low_rank(9, 14, 3)
        X, Y = read_npy(self.out / "X.npy"), read_npy(self.out / "Y.npy")
        product = [[sum(X[r][k] * Y[k][c] for k in range(3)) for c in range(14)] for r in range(9)]
        self.assertAlmostEqual(relative_difference(product, Z), record["relative_error"], places=9)

    def test_a_private_factorisation_to_publish(self):
        data = write_npy(self.folder / "wide.npy", low_rank(6, 900, 2))
        options = ("--rank", 2, "--epsilon", 8, "--delta", 1e-6, "--normalise", "l2")
        self.refuse(2, "needs --columns", "factorize", data, *options)
        self.refuse(2, "add --epsilon", "factorize", data, "--rank", 2, "--columns", 900)
        found = []
        for out in (self.folder / "one", self.folder / "two"):
            done = self.succeed("factorize", data, *options, "--columns", 900, "--seed", 1, "--out", out)
            self.assertIn("X may be published, and nothing else", done.stderr)
            self.assertEqual(shape(out / "X.npy"), (6, 2))
            self.assertEqual(json.loads((out / "run.json").read_text())["parameters"]["epsilon"], 8)
            found.append((out / "X.npy").read_bytes())
        self.assertNotEqual(*found, "its noise comes from the seed")

    def test_without_a_scheme_it_is_sum_unless_an_option_says_otherwise(self):
        for more, scheme, words in (((), "sum", None), (("--starts", 2), "sum", None),
                                      (("--admm-x", 2), "hardened", "--admm-x 2 belongs to --scheme hardened"),
                                      (("--updates", "as-printed"), "hardened", "--updates as-printed belongs to --scheme hardened")):
            self.succeed("simulate", self.data, "--rank", 2, "--agents", 3, "--iterations", 4, "--cipher", "none", *more, "--out", self.out, "--force")
            record = json.loads((self.out / "run.json").read_text())
            self.assertEqual(record["parameters"]["scheme"], scheme)
            self.assertEqual([n for n in record["notes"] if "belongs to" in n], [f"{words}, which this run therefore uses."] if words else [])

    def test_demo(self):
        done = self.succeed("demo", "--out", self.out)
        record = json.loads((self.out / "demo.json").read_text())
        found = {one["who"]: one["found"] for one in record["findings"]}
        self.assertEqual(found["together"], 4)
        self.assertEqual(found["pooled"], 4)
        self.assertLess(max(found["A alone"], found["B alone"], found["C alone"]), 4)
        page = (self.out / "report.html").read_text()
        self.assertEqual(len(record["sentences"]), 4)
        for sentence in record["sentences"]:
            self.assertIn(sentence, done.stdout)
            self.assertIn(html.escape(sentence, quote=False).replace("'", "&#39;"), page)
        self.assertEqual(page.count("<img "), 1)
        self.assertIn("ppdnmf consortium new --member", page)
        self.assertEqual((self.out / "demo.png").read_bytes()[:4], b"\x89PNG")
        again = run("demo", "--out", self.out)
        self.assertEqual(again.returncode, 4)
        self.assertIn("holds earlier results", again.stderr)
        # What it leaves for own tries gives what it says.
        self.succeed("simulate", *(self.out / f"{name}.csv" for name in "ABC"), "--rank", 4, "--loss", "poisson", "--topology", "complete",
                     "--starts", 3, "--reference", self.out / "signatures.csv", "--out", self.folder / "again")
        matches = json.loads((self.folder / "again" / "run.json").read_text())["matches"]
        together = next(one["cosines"] for one in record["findings"] if one["who"] == "together")
        for got, said in zip(sorted(one["cosine"] for one in matches), sorted(together)):
            self.assertAlmostEqual(got, said, places=6)

    def test_threads_and_repetitions_give_the_same_bytes(self):
        seen = set()
        for number, threads in enumerate((1, 2, 4, 2)):
            out = self.folder / f"out{number}"
            self.succeed("simulate", self.data, "--rank", 3, "--agents", 5, *QUICK, "--threads", threads, "--out", out)
            seen.add((out / "X.npy").read_bytes() + (out / "Y.npy").read_bytes())
        self.assertEqual(len(seen), 1)
        self.succeed("simulate", self.data, "--rank", 3, "--agents", 5, *QUICK, "--seed", 2, "--out", self.out)
        seen.add((self.out / "X.npy").read_bytes() + (self.out / "Y.npy").read_bytes())
        self.assertEqual(len(seen), 2, "another seed gave the same bytes")

    def test_json_alone_on_standard_output(self):
        for command in (["simulate", "--agents", 3], ["factorize"]):
            out = self.folder / command[0]
            done = self.succeed(command[0], self.data, *command[1:], "--rank", 3, "--iterations", 3, "--json", "--out", out)
            self.assertEqual(json.loads(done.stdout), json.loads((out / "run.json").read_text()))
        done = self.succeed("transform", self.folder / "factorize" / "X.npy", self.data, "--json", "--out", self.out)
        self.assertIn("relative_error", json.loads(done.stdout))

    def test_quiet_says_nothing(self):
        done = self.succeed("simulate", self.data, "--rank", 3, "--agents", 3, *QUICK, "--quiet", "--out", self.out)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_progress_in_a_log_is_plain_lines(self):
        done = self.succeed("simulate", self.data, "--rank", 3, "--agents", 3, *QUICK, "--out", self.out)
        self.assertNotIn("\r", done.stderr)
        self.assertNotIn("\x1b", done.stderr)
        self.assertIn("iteration 6/6", done.stderr)

    def test_nothing_is_overwritten_without_force(self):
        arguments = ["simulate", self.data, "--rank", 3, "--agents", 4, *QUICK, "--out", self.out]
        self.succeed(*arguments)
        before = (self.out / "X.npy").stat().st_mtime_ns
        done = run(*arguments)
        self.assertEqual(done.returncode, 4)
        self.assertIn("--force", done.stderr)
        self.assertEqual((self.out / "X.npy").stat().st_mtime_ns, before)
        self.succeed(*[3 if a == 4 else a for a in arguments], "--force")
        self.assertEqual(sorted(p.name for p in (self.out / "agents").iterdir()), ["0", "1", "2"])

    def test_names_are_kept(self):
        data = self.folder / "named.csv"
        rows = [f"gene {r}" for r in range(5)]
        columns = [f'sample "{c}", x' for c in range(6)]
        quoted = ['"' + c.replace('"', '""') + '"' for c in columns]
        body = ["," + ",".join(quoted)]
        body += [name + "," + ",".join(map(str, row)) for name, row in zip(rows, low_rank(5, 6, 2))]
        data.write_text("\n".join(body) + "\n")
        self.succeed("simulate", data, "--rank", 2, "--agents", 2, *QUICK, "--out", self.out)
        X = (self.out / "X.csv").read_text().splitlines()
        self.assertEqual([line.split(",")[0] for line in X[1:]], rows)
        Y = (self.out / "Y.csv").read_text().splitlines()
        self.assertTrue(all(name in Y[0] for name in quoted), Y[0])
        self.assertEqual(len(Y), 3)
        # Data without names must not leave these beside their own results.
        self.succeed("factorize", self.data, "--rank", 2, "--iterations", 2, "--force", "--out", self.out)
        self.assertFalse((self.out / "X.csv").exists())
        self.assertFalse((self.out / "Y.csv").exists())

    def test_several_files_are_one_agent_each(self):
        parts = [write_npy(self.folder / f"part{i}.npy", [row[2 * i:2 * i + 2 + i] for row in low_rank(9, 14, 3)])
                 for i in range(3)]
        self.succeed("simulate", *parts, "--rank", 2, *QUICK, "--out", self.out)
        self.assertEqual([shape(self.out / "agents" / str(i) / "Y.npy") for i in range(3)], [(2, 2), (2, 3), (2, 4)])

    def test_split(self):
        self.succeed("simulate", self.data, "--rank", 2, *QUICK, "--split", "1,10,3", "--out", self.out)
        self.assertEqual([shape(self.out / "agents" / str(i) / "Y.npy")[1] for i in range(3)], [1, 10, 3])

    def test_topology_from_a_file(self):
        edges = self.folder / "edges.txt"
        edges.write_text("# a path\n0 2\n2,1\n1 3\n")
        self.succeed("simulate", self.data, "--rank", 2, "--agents", 4, *QUICK, "--topology", edges, "--out", self.out)
        self.assertEqual(json.loads((self.out / "run.json").read_text())["edges"], [[0, 2], [1, 2], [1, 3]])

    def test_image(self):
        self.succeed("factorize", self.data, "--rank", 2, "--iterations", 3, "--image", "3x3", "--out", self.out)
        self.assertIn("data:image/png", (self.out / "report.html").read_text())

    def test_transform_finds_the_coordinates_again(self):
        data = write_npy(self.folder / "exact.npy", low_rank(12, 15, 2, noise=0))
        self.succeed("factorize", data, "--rank", 2, "--iterations", 2000, "--tolerance", 0, "--out", self.out)
        new = self.folder / "new"
        self.succeed("transform", self.out / "X.npy", data, "--out", new)
        self.assertLess(relative_difference(read_npy(new / "Y.npy"), read_npy(self.out / "Y.npy")), 1e-3)
        record = json.loads((new / "run.json").read_text())
        best = json.loads((self.out / "run.json").read_text())["worst_agent_error"]
        self.assertAlmostEqual(record["relative_error"], best, places=9)

    def test_the_poisson_loss_is_the_divergence_everywhere(self):
        counts = [[float(round(9 * x)) for x in row] for row in low_rank(12, 30, 2, noise=0.2)]
        data = write_npy(self.folder / "counts.npy", counts)
        for command in (["factorize"], ["simulate", "--agents", 3]):
            out = self.folder / command[0]
            self.succeed(command[0], data, *command[1:], "--rank", 2, "--loss", "poisson", "--iterations", 25, "--out", out)
            record = json.loads((out / "run.json").read_text())
            X, Y = read_npy(out / "X.npy"), read_npy(out / "Y.npy")
            value = 0
            for l, row in enumerate(counts):
                for j, z in enumerate(row):
                    r = sum(x * y[j] for x, y in zip(X[l], Y))
                    value += (z * math.log(z / r) if z > 0 else 0) - z + r
            self.assertAlmostEqual(record["loss"] / value, 1, 9)
            self.assertEqual(record["parameters"]["loss"], "poisson")
            last = (out / "history.csv").read_text().splitlines()[-1].split(",")
            self.assertAlmostEqual(float(last[4]) / value, 1, 9)
        self.assertIn("Under the Poisson loss everybody learns the sums of all rows", " ".join(record["notes"]))
        new = self.folder / "new"
        self.succeed("transform", self.folder / "factorize/X.npy", data, "--loss", "poisson", "--out", new)
        best = json.loads((new / "run.json").read_text())["loss"]
        self.assertLessEqual(best, json.loads((self.folder / "factorize/run.json").read_text())["loss"] * (1 + 1e-9))

    def test_max_seconds_ends_a_run(self):
        for command in (["simulate", "--agents", 3], ["factorize"]):
            out = self.folder / command[0]
            self.succeed(command[0], self.data, *command[1:], "--rank", 3, "--iterations", 10000000, "--tolerance", 0,
                         "--max-seconds", 0.3, "--out", out)
            record = json.loads((out / "run.json").read_text())
            self.assertEqual(record["stopped_because"], "request")

    def test_help_has_an_example(self):
        for command in ([], ["demo"], ["simulate"], ["factorize"], ["transform"]):
            done = self.succeed(*command, "--help")
            self.assertIn("Example: ppdnmf " + " ".join(command), done.stdout)
        self.assertIn("Exit codes", run("--help").stdout)
        self.assertRegex(self.succeed("--version").stdout, r"^ppdnmf \d+\.\d+\.\d+\n$")

    def test_results_are_readable_by_others_as_usual(self):
        self.succeed("factorize", self.data, "--rank", 2, "--iterations", 2, "--out", self.out)
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE((self.out / "X.npy").stat().st_mode), 0o666 & ~mask & 0o644)


if __name__ == "__main__":
    unittest.main()
