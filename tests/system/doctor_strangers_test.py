"""`ppdnmf doctor`: who stands in the place of a member, a relay or a proxy and does not do as these do, and firewalls that drop what they do not
let through; made on purpose and looked at from both ends."""

import os
import unittest

from patients import Patients
from relays import MET, PONG, REFUSED, HttpProxy, Listener, inspection, serves_as
from spaces import Firewall, Spaces, tcp_of
from support import free_ports, wait_for

SETTINGS = bytes(3) + b"\x04" + bytes(5)  # the first that HTTP/2 says
NO_NEIGHBOUR, REPLACED = 2, 4  # why a relay refuses
LISTENS = "this member's own agent listens at"
SILENT = "and it says nothing after TLS was set up: its agent hangs, or what it says is lost on the way"
NOT_HEARD = "took the connection and says nothing: what listens there is not "
TAKEN = ("listen", "another program has this port; end it, or choose another")
NO_ANSWER = "no answer: the machine is off, or a firewall on the way drops what is sent there"
SYN, ACK = 2, 16


class Strangers(Spaces, Patients):
    # --- in a member's place -----------------------------------------------------------------------------------------

    def test_a_peer_that_sets_up_tls_and_says_nothing(self):
        """Everything is right but that nothing follows, as of an agent that hangs."""
        ports = free_ports(3)
        file = self.agree("abc", ports)
        place = f"127.0.0.1:{ports[0]}"
        listens = (f"{LISTENS} {place}", None)
        guests = [self.folder / f"{name}.key" for name in "bc"]
        strict = serves_as(self.folder / "a.key", "h2", guests)
        silent = Listener(ports[0], context=strict)
        self.expect(file, ("tls", f"{place}: it is a, by its certificate, {SILENT}"), listens)
        silent.stop()
        # One that does not even look at who comes: its own machine can see it, too.
        silent = Listener(ports[0], context=serves_as(self.folder / "a.key", "h2"))
        self.expect(file, ("tls", SILENT), ("listen", f"{LISTENS} {place} and says nothing after TLS was set up: it hangs; end it, and type its command "
                                                      "again"))
        silent.stop()
        # One that goes on for a moment, and then answers no question.
        half = Listener(ports[0], SETTINGS, strict)
        self.expect(file, ("consortium", "a does not say which file it has: no answer came in time: its agent hangs, or the way there is very slow"), listens)
        half.stop()
        ended = Listener(ports[0], context=strict, ends="after TLS")
        self.expect(file, ("tls", "a has the certificate of the consortium file, but it closed the connection when it had seen this member's "
                                  "certificate: it may have another file, or its clock may be far off"), listens)
        ended.stop()

    def test_somebody_else_in_a_members_place(self):
        ports = free_ports(3)
        file = self.agree("abc", ports)
        closes = Listener(ports[0], ends="at once")
        self.expect(file, ("tls", "it closed the connection while TLS began: what listens there is not an agent"), TAKEN)
        closes.stop()
        self.succeed("identity", "new", "--name", "other", "--out", self.folder)
        other = Listener(ports[0], context=serves_as(self.folder / "other.key", "h2"))
        self.expect(file, ("tls", "it is another program or machine, or a has made a new identity"), TAKEN)
        other.stop()
        text = file.read_text()
        file.write_text(text.replace(f"127.0.0.1:{ports[0]}", f"[fe80::1]:{ports[0]}"))  # which leads nowhere without a device
        self.expect(file, ("tcp", "cannot be connected to ("), ("listen", f"cannot listen at [fe80::1]:{ports[0]}: "))

    # --- in a relay's place ------------------------------------------------------------------------------------------

    def expect_relay(self, name, check, words):
        _, found = self.examine(self.file, self.folder / f"{name}.key", "--patience", 1)
        wrong = {key: sentence for key, sentence in self.wrong(found).items() if key[0] == "relay"}
        self.assertEqual(list(wrong), [("relay", check)], found)
        self.assertIn(f"the relay at 127.0.0.1:{self.port} {words}", wrong["relay", check])

    def test_a_relay_that_sets_up_tls_and_says_nothing_or_nonsense(self):
        self.agree_on_relay()
        context = serves_as(self.folder / "relay.key", "ppdnmf-relay/1", [self.folder / f"{name}.key" for name in "abc"])
        told = ((b"", "says nothing after TLS was set up: it hangs, and whoever runs it has to start it again"),
                (b"\xff", "says something that is no letter of this protocol"),
                (bytes([REFUSED, 99]), "refuses for no reason of this protocol"),
                (bytes([PONG]), "says what a relay does not say now"),
                (bytes([MET]), "says what a relay does not say now"),
                (bytes([REFUSED, NO_NEIGHBOUR]), "says that these two members are no neighbours in its consortium file"),
                (bytes([REFUSED, REPLACED]), "has a newer connection of this member: another agent with this identity runs somewhere"))
        for greeting, words in told:
            relay = Listener(self.port, greeting, context)
            for name in "ab":
                self.expect_relay(name, "consortium", words)
            relay.stop()
        for ends, check, words in (("at once", "tls", "closed the connection while TLS began: what listens there is not a relay"),
                                   ("after TLS", "consortium", "closed the connection: it was ended, has another consortium file")):
            relay = Listener(self.port, context=context, ends=ends)
            for name in "ab":
                self.expect_relay(name, check, words)
            relay.stop()

    def test_a_relay_whose_name_nobody_knows(self):
        self.agree_on_relay()
        self.file.write_text(self.file.read_text().replace(f"127.0.0.1:{self.port}", f"no-such-host.invalid:{self.port}"))
        for name in "ab":
            _, found = self.examine(self.file, self.folder / f"{name}.key", "--patience", 1)
            self.assertIn("the name cannot be found", self.wrong(found)["relay", "tcp"])

    # --- a proxy -----------------------------------------------------------------------------------------------------

    def proxy(self, **more):
        proxy = HttpProxy(**more)
        self.addCleanup(proxy.stop)
        proxy.start()
        return f"127.0.0.1:{proxy.port}"

    def listener(self, **more):
        listener = Listener(0, **more)
        self.addCleanup(listener.stop)
        return f"127.0.0.1:{listener.port}"

    def test_a_proxy_on_the_way_to_a_member(self):
        ports = free_ports(4)
        file = self.agree("abc", ports[:3])
        place = f"127.0.0.1:{ports[0]}"
        agent = self.start_agent(file, "a")
        here = (f"{LISTENS} {place}", None)
        well = self.proxy()
        self.expect(file, (f"{place}: the proxy at {well} lets connections through", None), here, "--proxy", well)
        opens = serves_as(self.folder / "b.key", "h2")
        long = "HTTP/1.1 200 OK\r\n" + 2000 * "X: yyyy\r\n"
        told = ((f"127.0.0.1:{ports[3]}", "nobody listens there (connection refused)"),
                ("no-such-host.invalid:3128", "the name cannot be found"),
                (self.listener(), "took the connection and does not answer: what listens there may be no proxy"),
                (self.listener(ends="at once"), "closed the connection"),
                (self.listener(greeting=b"220 mail.example ESMTP\r\n\r\n"), "does not answer as an HTTP proxy: what listens there is something else"),
                (self.proxy(answer=long), "answers with more than a head of HTTP"),
                (self.proxy(answer="HTTP/1.1 407 No\r\n\r\n"), f"wants a name and a password (407) before it lets anything through to {place}"),
                (self.proxy(answer="HTTP/1.1 403 No\r\n\r\n"), f"does not let this machine through to {place} (403): ask whoever runs it"),
                (self.proxy(answer="HTTP/1.1 504 Late\r\n\r\n"), f"cannot reach {place} itself (504)"),
                (self.proxy(answer="HTTP/1.1 404 No\r\n\r\n"), f"does not let this machine through to {place}: it answers 404"))
        for proxy, words in told:
            self.expect(file, ("proxy", words), here, "--proxy", proxy)
        self.expect(file, ("tls", "b listens there and not a"), here, "--proxy", self.proxy(opens=opens))
        self.expect(file, ("tls", f"{place}: the proxy opens TLS apart: at the far end stands a certificate that /CN=Inspection has signed, and not that "
                                  "of a. TLS has to go from end to end, so that this cannot work"), here,
                    "--proxy", self.proxy(opens=inspection(self.folder)))
        closed = f"127.0.0.1:{ports[3]}"
        self.check_exceptions(file, place, here, closed)
        # An agent goes the ways that doctor looks at.
        around = {"https_proxy": closed, "no_proxy": "127.0.0.0/8"}
        agents = [agent, *(self.begin_agent(file, name, "--proxy", "env", env=around) for name in "bc")]
        for one in agents:
            self.assertEqual(one.wait(100), 0)
        self.assertIn(f"connections go through the proxy at {closed}, but not those that no_proxy has: 127.0.0.0/8", self.said("b"))

    def check_exceptions(self, file, place, here, closed):
        """The environment's proxy, at which nobody listens, and what it does not stand for."""
        host, port = place.split(":")
        for exceptions, excepted in (("", False), ("other.example", False), (f"{host}:1", False), ("10.0.0.0/8", False), (f"other.example,{host}", True),
                                     (f"127.0.0.0/8 {host}:1", True), (f"{host}:{port}", True), ("*", True)):
            for name in ("no_proxy", "NO_PROXY"):
                environment = {"https_proxy": f"http://{closed}/", "no_proxy": "", "NO_PROXY": "", name: exceptions}
                at = {end: {"env": environment} for end in "ab"}
                seen = (f"{place}: no_proxy has this place, so that the proxy is not asked", None) if excepted else ("proxy", "connection refused")
                self.expect(file, seen, here, "--proxy", "env", **at)
        # Who names a proxy means that one.
        self.expect(file, ("proxy", "connection refused"), here, "--proxy", closed, b={"env": {"no_proxy": "*"}})

    # --- the way -----------------------------------------------------------------------------------------------------

    def test_a_firewall_that_drops(self):
        """b and a on two sides of a machine that lets frames through, or drops them without a word."""
        mark = f"ppf{os.getpid()}"
        b, wall, a = (f"{mark}{end}" for end in "bwa")
        for name in (b, wall, a):
            self.make_space(name)
        at = {"a": {"inside": self.inside(a)}, "b": {"inside": self.inside(b)}}
        for last, (end, device) in enumerate(((b, "b0"), (a, "a0")), 1):
            self.ip("link", "add", device, "netns", end, "type", "veth", "peer", "name", device, "netns", wall)
            self.ip("addr", "add", f"10.79.0.{last}/24", "dev", device, space=end)
            for space in (wall, end):
                self.ip("link", "set", device, "up", space=space)
        firewall = Firewall(wall, ("b0", "a0"))
        firewall.start()
        self.addCleanup(firewall.stop)
        (port,) = free_ports(1)
        file = self.agree("abc", [f"10.79.0.2:{port}", *free_ports(2)])
        self.start_agent(file, "a", **at["a"])
        here = (f"{LISTENS} 10.79.0.2:{port}", None)
        let_through = ("a has the same consortium file", None)
        self.expect(file, let_through, here, **at)

        def rule(judge):
            def drops(frame):
                tcp = tcp_of(frame)
                return tcp is not None and port in tcp[:2] and judge(frame, *tcp)
            firewall.drops, firewall.dropped = drops, 0

        for name, judge, words in (
                ("what is sent to this port", lambda frame, source, to, flags: to == port, ("tcp", NO_ANSWER)),
                ("the answers that come back", lambda frame, source, to, flags: source == port, ("tcp", NO_ANSWER)),
                ("what follows the connection", lambda frame, source, to, flags: not flags & SYN and len(frame) > 90,
                 ("tls", NOT_HEARD + "an agent, or it hangs, or large packets are lost on the way")),
                ("large frames, as where somebody forgot the MTU", lambda frame, source, to, flags: len(frame) > 700,
                 ("tls", "or large packets are lost on the way"))):
            with self.subTest(name):
                rule(judge)
                self.expect(file, words, here, **at)
                self.assertGreater(firewall.dropped, 0)
                rule(lambda *_: False)
                self.assertTrue(wait_for(lambda: self.examine(file, self.folder / "b.key", inside=self.inside(b))[0] == 0))
        # And where nobody has the address: the machine is off.
        self.ip("addr", "del", "10.79.0.2/24", "dev", "a0", space=a)
        _, found = self.examine(file, self.folder / "b.key", "--patience", 5, inside=self.inside(b))
        self.assertRegex(self.wrong(found)["a", "tcp"], "no answer: the machine is off|the other machine is off, or a firewall")


if __name__ == "__main__":
    unittest.main()
