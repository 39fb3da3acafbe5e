#!/usr/bin/env python3
"""Seconds per encrypted round of ten agents together, for a factor of 361 x 49, and how good --estimate is.

usage: encrypted_rounds.py [--program build/ppdnmf] [--data FILE] [--bits 2048,3072] [--profiles standard,fast]

Through the command line. Without --data a matrix of the size of the MIT-CBCL faces is made here: the time of a round does
not depend on the values. One round is a third of the time from the end of the first iteration to the end of the second,
which leaves keys, tables and files out. The last three columns are the estimate divided by what was measured, for the whole
run of six rounds: time, bytes, memory.
"""
import argparse
import csv
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
ROWS, COLUMNS, RANK, AGENTS, ROUNDS_PER_ITERATION, ITERATIONS = 361, 2429, 49, 10, 3, 2


def write_data(path):
    draw = random.Random(1)
    header = repr({"descr": "|u1", "fortran_order": False, "shape": (ROWS, COLUMNS)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(draw.randbytes(ROWS * COLUMNS))


def job(program, data, bits, profile):
    return [program, "simulate", data, "--rank", str(RANK), "--agents", str(AGENTS), "--key-bits", str(bits), "--key-profile", profile,
            "--iterations", str(ITERATIONS), "--admm-x", str(ROUNDS_PER_ITERATION), "--quiet"]


def estimate(arguments):
    done = subprocess.run([*arguments, "--estimate", "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)


def measure(arguments, folder):
    """What run.json and history.csv say, and the process's seconds and memory."""
    begin = time.monotonic()
    process = subprocess.Popen([*arguments, "--out", folder])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{arguments[0]} failed")
    run = json.loads((folder / "run.json").read_text())
    with open(folder / "history.csv", newline="", encoding="ascii") as file:
        ends = [float(row["seconds"]) for row in csv.DictReader(file)]
    return {"round": (ends[1] - ends[0]) / ROUNDS_PER_ITERATION, "run": run["seconds"]["total"], "whole": seconds,
            "bytes": run["bytes_sent"], "memory": usage.ru_maxrss * 1024, "crypto": run["seconds"]["crypto"] / run["seconds"]["total"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--data")
    parser.add_argument("--bits", default="2048,3072")
    parser.add_argument("--profiles", default="standard,fast")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = arguments.data or str(folder / "Z.npy")
        if not arguments.data:
            write_data(data)
        print(f"ten agents, {ROWS} x {COLUMNS}, rank {RANK}, random:3, {os.cpu_count()} processors")
        print(f"{'bits':>5} {'profile':<9} {'s per round':>14} {'MB sent each':>13} {'crypto':>7} {'MiB':>5}   "
              f"{'estimate / measured: time':>25} {'bytes':>6} {'memory':>7}")
        for bits in arguments.bits.split(","):
            for profile in arguments.profiles.split(","):
                command = job(arguments.program, data, bits, profile)
                guess = estimate(command)
                real = measure(command, folder / f"{bits}{profile}")
                print(f"{bits:>5} {profile:<9} {real['round']:14.3f} {real['bytes'] / ITERATIONS / ROUNDS_PER_ITERATION / 1e6:13.2f} "
                      f"{real['crypto']:7.0%} {real['memory'] / 2**20:5.0f}   {guess['seconds'] / real['run']:25.2f} "
                      f"{guess['bytes_sent'] / real['bytes']:6.2f} {guess['memory_bytes'] / real['memory']:7.2f}", flush=True)


if __name__ == "__main__":
    main()
