"""What agents as processes leave on disk: no secret, and nobody else's numbers."""

import json
import shutil
import struct
import subprocess
import unittest

from members import HARDENED, SUM, Agents
from network import BUILD
from support import read_npy


def run_secret(state, agent, neighbours):
    """The secret in a saved state (src/member/participant_state.cc)."""
    content = state.read_bytes()
    at = content.index(struct.pack("<IBI", 2, 1, agent)) + 9 + 32 + 8 * neighbours
    (gone,) = struct.unpack_from("<Q", content, at)
    at += 8 + 4 * gone + 1
    assert struct.unpack_from("<Q", content, at) == (32,)
    return content[at + 8:at + 40]


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

    def test_whoever_stays_for_a_neighbour_that_missed_the_end_keeps_no_secret_and_says_so(self):
        network = self.lay_out(SUM, real=True)
        network.linger = 5
        network.start()
        lost = network.agents[1]
        network.until(lambda: all(a.line["rounds"] >= 2 for a in network.agents))
        lost.kill()
        secrets = [run_secret(a.states()[0], a.number, 2) for a in network.agents]
        lost.start("kill:kept:1")  # its results are there, and it has said goodbye to nobody
        stopped, patient, done = network.agents[0], network.agents[2], network.agents[3]
        network.until(lambda: done.poll() == 0 and stopped.out.joinpath("run.json").exists())
        self.assertEqual(stopped.interrupt(), 130, stopped.said())
        self.assertIn("interrupted; the results are complete", stopped.said())
        self.assertEqual(patient.wait(), 7, patient.said())
        self.assertIn("the results are complete, but agent-1 did not say goodbye", patient.said())
        left = {str(path) for path, _ in network.leaks(secrets)}
        self.assertTrue(left and all(path.startswith(str(lost.out)) for path in left), left)
        for agent in (lost, stopped, patient):  # the same commands
            agent.start()
        network.finish()
        self.assertEqual([agent.poll() for agent in network.agents], [0] * 4, network.story())
        self.assertEqual(network.leaks(secrets), [])
        self.assertEqual(len(set(network.factors())), 1)

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
