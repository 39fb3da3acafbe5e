"""Three agents as processes on a large factor, hardened scheme at 2048 bits: seconds per round, memory of each
process, size of a saved state, time to save it.

    /usr/bin/python3 -B bench/large_agents.py [ROWS RANK PROFILE ITERATIONS]
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "system"))
from network import CRASHING, Network  # noqa: E402

AGENTS, COLUMNS = 3, 20


def peak_mib(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def points(path):
    lines = [line.split() for line in path.read_text().splitlines()]
    return [(float(clock), float(cpu), name) for clock, cpu, _, name, _ in lines]


def main():
    rows, rank = (int(a) for a in (sys.argv[1:3] or (20000, 30)))
    profile = sys.argv[3] if len(sys.argv) > 3 else "fast"
    iterations = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with tempfile.TemporaryDirectory() as folder:
        draw = np.random.default_rng(1)
        Z = draw.gamma(1, 1, (rows, rank)) @ draw.gamma(1, 1, (rank, AGENTS * COLUMNS))
        np.save(Path(folder) / "Z.npy", Z)
        files = Path(folder) / "net"
        files.mkdir()
        network = Network(files, Path(folder) / "Z.npy",
                          ["--rank", rank, "--topology", "ring", "--key-bits", 2048, "--key-profile", profile, "--iterations",
                           iterations, "--admm-x", 2, "--seed", 1], AGENTS)
        began = time.monotonic()
        for agent in network.agents:
            os.environ["PPDNMF_POINTS"] = str(Path(folder) / f"points-{agent.number}")
            agent.start(program=CRASHING)
        peaks, state = [0.0] * AGENTS, 0
        while not all(agent.poll() == 0 for agent in network.agents):
            for agent in network.agents:
                if agent.poll() is None:
                    peaks[agent.number] = max(peaks[agent.number], peak_mib(agent.process.pid))
                for path in (agent.out / "journal").glob("state.[01]"):
                    state = max(state, path.stat().st_size)
                if agent.poll() not in (None, 0):
                    sys.exit(network.story())
            time.sleep(0.05)
        seconds = time.monotonic() - began
        network.stop()
        saves, saving_cpu, steps, cpu = [], [], [], 0.0
        for agent in network.agents:
            seen = points(Path(folder) / f"points-{agent.number}")
            cpu += seen[-1][1]
            for before, after in zip(seen, seen[1:]):
                if after[2] == "stepped":
                    steps.append(after[1] - before[1])
            opened = None
            for point in seen:
                if point[2] == "opened":
                    opened = point
                elif point[2] == "folder" and opened:
                    saves.append(point[0] - opened[0])
        print(f"{rows} x {rank}, {profile}, {AGENTS} agents, {iterations * 2} rounds: {seconds:.0f} s, {cpu:.0f} CPU s")
        print(f"longest step {max(steps):.1f} CPU s; peak memory {', '.join(f'{p:.0f}' for p in peaks)} MiB")
        print(f"largest state {state / 2**20:.1f} MiB; {len(saves)} saves, median {1000 * statistics.median(saves):.0f} "
              f"ms, longest {1000 * max(saves):.0f} ms")
        print(f"traffic: {', '.join(str(a.line['bytes'] // 1000) for a in network.agents)} kB")


main()
