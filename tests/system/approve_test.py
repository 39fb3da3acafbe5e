"""A member whose steward did not say yes sends nothing: packets are counted in a network namespace of its own."""

import os
import subprocess
import unittest
from pathlib import Path

from clocks import WrongClock
from spaces import Spaces
from support import PROGRAM, TestCase, free_ports, low_rank, run, write_npy

USAGE = 2


class Approve(Spaces, TestCase):
    def setUp(self):
        super().setUp()
        self.space = self.make_space(f"ppa{os.getpid()}")
        for name in ("a", "b", "c", "keeper", "other"):
            self.succeed("identity", "new", "--name", name, "--out", self.folder, "--quiet")
        self.data = write_npy(self.folder / "Z.npy", low_rank(6, 400, 2))
        # The neighbours wait for connections, and would see them.
        self.ports = free_ports(2)
        self.file = self.agree("trial.toml", "--rank", 2)

    def agree(self, name, *more, rows=6):
        members = [f"--member={self.folder}/a.pub", *(f"--member={self.folder}/{site}.pub@127.0.0.1:{port}" for site, port in zip("bc", self.ports))]
        file = self.folder / name
        self.succeed("consortium", "new", *members, "--steward", f"a={self.folder}/keeper.pub", "--rows", rows, "--trust-members", "--topology", "complete",
                     "--crowd", "off", *more, "--out", file)
        return file

    def approve(self, *more, file=None, data=None, steward="keeper"):
        out = self.folder / "a.approval"
        self.succeed("approve", "--consortium", file or self.file, "--identity", self.folder / f"{steward}.key", "--data", data or self.data,
                     "--out", out, "--force", *more)
        return out

    def packets(self):
        """That have been sent in the namespace, whoever they were for."""
        lines = subprocess.run([*self.space, "cat", "/proc/net/dev"], check=True, capture_output=True, text=True).stdout.splitlines()
        return sum(int(line.split(":")[1].split()[9]) for line in lines[2:])

    def take_part(self, *more, **environment):
        """(exit code, what was said, packets) of an agent that waits two seconds for others."""
        before = self.packets()
        done = subprocess.run([*self.space, PROGRAM, "agent", "--consortium", self.file, "--identity", self.folder / "a.key", "--data", self.data,
                               "--out", self.out, "--max-wait", "2", *more], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env={**os.environ, **environment}, check=False)
        return done.returncode, done.stderr, self.packets() - before

    def expect_silence(self, words, *more, **environment):
        code, said, packets = self.take_part(*more, **environment)
        self.assertEqual(code, USAGE, said)
        self.assertIn(words, said)
        self.assertEqual(packets, 0, said)
        self.assertFalse((self.out / "journal").exists())

    def test_without_the_stewards_yes_no_packet_leaves(self):
        self.expect_silence("this member's steward has to approve first")
        approval = self.approve()
        other = write_npy(self.folder / "other.npy", low_rank(6, 400, 2, seed=2))
        self.approve(data=other)
        self.expect_silence("the approval is for other data than these", "--approval", approval)
        self.approve(file=self.agree("other.toml", "--rank", 3))
        self.expect_silence("the approval is for another file", "--approval", approval)
        self.approve("--budget", "2")
        self.expect_silence("the approval is for another budget", "--approval", approval)
        text = self.approve().read_text()
        approval.write_text(text.replace("keeper", "other"))
        self.expect_silence("is not signed by keeper", "--approval", approval)
        approval.write_text(text[: len(text) // 2])
        self.expect_silence_of_damage(approval)

    def expect_silence_of_damage(self, approval):
        code, said, packets = self.take_part("--approval", approval)
        self.assertNotEqual(code, 0, said)
        self.assertIn("a.approval", said)
        self.assertEqual(packets, 0, said)

    def test_a_page_says_that_somebody_signed_when_there_is_what_was_signed(self):
        page, nowhere = self.folder / "approval.html", self.folder / "no" / "such" / "folder" / "a.approval"
        words = ["approve", "--consortium", self.file, "--identity", self.folder / "keeper.key", "--data", self.data, "--html", page]
        done = run(*words, "--out", nowhere)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertFalse(page.exists())
        self.assertNotIn("signed", done.stdout)
        self.succeed(*words, "--out", self.folder / "a.approval")
        self.assertIn("keeper has signed this.", page.read_text())

    def test_an_approval_ends(self):
        clock = WrongClock(self)
        today = subprocess.run(["date", "-u", "+%F"], check=True, capture_output=True, text=True).stdout.strip()
        approval = self.approve("--until", today)
        clock.set(3)
        self.expect_silence(f"the approval ended on {today}", "--approval", approval, **clock.environment())

    def test_with_it_there_are_packets(self):
        code, said, packets = self.take_part("--approval", self.approve())
        self.assertEqual(code, 6, said)
        self.assertGreater(packets, 0, "counting counts")

    def test_data_of_every_format_can_be_approved(self):
        entries = [f"{c % 6 + 1} {c + 1} {c % 3 + 1}" for c in range(400)]
        self.data = self.folder / "Z.mtx"
        self.data.write_text("\n".join(["%%MatrixMarket matrix coordinate integer general", "6 400 400", *entries]) + "\n")
        code, said, packets = self.take_part("--approval", self.approve())
        self.assertEqual(code, 6, said)
        self.assertGreater(packets, 0, said)
        cells = Path(__file__).resolve().parents[2] / "src/ppdnmf/convert/testdata/csc.h5ad"
        self.approve(file=self.agree("cells.toml", "--rank", 2, rows=4), data=cells)


if __name__ == "__main__":
    unittest.main()
