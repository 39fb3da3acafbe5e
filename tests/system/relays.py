"""What the tests of relays share: members that can only dial out, a relay, an HTTP proxy, and a relay that lies."""

import base64
import contextlib
import hashlib
import re
import select
import signal
import socket
import ssl
import subprocess
import threading
import time

from network import Network
from spaces import enter, inside
from support import PROGRAM, wait_for

MEET, PING, GO, WAITS, MET, PONG, REFUSED, THERE = 1, 2, 3, 17, 18, 19, 20, 21
ROLE_WAITS, ROLE_DIALS, ROLE_ASKS = 0, 1, 2


class Relay:
    """The program's relay as a process."""

    READY = "passes bytes on at"

    def __init__(self, network, port, inside=(), listen="127.0.0.1", more=()):
        self.network, self.port, self.inside, self.listen, self.more = network, port, inside, listen, more
        self.process, self.log = None, network.folder / "relay.log"

    def start(self):
        """Returns when it listens, or has ended."""
        before = self.said().count(self.READY)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.inside, PROGRAM, "relay", "--listen", f"{self.listen}:{self.port}", "--consortium",
                 str(self.network.relay_file), "--identity", str(self.network.folder / "relay.key"), *self.more],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for(lambda: self.said().count(self.READY) > before or self.process.poll() is not None)
        return self

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=10)

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""


class RelayedNetwork(Network):
    """Members without addresses. `places` are those at which each finds the relay."""

    def __init__(self, folder, data, options, agents, places, **more):
        super().__init__(folder, data, options, agents, relay=True, **more)
        letters = (self.folder / "relay.pub").read_text().split("-----")[2].strip()
        for agent, place in zip(self.agents, places):
            text = re.sub(r"address = [^\n]*\n", "", agent.file.read_text())
            entry = f'relay = "{place}"\nrelay_identity = """\n{letters}\n"""\n'
            agent.file.write_text(text.replace("\n[data]", f"\n{entry}\n[data]"))
        self.relay_file = self.agents[0].file


class Server(threading.Thread):
    """Serves every connection in a thread of its own, in a network namespace if it is given one."""

    def __init__(self, place, space=None):
        super().__init__(daemon=True)
        self.space = space
        self.listener = inside(space, lambda: socket.create_server(place))
        self.port = self.listener.getsockname()[1]

    def run(self):
        enter(self.space)
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def stop(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # who waits in accept() would hold it open
        self.listener.close()


class Listener(Server):
    """What stands at an address in somebody's place: opens TLS if it has a `context`, says `greeting`, and then is silent, or with `ends` ends the
    connection. `ends` "at once" does so before all that."""

    def __init__(self, port, greeting=b"", context=None, ends="", space=None):
        super().__init__(("127.0.0.1", port), space)
        self.greeting, self.context, self.ends = greeting, context, ends
        self.start()

    def serve(self, near):
        near.settimeout(5)
        if self.ends == "at once":
            near.close()
            return
        with contextlib.suppress(OSError), near, self.context.wrap_socket(near, server_side=True) if self.context else near as end:
            end.sendall(self.greeting)
            while not self.ends and end.recv(1 << 16):
                pass


class HttpProxy(Server):
    """Passes on what CONNECT asks for; `answer` is said instead if it is set. `opens`: a context with which it opens
    TLS."""

    def __init__(self, answer=None, opens=None, place=("127.0.0.1", 0), space=None):
        super().__init__(place, space)
        self.answer, self.opens = answer, opens
        self.asked = []

    def serve(self, near):
        with near:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                more = near.recv(1)
                if not more:
                    return
                head += more
            self.asked.append(head.decode())
            if self.answer:
                near.sendall(self.answer.encode())
                return
            host, port = head.split()[1].decode().rsplit(":", 1)
            try:
                far = socket.create_connection((host, int(port)), timeout=5)
            except OSError:
                near.sendall(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")
                return
            near.sendall(b"HTTP/1.1 200 Connection established\r\nProxy-Agent: test\r\n\r\n")
            if self.opens:
                with contextlib.suppress(OSError), self.opens.wrap_socket(near, server_side=True) as opened:
                    opened.recv(1)
                return
            with far, contextlib.suppress(OSError):
                join(near, far)


def join(a, b):
    """Both ways until one side ends."""
    while True:
        for end in select.select([a, b], [], [])[0]:
            chunk = end.recv(1 << 16)
            if not chunk:
                return
            (b if end is a else a).sendall(chunk)


def write_pem(key):
    """(file, certificate) of a .key file: key and certificate as OpenSSL reads them."""
    data = key.read_bytes()
    begin = data.index(b"\x30\x82")
    certificate = data[begin:begin + 4 + int.from_bytes(data[begin + 2:begin + 4], "big")]
    secret = b"\x30\x31\x02\x01\x01\x04\x20" + data[-64:-32] + bytes.fromhex("a00a06082a8648ce3d030107")
    letters = base64.b64encode(secret).decode()
    pem = key.with_suffix(".pem")
    pem.write_text(f"-----BEGIN EC PRIVATE KEY-----\n{letters}\n-----END EC PRIVATE KEY-----\n" + ssl.DER_cert_to_PEM_cert(certificate))
    return pem, certificate


def serves_as(key, protocol, guests=()):
    """TLS as somebody sets it up who has this .key file. `guests`: the .key files of whom it demands one of."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(write_pem(key)[0])
    context.set_alpn_protocols([protocol])
    if guests:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata="".join(ssl.DER_cert_to_PEM_cert(write_pem(guest)[1]) for guest in guests))
    return context


def inspection(folder):
    """TLS as somebody shows it who opens it on the way: a certificate that an authority has signed."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Inspection", "-days", "2")
    openssl("req", "-new", *new, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=leaf")
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "leaf.pem", "-days", "2")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "leaf.pem", folder / "leaf.key")
    return context


class Caller:
    """A member as the relay at this port sees it, with the identity of a .key file: asks whatever it is told to."""

    def __init__(self, key, port):
        self.port = port
        pem, certificate = write_pem(key)
        self.name = hashlib.sha256(certificate).digest()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.context.set_alpn_protocols(["ppdnmf-relay/1"])
        self.context.load_cert_chain(pem)

    def ask(self, role, file, other):
        """The connection and the first letter that came."""
        link = self.context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=10))
        link.sendall(bytes([MEET, role]) + file + other.name)
        return link, link.recv(2)


class Liar(Server):
    """A relay in the place of the program's, which does to the bytes what `lies` say: one word for each pair that
    meets, the last for all that follow. Keeps what it saw."""

    def __init__(self, folder, place, lies, space=None):
        super().__init__(place, space)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context.load_cert_chain(folder / "relay.pem")
        self.context.load_verify_locations(folder / "members.pem")
        self.context.verify_mode = ssl.CERT_REQUIRED
        self.context.set_alpn_protocols(["ppdnmf-relay/1"])
        self.lies, self.told, self.saw = list(lies), [], []
        self.lock = threading.Lock()
        self.waiting = {}  # by who waits and who dials: the connections
        self.keys = {}
        for pem in re.findall(r"-----BEGIN.*?-----END CERTIFICATE-----\n", (folder / "members.pem").read_text(), re.S):
            der = ssl.PEM_cert_to_DER_cert(pem)
            self.keys[der] = hashlib.sha256(der).digest()

    def serve(self, near):
        try:
            near.settimeout(10)
            link = self.context.wrap_socket(near, server_side=True)
            request = b""
            while len(request) < 66:
                more = link.recv(66 - len(request))
                if not more:
                    return
                request += more
        except OSError:
            return
        own, other = self.keys[link.getpeercert(True)], request[34:66]
        waits = request[1] == ROLE_WAITS
        pair = (own, other) if waits else (other, own)
        with self.lock:
            here = self.waiting.setdefault(pair, {})
            here[waits] = link
            link.sendall(bytes([WAITS]))
            if len(here) < 2:
                return
            del self.waiting[pair]
            lie = self.lies.pop(0) if len(self.lies) > 1 else self.lies[0]
            self.told.append(lie)
        threading.Thread(target=self.pass_on, args=(here[True], here[False], lie), daemon=True).start()

    def pass_on(self, a, b, lie):
        try:
            for end in (a, b):
                end.settimeout(10)
                end.sendall(bytes([MET]))
            for end in (a, b):
                while True:
                    letter = end.recv(1)
                    if not letter:
                        return
                    if letter[0] == GO:
                        break
            self.carry(a, b, lie)
        except OSError:
            pass
        finally:
            for end in (a, b):
                end.close()

    def carry(self, a, b, lie):
        held, late = [], time.monotonic() + 3
        while True:
            ready = [end for end in (a, b) if end.pending()] or select.select([a, b], [], [], 30)[0]
            if not ready:
                return
            for end in ready:
                chunk = end.recv(1 << 14)
                if not chunk:
                    return
                with self.lock:
                    self.saw.append(chunk)
                to = b if end is a else a
                if lie == "drop":
                    continue
                if lie == "delay" and time.monotonic() < late:
                    time.sleep(0.3)
                if lie == "repeat":
                    to.sendall(chunk)
                if lie == "change":
                    chunk = chunk[:-1] + bytes([chunk[-1] ^ 1])
                if lie == "swap":  # what comes later goes first
                    held.append((to, chunk))
                    if len(held) < 2:
                        continue
                    for back, part in reversed(held):
                        back.sendall(part)
                    held = []
                    continue
                to.sendall(chunk)
