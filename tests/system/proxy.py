"""A proxy between two agents that does to their connections what networks do: cuts, slows, holds, forgets them."""

import socket
import struct
import threading
import time

CHUNK = 1 << 16


class Pipe:
    """One direction of one connection."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink
        self.waiting = b""
        self.ended = False


class Connection:
    def __init__(self, near, far):
        self.near, self.far = near, far
        self.there, self.back = Pipe(near, far), Pipe(far, near)
        self.forgotten = False  # stays open for ever, and nothing passes


class Link:
    """Listens on `port` and passes on to `target`. What is done to it is done by calls from the test's thread."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.connections = []
        self.held = {"there": 0.0, "back": 0.0}  # nothing passes in this direction before this time
        self.slow_until, self.slow_bytes = 0.0, 0  # at most so many bytes per turn before this time

    def hold(self, seconds, directions=("there", "back")):
        for direction in directions:
            self.held[direction] = time.monotonic() + seconds

    def slow(self, seconds, bytes_per_second):
        self.slow_bytes = max(1, int(bytes_per_second * Proxy.TURN))
        self.slow_until = time.monotonic() + seconds


class Proxy(threading.Thread):
    """Turns of a few milliseconds over all links; it is for tests, so nothing is clever."""

    TURN = 0.005

    def __init__(self):
        super().__init__(daemon=True)
        self.links = []
        self.lock = threading.Lock()
        self.stopped = False

    def add(self, target_port):
        link = Link(("127.0.0.1", target_port))
        with self.lock:
            self.links.append(link)
        return link

    def cut(self, link):
        """Both ends see a reset, in the middle of whatever was passing."""
        with self.lock:
            for connection in link.connections:
                self.close(connection, reset=True)
            link.connections.clear()

    def forget(self, link):
        """The connections that are there stay open and silent for ever, as when a router has lost them."""
        with self.lock:
            for connection in link.connections:
                connection.forgotten = True

    def stop(self):
        self.stopped = True
        self.join()
        for link in self.links:
            for connection in link.connections:
                self.close(connection)
            link.listener.close()

    def run(self):
        while not self.stopped:
            with self.lock:
                moved = any([self.turn(link) for link in self.links])
            time.sleep(self.TURN if not moved else 0.0005)

    @staticmethod
    def close(connection, reset=False):
        for end in (connection.near, connection.far):
            if reset:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.close()

    def turn(self, link):
        self.accept(link)
        moved = False
        now = time.monotonic()
        most = link.slow_bytes if now < link.slow_until else CHUNK
        for connection in list(link.connections):
            if connection.forgotten:
                continue
            try:
                for direction in ("there", "back"):
                    if now >= link.held[direction]:
                        moved = self.move(getattr(connection, direction), most) or moved
                if connection.there.ended and connection.back.ended:
                    raise ConnectionError
            except OSError:
                self.close(connection)
                link.connections.remove(connection)
        return moved and now >= link.slow_until

    @staticmethod
    def accept(link):
        try:
            near, _ = link.listener.accept()
        except BlockingIOError:
            return
        try:
            far = socket.create_connection(link.target, timeout=1)
        except OSError:  # nobody is there: whoever dialled sees the end
            near.close()
            return
        for end in (near, far):
            end.setblocking(False)
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.connections.append(Connection(near, far))

    @staticmethod
    def move(pipe, most):
        if not pipe.waiting and not pipe.ended:
            try:
                pipe.waiting = pipe.source.recv(most)
                if not pipe.waiting:
                    pipe.ended = True
                    pipe.sink.shutdown(socket.SHUT_WR)
            except BlockingIOError:
                return False
        if not pipe.waiting:
            return False
        try:
            sent = pipe.sink.send(pipe.waiting)
        except BlockingIOError:
            return False
        pipe.waiting = pipe.waiting[sent:]
        return True
