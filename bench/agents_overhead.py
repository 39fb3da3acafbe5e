#!/usr/bin/env python3
"""What separate processes cost beside one: four agents, a factor of 361 x 49.

    /usr/bin/python3 -B bench/agents_overhead.py [--bcd 9] [--runs 3]

hardened  processor time of `launch` (keys of 2048 bits, journal, mutual TLS) over that of `simulate` with the same seed, whole
          commands, `--bcd` iterations of three exchanges each; the lowest of the runs on either side
sum       milliseconds per exchange: from the difference of a long and a short run, so that starting and ending do not count.
          By the clock for the whole network; of the processor for one agent, and where they go. What an agent waits for is the
          other agents, which share this machine's processors.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

BUILD = Path(__file__).resolve().parents[1] / "build"
AGENTS, SHORT, LONG = 4, 20, 120


def run(program, command, data, *options, **environment):
    """Seconds by the clock and of the processor, everything it started included."""
    with tempfile.TemporaryDirectory() as folder:
        words = [BUILD / program, command, data, "--agents", AGENTS, "--rank", 49, "--seed", 1, "--threads", 1, "--quiet", "--out", folder, "--force", *options]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env={**os.environ, **environment})
        seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hardened(data, bcd, runs):
    options = ["--exchange", "hardened", "--key-bits", 2048, "--bcd", bcd, "--admm-x", 3]
    alone = [run("ppdnmf", "simulate", data, *options)[1] for _ in range(runs)]
    apart = [run("ppdnmf", "launch", data, *options)[1] for _ in range(runs)]
    print(f"hardened, {3 * bcd} exchanges: simulate {min(alone):.1f} CPU s, launch {min(apart):.1f} CPU s: "
          f"{100 * (min(apart) / min(alone) - 1):.0f} % more")


def saving(points):
    """Seconds by the clock that saves took, and what of that was waiting for the disk; how many."""
    total, disk, count = 0.0, 0.0, 0
    by_process = defaultdict(list)
    for line in points.read_text().splitlines():
        clock, _, name, process = line.split()
        by_process[process].append((float(clock), name))
    for seen in by_process.values():
        opened = None
        for (before, _), (clock, name) in zip(seen, seen[1:]):
            if name == "opened":
                opened = before  # the state is put together after the point before
            if name in ("synced", "folder"):
                disk += clock - before
            if name == "saved" and opened is not None:
                total, count = total + clock - opened, count + 1
    return total, disk, count


def sums(data):
    options = ["--exchange", "sum", "--tolerance", 0, "--bcd"]
    per = LONG - SHORT
    of_one = 1000 / per / AGENTS
    apart, alone, saves = [], [], []
    for exchanges in (SHORT, LONG):
        alone.append(run("ppdnmf", "simulate", data, *options, exchanges))
        apart.append(run("ppdnmf", "launch", data, *options, exchanges))
        with tempfile.TemporaryDirectory() as folder:
            run("ppdnmf_crashing", "launch", data, *options, exchanges, PPDNMF_POINTS=f"{folder}/points")
            saves.append(saving(Path(folder) / "points"))
    clock, cpu = (1000 / per * (long - short) for short, long in zip(*apart))
    computing = of_one * (alone[1][1] - alone[0][1])
    save, disk, count = (long - short for short, long in zip(*saves))
    print(f"sum: {clock:.1f} ms per exchange by the clock; processor {cpu / AGENTS:.1f} ms per agent and exchange, of which numerics and masks {computing:.1f} ms")
    print(f"     {count / per / AGENTS:.1f} saves per agent and exchange, {1000 * save / count:.2f} ms each by the clock, {1000 * disk / count:.2f} ms of it until the disk has it")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bcd", type=int, default=9)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "Z.npy"
        draw = np.random.default_rng(1)
        np.save(data, draw.gamma(1, 1, (361, 49)) @ draw.gamma(1, 1, (49, 400)) + draw.random((361, 400)))
        sums(data)
        hardened(data, options.bcd, options.runs)


main()
