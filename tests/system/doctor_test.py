"""`ppdnmf doctor`: what is wrong between machines, in words, without disturbing those that talk."""

import json
import unittest

from network import Network
from patients import Patients
from relays import Listener, inspection
from support import free_ports, low_rank, run, write_npy

PEER = 6
SUM = ["--rank", 3, "--topology", "ring", "--scheme", "sum", "--iterations", 400, "--tolerance", 0, "--seed", 6]  # longer than all visits


class Doctor(Patients):
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

    # --- one trouble after another, looked at from both ends ---------------------------------------------------------

    def test_every_trouble_has_words_at_both_ends(self):
        ports = free_ports(3)
        file = self.agree("abc", ports)
        place = f"127.0.0.1:{ports[0]}"
        self.expect(file, ("tcp", "nobody listens there (connection refused)"), (f"an agent can listen at {place}; none does now", None))
        taken = ("listen", "another program has this port; end it, or choose another")
        silent = Listener(ports[0])
        self.expect(file, ("tls", "it took the connection and says nothing"), taken)
        silent.stop()
        mail = Listener(ports[0], b"220 mail.example ESMTP\r\n")
        self.expect(file, ("tls", "it does not speak TLS 1.3"), taken)
        mail.stop()
        opens = Listener(ports[0], context=inspection(self.folder))
        self.expect(file, ("tls", "something on the way opens TLS apart: at the far end stands a certificate that /CN=Inspection has signed"), taken)
        opens.stop()
        text = file.read_text()
        file.write_text(text.replace(place, f"no-such-host.invalid:{ports[0]}"))
        self.expect(file, ("name", "the name cannot be found"), ("listen", "the name cannot be found"))
        # Nobody can be connected to at the address of everybody, and nothing is sent to find that out.
        file.write_text(text.replace(place, f"255.255.255.255:{ports[0]}"))
        self.expect(file, ("tcp", "there is no way there from this machine"), (f"an agent can listen at 255.255.255.255:{ports[0]}", None))
        file.write_text(text)
        self.check_agents(file, place)

    def check_agents(self, file, place):
        """An agent of a runs, and b has something that a has not."""
        self.start_agent(file, "a")
        here = (f"this member's own agent listens at {place}", None)
        self.expect(file, ("a has the same consortium file", None), here)
        text = file.read_text()
        file.write_text(text.replace("rank = 2", "rank = 3"))
        self.expect(file, ("consortium", "a has another consortium file: compare the digits that 'ppdnmf consortium check' prints"), here)
        # b has made a new identity, and a's agent began with the old one.
        file = self.agree("abc", [int(place.split(":")[1]), *free_ports(2)], "b")
        self.expect(file, ("tls", "it may have another file, or its clock may be far off"), here)


if __name__ == "__main__":
    unittest.main()
