"""Agents as processes when something is wrong with their folders or their neighbours."""

import json
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

from network import BUILD, CRASHING, Network
from support import PROGRAM, TestCase, free_ports, low_rank, read_npy, run, write_npy

HARDENED = ["--rank", 2, "--topology", "ring", "--scheme", "hardened", "--key-bits", 2048, "--key-profile", "fast",
            "--iterations", 10, "--admm-x", 3, "--seed", 5]
SUM = ["--rank", 3, "--topology", "ring", "--scheme", "sum", "--iterations", 40, "--tolerance", 0, "--seed", 6]


def number_of(state):
    """The number of a saved state (src/journal/record.cc)."""
    return int.from_bytes(state.read_bytes()[24:32], "little")


def run_secret(state, agent, neighbours):
    """The secret in a saved state (src/member/participant_state.cc)."""
    content = state.read_bytes()
    at = content.index(struct.pack("<IBI", 1, 1, agent)) + 9 + 32 + 8 * neighbours
    (gone,) = struct.unpack_from("<Q", content, at)
    at += 8 + 4 * gone + 1
    assert struct.unpack_from("<Q", content, at) == (32,)
    return content[at + 8:at + 40]


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
                network = self.lay_out(SUM).start()
                agent = network.agents[2]
                network.until(lambda: agent.line["rounds"] >= 2)
                self.limit_files(agent, max(state.stat().st_size for state in agent.states()) + 2000)
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
                     "--out", trial, *more)
        for agent in left:
            agent.file.write_text(trial.read_text())

    def check_new_run(self, left):
        for agent in left:
            agent.out = agent.out.with_name(agent.out.name + "-anew")
            agent.start()
        for agent in left:
            self.assertEqual(agent.wait(), 0, agent.said())
        self.assertEqual(len({(agent.out / "X.npy").read_bytes() for agent in left}), 1)

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
        self.agree_anew(left, "--rank", 3, "--start-from", X, "--allow-difference-of", "agent-3")
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


class Secrets(Agents):
    def test_a_real_run_writes_secrets_into_its_journal_only_and_leaves_none(self):
        for options in (HARDENED, SUM):
            with self.subTest(options=options):
                network = self.lay_out(options, real=True).start()
                agent = network.agents[1]
                network.until(lambda: all(a.line["rounds"] >= 2 for a in network.agents))
                agent.kill()
                state = agent.states()[0].read_bytes()
                secrets = [run_secret(a.states()[0], a.number, 2) for a in network.agents]
                self.assertEqual(len(set(secrets)), 4)
                hits = network.leaks(secrets)
                self.assertTrue(hits, "the search finds what is there")
                self.assertTrue(all("/journal/state." in path for path, _ in hits), hits)
                self.assertEqual(network.foreign_numbers(), [])
                agent.start()
                network.finish()
                self.assertEqual(len(set(network.factors())), 1)
                if options is HARDENED:
                    pairs = [self.primes(a, secret) for a, secret in zip(network.agents, secrets)]
                    self.assertIn(self.modulus(*pairs[1]), state, "these are the primes of the run's keys")
                    secrets += [prime for pair in pairs for prime in pair]
                self.assertEqual(network.leaks(network.secrets + secrets), [])
                self.assertEqual(network.foreign_numbers(), [])
                network.stop()
                shutil.rmtree(self.folder / "net")

    def primes(self, agent, secret):
        """p and q of its key, from its secret of this run."""
        run_digest = json.loads((agent.out / "run.json").read_text())["own"]["run"]
        done = subprocess.run([BUILD / "make_network", self.network.data, *map(str, HARDENED), "--run-secret", secret.hex(), "--run",
                               run_digest, "--agent", str(agent.number)], check=True, stdout=subprocess.PIPE, text=True)
        return [bytes.fromhex(line) for line in done.stdout.split()]

    def modulus(self, p, q):
        n = int.from_bytes(p, "little") * int.from_bytes(q, "little")
        return n.to_bytes(len(p) + len(q), "little")

    def test_what_is_planted_is_found(self):
        network = self.lay_out(HARDENED).start()
        network.until(lambda: all(a.line["rounds"] >= 1 for a in network.agents))
        agent = network.agents[1]
        state = agent.states()[0].read_bytes()
        network.stop()
        # Of every agent: X25519 key, secret of the run, nonce's key, TLS key, p, q.
        self.assertEqual(len(network.secrets), 6 * 4)
        primes = network.secrets[10:12]
        self.assertIn(self.modulus(*primes), state)
        self.assertEqual(network.leaks(primes), [])
        self.assertEqual(network.foreign_numbers(), [])
        number = str(int.from_bytes(primes[0], "little"))
        value = read_npy(network.folder / "agent-2.npy")[3][4]
        for name, content, which in (("status.json", f'"{number}"'.encode(), 0), ("debug", primes[1][::-1], 1),
                                     ("more", b"key: " + primes[1].hex().upper().encode(), 1)):
            planted = agent.out / name
            planted.write_bytes(b"x" * 5 + content)
            self.assertEqual(network.leaks(primes), [(str(planted), which)])
            planted.unlink()
        for content in (struct.pack("<d", value), struct.pack(">d", value), f"z = {value!r};".encode()):
            planted = agent.out / "debug"
            planted.write_bytes(b"x" * 5 + content)
            self.assertEqual(network.foreign_numbers(), [(str(planted), value)])
            planted.unlink()


if __name__ == "__main__":
    unittest.main()
