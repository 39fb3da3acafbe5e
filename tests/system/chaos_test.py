"""Agents that are killed, whose connections break and whose disks are full: every run ends, with the bytes of
`simulate`, and leaves no secret behind.

What is done, to whom and after which round follows from a seed, which a failure prints. PPDNMF_CHAOS_FAULTS asks for
so many kills and other faults in each run (8; `make chaos`: 50), PPDNMF_CHAOS_SEED for another seed.
"""

import os
import random
import sys
import threading
import time
import unittest

import leaks
from network import CRASHING, Network
from support import TestCase, low_rank, write_npy

FAULTS = int(os.environ.get("PPDNMF_CHAOS_FAULTS", "8"))
SEED = int(os.environ.get("PPDNMF_CHAOS_SEED", "1"))
AGENTS = 4
SAVING = ["opened", "half", "written", "synced", "renamed", "folder"]
GOING_ON = ["stepped", "saved", "sending"]
ENDING = ["kept", "farewell"]
# A run has as many rounds as there is to happen in it.
ITERATIONS = {"hardened": max(5, FAULTS // 2), "sum": max(16, 2 * FAULTS)}
ROUNDS = {"hardened": 3 * ITERATIONS["hardened"], "sum": ITERATIONS["sum"]}
HARDENED = ["--rank", 2, "--topology", "ring", "--scheme", "hardened", "--key-bits", 2048, "--key-profile", "fast",
            "--iterations", ITERATIONS["hardened"], "--admm-x", 3, "--seed", 7]
SUM = ["--rank", 3, "--topology", "ring", "--scheme", "sum", "--iterations", ITERATIONS["sum"], "--tolerance", 0, "--seed", 8]


class Schedule:
    """What happens in one run, from a seed. Crash points are given to an agent when it starts; the rest waits for the
    network to reach a round."""

    def __init__(self, seed, kind, faults):
        draw = random.Random(f"{seed} {kind}")
        self.crashes = {agent: [] for agent in range(AGENTS)}
        self.later = []
        rounds = ROUNDS[kind]
        edges = [(0, 1), (0, 3), (1, 2), (2, 3)]
        for number in range(faults):
            agent, when = draw.randrange(AGENTS), draw.randrange(rounds)
            # A third each: killed between two steps of its work, killed at any moment, a fault of network or disk.
            if number % 3 == 0:
                self.crashes[agent].append(f"kill:{draw.choice(SAVING + GOING_ON)}:{draw.randint(1, 12)}")
            elif number % 3 == 1:
                self.later.append((when, draw.uniform(0, 0.1), "kill", agent, draw.uniform(0, 0.5)))
            elif number % 12 == 2:
                self.crashes[agent].append(f"full:{draw.choice(SAVING)}:{draw.randint(1, 6)}")
            else:
                what = draw.choice(["cut", "slow", "hold", "half"])
                self.later.append((when, draw.uniform(0, 0.1), what, draw.choice(edges), draw.uniform(0.2, 1.5)))
        # At the end of the run, where an agent has told some neighbours of it and not others.
        self.endings = {draw.randrange(AGENTS): f"kill:{point}:1" for point in ENDING}
        self.last_moments = [(draw.randrange(AGENTS), draw.uniform(0, 0.3)) for _ in range(max(1, faults // 12))]
        self.later.sort()


class Watch(threading.Thread):
    """Looks again and again whether others could read what the journals hold; the processes have umask 0."""

    def __init__(self, network):
        super().__init__(daemon=True)
        self.folders = [agent.out / "journal" for agent in network.agents]
        self.found, self.looks, self.stopped = [], 0, False

    def run(self):
        while not self.stopped:
            for folder in self.folders:
                if folder.exists():
                    self.looks += 1
                    self.found += leaks.too_open(folder)
            time.sleep(0.02)


class Chaos(TestCase):
    def start_next(self, agent):
        """Its next process, with the next crash of its list; the last ones die at the end of the run."""
        plan = self.schedule.crashes[agent.number]
        crash = plan.pop(0) if plan else self.schedule.endings.pop(agent.number, "")
        if crash.startswith("full"):
            self.happened.append((agent.name, crash))
            if plan:  # the disk is full once; the same process may be killed later
                crash += "," + plan.pop(0)
        agent.crash = crash
        agent.start(crash, CRASHING)

    def revive(self):
        """Starts again who was killed. Raises if somebody ended in another way."""
        for agent in self.network.agents:
            code = agent.poll()
            if code == -9:
                self.happened.append((agent.name, "killed, after " + (agent.crash or "nothing")))
                self.start_next(agent)
            elif agent.must_serve_again():
                self.assertIn("did not say goodbye", agent.said())
                agent.start()  # as its sentence says
            elif code is not None and not agent.has_ended():
                self.fail(f"{agent.name} ended with {code}")

    def apply(self, what, target, length):
        proxy, links = self.network.proxy, self.network.links
        if what == "kill":
            if not self.network.agents[target].kill():
                return
            time.sleep(min(length, 0.2))
            return  # revive() counts it
        if what == "cut":
            proxy.cut(links[target])
        elif what == "slow":
            links[target].slow(length, 20_000)
        elif what == "hold":
            links[target].hold(length)
        elif what == "half":
            links[target].hold(length, ("back",))
        elif what == "forget":
            proxy.forget(links[target])
        self.happened.append((target, what))

    def drive(self, seconds):
        network, schedule = self.network, self.schedule
        end = time.monotonic() + seconds
        later, last = list(schedule.later), list(schedule.last_moments)
        while not all(agent.has_ended() for agent in network.agents):
            if time.monotonic() > end:
                self.fail(f"the run did not end in {seconds} s")
            self.revive()
            while later and network.progress() >= later[0][0]:
                _, pause, what, target, length = later.pop(0)
                time.sleep(pause)
                self.apply(what, target, length)
            # In the last second: as soon as anybody has finished.
            if last and any(agent.line["because"] for agent in network.agents):
                victim, pause = last.pop(0)
                time.sleep(pause)
                self.apply("kill", victim, 0)
            time.sleep(0.005)

    def run_through(self, kind, options, faults, seconds, extra=()):
        data = write_npy(self.folder / "Z.npy", low_rank(12, 100, 3))
        files = self.folder / "net"
        files.mkdir(mode=0o700)
        self.schedule = Schedule(SEED, kind, faults)
        self.schedule.later = sorted([*self.schedule.later, *extra])
        self.happened = []
        self.network = Network(files, data, options, AGENTS, linger=5)
        watch = Watch(self.network)
        watch.start()
        began = time.monotonic()
        try:
            for agent in self.network.agents:
                self.start_next(agent)
            self.drive(seconds)
        except BaseException:
            sys.stderr.write(f"seed {SEED}, {kind}: {self.happened}\n{self.network.story()}\n")
            raise
        finally:
            self.network.stop()
            watch.stopped = True
            watch.join()
        kills = sum(1 for _, what in self.happened if "killed" in what)
        print(f"{kind}: seed {SEED}, {len(self.happened)} faults, {kills} of them kills, "
              f"{time.monotonic() - began:.1f} s", file=sys.stderr)
        simulated = self.network.simulated()
        self.assertEqual(self.network.factors(), [simulated] * AGENTS)
        self.assertGreaterEqual(len(self.happened), faults * 2 // 3, self.happened)
        self.assertEqual(self.network.leaks(), [])
        self.assertEqual(self.network.foreign_numbers(), [])
        self.assertGreater(watch.looks, 0)
        self.assertEqual(watch.found, [])
        for agent in self.network.agents:
            self.assertFalse(list(agent.out.rglob("*.new")), "a half-written state is left")

    def test_neighbours_end_with_the_bytes_of_simulate(self):
        self.run_through("hardened", HARDENED, FAULTS, 120 + 12 * FAULTS)

    def test_sums_end_with_the_bytes_of_simulate(self):
        self.run_through("sum", SUM, FAULTS, 120 + 12 * FAULTS)

    def test_a_connection_that_both_ends_believe_in_is_given_up(self):
        # Nothing tells the ends that it is gone; the transport asks after 20 s of silence.
        self.run_through("sum", SUM, 0, 240, [(3, 0, "forget", (0, 1), 0)])


if __name__ == "__main__":
    unittest.main()
