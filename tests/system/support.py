"""What the tests of the real program share: running it, and matrices in files without numpy."""

import ast
import os
import random
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.environ.get("PPDNMF", str(Path(__file__).resolve().parents[2] / "build" / "ppdnmf"))


def run(*arguments, **options):
    """The program with these arguments; standard output and error as text."""
    return subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, timeout=240, check=False, **options)


def wait_for(question, seconds=60):
    until = time.monotonic() + seconds
    while not question():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


NEXT_PORT = os.getpid() * 100  # processes side by side begin at different places


def free_ports(count):
    """Ports to listen at later. The kernel gives connections of other programs numbers from 32768 on: none of those."""
    global NEXT_PORT
    ports = []
    for _ in range(22000):
        NEXT_PORT += 1
        port = 10000 + NEXT_PORT % 22000
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        ports.append(port)
        if len(ports) == count:
            return ports
    raise AssertionError(f"there are no {count} free ports")


def low_rank(rows, columns, rank, seed=1, noise=0.05):
    """A nonnegative matrix as a list of rows."""
    draw = random.Random(seed)
    left = [[draw.expovariate(1) for _ in range(rank)] for _ in range(rows)]
    right = [[draw.expovariate(1) for _ in range(columns)] for _ in range(rank)]
    return [[sum(left[r][k] * right[k][c] for k in range(rank)) + noise * draw.random() for c in range(columns)]
            for r in range(rows)]


def write_npy(path, matrix):
    rows, columns = len(matrix), len(matrix[0])
    header = repr({"descr": "<f8", "fortran_order": False, "shape": (rows, columns)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    values = [value for row in matrix for value in row]
    Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                           struct.pack(f"<{len(values)}d", *values))
    return path


def read_npy(path):
    """A list of rows."""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10:10 + length].decode())
    rows, columns = header["shape"]
    assert header["descr"] == "<f8", header
    values = struct.unpack(f"<{rows * columns}d", data[10 + length:])
    if header["fortran_order"]:
        return [[values[c * rows + r] for c in range(columns)] for r in range(rows)]
    return [list(values[r * columns:(r + 1) * columns]) for r in range(rows)]


def shape(path):
    matrix = read_npy(path)
    return len(matrix), len(matrix[0])


def relative_difference(a, b):
    squared = sum((x - y) ** 2 for p, q in zip(a, b) for x, y in zip(p, q))
    return (squared / sum(y * y for q in b for y in q)) ** 0.5


class TestCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="ppdnmf_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.out = self.folder / "out"

    def succeed(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def refuse(self, code, words, *arguments):
        """One sentence, the documented exit code, nothing written."""
        done = run(*arguments, "--out", self.out)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("ppdnmf: "), lines[0])
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, lines[0])
        self.assertFalse(self.out.exists(), f"{self.out} was left behind")
