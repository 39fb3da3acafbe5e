#!/usr/bin/env python3
"""What separate processes cost beside one: four agents, a factor of 361 x 49.

    /usr/bin/python3 -B bench/agents_overhead.py [--iterations 9] [--runs 3]

hardened  processor time of `launch` (keys of 2048 bits, journal, mutual TLS) over that of `simulate` with the same seed, whole
          commands, `--iterations` iterations of three rounds each; the lowest of the runs on either side
sum       milliseconds per round: from the difference of a long and a short run, so that starting and ending do not count.
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


def hardened(data, iterations, runs):
    options = ["--scheme", "hardened", "--key-bits", 2048, "--iterations", iterations, "--admm-x", 3]
    alone = [run("ppdnmf", "simulate", data, *options)[1] for _ in range(runs)]
    apart = [run("ppdnmf", "launch", data, *options)[1] for _ in range(runs)]
    print(f"hardened, {3 * iterations} rounds: simulate {min(alone):.1f} CPU s, launch {min(apart):.1f} CPU s: "
          f"{100 * (min(apart) / min(alone) - 1):.0f} % more")


def parts(points):
    """What agents did, added up over them, in seconds: of the processor for stepping (the machine, encoding, queueing), saving and everything
    else (the network's threads); by the clock for saves and for waiting until the disk has them. And how many saves."""
    total = defaultdict(float)
    by_process = defaultdict(list)
    for line in points.read_text().splitlines():
        clock, process_cpu, thread_cpu, name, process = line.split()
        by_process[process].append((float(clock), float(process_cpu), float(thread_cpu), name))
    for seen in by_process.values():
        for before, after in zip(seen, seen[1:]):
            clock, process_cpu, thread_cpu = (b - a for a, b in zip(before[:3], after[:3]))
            saves = after[3] in ("opened", "half", "written", "synced", "renamed", "folder", "saved")
            total["saving" if saves else "stepping"] += thread_cpu
            total["network"] += process_cpu - thread_cpu
            total["saving by the clock"] += clock if saves else 0
            total["disk"] += clock if after[3] in ("synced", "folder") else 0
            total["saves"] += after[3] == "saved"
    return total


def sums(data):
    options = ["--scheme", "sum", "--tolerance", 0, "--iterations"]
    rounds = LONG - SHORT
    alone, apart, inside = [], [], []
    for count in (SHORT, LONG):
        alone.append(run("ppdnmf", "simulate", data, *options, count))
        apart.append(run("ppdnmf", "launch", data, *options, count))
        with tempfile.TemporaryDirectory() as folder:
            run("ppdnmf_crashing", "launch", data, *options, count, PPDNMF_POINTS=f"{folder}/points")
            inside.append(parts(Path(folder) / "points"))
    clock, cpu = (1000 / rounds * (long - short) for short, long in zip(*apart))
    simulated = 1000 / rounds * (alone[1][1] - alone[0][1])
    each = {name: (inside[1][name] - inside[0][name]) / rounds / AGENTS for name in inside[1]}
    print(f"sum: {clock:.1f} ms per round by the clock. Processor: {cpu / AGENTS:.1f} ms per agent and round, {simulated / AGENTS:.1f} ms in a simulation")
    print(f"     where they go: stepping {1000 * each['stepping']:.1f} ms, saving {1000 * each['saving']:.1f} ms, network {1000 * each['network']:.1f} ms;")
    print(f"     {each['saves']:.1f} saves per agent and round, {1000 * each['saving by the clock']:.1f} ms by the clock, of which {1000 * each['disk']:.1f} ms until the disk has them")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=9)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "Z.npy"
        draw = np.random.default_rng(1)
        np.save(data, draw.gamma(1, 1, (361, 49)) @ draw.gamma(1, 1, (49, 400)) + draw.random((361, 400)))
        sums(data)
        hardened(data, options.iterations, options.runs)


main()
