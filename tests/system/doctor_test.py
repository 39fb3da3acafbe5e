"""`ppdnmf doctor`: what is wrong between machines, in words, without disturbing those that talk."""

import json
import unittest

from network import Network
from support import TestCase, free_ports, low_rank, run, write_npy

PEER = 6
SUM = ["--rank", 3, "--topology", "ring", "--scheme", "sum", "--iterations", 400, "--tolerance", 0, "--seed", 6]  # longer than all visits


class Doctor(TestCase):
    def examine(self, file, key, *more):
        done = run("doctor", "--consortium", file, "--identity", key, "--json", *more)
        found = json.loads(done.stdout)
        self.assertIs(found["well"], done.returncode == 0, done.stderr)
        return done.returncode, found

    def wrong(self, found):
        return {(one["about"], one["check"]): one["sentence"] for one in found["findings"] if not one["well"]}

    def test_a_run_is_well_and_goes_on(self):
        files = self.folder / "net"
        files.mkdir(mode=0o700)
        network = Network(files, write_npy(self.folder / "Z.npy", low_rank(12, 100, 3)), SUM, 4, linger=5)
        self.addCleanup(network.stop)
        network.start()
        network.until(lambda: all(agent.line["rounds"] >= 1 for agent in network.agents))
        for agent in network.agents:
            code, found = self.examine(agent.file, network.folder / f"{agent.name}.key")
            self.assertEqual(code, 0, found)
            about = {one["about"] for one in found["findings"]}
            self.assertLessEqual({f"agent-{n}" for n in network.neighbours(agent.number)}, about)
        network.finish()
        self.assertEqual(network.factors(), [network.simulated()] * 4)
        for agent in network.agents:
            peers = json.loads((agent.out / "run.json").read_text())["own"]["peers"]
            self.assertEqual([peer["outages"] for peer in peers], [[], []], "somebody was disturbed")

    def test_what_is_wrong_is_said(self):
        for name in "abcd":
            self.succeed("identity", "new", "--name", name, "--out", self.folder)
        members = [word for name, port in zip("abc", free_ports(3))
                   for word in ("--member", f"{self.folder / name}.pub@127.0.0.1:{port}")]
        file = self.folder / "trial.toml"
        self.succeed("consortium", "new", *members, "--topology", "ring", "--rank", 2, "--rows", 9, "--trust-members", "--out", file)
        code, found = self.examine(file, self.folder / "c.key")
        self.assertEqual(code, PEER)
        wrong = self.wrong(found)
        self.assertEqual(set(wrong), {("a", "tcp"), ("b", "tcp")})
        self.assertIn("connection refused", wrong["a", "tcp"])
        code, found = self.examine(file, self.folder / "a.key")
        self.assertEqual(code, 0, "both neighbours dial a")
        code, found = self.examine(file, self.folder / "a.key", "--listen", "192.0.2.1:7443")
        self.assertIn("not one of this machine's", self.wrong(found)["a", "listen"])
        code, found = self.examine(file, self.folder / "d.key")
        self.assertEqual(code, PEER)
        self.assertIn("is not a member of", self.wrong(found)["d", "identity"])
        file.write_text(file.read_text().replace("rank = 2", "rank = 20"))
        code, found = self.examine(file, self.folder / "a.key")
        self.assertEqual(code, PEER)
        self.assertIn("rank 20 is above the 9 rows", self.wrong(found)[str(file), "file"])
        said = run("doctor", "--consortium", file, "--identity", self.folder / "a.key")
        self.assertIn("wrong  ", said.stdout)
        self.assertIn("found something wrong", said.stderr)


if __name__ == "__main__":
    unittest.main()
