#!/usr/bin/env python3
"""What masks cost: a whole run of `simulate --scheme sum` against one machine, one round against Paillier, and 1,000 agents.

usage: sum_rounds.py [--program build/ppdnmf] [--repeat 3] [FILE]

Through the command line; CPU seconds (user and system) of the processes, the least of --repeat runs. FILE is the MIT-CBCL faces,
361 x 2429; without it a matrix of that shape is made here.

(a) `simulate --scheme sum`, ten agents with masks, against `factorize`, rank 49, both from the same seed to the same relative error:
    0.0830 on FILE, and on the made matrix what `factorize` reaches in 31 iterations. A first run of each finds how many iterations
    that takes; then runs of just so many are timed, without a stopping rule. Nothing is subtracted: what start, files and
    report cost is what a run with --iterations 1 costs, in its own column.
(b) One round of all ten agents: the difference of two runs with different --iterations, masked sums against the hardened scheme with
    3072-bit keys of the standard profile.
(c) 1,000 agents with ten columns each, 96 rows, rank 8, random:3, 100 rounds with masks: the whole process, by the clock.
"""
import argparse
import csv
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
ROWS, COLUMNS, RANK, AGENTS, ERROR, MADE_ITERATIONS, MOST = 361, 2429, 49, 10, 0.0830, 31, 100
SUM = ["simulate", "--scheme", "sum"]
MANY_ROWS, MANY_RANK, MANY_AGENTS, MANY_COLUMNS, MANY_ROUNDS = 96, 8, 1000, 10, 100


def write_npy(path, columns, rows):
    """`columns` yields lists; column-major."""
    columns = list(columns)
    header = repr({"descr": "<f8", "fortran_order": True, "shape": (rows, len(columns))})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for column in columns:
            file.write(struct.pack(f"<{rows}d", *column))


def made_columns(rows, rank, columns, few):
    """Each a mixture of `few` of `rank` random parts, with noise."""
    draw = random.Random(1)
    parts = [[draw.expovariate(1) if draw.random() < 0.3 else 0.0 for _ in range(rows)] for _ in range(rank)]
    for _ in range(columns):
        chosen = [(draw.expovariate(1), draw.choice(parts)) for _ in range(few)]
        yield [sum(weight * part[row] for weight, part in chosen) + 0.1 * draw.random() for row in range(rows)]


class Runner:
    def __init__(self, program, folder, repeat):
        self.program, self.folder, self.repeat = program, folder, repeat

    def once(self, command, data, *options):
        """Seconds by the clock, CPU seconds, MiB."""
        arguments = [self.program, *command, data, "--tolerance", "0", "--out", self.folder / "out", "--force", "--quiet", *map(str, options)]
        begin = time.monotonic()
        process = subprocess.Popen(arguments)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        if status != 0:
            sys.exit(f"{' '.join(map(str, arguments))} failed")
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def cpu(self, *arguments):
        return min(self.once(*arguments)[1] for _ in range(self.repeat))

    def errors(self):
        with open(self.folder / "out" / "history.csv", newline="", encoding="ascii") as file:
            return [float(row["relative_error"]) for row in csv.DictReader(file)]


def iterations_to(errors, error):
    for n, reached in enumerate(errors, start=1):
        if reached <= error:
            return n
    sys.exit(f"{MOST} iterations end at {errors[-1]}, above {error}")


def line(what, measured, target, met):
    print(f"{what:<66} {measured:>16}   {target:<22} {'yes' if met else 'NO'}", flush=True)


def whole_run(runner, data, made):
    """CPU seconds of (a), as the tables' lines."""
    network = (SUM, data, "--rank", RANK, "--agents", AGENTS)
    machine = (["factorize"], data, "--rank", RANK)
    runner.once(*machine, "--iterations", MOST)
    errors = runner.errors()
    # The two differ by rounding: a made target must not fall between them.
    error = errors[MADE_ITERATIONS - 1] * (1 + 1e-9) if made else ERROR
    machine_needs = iterations_to(errors, error)
    runner.once(*network, "--iterations", MOST)
    network_needs = iterations_to(runner.errors(), error)
    print(f"(a) CPU seconds to relative error {error:.4f}")
    print(f"    {'':<32} {'iterations':>10} {'CPU s':>7} {'of them start, files, report (--iterations 1)':>40}")
    times = []
    for name, job, needs in (("factorize", machine, machine_needs), ("simulate --scheme sum, masks", network, network_needs)):
        times.append(runner.cpu(*job, "--iterations", needs))
        print(f"    {name:<32} {needs:>10} {times[-1]:7.2f} {runner.cpu(*job, '--iterations', 1):40.2f}", flush=True)
    return times[1] / times[0]


def one_round(runner, data):
    """CPU seconds of one round of all ten agents: masked sums, hardened."""
    few, many = 10, 50
    network = (data, "--rank", RANK, "--agents", AGENTS)
    masked = (runner.cpu(SUM, *network, "--iterations", many) - runner.cpu(SUM, *network, "--iterations", few)) / (many - few)
    # Seconds each, so once is enough.
    hardened = [runner.once(["simulate"], *network, "--iterations", iterations, "--admm-x", 1, "--key-bits", 3072)[1] for iterations in (1, 2)]
    return masked, hardened[1] - hardened[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(TOP / "build" / "ppdnmf"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("data", nargs="?", metavar="FILE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        runner = Runner(arguments.program, Path(name), arguments.repeat)
        data = arguments.data or str(Path(name) / "Z.npy")
        if not arguments.data:
            write_npy(data, made_columns(ROWS, 2 * RANK, COLUMNS, 8), ROWS)
        print(f"{arguments.data or f'a made matrix, {ROWS} x {COLUMNS}'}, rank {RANK}, ten agents, random:3, {os.cpu_count()} processors, "
              f"load average {os.getloadavg()[0]:.1f}")
        ratio = whole_run(runner, data, not arguments.data)
        masked, hardened = one_round(runner, data)
        print(f"(b) CPU seconds per round of ten agents: masked sums {masked:.4f}, hardened {hardened:.2f}")
        many = str(Path(name) / "many.npy")
        write_npy(many, made_columns(MANY_ROWS, MANY_RANK, MANY_AGENTS * MANY_COLUMNS, 3), MANY_ROWS)
        seconds, cpu, memory = runner.once(SUM, many, "--rank", MANY_RANK, "--agents", MANY_AGENTS, "--topology", "random:3", "--iterations",
                                           MANY_ROUNDS)
        print(f"(c) {MANY_AGENTS} agents, {MANY_ROUNDS} rounds: {seconds:.1f} s by the clock, {cpu:.1f} CPU s, {memory:.0f} MiB")
    print(f"\n{'':<66} {'measured':>16}   {'target':<22} met")
    line("(a) simulate --scheme sum / factorize, CPU time", f"{ratio:.2f}", "at most 2.5", ratio <= 2.5)
    line("(b) hardened scheme / masked sums, CPU time", f"{hardened / masked:.0f}", "at least 100", hardened >= 100 * masked)
    line("(c) 1,000 agents, 100 rounds, by the clock", f"{seconds:.1f} s", "under 60 s", seconds < 60)
    line("(c) the same, peak memory", f"{memory:.0f} MiB", "under 1536 MiB", memory < 1536)
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
