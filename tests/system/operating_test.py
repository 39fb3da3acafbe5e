"""The commands of docs/operating.md, as three sites on one machine would type them."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from support import PROGRAM, TestCase, free_ports, low_rank, run

SITES = "abc"
ROWS = [f"feature {i}" for i in range(9)]


class Operating(TestCase):
    def setUp(self):
        super().setUp()
        for number, site in enumerate(SITES):
            (self.folder / site).mkdir()
            self.succeed("identity", "new", "--name", site, "--out", self.folder / site / "keys")
            values = low_rank(len(ROWS), 20 + number, 2, seed=number)
            # Every site has the rows in another order.
            order = range(len(ROWS)) if number == 0 else reversed(range(len(ROWS))) if number == 1 else [*range(3, len(ROWS)), 0, 1, 2]
            lines = [",".join([ROWS[i], *map(repr, values[i])]) for i in order]
            names = ",".join(f"{site}{c}" for c in range(20 + number))
            (self.folder / site / "Z.csv").write_text(f",{names}\n" + "\n".join(lines) + "\n")
        (self.folder / "features.txt").write_text("\n".join(ROWS) + "\n")

    def agree(self, *more):
        first, second = free_ports(2)
        members = [f"{self.folder}/a/keys/a.pub@127.0.0.1:{first}", f"{self.folder}/b/keys/b.pub@127.0.0.1:{second}", f"{self.folder}/c/keys/c.pub"]
        file = self.folder / "trial.toml"
        self.succeed("consortium", "new", *[w for m in members for w in ("--member", m)], "--topology", "ring", "--rank", 2, "--row-names",
                     self.folder / "features.txt", "--out", file, "--force", *more)
        checked = self.succeed("consortium", "check", file)
        return re.search(r"telephone: ([\d ]+)\n", checked.stdout).group(1)

    def agent(self, site):
        home = self.folder / site
        return subprocess.Popen([PROGRAM, "agent", "--consortium", self.folder / "trial.toml", "--identity", home / "keys" / f"{site}.key",
                                 "--data", home / "Z.csv", "--out", home / "run1"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def finish(self, agents):
        for process in agents:
            self.addCleanup(process.kill)
        said = [process.communicate(timeout=200) for process in agents]
        for process, (_, errors) in zip(agents, said):
            self.assertEqual(process.returncode, 0, errors)
        return said

    def check_results(self, digits):
        factors = set()
        for number, site in enumerate(SITES):
            out = self.folder / site / "run1"
            factors.add((out / "X.npy").read_bytes())
            record = json.loads((out / "run.json").read_text())
            self.assertEqual(record["own"]["digits"], digits)
            self.assertEqual(record["own"]["agent"], number)
            self.assertIsNone(record["seed"])
            self.assertEqual(record["parameters"]["columns"], 20 + number)
            self.assertIn("Neighbours", (out / "report.html").read_text())
            self.assertIn(ROWS[8], (out / "X.csv").read_text())
            self.assertIn(f"{site}19", (out / "Y.csv").read_text())
            status = self.succeed("status", out)
            self.assertIn(f"{site} has ended its run", status.stdout)
            self.assertIs(json.loads(self.succeed("status", out, "--json").stdout)["running"], False)
        self.assertEqual(len(factors), 1, "all sites have the same X")

    def test_from_nothing_to_a_report_at_every_site(self):
        digits = self.agree("--scheme", "sum", "--crowd", "off")
        said = self.finish([self.agent(site) for site in SITES])
        for _, errors in said:
            self.assertIn(digits, errors)
        self.check_results(digits)

    def test_a_site_that_comes_late_is_waited_for(self):
        digits = self.agree("--key-bits", 2048, "--iterations", 2)
        early = [self.agent(site) for site in "ab"]
        until = time.monotonic() + 60
        text = ""
        while "no connection to c" not in text and time.monotonic() < until:
            time.sleep(0.1)
            text = run("status", self.folder / "a" / "run1").stdout
        self.assertIn("no connection to c", text)
        # The one that waits is killed, and its command typed again.
        os.kill(early[0].pid, signal.SIGKILL)
        early[0].communicate()
        self.assertIn("a is not running", self.succeed("status", self.folder / "a" / "run1").stdout)
        self.finish([self.agent("a"), early[1], self.agent("c")])
        self.check_results(digits)

    def test_columns_without_a_crowd_are_refused_before_anything_is_sent(self):
        self.agree("--scheme", "sum")
        process = self.agent("a")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("one column has more than 10 % of row", errors)
        self.assertIn("Nothing was sent. Agree on --epsilon", errors)
        self.assertFalse((self.folder / "a" / "run1" / "journal").exists())

    def test_rows_that_are_not_the_agreed_ones(self):
        self.agree("--scheme", "sum", "--crowd", "off")
        file = self.folder / "a" / "Z.csv"
        file.write_text(file.read_text().replace("feature 3", "feature x"))
        process = self.agent("a")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertIn("lacks the row 'feature 3' and has the row 'feature x'", errors)


if __name__ == "__main__":
    unittest.main()
