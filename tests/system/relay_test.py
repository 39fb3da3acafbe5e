"""Members that can only dial out: through a relay, through a proxy, and through relays that do what they should not. Each member is in a network
namespace of its own, which leads to relays, or to a proxy, and to nobody else; where there can be none, all are on 127.0.0.1."""

import contextlib
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import unittest
from dataclasses import dataclass, field

import leaks
from members import SUM
from relays import HttpProxy, Liar, Listener, Relay, RelayedNetwork, inspection
from spaces import Spaces, inside
from support import TestCase, free_ports, low_rank, read_npy, run, write_npy

COMPLETE = ["complete" if word == "ring" else word for word in SUM]
LONG = [200 if word == 40 else word for word in COMPLETE]
PEER = 6


@dataclass
class Spot:
    """Where a relay can be, and at which places members find it."""
    space: str | None
    listen: str
    port: int
    places: list


@dataclass
class Land:
    members: list   # of each: its namespace
    spots: list     # two
    proxy: tuple    # namespace and address; the third member knows nothing else
    strangers: list = field(default_factory=list)  # namespace, whom they flood, and from which address


class Relayed(Spaces, TestCase):
    # --- who can reach whom ------------------------------------------------------------------------------------------

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

    def settle(self):
        """Two places for relays, three members that reach these, one of them by a proxy, and somebody who reaches the second."""
        if lacking := self.lacks_spaces():
            print(f"{self.id()}: {lacking}; all are on 127.0.0.1", file=sys.stderr)
            home = "127.0.0.1"
            spots = [Spot(None, home, port, [f"{home}:{port}"] * 3) for port in free_ports(2)]
            return Land([None] * 3, spots, (None, home), [(None, home, home)])
        mark = f"pp{os.getpid()}"
        first, second, proxy, stranger, *members = (f"{mark}{name}" for name in ("r", "s", "p", "x", 0, 1, 2))
        for space in (first, second, proxy, stranger, *members):
            self.make_space(space)
        pairs = ((first, members[0]), (first, members[1]), (proxy, members[2]), (first, proxy), (second, members[0]), (second, members[1]),
                 (second, proxy), (second, stranger))
        for number, (a, b) in enumerate(pairs):
            self.join_spaces(a, b, number)
        (port,) = free_ports(1)
        spots = [Spot(space, "0.0.0.0", port, [f"127.78.{number}.1:{port}" for number in numbers])
                 for space, numbers in ((first, (0, 1, 3)), (second, (4, 5, 6)))]
        return Land(members, spots, (proxy, "127.78.2.1"), [(stranger, "127.78.7.1", "127.78.7.2"), (members[0], "127.78.4.1", "127.78.4.2")])

    def reaches(self, space, address):
        try:
            inside(space, lambda: socket.create_connection(address, timeout=1)).close()
        except OSError:
            return False
        return True

    def check_that_members_are_apart(self, land):
        """Nobody reaches another member, at whichever of its addresses, nor the third any relay."""
        if land.members[0] is None:
            return
        port = land.spots[0].port
        listeners = [inside(space, lambda: socket.create_server(("0.0.0.0", port))) for space in (*land.members, *(spot.space for spot in land.spots))]
        others = ({0: "127.78.1.2", 1: "127.78.5.2", 2: "127.78.2.2"}, {0: "127.78.0.2", 1: "127.78.4.2", 2: "127.78.2.2"},
                  {0: "127.78.0.2", 1: "127.78.1.2", 2: "127.78.3.1"})
        for number, addresses in enumerate(others):
            for address in addresses.values():
                self.assertFalse(self.reaches(land.members[number], (address, port)), f"{number} reaches {address}")
        for address in ("127.78.0.1", "127.78.4.1"):
            self.assertTrue(self.reaches(land.members[0], (address, port)), address)
        for listener in listeners:
            listener.close()

    # --- a network ---------------------------------------------------------------------------------------------------

    def lay_out(self, options, land=None, members=3):
        files = self.folder / "net"
        files.mkdir(mode=0o700)
        places = land.spots[0].places if land else None
        if land is None:
            (self.port,) = free_ports(1)
        data = write_npy(self.folder / "Z.npy", low_rank(12, 60, 3))
        self.network = RelayedNetwork(files, data, options, members,
                                      places or [f"127.0.0.1:{self.port}"] * members, linger=5)
        self.addCleanup(self.network.stop)
        if land:
            for agent, space in zip(self.network.agents, land.members):
                agent.inside = self.inside(space) if space else []
        return self.network

    def relay(self, spot=None, **more):
        if spot:
            more = {"inside": self.inside(spot.space) if spot.space else (), "listen": spot.listen, **more}
        relay = Relay(self.network, spot.port if spot else self.port, **more)
        self.addCleanup(relay.kill)
        return relay.start()

    def proxy(self, **more):
        proxy = HttpProxy(**more)
        self.addCleanup(proxy.stop)
        proxy.start()
        return proxy

    def proxy_of_third(self, land):
        space, host = land.proxy
        proxy = self.proxy(place=(host, 0), space=space)
        self.network.agents[2].more = ["--proxy", f"{host}:{proxy.port}"]
        return proxy

    def check_result(self):
        self.assertEqual(self.network.factors(), [self.network.simulated()] * len(self.network.agents))

    def check_launched(self):
        out = self.folder / "launched"
        self.succeed("launch", self.network.data, *self.network.options, "--out", out, "--quiet")
        self.assertEqual((out / "X.npy").read_bytes(), self.network.factors()[0])

    def rounds(self, number):
        self.network.until(lambda: all(agent.line["rounds"] >= number for agent in self.network.agents))

    def move(self, old, new):
        """The relay is elsewhere from now on: addresses are no part of what members agreed on."""
        for agent, before, after in zip(self.network.agents, old.places, new.places):
            agent.kill()
            text = agent.file.read_text()
            self.assertIn(before, text)
            agent.file.write_text(text.replace(before, after))
            agent.start()

    def flood(self, land, spot):
        for space, host, _ in land.strangers:
            crowd = inside(space, lambda: [socket.create_connection((host, spot.port), timeout=10) for _ in range(150)])
            for number, stranger in enumerate(crowd):
                self.addCleanup(stranger.close)
                if number % 2:
                    with contextlib.suppress(OSError):  # most of them have been sent away already
                        stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")

    def test_a_run_through_a_relay_that_is_killed_moved_and_flooded_has_the_bytes_of_a_launched_one(self):
        land = self.settle()
        network = self.lay_out(LONG, land)
        first, second = land.spots
        proxy = self.proxy_of_third(land)
        self.check_that_members_are_apart(land)
        relay = self.relay(first)
        network.start()
        self.rounds(2)
        relay.kill()
        network.until(lambda: all(f"the relay at {place}" in agent.said() for agent, place in zip(network.agents[1:], first.places[1:])))
        relay.start()
        rounds = network.progress()
        network.until(lambda: network.progress() > rounds)
        relay.kill()
        self.move(first, second)
        relay = self.relay(second)
        self.rounds(rounds + 2)
        self.flood(land, second)
        self.assertTrue(network.agents[0].kill(), "the run goes on")
        network.agents[0].start()
        network.finish()
        self.check_result()
        self.check_launched()
        self.assertEqual(relay.interrupt(), 0)
        addresses = "|".join(address for *_, address in land.strangers)
        self.assertRegex(relay.said(), rf"closed \d+ connections? from (\d addresses, \d+ of them from )?({addresses}): "
                                       "they did not show that they are a member's")
        for place in (first.places[2], second.places[2]):
            self.assertIn(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n", proxy.asked)

    def test_a_relay_that_lies_delays_a_run_and_reads_nothing(self):
        land = self.settle()
        network = self.lay_out(COMPLETE, land)
        spot = land.spots[0]
        self.proxy_of_third(land)
        liar = Liar(network.folder, (spot.listen, spot.port), ["change"], spot.space)
        self.addCleanup(liar.stop)
        liar.start()
        network.start()
        # As long as it does nothing else, the run waits, and says for whom and why.
        network.until(lambda: all("agent-0: not reached: " in agent.said() for agent in network.agents[1:]))
        self.assertEqual([agent.line["rounds"] for agent in network.agents], [0, 0, 0])
        for agent in network.agents[1:]:
            self.assertIn("no connection to agent-0 since ", agent.status())
        lies = ["repeat", "change", "swap", "delay", "drop", "honest"]
        with liar.lock:
            honest = len(liar.told)
            liar.lies = lies.copy()
        network.finish(90)
        self.check_result()
        self.assertEqual(liar.told[honest:honest + len(lies)], lies)
        self.check_that_nothing_was_seen(b"".join(liar.saw))

    def check_that_nothing_was_seen(self, seen):
        network = self.network
        self.assertIn(b"\x17\x03\x03", seen, "TLS between the members")
        own = json.loads((network.agents[0].out / "run.json").read_text())["own"]
        # Every connection begins with the digest of the file, and of the run.
        for words in (b"ppdnmf.Agent", b"HTTP/2.0", b"Exchange", b"agent-0", b"application/grpc", bytes.fromhex(own["consortium"]),
                      bytes.fromhex(own["run"])[:16]):
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
        self.expect(agent, "relay", "tls", ["the proxy opens TLS apart", "Inspection", "this cannot work"],
                    *through(self.proxy(opens=inspection(self.folder))))


if __name__ == "__main__":
    unittest.main()
