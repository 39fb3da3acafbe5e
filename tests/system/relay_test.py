"""Members that can only dial out: through a relay, through a proxy, and through relays that do what they should not."""

import contextlib
import json
import os
import socket
import ssl
import struct
import subprocess
import unittest

import leaks
from members import SUM
from relays import HttpProxy, Liar, Listener, Relay, RelayedNetwork
from spaces import Spaces
from support import TestCase, free_ports, low_rank, read_npy, run, write_npy

COMPLETE = ["complete" if word == "ring" else word for word in SUM]
LONG = [200 if word == 40 else word for word in COMPLETE]
PEER = 6


class Relayed(Spaces, TestCase):
    def lay_out(self, options, places=None, members=3):
        files = self.folder / "net"
        files.mkdir(mode=0o700)
        (self.port,) = free_ports(1)
        data = write_npy(self.folder / "Z.npy", low_rank(12, 60, 3))
        self.network = RelayedNetwork(files, data, options, members,
                                      places or [f"127.0.0.1:{self.port}"] * members, linger=5)
        self.addCleanup(self.network.stop)
        return self.network

    def relay(self, **more):
        relay = Relay(self.network, self.port, **more)
        self.addCleanup(relay.kill)
        return relay.start()

    def proxy(self, **more):
        proxy = HttpProxy(**more)
        self.addCleanup(proxy.stop)
        proxy.start()
        return proxy

    def check_result(self):
        self.assertEqual(self.network.factors(), [self.network.simulated()] * len(self.network.agents))

    def rounds(self, number):
        self.network.until(lambda: all(agent.line["rounds"] >= number for agent in self.network.agents))

    def move(self, relay):
        """To another port: addresses are no part of what members agreed on."""
        relay.kill()
        (port,) = free_ports(1)
        for agent in self.network.agents:
            agent.kill()
            agent.file.write_text(agent.file.read_text().replace(f"127.0.0.1:{relay.port}", f"127.0.0.1:{port}"))
            agent.start()
        self.port = relay.port = port
        relay.start()

    def test_a_run_through_a_relay_that_is_killed_moved_and_flooded_has_the_bytes_of_a_simulation(self):
        network, proxy = self.lay_out(LONG), self.proxy()
        network.agents[2].more = ["--proxy", f"127.0.0.1:{proxy.port}"]
        relay = self.relay()
        network.start()
        self.rounds(2)
        relay.kill()
        network.until(lambda: "the relay at 127.0.0.1" in network.agents[1].said())
        relay.start()
        rounds = network.progress()
        network.until(lambda: network.progress() > rounds)
        self.move(relay)
        self.rounds(rounds + 2)
        crowd = [socket.create_connection(("127.0.0.1", self.port), timeout=10) for _ in range(150)]
        for number, stranger in enumerate(crowd):
            self.addCleanup(stranger.close)
            if number % 2:
                with contextlib.suppress(OSError):  # most of them have been sent away already
                    stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
        self.assertTrue(network.agents[0].kill(), "the run goes on")
        network.agents[0].start()
        network.finish()
        self.check_result()
        self.assertEqual(relay.interrupt(), 0)
        self.assertRegex(relay.said(), r"closed \d+ connections? from 127.0.0.1: they did not show that they are a member's")
        self.assertTrue(proxy.asked)
        self.assertIn(f"CONNECT 127.0.0.1:{self.port} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n", proxy.asked)

    def test_a_relay_that_lies_delays_a_run_and_reads_nothing(self):
        network = self.lay_out(COMPLETE)
        lies = ["repeat", "change", "swap", "delay", "drop", "honest"]
        liar = Liar(network.folder, self.port, lies)
        self.addCleanup(liar.stop)
        liar.start()
        network.start()
        network.finish(90)
        self.check_result()
        self.assertEqual(liar.told[:len(lies)], lies)
        seen = b"".join(liar.saw)
        self.assertIn(b"\x17\x03\x03", seen, "TLS between the members")
        for words in (b"ppdnmf.Agent", b"HTTP/2.0", b"Exchange", b"agent-0", b"application/grpc"):
            self.assertNotIn(words, seen)
        path = self.folder / "seen"
        path.write_bytes(seen)
        numbers = {value for number in range(3) for row in self.numbers(network, number) for value in row}
        self.assertEqual(leaks.find_numbers(numbers, [path]), [])
        path.write_bytes(seen + struct.pack("<d", next(iter(numbers - {0, 1}))))
        self.assertEqual(len(leaks.find_numbers(numbers, [path])), 1, "what is there is found")
        path.write_bytes(seen)
        self.assertEqual(leaks.find(network.secrets, self.folder, set(self.folder.rglob("*")) - {path}), [])

    def numbers(self, network, number):
        agent = network.agents[number]
        return read_npy(network.folder / f"{agent.name}.npy") + read_npy(agent.out / "X.npy")

    # --- doctor ------------------------------------------------------------------------------------------------------

    def examine(self, agent, *more):
        done = run("doctor", "--consortium", agent.file, "--identity", self.network.folder / f"{agent.name}.key",
                   "--json", "--patience", 3, *more)
        found = json.loads(done.stdout)
        self.assertIs(found["well"], done.returncode == 0, done.stderr)
        return {(one["about"], one["check"]): one["sentence"] for one in found["findings"] if not one["well"]}, found

    def expect(self, agent, about, check, words, *more):
        wrong, found = self.examine(agent, *more)
        self.assertIn((about, check), wrong, found)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, wrong[about, check])

    def test_doctor_says_what_is_wrong_with_a_relay_or_a_proxy(self):
        network = self.lay_out(LONG)
        first, last = network.agents[0], network.agents[2]
        place = f"127.0.0.1:{self.port}"
        both = (first, last)
        for agent in both:
            self.expect(agent, "relay", "tcp", "nobody listens there (connection refused)")
        self.check_strangers_in_its_place(both)
        relay = self.relay()
        self.expect(last, "agent-0", "relay", "agent-0 does not wait at the relay: its agent does not run")
        # Another file at the relay, and another relay in the file.
        for agent in both:
            text = agent.file.read_text()
            agent.file.write_text(text.replace("rank = 3", "rank = 2"))
            self.expect(agent, "relay", "consortium", "has another consortium file: compare the digits")
            agent.file.write_text(text)
        self.check_proxies(last, place)
        network.start()
        self.rounds(1)
        for agent, proxy in ((first, []), (last, ["--proxy", f"127.0.0.1:{self.proxy().port}"])):
            wrong, found = self.examine(agent, *proxy)
            self.assertEqual(wrong, {}, found)
            self.assertIn("the relay knows this member, and has the same consortium file", str(found))
        self.assertIn("agent-0 has the same consortium file", str(found))
        network.finish()
        self.check_result()
        self.assertEqual(relay.interrupt(), 0)

    def check_strangers_in_its_place(self, agents):
        """At the relay's address stands something else: nothing that speaks, no TLS, a member with its certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["ppdnmf-relay/1"])
        pem = self.folder / "other.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", pem,
                        "-out", self.folder / "other.crt", "-subj", "/CN=other", "-days", "2"], check=True, capture_output=True)
        context.load_cert_chain(self.folder / "other.crt", pem)
        for more, words in (({}, "took the connection and says nothing: what listens there is not a relay"),
                            ({"greeting": b"220 mail.example ESMTP\r\n"}, "does not speak TLS 1.3 as a relay does"),
                            ({"context": context}, "is another program or machine, or relay has made a new identity")):
            place = Listener(self.port, **more)
            for agent in agents:
                self.expect(agent, "relay", "tls", words)
            place.stop()

    def check_proxies(self, agent, place):
        def through(proxy):
            return ["--proxy", f"127.0.0.1:{proxy.port}"]
        (closed,) = free_ports(1)
        self.expect(agent, "relay", "proxy", ["the proxy at", "connection refused"], "--proxy", f"127.0.0.1:{closed}")
        self.expect(agent, "relay", "proxy", [f"does not let this machine through to {place} (403)", "allow CONNECT"],
                    *through(self.proxy(answer="HTTP/1.1 403 Forbidden\r\n\r\n")))
        self.expect(agent, "relay", "proxy", "wants a name and a password (407)",
                    *through(self.proxy(answer="HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")))
        self.expect(agent, "relay", "proxy", "does not answer as an HTTP proxy", *through(self.proxy(answer="hello\r\n\r\n")))
        self.expect(agent, "relay", "proxy", f"cannot reach {place} itself (502)",
                    *through(self.proxy(answer="HTTP/1.1 502 Bad Gateway\r\n\r\n")))
        silent = Listener(0)
        self.addCleanup(silent.stop)
        self.expect(agent, "relay", "proxy", "took the connection and does not answer", *through(silent))
        done = run("doctor", "--consortium", agent.file, "--identity", self.network.folder / f"{agent.name}.key",
                   "--proxy", "env", env={key: value for key, value in os.environ.items() if "proxy" not in key.lower()})
        self.assertEqual(done.returncode, 2)
        self.assertIn("the environment names no proxy", done.stderr)
        done = run("doctor", "--consortium", agent.file, "--identity", self.network.folder / f"{agent.name}.key", "--json",
                   "--proxy", "env", env={**os.environ, "https_proxy": f"http://me:secret@127.0.0.1:{closed}/"})
        self.assertIn(f"the proxy at 127.0.0.1:{closed}", done.stdout)
        self.assertNotIn("secret", done.stdout + done.stderr)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", self.folder / "ca.key", "-out", self.folder / "ca.pem", "-subj", "/CN=Inspection",
                        "-days", "2"], check=True, capture_output=True)
        subprocess.run(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", self.folder / "leaf.key", "-out", self.folder / "leaf.csr", "-subj", "/CN=relay"],
                       check=True, capture_output=True)
        subprocess.run(["openssl", "x509", "-req", "-in", self.folder / "leaf.csr", "-CA", self.folder / "ca.pem",
                        "-CAkey", self.folder / "ca.key", "-CAcreateserial", "-out", self.folder / "leaf.pem", "-days", "2"],
                       check=True, capture_output=True)
        opens = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        opens.load_cert_chain(self.folder / "leaf.pem", self.folder / "leaf.key")
        self.expect(agent, "relay", "tls", ["the proxy opens TLS apart", "Inspection", "this cannot work"],
                    *through(self.proxy(opens=opens)))

    # --- network namespaces ------------------------------------------------------------------------------------------

    def join_spaces(self, a, b, number):
        """127.78.<number>.1 and .2 of the two: addresses that no route leads away from, as this test may not meet the
        machine's network, and that a consortium without secrets may have."""
        self.ip("link", "add", f"v{number}", "netns", a, "type", "veth", "peer", "name", f"w{number}", "netns", b)
        for space, device, end in ((a, f"v{number}", 1), (b, f"w{number}", 2)):
            self.ip("link", "set", device, "up", space=space)
            subprocess.run([*self.inside(space), "sh", "-c",
                            "for f in /proc/sys/net/ipv4/conf/*/route_localnet; do echo 1 > $f; done"], check=True)
            subprocess.run([*self.inside(space), "ip", "route", "del", "local", "127.0.0.0/8", "dev", "lo", "table", "local"],
                           capture_output=True)
            self.ip("addr", "add", f"127.78.{number}.{end}/24", "dev", device, space=space)

    def reaches(self, space, address):
        code = f"import socket; socket.create_connection({address!r}, timeout=2)"
        done = subprocess.run([*self.inside(space), "python3", "-c", code], capture_output=True)
        return done.returncode == 0

    def test_in_namespaces_of_their_own_members_reach_each_other_through_relay_and_proxy_only(self):
        mark = f"pp{os.getpid()}"
        self.make_space(f"{mark}r")
        spaces = [f"{mark}{number}" for number in range(3)]
        for number, space in enumerate(spaces):
            self.make_space(space)
            if number < 2:
                self.join_spaces(f"{mark}r", space, number)
        # The third has nothing but a proxy, and that one is joined to the relay.
        self.make_space(f"{mark}p")
        self.join_spaces(f"{mark}p", spaces[2], 2)
        self.join_spaces(f"{mark}r", f"{mark}p", 3)
        (port,) = free_ports(1)
        places = [f"127.78.{number}.1:{port}" for number in (0, 1, 3)]
        network = self.lay_out(LONG, places)
        self.port = port
        for agent, space in zip(network.agents, spaces):
            agent.inside = self.inside(space)
        proxy = subprocess.Popen([*self.inside(f"{mark}p"), "python3", "-B", "-c",
                                  "import relays, socket; p = relays.HttpProxy(place=('127.78.2.1', 3128)); p.run()"],
                                 cwd=os.path.dirname(os.path.abspath(__file__)))
        self.addCleanup(proxy.wait)
        self.addCleanup(proxy.kill)
        network.agents[2].more = ["--proxy", "127.78.2.1:3128"]
        relay = self.relay(inside=self.inside(f"{mark}r"), listen="0.0.0.0")
        for number, other in ((0, "127.78.1.2"), (1, "127.78.0.2"), (2, "127.78.3.1"), (0, "127.78.3.2")):
            self.assertFalse(self.reaches(spaces[number], (other, port)), f"{number} reaches {other}")
        network.start()
        self.rounds(2)
        relay.kill()
        network.until(lambda: all("the relay at" in agent.said() for agent in network.agents[1:]))
        relay.start()
        network.finish()
        self.check_result()


if __name__ == "__main__":
    unittest.main()
