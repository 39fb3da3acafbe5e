"""Agents as processes whose neighbours are silent, slow or lost."""

import re
import shutil
import signal
import time
import unittest

from members import SUM, Agents
from network import Network
from support import free_ports, low_rank, write_npy


class Silence(Agents):
    def test_a_silent_member_is_waited_for_by_name(self):
        network = self.lay_out(SUM).start()
        agent = network.agents[2]
        neighbour = network.agents[network.neighbours(2)[0]]
        network.until(lambda: agent.line["rounds"] >= 2)
        agent.process.send_signal(signal.SIGSTOP)
        network.until(lambda: "waiting for" in neighbour.status() and "agent-2" in neighbour.status())
        time.sleep(3)
        self.assertIn("agent-2", neighbour.status())
        rounds = neighbour.line["rounds"]
        agent.process.send_signal(signal.SIGCONT)
        network.until(lambda: neighbour.line["rounds"] > rounds)
        agent.kill()  # now it is away for good, for a while
        time.sleep(3)
        self.assertIn("agent-2", neighbour.status())
        agent.start()
        network.finish()
        self.check_result()

    def test_who_gives_up_waiting_has_not_failed(self):
        network = self.lay_out(SUM)
        agent = network.agents[0]
        agent.more = ["--max-wait", "1"]
        agent.start()
        self.assertEqual(agent.wait(), 6, agent.said())
        self.assertIn("nothing came from agent-1, agent-3 for 1 seconds; the same command continues", agent.said())
        self.assertIn("is not running", agent.status())
        self.assertNotIn("failed", agent.status())
        self.assertIn("nothing came from agent-1, agent-3 for 1 seconds", agent.status())
        self.assertIn("it has given up waiting", agent.status())
        self.assertEqual(agent.line["phase"], "gave up")
        agent.more = []
        network.start()
        network.finish()
        self.check_result()
        self.assertNotIn("follows from a seed", (agent.out / "report.html").read_text())
        self.assertEqual((agent.out / "report.html").read_text().count("from a seed in its consortium file"), 1)

    def test_who_only_computes_is_not_asked_again(self):
        options = ["--rank", 5, "--topology", "ring", "--key-bits", 2048, "--key-profile", "fast", "--iterations", 2, "--admm-x", 2, "--seed", 5]
        data = write_npy(self.folder / "tall.npy", low_rank(200, 80, 5))
        sent = []
        for pause in (0, 4):
            files = self.folder / f"paused-{pause}"
            files.mkdir(mode=0o700)
            network = Network(files, data, options, 4, linger=5)
            self.addCleanup(network.stop)
            network.start()
            agent = network.agents[2]
            network.until(lambda: agent.line["rounds"] >= 2)
            agent.process.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            agent.process.send_signal(signal.SIGCONT)
            network.finish()
            sent.append(sum(a.line["bytes"] for a in network.agents))
        self.assertLess(abs(sent[1] - sent[0]), 0.03 * sent[0], sent)

    def lose_one(self, rounds):
        """The three agents that are left, interrupted after so many rounds."""
        network = self.lay_out(SUM, real=True).start()
        lost = network.agents[3]
        network.until(lambda: lost.line["rounds"] >= rounds)
        lost.kill()
        shutil.rmtree(lost.out)
        left = network.agents[:3]
        time.sleep(0.5)  # what is on its way arrives
        for agent in left:
            self.assertEqual(agent.interrupt(), 130, agent.said())
        return left

    def agree_anew(self, left, *more):
        trial = self.folder / "trial.toml"
        members = [word for agent, port in zip(left, free_ports(3))
                   for word in ("--member", f"{self.network.folder / agent.name}.pub@127.0.0.1:{port}")]
        self.succeed("consortium", "new", *members, "--rows", 12, "--scheme", "sum", "--iterations", 5, "--topology", "ring",
                     "--trust-members", "--crowd", "off", "--out", trial, *more)
        for agent in left:
            agent.file.write_text(trial.read_text())

    def agree_without(self, lost, left, X):
        """The file of the old run without a member, for agents that listen at other ports now."""
        trial = self.folder / "next.toml"
        done = self.succeed("consortium", "without", left[0].file, "--lost", lost, "--start-from", X, "--yes", "--out", trial)
        self.assertIn(f"Of {lost}: every member can compute, going on from that run's X, the part that {lost} had", done.stderr)
        ports = iter(free_ports(3))
        text = re.sub(r'(?m)^address = ".*"$', lambda _: f'address = "127.0.0.1:{next(ports)}"', trial.read_text())
        for agent in left:
            agent.file.write_text(text)

    def check_new_run(self, left):
        for agent in left:
            agent.out = agent.out.with_name(agent.out.name + "-anew")
            agent.start()
        for agent in left:
            self.assertEqual(agent.wait(), 0, agent.said())
        self.assertEqual(len({(agent.out / "X.npy").read_bytes() for agent in left}), 1)

    def test_who_gives_up_waiting_for_a_lost_member_leaves_the_X_to_go_on_from(self):
        network = self.lay_out(SUM, real=True)
        for agent in network.agents:
            agent.more = ["--max-wait", "3"]
        network.start()
        lost, left = network.agents[3], network.agents[:3]
        network.until(lambda: lost.line["rounds"] >= 25)
        lost.kill()
        for agent in left:
            self.assertEqual(agent.wait(), 6, agent.said())
            self.assertIn("for 3 seconds; the same command continues the run", agent.said())
            self.assertIn("the common X so far is in", agent.said())
            self.assertTrue((agent.out / "X_so_far.npy").exists())

    def test_without_a_lost_member_the_others_begin_anew(self):
        left = self.lose_one(2)
        self.agree_anew(left, "--rank", 2)
        for agent in left:
            agent.more = ["--start-from", str(left[0].out / "X_so_far.npy")]
            agent.start()
            self.assertEqual(agent.wait(), 2, agent.said())
            self.assertIn("starts anew: leave out --start-from", agent.said())
            agent.more = []
            agent.start()  # into the old folder
            self.assertEqual(agent.wait(), 2, agent.said())
            self.assertIn("holds a run with another consortium file", agent.said())
        self.check_new_run(left)

    def test_without_a_lost_member_the_others_go_on(self):
        left = self.lose_one(25)
        X = left[0].out / "X_so_far.npy"
        self.assertTrue(X.exists(), left[0].said())
        self.agree_without("agent-3", left, X)
        before = left[0].line["common"]
        other = write_npy(self.folder / "other.npy", low_rank(12, 3, 3))
        for more, words in ((["--start-from", str(other)], "is not the X from which the consortium file continues"),
                            ([], "give that X.npy with --start-from")):
            left[0].more = more
            left[0].start()
            self.assertEqual(left[0].wait(), 2, left[0].said())
            self.assertIn(words, left[0].said())
        for agent in left:
            agent.more = ["--start-from", str(X)]
        self.check_new_run(left)
        for agent in left:
            self.assertIn("the part that agent-3 had in the totals", agent.said())
            # Near where the old run was left: the same data but for one member's.
            first = (agent.out / "history.csv").read_text().splitlines()[1].split(",")
            self.assertLess(float(first[3]), 2 * before, agent.said())
            self.assertFalse((agent.out / "X_so_far.npy").exists())
        # From a random start it is far away.
        began = (left[0].lines.read_text().splitlines())
        errors = [float(line.split('"common":')[1].split(",")[0]) for line in began if '"iterations":1,' in line]
        self.assertGreater(errors[0], 4 * before)


if __name__ == "__main__":
    unittest.main()
