"""Agents as processes on one machine: simulate's bytes, nothing left behind, one sentence when something goes wrong."""

import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from support import PROGRAM, TestCase, low_rank, read_npy, run, wait_for, write_npy

FILE, USAGE, INTERRUPTED = 4, 2, 130


def processes(word):
    """The ids of processes with this word on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and word.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass  # it has just ended
    return found


class Launch(TestCase):
    def setUp(self):
        super().setUp()
        self.data = write_npy(self.folder / "Z.npy", low_rank(12, 21, 3))
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary)}

    def launch(self, *more, out=None):
        return run("launch", self.data, "--rank", 3, "--quiet", "--out", out or self.out, *more, env=self.environment)

    def start(self, *more):
        """A run that takes long, once all its agents iterate."""
        process = subprocess.Popen([PROGRAM, "launch", self.data, "--rank", "3", "--agents", "3", "--scheme", "sum", "--iterations", "1000000",
                                    "--out", self.out, *more], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(process.kill)
        statuses = lambda: [f for f in self.temporary.glob("*/agent-*/status.json") if '"iterating"' in f.read_text()]
        self.assertTrue(wait_for(lambda: len(statuses()) == 3 or process.poll() is not None))
        self.assertIsNone(process.poll())
        return process

    def left(self):
        return sorted(self.temporary.iterdir())

    def test_gives_simulates_bytes_where_entries_are_missing(self):
        matrix = low_rank(9, 24, 3)
        for n in range(60):
            matrix[(5 * n) % 9][(7 * n) % 24] = float("nan")
        self.data = write_npy(self.folder / "gappy.npy", matrix)
        for loss in ("squares", "poisson"):
            simulated = self.folder / "simulated"
            options = ("--agents", 3, "--seed", 5, "--force", "--missing", "nan", "--loss", loss, "--iterations", 8)
            self.succeed("simulate", self.data, "--rank", 3, "--quiet", "--out", simulated, *options)
            done = self.launch(*options)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ["X.npy", "Y.npy"]:
                self.assertEqual((self.out / name).read_bytes(), (simulated / name).read_bytes(), name)
            ours, theirs = (json.loads((folder / "run.json").read_text()) for folder in (self.out, simulated))
            for name in ("relative_error", "loss", "common_error", "nmse"):
                self.assertAlmostEqual(ours[name], theirs[name], 9, name)

    def test_gives_simulates_bytes_with_every_scheme(self):
        for scheme in (("--scheme", "sum", "--iterations", 8), ("--loss", "poisson", "--iterations", 9), ("--cap", 0.7, "--iterations", 8),
                         ("--site-effects", 0.2, "--iterations", 20), ("--scheme", "moments"),
                         ("--scheme", "moments", "--iterations", 4, "--epsilon", 20, "--delta", 1e-6, "--normalise", "l2"),
                         ("--scheme", "sum", "--iterations", 8, "--epsilon", 20, "--delta", 1e-6, "--normalise", "l2"), ("--scheme", "sum", "--starts", 2, "--topology", "line"),
                         ("--scheme", "hardened", "--key-bits", 2048, "--iterations", 3),
                         ("--scheme", "hardened", "--key-bits", 2048, "--iterations", 2, "--key-profile", "fast", "--topology", "star"),
                         ("--scheme", "as-printed", "--updates", "as-printed", "--key-bits", 2048, "--iterations", 2)):
            with self.subTest(scheme=scheme):
                self.check_same(scheme)

    def check_same(self, scheme):
        simulated = self.folder / "simulated"
        options = ("--agents", 4, "--seed", 5, "--force", *scheme)
        self.succeed("simulate", self.data, "--rank", 3, "--quiet", "--out", simulated, *options)
        done = self.launch(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        for name in ["X.npy", "Y.npy"] + [f"agents/{i}/{f}.npy" for i in range(4) for f in "XY"]:
            self.assertEqual((self.out / name).read_bytes(), (simulated / name).read_bytes(), name)
        for i in range(4):
            self.assertEqual((self.out / f"agents/{i}/V.npy").exists(), "--site-effects" in scheme)
            if "--site-effects" in scheme:
                self.assertEqual((self.out / f"agents/{i}/V.npy").read_bytes(), (simulated / f"agents/{i}/V.npy").read_bytes())
        ours, theirs = (json.loads((folder / "run.json").read_text()) for folder in (self.out, simulated))
        for name in ("seed", "iterations", "rounds", "stopped_because", "edges", "columns_per_agent", "agent_errors",
                     "worst_agent_error", "colluders_to_isolate", "parameters"):
            self.assertEqual(ours[name], theirs[name], name)
        for name in ("relative_error", "loss", "common_error", "nmse"):
            self.assertAlmostEqual(ours[name], theirs[name], 9, name)
        self.assertGreater(ours["bytes_sent"], 0)
        lines = [(folder / "history.csv").read_text().splitlines() for folder in (self.out, simulated)]
        self.assertEqual(lines[0][0], lines[1][0])
        self.assertEqual(len(lines[0]), len(lines[1]))
        self.assertIn("Convergence", (self.out / "report.html").read_text())
        self.assertEqual(self.left(), [])

    def test_gives_simulates_bytes_with_rows_dropped_for_all(self):
        values = [[1 + value for value in row] for row in low_rank(12, 120, 3)]
        for row in (4, 9):
            values[row] = [0.0] * 120
        values[4][3] = values[4][50] = values[9][119] = 2.0
        self.data = write_npy(self.folder / "Z.npy", values)
        for more in (("--scheme", "sum"), ("--scheme", "moments"), ("--scheme", "hardened", "--key-bits", 2048, "--iterations", 2), ("--loss", "poisson"),
                     ("--scheme", "sum", "--cap", 0.7), ("--scheme", "sum", "--missing", "nan"), ("--scheme", "sum", "--site-effects", 0.2, "--iterations", 20)):
            with self.subTest(more=more):
                self.check_same((*more, "--crowd", "drop"))
                record = json.loads((self.out / "run.json").read_text())
                self.assertEqual(record["parameters"]["dropped_rows"], "5, 10")
                self.assertIn("Rows 5, 10 were dropped for all agents", " ".join(record["notes"]))
                X = read_npy(self.out / "X.npy")
                self.assertEqual([row for row in range(12) if not any(X[row])], [4, 9])
        self.check_same(("--scheme", "sum", "--crowd", "blank"))
        self.check_same(("--scheme", "sum", "--normalise", "l1"))

    def test_two_agents_and_several_files_with_names(self):
        for name in "ab":
            rows = "\n".join(f"r{i},{i + 1},{2 * i + 1}" for i in range(4))
            (self.folder / f"{name}.csv").write_text(f",{name}1,{name}2\n{rows}\n")
        files = [self.folder / "a.csv", self.folder / "b.csv"]
        done = run("launch", *files, "--rank", 2, "--scheme", "sum", "--quiet", "--json", "--out", self.out, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["agents"], 2)
        self.assertIn("a1,a2,b1,b2", (self.out / "Y.csv").read_text())
        self.assertIn("r3", (self.out / "X.csv").read_text())

    def test_ctrl_c_ends_the_agents_and_leaves_nothing(self):
        process = self.start()
        self.assertEqual(len(processes(str(self.temporary))), 3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn("interrupted", errors.splitlines()[-1])
        self.assertEqual(processes(str(self.temporary)), [])
        self.assertEqual(self.left(), [])
        self.assertFalse(self.out.exists())

    def test_a_killed_agent_is_named_and_the_others_end(self):
        process = self.start("--quiet")
        victim = next(p for p in processes(str(self.temporary)) if b"agent-1.key" in Path(f"/proc/{p}/cmdline").read_bytes())
        os.kill(victim, signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("agent-1: was ended by signal 9", errors)
        self.assertEqual(len(errors.strip().splitlines()), 1)
        self.assertEqual(processes(str(self.temporary)), [])
        (kept,) = self.left()
        self.assertIn(str(kept), errors)
        self.assertEqual(kept.stat().st_mode & 0o777, 0o700)
        self.assertFalse(self.out.exists())

    def test_agents_do_not_outlive_a_killed_launcher(self):
        process = self.start()
        process.kill()
        process.communicate()
        self.assertTrue(wait_for(lambda: not processes(str(self.temporary))), "agents are left")

    def test_what_is_refused(self):
        for words, options in (("--cipher none", ("--cipher", "none")), ("--agents 2", ("--agents", 1)), ("--scheme sum", ("--starts", 3, "--scheme", "hardened")),
                               ("--resume", ("--resume",)), ("cannot share", ("--agents", 100))):
            done = self.launch(*options)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)
            self.assertIn(words, done.stderr)
        self.out.mkdir()
        (self.out / "X.npy").write_text("mine")
        self.assertEqual(self.launch("--scheme", "sum").returncode, FILE)
        self.assertEqual((self.out / "X.npy").read_text(), "mine")
        self.assertEqual(self.left(), [])


if __name__ == "__main__":
    unittest.main()
