"""Interrupted, killed, resumed: the same bytes, and never half a file."""

import os
import resource
import signal
import stat
import subprocess
import time
import unittest

from support import PROGRAM, TestCase, low_rank, run, write_npy

COMMANDS = {
    "simulate": ["--rank", "3", "--agents", "6", "--iterations", "2500", "--admm-x", "3", "--threads", "2", "--cipher", "none"],
    "factorize": ["--rank", "3", "--iterations", "30000", "--tolerance", "0"],
}
ENCRYPTED = ["--rank", "3", "--agents", "3", "--iterations", "20", "--admm-x", "3", "--key-bits", "2048", "--key-profile", "fast"]


class Resume(TestCase):
    def setUp(self):
        super().setUp()
        self.commands = dict(COMMANDS)
        self.data = write_npy(self.folder / "Z.npy", low_rank(40, 120, 3, noise=0.5))

    def start(self, command, *more):
        return subprocess.Popen([PROGRAM, command, str(self.data), *self.commands[command], "--out", str(self.out), *more],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def undisturbed(self, command):
        out = self.folder / "whole"
        self.succeed(command, self.data, *self.commands[command], "--out", out)
        return out

    def factors(self, out):
        return [(out / name).read_bytes() for name in ("X.npy", "Y.npy")]

    def history(self, out):
        """Without seconds, which differ, and bytes, since what was lost on the way is sent again."""
        return [line.split(",")[:6] for line in (out / "history.csv").read_text().splitlines()]

    def interrupt(self, command, *more, how=signal.SIGINT):
        """Once the folder is there the data have been read, and the run begins."""
        process = self.start(command, *more)
        while not self.out.exists() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(0.1)
        process.send_signal(how)
        _, errors = process.communicate(timeout=120)
        return process.returncode, errors

    def check_interrupted(self, command):
        whole = self.undisturbed(command)
        code, errors = self.interrupt(command)
        self.assertEqual(code, 130, errors)
        self.assertIn("--resume", errors.splitlines()[-1])
        checkpoint = self.out / "checkpoint.bin"
        self.assertEqual(stat.S_IMODE(checkpoint.stat().st_mode), 0o600)
        self.assertEqual([p.name for p in self.out.iterdir()], ["checkpoint.bin"])

        refused = run(command, self.data, *self.commands[command], "--out", self.out)
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertIn("--resume", refused.stderr)

        other = run(command, self.data, *self.commands[command], "--seed", "9", "--out", self.out, "--resume")
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertTrue(checkpoint.exists())

        self.interrupt(command, "--resume")  # a second time, maybe before the run began again
        if checkpoint.exists():
            self.succeed(command, self.data, *self.commands[command], "--out", self.out, "--resume")
        self.assertEqual(self.factors(self.out), self.factors(whole))
        self.assertEqual(self.history(self.out), self.history(whole))
        self.assertFalse(checkpoint.exists())

    def test_interrupted_simulate_goes_on_to_the_same_bytes(self):
        self.check_interrupted("simulate")

    def test_interrupted_encrypted_run_goes_on_to_the_same_bytes(self):
        self.commands["simulate"] = ENCRYPTED
        self.check_interrupted("simulate")
        plain = self.folder / "plain"
        self.succeed("simulate", self.data, *ENCRYPTED, "--cipher", "none", "--out", plain)
        self.assertEqual(self.factors(plain), self.factors(self.out))

    def test_interrupted_factorize_goes_on_to_the_same_bytes(self):
        self.check_interrupted("factorize")

    def test_interrupted_factorize_of_the_paper_goes_on_to_the_same_bytes(self):
        self.commands["factorize"] = [*COMMANDS["factorize"], "--solver", "admm"]
        self.check_interrupted("factorize")

    def test_interrupted_factorize_with_several_starts_goes_on_to_the_same_bytes(self):
        self.commands["factorize"] = [*COMMANDS["factorize"], "--starts", "5"]
        self.check_interrupted("factorize")

    def test_killed_runs_leave_no_file_under_a_final_name(self):
        for command in COMMANDS:
            code, _ = self.interrupt(command, how=signal.SIGKILL)
            self.assertEqual(code, -signal.SIGKILL)
            self.assertEqual([p.name for p in self.out.iterdir() if not p.name.startswith(".")], [])

    def test_killed_while_writing_every_file_is_whole_or_not_there(self):
        short = ["simulate", self.data, "--rank", "3", "--agents", "6", "--iterations", "3", "--admm-x", "2", "--cipher", "none"]
        self.succeed(*short, "--out", self.folder / "whole")
        wanted = {p.relative_to(self.folder / "whole"): p for p in (self.folder / "whole").rglob("*.npy")}
        for milliseconds in range(0, 40, 4):
            out = self.folder / f"killed{milliseconds}"
            process = subprocess.Popen([PROGRAM, *map(str, short), "--out", str(out), "--quiet"])
            while not out.exists() and process.poll() is None:
                time.sleep(0.001)
            time.sleep(milliseconds / 1000)
            process.kill()
            process.wait(timeout=60)
            for path in out.rglob("*.npy"):
                if not path.name.startswith("."):
                    self.assertEqual(path.read_bytes(), wanted[path.relative_to(out)].read_bytes())

    def test_a_damaged_checkpoint_is_refused(self):
        code, errors = self.interrupt("factorize")
        self.assertEqual(code, 130, errors)
        path = self.out / "checkpoint.bin"
        whole = path.read_bytes()
        damaged = [whole[:100], whole[:-1], whole + b"x", b"", whole[:len(whole) // 2]]
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 1  # one bit of one number
        for content in (*damaged, bytes(flipped)):
            path.write_bytes(content)
            done = run("factorize", self.data, *COMMANDS["factorize"], "--out", self.out, "--resume")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("checkpoint", done.stderr)
        path.write_bytes(whole)
        self.succeed("factorize", self.data, *COMMANDS["factorize"], "--out", self.out, "--resume")

    def test_resume_without_a_checkpoint_is_refused(self):
        for command in COMMANDS:
            done = run(command, self.data, *self.commands[command], "--out", self.out, "--resume")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertFalse(self.out.exists())


class FullDisk(TestCase):
    def setUp(self):
        super().setUp()
        self.commands = dict(COMMANDS)
        self.data = write_npy(self.folder / "Z.npy", low_rank(60, 500, 3))

    def check(self, out, **options):
        for command in ("simulate", "factorize"):
            done = run(command, self.data, "--rank", 3, "--iterations", 2, "--force", "--out", out, **options)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("cannot be written", done.stderr.splitlines()[-1])
            # Whatever has a final name is whole: the rank times the rows, or the columns, of 8 bytes behind a header.
            for path in out.rglob("*"):
                self.assertFalse(path.name.startswith("."), path)
                if path.name in ("X.npy", "Y.npy") and path.parent == out:
                    self.assertIn(path.stat().st_size - 128, (8 * 3 * 60, 8 * 3 * 500))
            self.assertFalse((out / "run.json").exists())

    def test_a_limit_on_file_size(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

        self.check(self.out, preexec_fn=limit)

    def test_a_file_system_without_room(self):
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small file system")
        self.out.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "ppdnmf-test", str(self.out)],
                                 stderr=subprocess.PIPE, check=False)
        if mounted.returncode != 0:
            self.skipTest("this machine does not let root mount a small file system")
        self.addCleanup(subprocess.run, ["umount", str(self.out)], check=True)
        self.check(self.out)


if __name__ == "__main__":
    unittest.main()
