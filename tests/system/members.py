"""Four agents of one network, with their folders: what their tests share."""

import shutil

from network import Network
from support import TestCase, low_rank, write_npy

HARDENED = ["--rank", 2, "--topology", "ring", "--scheme", "hardened", "--key-bits", 2048, "--key-profile", "fast",
            "--iterations", 10, "--admm-x", 3, "--seed", 5, "--crowd", "off"]
SUM = ["--rank", 3, "--topology", "ring", "--scheme", "sum", "--iterations", 40, "--tolerance", 0, "--seed", 6,
       "--crowd", "off"]  # so few columns have none


class Agents(TestCase):
    def lay_out(self, options, **more):
        data = write_npy(self.folder / "Z.npy", low_rank(12, 100, 3))
        files = self.folder / "net"
        files.mkdir(mode=0o700)
        self.network = Network(files, data, options, 4, linger=5, **more)
        self.addCleanup(self.network.stop)
        return self.network

    def journal(self, agent):
        return {path.name: path.read_bytes() for path in (agent.out / "journal").glob("state.*")}

    def copy(self, agent):
        target = self.folder / "copy"
        shutil.copytree(agent.out, target)
        return target

    def restore(self, agent, copy):
        shutil.rmtree(agent.out)
        shutil.copytree(copy, agent.out)

    def check_refused_as_old(self, agent):
        """It stops before it says anything new, and everybody knows why."""
        before = self.journal(agent)
        agent.start()
        self.assertEqual(agent.wait(), 2, agent.said())
        self.assertIn("the state in this folder is an old copy", agent.said())
        self.assertEqual(self.journal(agent), before, "something was saved, so something new may have been said")
        for number in self.network.neighbours(agent.number):
            neighbour = self.network.agents[number]
            self.assertEqual(neighbour.wait(), 6, neighbour.said())
            self.assertIn(f"({agent.name}) gave up", neighbour.said())

    def check_result(self):
        self.assertEqual(self.network.factors(), [self.network.simulated()] * 4)
