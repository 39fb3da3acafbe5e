"""Agents as processes whose folders are shared, torn or full."""

import resource
import shutil
import signal
import subprocess
import unittest

from members import SUM, Agents
from network import CRASHING
from support import PROGRAM


class Folder(Agents):
    def test_a_second_process_is_refused_and_the_first_goes_on(self):
        network = self.lay_out(SUM).start()
        agent = network.agents[0]
        network.until(lambda: (agent.out / "journal" / "state.1").exists())
        second = subprocess.run(agent.command(PROGRAM), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                timeout=60, check=False)
        self.assertEqual(second.returncode, 4, second.stderr)
        self.assertIn("another process works in this folder", second.stderr)
        network.finish()
        self.check_result()
        again = subprocess.run(agent.command(PROGRAM), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               timeout=60, check=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("the run in this folder has ended", again.stdout)

    def limit_files(self, agent, size):
        """No file of this process may become longer: what a full disk does to the large ones."""
        resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def check_waits_for_the_disk(self, network, agent, file):
        network.until(lambda: f"{file}: cannot be written" in agent.said(), what="a sentence about the disk")
        self.assertIn("nothing is sent until that works", agent.said())
        self.assertFalse((agent.out / file).is_file())
        self.assertFalse((agent.out / "run.json").exists())
        self.assertEqual([path for path in agent.out.iterdir() if path.name.endswith(".tmp") and "status" not in path.name], [], "a half-written file")
        self.assertIsNone(agent.poll())

    def test_a_disk_that_is_full_when_the_report_is_written(self):
        for restarts in (False, True):
            with self.subTest(restarts=restarts):
                network = self.lay_out([10 if word == 40 else word for word in SUM]).start()  # iterations
                agent = network.agents[2]
                network.until(lambda: agent.line["rounds"] >= 2)
                self.limit_files(agent, 30_000)  # states and the log stay below it, the report does not
                self.check_waits_for_the_disk(network, agent, "report.html")
                if restarts:
                    agent.kill()
                    agent.start()
                else:
                    self.limit_files(agent, resource.RLIM_INFINITY)
                network.finish()
                self.check_result()
                self.assertIn("Neighbours", (agent.out / "report.html").read_text())
                network.stop()
                shutil.rmtree(self.folder / "net")

    def test_a_factor_that_cannot_be_written(self):
        network = self.lay_out(SUM).start()
        agent = network.agents[2]
        network.until(lambda: agent.line["rounds"] >= 2)
        (agent.out / "X.npy").mkdir()
        self.check_waits_for_the_disk(network, agent, "X.npy")
        (agent.out / "X.npy").rmdir()
        network.finish()
        self.check_result()

    def test_a_torn_last_write_resumes(self):
        network = self.lay_out(SUM)
        for agent in network.agents:
            agent.start("kill:renamed:6" if agent.number in (1, 2) else "", CRASHING)
        for number, damage in ((1, lambda content: content[:len(content) // 2]),
                               (2, lambda content: content[:-40] + b"\0" * 40)):
            agent = network.agents[number]
            self.assertEqual(agent.wait(), -signal.SIGKILL)
            newest = agent.states()[0]
            newest.write_bytes(damage(newest.read_bytes()))
            agent.start()
        network.finish()
        for number in (1, 2):
            self.assertIn("the last state was torn; the one before it is taken", network.agents[number].said())
        self.check_result()

    def test_a_torn_write_whose_messages_have_left_is_an_old_copy(self):
        network = self.lay_out(SUM).start()
        agent = network.agents[1]
        network.until(lambda: agent.line["rounds"] >= 5)
        agent.kill()
        for state in agent.states()[:1]:
            state.write_bytes(state.read_bytes()[:100])
        # Usually the last save has been heard of; if not, the run goes on to the right end.
        agent.start()
        if agent.wait() == 0:
            network.finish()
            self.check_result()
        else:
            self.assertEqual(agent.code, 2, agent.said())
            self.assertIn("an old copy", agent.said())

    def test_a_journal_without_a_whole_state_is_refused(self):
        network = self.lay_out(SUM).start()
        agent = network.agents[0]
        network.until(lambda: agent.line["rounds"] >= 2)
        agent.kill()
        for state in agent.states():
            state.write_bytes(b"")
        agent.start()
        self.assertEqual(agent.wait(), 4, agent.said())
        self.assertIn("no saved state in it is whole", agent.said())


if __name__ == "__main__":
    unittest.main()
