#!/usr/bin/env python3
"""Cost of a simulated network from 10 to 1000 agents: ring plus chords, 96 rows, rank 8, five columns each, 100 rounds.

usage: scale.py [--program build/ppdnmf] [--agents 10,30,100,300,1000] [--scheme hardened|sum]

Through the command line, with the graph in a file of edges. `seconds`, `CPU s` and `MiB` are the whole process: reading, the
exact least squares of every agent's factor on everybody's data (quadratic in the agents by its nature) and writing. What one
round costs is the CPU time of 100 rounds less that of 20, which leaves all the rest out and does not depend on what
else the machine is doing. The last column would be constant if that cost grew linearly.
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
ROWS, RANK, COLUMNS, ROUNDS_PER_ITERATION, ITERATIONS = 96, 8, 5, 5, 20


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


def simulate(program, agents, folder, iterations, scheme):
    """Seconds by the clock, CPU seconds, MiB and bytes sent of one run."""
    out = folder / f"out{iterations}"
    rounds_wanted = iterations * ROUNDS_PER_ITERATION
    own = ["--iterations", str(rounds_wanted), "--tolerance", "0"] if scheme == "sum" else [
        "--cipher", "none", "--iterations", str(iterations), "--admm-x", str(ROUNDS_PER_ITERATION)]
    begin = time.monotonic()
    process = subprocess.Popen([program, "simulate", folder / "Z.npy", "--rank", str(RANK), "--agents", str(agents), "--topology",
                                folder / "edges.txt", "--scheme", scheme, "--out", out, "--quiet", *own])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{program} failed")
    record = json.loads((out / "run.json").read_text())
    if record["rounds"] != rounds_wanted:
        sys.exit(f"{record['rounds']} rounds where {rounds_wanted} were asked for")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, record["bytes_sent"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--agents", default="10,30,100,300,1000")
    parser.add_argument("--scheme", choices=("hardened", "sum"), default="hardened")
    arguments = parser.parse_args()
    print(f"ring plus chords, {ROWS} rows, rank {RANK}, {COLUMNS} columns per agent, {ITERATIONS * ROUNDS_PER_ITERATION} rounds, "
          f"{os.cpu_count()} processors")
    print(f"{'agents':>7} {'seconds':>9} {'CPU s':>8} {'MiB':>6} {'CPU ms per round':>20} {'us per round and agent':>26} {'ratio':>6} "
          f"{'bytes per round and agent':>26}")
    first = None
    for agents in map(int, arguments.agents.split(",")):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_data(folder / "Z.npy", COLUMNS * agents)
            write_edges(folder / "edges.txt", agents)
            _, few_cpu, _, _ = simulate(arguments.program, agents, folder, ITERATIONS // 5, arguments.scheme)
            seconds, cpu, memory, sent = simulate(arguments.program, agents, folder, ITERATIONS, arguments.scheme)
        one = (cpu - few_cpu) / (ROUNDS_PER_ITERATION * (ITERATIONS - ITERATIONS // 5))
        each = 1e6 * one / agents
        first = first or each
        print(f"{agents:7d} {seconds:9.2f} {cpu:8.2f} {memory:6.0f} {1e3 * one:20.3f} {each:26.2f} {each / first:6.2f} "
              f"{sent / (ITERATIONS * ROUNDS_PER_ITERATION) / agents:26.0f}", flush=True)


if __name__ == "__main__":
    main()
