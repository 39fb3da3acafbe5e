"""What agents put on record, and what `ppdnmf log verify` finds in it."""

import os
import resource
import shutil
import unittest

from members import Agents
from network import CRASHING
from support import run

SHORT = ["--rank", 2, "--topology", "ring", "--scheme", "sum", "--iterations", 8, "--tolerance", 0, "--seed", 6,
         "--crowd", "off"]


class Log(Agents):
    def logs(self):
        """A copy of every agent's log."""
        copies = []
        for agent in self.network.agents:
            copies.append(self.folder / f"{agent.name}.log")
            shutil.copy(agent.out / "run.log", copies[-1])
        return copies

    def test_logs_of_a_run_with_a_killed_member_and_a_torn_line_agree(self):
        network = self.lay_out(SHORT, real=True).start()
        agent = network.agents[1]
        network.until(lambda: agent.line["rounds"] >= 2)
        agent.kill()
        with (agent.out / "run.log").open("ab") as log:
            log.write(b"0123456789abcdef")
        agent.start()
        network.finish()
        self.assertIn("run.log was torn: its 16 bytes were removed", agent.said())
        self.assertEqual((agent.out / "run.log").stat().st_mode & 0o777, 0o600)
        logs = self.logs()
        done = self.succeed("log", "verify", *logs, "--consortium", agent.file)
        self.assertIn("every chain and every signature is right, and the logs say the same", done.stdout)
        self.assertIn("cannot be seen in any log", done.stdout)
        self.assertIn("mended", logs[1].read_text())
        self.assertIn("there is no log of agent-2, agent-3 here", self.succeed("log", "verify", *logs[:2]).stdout)
        self.check_changes(logs)

    def test_a_full_disk_stops_what_could_not_be_put_on_record(self):
        network = self.lay_out(SHORT, real=True).start()
        agent = network.agents[2]
        network.until(lambda: agent.line["rounds"] >= 1)
        size = (agent.out / "run.log").stat().st_size
        resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (size + 100, resource.RLIM_INFINITY))
        network.until(lambda: "run.log: cannot be written" in agent.said())
        self.assertIn("nothing is sent until that works", agent.said())
        resource.prlimit(agent.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        network.finish()
        self.succeed("log", "verify", *self.logs())

    def check_changes(self, logs):
        whole = logs[2].read_bytes()
        for place in range(0, len(whole), len(whole) // 7):
            logs[2].write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:])
            done = run("log", "verify", *logs)
            self.assertEqual(done.returncode, 3, f"byte {place}: {done.stdout}{done.stderr}")
            self.assertIn("agent-2.log: line", done.stderr)
        logs[2].write_bytes(whole[:whole.rindex(b"\n", 0, -1) + 1])
        done = run("log", "verify", *logs)
        self.assertEqual(done.returncode, 3)
        self.assertIn("agent-2 has signed nothing of it", done.stderr)
        self.assertEqual(run("log", "verify", logs[0], logs[0]).returncode, 2)
        self.assertEqual(run("log", "verify", self.folder / "none.log").returncode, 4)

    def test_who_tells_two_members_different_totals_is_named(self):
        network = self.lay_out(SHORT, real=True)
        os.environ["PPDNMF_LIE"] = "5:1"  # agent 0 is the root, 1 and 3 are its children
        self.addCleanup(os.environ.pop, "PPDNMF_LIE")
        for agent in network.agents:
            agent.start(program=CRASHING if agent.number == 0 else None)
        for agent in network.agents:
            self.assertEqual(agent.wait(), 6, agent.said())
        logs = self.logs()
        done = run("log", "verify", *logs)
        self.assertEqual(done.returncode, 6, done.stdout + done.stderr)
        self.assertIn("agent-0 told agent-1 and agent-3 different totals: total 5", done.stdout)
        # Whoever was lied to need not have the liar's log.
        done = run("log", "verify", logs[1], logs[3])
        self.assertIn("agent-0 told agent-1 and agent-3 different totals: total 5", done.stdout)
        self.assertNotIn("agent-2 told", done.stdout)


if __name__ == "__main__":
    unittest.main()
