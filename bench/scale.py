#!/usr/bin/env python3
"""Cost of a simulated network from 10 to 1000 agents: ring plus chords, 96 rows, rank 8, five columns each, 100 exchanges.

usage: scale.py [--program build/ppdnmf] [--agents 10,30,100,300,1000]

Through the command line, with the graph in a file of edges. `seconds` is the whole process by the clock, with reading, the
exact least squares of every agent's factor on everybody's data (quadratic in the agents by its nature) and writing;
`exchanging` is what the exchanges took. The last column would be constant if the cost of an exchange grew linearly.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
ROWS, RANK, COLUMNS, EXCHANGES_PER_BCD, BCD = 96, 8, 5, 5, 20


def write_data(path, columns):
    """Column-major, so that fewer agents get a part of the same columns."""
    draw = random.Random(1)
    left = [[draw.expovariate(1) for _ in range(RANK)] for _ in range(ROWS)]
    header = repr({"descr": "<f8", "fortran_order": True, "shape": (ROWS, columns)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(columns):
            right = [draw.expovariate(1) for _ in range(RANK)]
            column = [sum(a * b for a, b in zip(row, right)) + 0.1 * draw.random() for row in left]
            file.write(struct.pack(f"<{ROWS}d", *column))


def write_edges(path, agents):
    """A ring, and a chord from every second agent to a random other."""
    draw = random.Random(2)
    with open(path, "w", encoding="ascii") as file:
        for i in range(agents):
            file.write(f"{i} {(i + 1) % agents}\n")
        for i in range(0, agents, 2):
            j = draw.randrange(agents)
            if i != j:
                file.write(f"{i} {j}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--agents", default="10,30,100,300,1000")
    arguments = parser.parse_args()
    print(f"ring plus chords, {ROWS} rows, rank {RANK}, {COLUMNS} columns per agent, {BCD * EXCHANGES_PER_BCD} exchanges, "
          f"{os.cpu_count()} processors")
    print(f"{'agents':>7} {'seconds':>9} {'CPU s':>8} {'MiB':>6} {'exchanging s':>13} {'us per exchange and agent':>26} {'ratio':>6}")
    first = None
    for agents in map(int, arguments.agents.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            data, edges, out = Path(folder) / "Z.npy", Path(folder) / "edges.txt", Path(folder) / "out"
            write_data(data, COLUMNS * agents)
            write_edges(edges, agents)
            begin = time.monotonic()
            process = subprocess.Popen([arguments.program, "simulate", data, "--rank", str(RANK), "--agents", str(agents),
                                        "--topology", edges, "--cipher", "none", "--bcd", str(BCD), "--admm-x",
                                        str(EXCHANGES_PER_BCD), "--out", out, "--quiet"])
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begin
            if status != 0:
                sys.exit(f"{arguments.program} failed")
            record = json.loads((out / "run.json").read_text())
        exchanging = record["seconds"]["total"]
        each = 1e6 * exchanging / record["exchanges"] / agents
        first = first or each
        print(f"{agents:7d} {seconds:9.2f} {usage.ru_utime + usage.ru_stime:8.2f} {usage.ru_maxrss / 1024:6.0f} {exchanging:13.3f} "
              f"{each:26.2f} {each / first:6.2f}", flush=True)


if __name__ == "__main__":
    main()
