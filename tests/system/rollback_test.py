"""Agents as processes whose folders are old copies."""

import shutil
import signal
import unittest

from members import HARDENED, SUM, Agents


def number_of(state):
    """The number of a saved state (src/journal/record.cc)."""
    return int.from_bytes(state.read_bytes()[24:32], "little")


class Rollback(Agents):
    def test_a_copy_of_an_earlier_round_is_refused(self):
        for options in (HARDENED, SUM):
            with self.subTest(options=options):
                network = self.lay_out(options).start()
                agent = network.agents[1]
                network.until(lambda: agent.line["rounds"] >= 3)
                agent.kill()
                copy = self.copy(agent)
                agent.start()
                begun = agent.line["rounds"]
                network.until(lambda: agent.line["rounds"] >= begun + 3)
                agent.kill()
                self.restore(agent, copy)
                self.check_refused_as_old(agent)
                network.stop()
                shutil.rmtree(self.folder / "net")
                shutil.rmtree(copy)

    def test_a_copy_of_the_same_round_before_it_answered_is_refused(self):
        network = self.lay_out(HARDENED)
        agent = network.agents[2]
        for other in network.agents:
            if other is not agent:
                other.start()
        agent.start("kill:stepped:30")  # the machine has the answer, the disk does not
        self.assertEqual(agent.wait(), -signal.SIGKILL)
        copy = self.copy(agent)
        number = number_of(agent.states()[0])
        agent.start("kill:saved:2")  # so the first save has left
        self.assertEqual(agent.wait(), -signal.SIGKILL)
        self.assertEqual(number_of(agent.states()[0]), number + 2)
        # What the transport had in hand when the process died is lost; a whole round is not.
        agent.start()
        before = agent.line["rounds"]
        network.until(lambda: agent.line["rounds"] > before)
        agent.kill()
        self.restore(agent, copy)
        self.check_refused_as_old(agent)

    def test_a_member_without_its_old_state_is_turned_away_and_can_come_back_with_it(self):
        network = self.lay_out(SUM, real=True).start()
        agent = network.agents[1]
        network.until(lambda: agent.line["rounds"] >= 2)
        agent.kill()
        aside = self.folder / "aside"
        agent.out.rename(aside)
        agent.start()
        self.assertEqual(agent.wait(), 2, agent.said())
        self.assertIn("this folder is new", agent.said())
        self.assertEqual([a.poll() for a in network.agents if a is not agent], [None] * 3, "the run waits for the right one")
        shutil.rmtree(agent.out)
        aside.rename(agent.out)
        agent.start()
        self.assertEqual([a.wait() for a in network.agents], [0] * 4)
        self.assertEqual(len(set(network.factors())), 1)


if __name__ == "__main__":
    unittest.main()
