"""`ppdnmf doctor`: troubles of a machine, its clock, the network or a relay, made on purpose and looked at from both ends."""

import os
import signal
import socket
import subprocess
import threading
import time
import unittest
from pathlib import Path

from clocks import WrongClock
from patients import Patients
from relays import GO, MET, REFUSED, ROLE_ASKS, ROLE_DIALS, ROLE_WAITS, Listener, serves_as
from spaces import Spaces
from support import PROGRAM, free_ports, run, wait_for

FULL, TOO_OFTEN = 6, 3  # why a relay refuses
LISTENS = "this member's own agent listens at"


class Troubles(Spaces, Patients):
    # --- the clock ---------------------------------------------------------------------------------------------------

    def expect_file(self, file, name, words, **at):
        """The file is refused at this member's machine, so that nothing else is looked at, and no agent begins."""
        _, found = self.examine(file, self.folder / f"{name}.key", **at)
        self.assertEqual({(one["about"], one["check"]) for one in found["findings"]}, {(str(file), "file")}, found)
        for member in "abc":
            self.assertIn(f"the identity of {member} {words}", str(found))
        done = run("agent", "--consortium", file, "--identity", self.folder / f"{name}.key", "--data", self.folder / "Z.npy", "--out",
                   self.folder / f"late-{name}", env={**os.environ, **at["env"]})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(words, done.stderr)

    def test_a_clock_that_is_wrong(self):
        clock = WrongClock(self)
        off = {"env": clock.environment()}
        today = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
        file = self.agree("abc", free_ports(3))
        # It was right when a's agent began, and goes wrong while it runs.
        agent = self.start_agent(file, "a", **off)
        self.expect(file, ("a has the same consortium file", None), (LISTENS, None), a=off)
        for days, words in ((-1000, f"begins on {today}, but today is "), (1000, "ended on ")):
            clock.set(days)
            _, found = self.examine(file, self.folder / "b.key", "--patience", 5)
            wrong = self.wrong(found)
            self.assertEqual(list(wrong), [("a", "tls")], found)
            self.assertIn("a has the certificate of the consortium file, but it ", wrong["a", "tls"])
            self.assertIn("it may have another file, or its clock may be far off", wrong["a", "tls"])
            self.expect_file(file, "a", words, **off)
            # And at b, whose clock is wrong then, all is said by itself.
            self.expect_file(file, "b", words, **off)
        clock.set(740)  # days before the identities end: nothing is wrong yet
        for name in "ab":
            _, found = self.examine(file, self.folder / f"{name}.key", "--patience", 5, **off)
            self.assertEqual(self.wrong(found), {}, found)
            self.assertRegex(str(found), rf"the identity of {name} ends on 20\d\d-\d\d-\d\d, in \d\d days: {name} types 'ppdnmf identity renew'")
        agent.kill()
        agent.wait()
        self.expect(file, ("tcp", "nobody listens there"), ("an agent can listen at", None))

    # --- the machine -------------------------------------------------------------------------------------------------

    def test_a_port_that_is_not_for_everybody(self):
        first = int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text())
        port = next((port for port in range(first - 1, 0, -1) if self.is_free(port)), None)
        if port is None:
            self.skipTest("every port is for everybody here")
        # Who may do everything goes without this one right, as others do.
        plain = [] if os.geteuid() else ["setpriv", "--bounding-set", "-net_bind_service"]
        file = self.agree("abc", [port, *free_ports(2)])
        self.expect(file, ("tcp", "nobody listens there"),
                    ("listen", f"cannot listen at 127.0.0.1:{port}: ports below 1024 are not for everybody; choose another with --listen"),
                    a={"inside": plain})
        done = subprocess.run([*plain, PROGRAM, "agent", "--consortium", file, "--identity", self.folder / "a.key", "--data", "/dev/null",
                               "--out", self.out], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)

    def is_free(self, port):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) != 0

    def test_another_member_at_the_address(self):
        ports = free_ports(3)
        file = self.agree("abc", ports)
        place = f"127.0.0.1:{ports[0]}"
        ring = self.folder / "ring.toml"
        text = file.read_text()
        ring.write_text(text.replace('["a", "c"]', '["a", "c"], ["b", "c"]'))
        self.assertNotEqual(ring.read_text(), text)
        # b listens where a should.
        agent = self.start_agent(ring, "b", "--listen", place)
        words = f"{place}: b listens there and not a: the consortium file has their addresses mixed up, or the way there leads to another machine"
        taken = ("listen", "another program has this port")
        self.expect(ring, ("tls", words), taken)
        _, found = self.examine(ring, self.folder / "c.key")
        wrong = self.wrong(found)
        self.assertEqual(set(wrong), {("a", "tls"), ("b", "tcp")})
        self.assertIn(words, wrong["a", "tls"])
        # An agent that is held.
        agent.send_signal(signal.SIGSTOP)
        hangs = "it took the connection and says nothing: what listens there is not an agent, or it hangs"
        self.expect(ring, ("tls", hangs), taken)
        agent.send_signal(signal.SIGCONT)

    # --- the way -----------------------------------------------------------------------------------------------------

    def test_a_firewall_on_the_way(self):
        mark = f"ppd{os.getpid()}"
        b, wall, a = (f"{mark}{end}" for end in "bwa")
        for name in (b, wall, a):
            self.make_space(name)
        at = {"a": {"inside": self.inside(a)}, "b": {"inside": self.inside(b)}}
        for number, (end, device) in enumerate(((b, "b0"), (a, "a0"))):
            self.ip("link", "add", device, "netns", end, "type", "veth", "peer", "name", device, "netns", wall)
            for space, last in ((wall, 1), (end, 2)):
                self.ip("addr", "add", f"10.78.{number}.{last}/24", "dev", device, space=space)
                self.ip("link", "set", device, "up", space=space)
            self.ip("route", "add", "default", "via", f"10.78.{number}.1", space=end)
        subprocess.run([*self.inside(wall), "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"], check=True)
        (port,) = free_ports(1)
        file = self.agree("abc", [f"10.78.1.2:{port}", *free_ports(2)])
        self.start_agent(file, "a", **at["a"])
        here = (f"{LISTENS} 10.78.1.2:{port}", None)
        self.expect(file, ("a has the same consortium file", None), here, **at)
        turned_away = ("there is no way there from this machine (No route to host): the other machine is off, or a firewall on the way turns "
                       "connections away")
        for kind, words in (("blackhole", "no answer: the machine is off, or a firewall on the way drops what is sent there"),
                            ("unreachable", turned_away), ("prohibit", turned_away)):
            self.ip("route", "add", kind, "10.78.1.2/32", space=wall)
            self.expect(file, ("tcp", words), here, **at)
            self.ip("route", "del", kind, "10.78.1.2/32", space=wall)
        self.ip("route", "del", "default", space=b)
        self.expect(file, ("tcp", "there is no way there from this machine (Network is unreachable)"), here, **at)
        self.ip("route", "add", "prohibit", "default", space=b)
        self.expect(file, ("tcp", "cannot be connected to (Permission denied): routes or a firewall of this machine forbid it"), here, **at)
        self.ip("route", "del", "prohibit", "default", space=b)
        self.ip("route", "add", "default", "via", "10.78.0.1", space=b)
        self.expect(file, ("a has the same consortium file", None), here, **at)

    # --- a relay -----------------------------------------------------------------------------------------------------

    def call(self, who, role, other):
        link, letter = self.callers[who].ask(role, self.digest, self.callers[other])
        self.addCleanup(link.close)
        return link, letter

    def expect_of_relay(self, name, words, **at):
        """None: nothing is wrong with it."""
        _, found = self.examine(self.file, self.folder / f"{name}.key", **at)
        wrong = {key: sentence for key, sentence in self.wrong(found).items() if key[0] == "relay"}
        if words is None:
            self.assertEqual(wrong, {}, found)
        else:
            self.assertEqual(list(wrong), [("relay", "consortium")], found)
            self.assertIn(f"the relay at 127.0.0.1:{self.port} {words}", wrong["relay", "consortium"])

    def test_a_relay_makes_up_for_a_way_that_is_closed(self):
        listens, elsewhere = free_ports(2)
        self.agree_on_relay(f"@127.0.0.1:{listens}")
        relay = self.start_relay()
        _, found = self.examine(self.file, self.folder / "b.key")
        self.assertIn("nobody listens there (connection refused): either the program does not run, or the port is another one; the relay is used "
                      "instead", str(found))
        self.assertEqual(list(self.wrong(found)), [("a", "relay")], found)
        self.assertIn("a does not wait at the relay: its agent does not run", self.wrong(found)["a", "relay"])
        # b is told another address of a, as if a router did not let it through; addresses are no part of what was agreed on.
        agent = self.start_agent(self.file, "a")
        other = self.folder / "b.toml"
        other.write_text(self.file.read_text().replace(f":{listens}", f":{elsewhere}"))
        ways = [(self.file, "a", LISTENS), (other, "b", "the relay is used instead"), (other, "b", "a waits at the relay"),
                (other, "b", "a has the same consortium file")]
        for file, name, words in ways:
            code, found = self.examine(file, self.folder / f"{name}.key")
            self.assertEqual(code, 0, found)
            self.assertIn(words, str(found))
        # An agent that is held while it waits at the relay: b cannot know that, nor can a's machine.
        agent.send_signal(signal.SIGSTOP)
        _, found = self.examine(other, self.folder / "b.key", "--patience", 2)
        self.assertEqual(list(self.wrong(found)), [("a", "consortium")], found)
        self.assertIn("a waits at the relay", str(found))
        self.assertIn("a does not say which file it has: no answer came in time: its agent hangs, or the way there is very slow", str(found))
        _, found = self.examine(self.file, self.folder / "a.key", "--patience", 1)
        self.assertEqual(list(self.wrong(found)), [("a", "listen")], found)
        self.assertIn("(if it is this member's own agent, that one hangs)", self.wrong(found)["a", "listen"])
        agent.send_signal(signal.SIGCONT)
        relay.send_signal(signal.SIGSTOP)
        for name in "ab":
            _, found = self.examine(self.file, self.folder / f"{name}.key", "--patience", 1)
            self.assertEqual(list(self.wrong(found)), [("relay", "tls")], found)
            self.assertIn("took the connection and says nothing: what listens there is not a relay, or it hangs", str(found))

    def test_a_relay_that_cannot_listen(self):
        """As whoever runs it sees it, and a member."""
        self.agree_on_relay()
        place = f"127.0.0.1:{self.port}"

        def expect(well, words, *more):
            _, found = self.examine(self.file, self.folder / "relay.key", "--patience", 1, *more)
            self.assertEqual([(one["about"], one["check"], one["well"]) for one in found["findings"][-2:]],
                             [("relay", "identity", True), ("relay", "listen", well)], found)
            self.assertIn("relay is the relay of this file", str(found))
            self.assertIn(words, found["findings"][-1]["sentence"])

        expect(True, f"a relay can listen at {place}; none does now")
        expect(False, "this address is not one of this machine's; behind a router or proxy, say what to bind with --listen", "--listen", "192.0.2.1:7443")
        silent = Listener(self.port)
        expect(False, f"cannot listen at {place}: another program has this port; end it, or choose another with --listen (if it is this relay, that one "
                      "hangs)")
        self.assertIn("took the connection and says nothing", self.wrong(self.examine(self.file, self.folder / "a.key", "--patience", 1)[1])["relay", "tls"])
        silent.stop()
        self.succeed("identity", "new", "--name", "other", "--out", self.folder)
        other = Listener(self.port, context=serves_as(self.folder / "other.key", "ppdnmf-relay/1"))
        expect(False, "another program has this port")
        other.stop()
        relay = self.start_relay()
        expect(True, f"this relay listens at {place}")
        self.expect_of_relay("b", None)
        relay.send_signal(signal.SIGSTOP)
        expect(False, "(if it is this relay, that one hangs)")

    def test_a_member_that_asks_a_relay_too_often(self):
        self.agree_on_relay()
        self.start_relay()
        refused, ended = threading.Event(), threading.Event()

        def ask():
            while not ended.is_set():
                link, letter = self.callers["b"].ask(ROLE_ASKS, self.digest, self.callers["a"])
                link.close()
                if letter == bytes([REFUSED, TOO_OFTEN]):
                    refused.set()

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            self.assertTrue(refused.wait(60))
            # It may ask again every quarter of a second, which is `doctor` now and then.
            words = "is asked more often than a member needs to; it lets this one in again after a while"
            self.assertTrue(wait_for(lambda: words in str(self.wrong(self.examine(self.file, self.folder / "b.key")[1]))))
            self.expect_of_relay("a", None)
        finally:
            ended.set()
            asking.join()
        self.assertIn("refused b: this relay is asked more often than a member needs to", self.said("relay"))

    def test_a_relay_that_is_full(self):
        self.agree_on_relay()
        self.start_relay("prlimit", "--nofile=128:128")
        kept = []
        for waits, dials in ("ab", "ba", "ac", "ca", "bc", "cb") * 3:
            for who, role, other in ((waits, ROLE_WAITS, dials), (dials, ROLE_DIALS, waits)):
                kept.append(self.call(who, role, other))
                if kept[-1][1] == bytes([REFUSED, FULL]):
                    break
            else:
                self.pass_bytes(kept[-2][0], kept[-1])
                continue
            break
        self.assertEqual(kept[-1][1], bytes([REFUSED, FULL]))
        for name in "abc":
            self.expect_of_relay(name, "has as many connections as it can take")
        self.assertIn(": this relay has as many connections as it can take", self.said("relay"))
        for link, _ in kept:
            link.close()
        self.assertTrue(wait_for(lambda: "as many connections" not in str(self.examine(self.file, self.folder / "b.key")[1]), 5))
        self.expect_of_relay("a", None)

    def pass_bytes(self, first, second):
        self.assertEqual(second[1][:1], bytes([MET]))
        self.assertEqual(first.recv(1), bytes([MET]))
        for link in (first, second[0]):
            link.sendall(bytes([GO]))

    def test_a_relay_whose_clock_is_wrong(self):
        self.agree_on_relay()
        clock = WrongClock(self)
        self.start_relay(env=clock.environment())
        self.expect_of_relay("b", None)
        clock.set(-1000)
        for name in "ab":
            self.expect_of_relay(name, "closed the connection: it was ended, has another consortium file, or its clock is far off")
            self.assertIn(f"refused {name}: its identity is not valid today", self.said("relay"))


if __name__ == "__main__":
    unittest.main()
