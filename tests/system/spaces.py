"""Network namespaces that a test makes, and that go with it."""

import ctypes
import functools
import os
import select
import shutil
import socket
import subprocess
import threading

CLONE_NEWNET = 0x40000000
SOL_PACKET, PACKET_VNET_HDR, VNET_HEADER, PACKET_OUTGOING = 263, 15, 10, 4


def enter(space):
    """This thread, and those that it starts from now on, are in the namespace. None: everything stays as it is."""
    if space is None:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/run/netns/{space}", "rb") as file:
        if libc.setns(file.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"setns to {space}")


def inside(space, act):
    """What act() gives, done in the namespace: sockets stay where they were made."""
    if space is None:
        return act()
    given = []

    def there():
        try:
            enter(space)
            given.append((act(), None))
        except OSError as problem:
            given.append((None, problem))

    thread = threading.Thread(target=there)
    thread.start()
    thread.join()
    value, problem = given[0]
    if problem:
        raise problem
    return value


class Firewall(threading.Thread):
    """A machine between two networks that hands every frame on, but those of which `drops` says so: as with iptables' DROP, nobody is told.
    Joins the devices of these names in the namespace. `drops` is given the frame, from the Ethernet header on."""

    def __init__(self, space, devices):
        super().__init__(daemon=True)
        self.drops = lambda frame: False
        self.dropped = 0
        self.sockets = [inside(space, lambda device=device: self.open(device)) for device in devices]
        self.wakes, self.wake = os.pipe()

    @staticmethod
    def open(device):
        one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        # The kernel leaves sums and cuts to the card, which is this program: it gives and takes what is still to be done.
        one.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
        one.bind((device, 3))  # ETH_P_ALL
        return one

    def run(self):
        while True:
            ready = select.select([*self.sockets, self.wakes], [], [])[0]
            if self.wakes in ready:
                return
            for one in ready:
                frame, (_, _, kind, *_) = one.recvfrom(1 << 17)
                if kind == PACKET_OUTGOING:
                    continue
                if self.drops(frame[VNET_HEADER:]):
                    self.dropped += 1
                    continue
                try:
                    self.sockets[one is self.sockets[0]].send(frame)
                except OSError:  # the other side is gone
                    pass

    def stop(self):
        os.write(self.wake, b"x")
        self.join()
        for one in self.sockets:
            one.close()
        os.close(self.wake)
        os.close(self.wakes)


def tcp_of(frame):
    """(source port, destination port, flags) of a frame with TCP over IPv4, or nothing."""
    if frame[12:14] != b"\x08\x00" or frame[23] != 6:
        return None
    tcp = frame[14 + 4 * (frame[14] & 15):]
    return int.from_bytes(tcp[:2], "big"), int.from_bytes(tcp[2:4], "big"), tcp[13]


class Spaces:
    """For a TestCase, beside it."""

    @staticmethod
    def inside(name):
        """What a command is written behind. Unlike `ip -n` and `ip netns exec` it mounts nothing, which a chroot does not allow."""
        return ["nsenter", f"--net=/run/netns/{name}"]

    def ip(self, *words, space=None):
        subprocess.run([*(self.inside(space) if space else []), "ip", *words], check=True, capture_output=True)

    @staticmethod
    @functools.cache
    def lacks_spaces():
        """Why there can be no namespaces here; empty: there can."""
        if os.geteuid() != 0 or not shutil.which("ip"):
            return "network namespaces need root and iproute2's ip"
        name = f"try{os.getpid()}"
        made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            return f"this machine makes no network namespaces: {made.stderr.strip()}"
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
        return ""

    def make_space(self, name):
        """Skips the test where there can be none."""
        if lacking := self.lacks_spaces():
            self.skipTest(lacking)
        self.ip("netns", "add", name)
        self.addCleanup(subprocess.run, ["ip", "netns", "del", name], capture_output=True)
        self.ip("link", "set", "lo", "up", space=name)
        return self.inside(name)
