"""Agents as processes: laid out, started, killed and started again, with a proxy on every edge."""

import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import leaks
from proxy import Proxy
from support import PROGRAM, free_ports, read_npy, run

BUILD = Path(PROGRAM).resolve().parent
CRASHING = str(BUILD / "ppdnmf_crashing")
UNHEARD = 7  # the exit code of who ended without everybody's goodbye


class Agent:
    """One member: its command, its present process, what all of its processes said."""

    def __init__(self, network, number):
        self.network, self.number = network, number
        self.name = f"agent-{number}"
        self.out = network.folder / f"out-{number}"
        self.file = network.folder / f"{self.name}.toml"
        self.log = network.folder / f"{self.name}.log"
        self.process, self.code = None, None
        self.more = []  # options
        self.inside = []  # what is typed in front of the command
        self.starts, self.kills = 0, 0
        self.line = {"phase": "starting", "iterations": 0, "rounds": 0, "waiting_for": [], "because": ""}
        self.lines = network.folder / f"{self.name}.progress"

    def command(self, program, *more):
        return [program, "agent", "--consortium", str(self.file), "--identity",
                str(self.network.folder / f"{self.name}.key"), "--data",
                str(self.network.folder / f"{self.name}.npy"), "--out", str(self.out), "--threads", "1",
                "--linger", str(self.network.linger), *self.network.more, *self.more, *more]

    def start(self, crash="", program=None):
        program = program or (CRASHING if crash else self.network.program)
        read, write = os.pipe()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*self.inside, *self.command(program, "--progress-fd", str(write))], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, pass_fds=(write,), umask=0,
                                            restore_signals=False,  # SIGXFSZ stays ignored
                                            env={**os.environ, "PPDNMF_CRASH": crash})
        os.close(write)
        self.code = None
        self.starts += 1
        threading.Thread(target=self.listen, args=(read,), daemon=True).start()
        return self

    def listen(self, descriptor):
        with os.fdopen(descriptor, "rb") as pipe, self.lines.open("ab") as copy:
            for line in pipe:
                copy.write(line)
                if line.endswith(b"\n"):
                    self.line = json.loads(line)

    def poll(self):
        """The exit code, once the process has ended; -9 if it was killed."""
        if self.process and self.code is None:
            self.code = self.process.poll()
        return self.code

    def wait(self, seconds=60):
        self.code = self.process.wait(timeout=seconds)
        return self.code

    def kill(self):
        if self.process is None or self.poll() is not None:
            return False
        self.process.kill()
        self.wait()
        return True

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def has_ended(self):
        """Its results are complete, whether everybody has heard the end or not."""
        return self.poll() in (0, UNHEARD)

    def must_serve_again(self):
        """It ended without everybody's goodbye, and somebody who may have missed the end is still there."""
        return self.poll() == UNHEARD and not all(other.has_ended() for other in self.network.agents)

    def states(self):
        """The journal's whole states, the newest first."""
        def number(path):
            return int.from_bytes(path.read_bytes()[24:32], "little")
        return sorted((self.out / "journal").glob("state.[01]"), key=number, reverse=True)

    def status(self):
        done = run("status", self.out)
        return done.stdout + done.stderr


class Network:
    """`options` are those of `simulate`, `more` those of every agent; with `real` no secret follows from the seed."""

    def __init__(self, folder, data, options, agents, program=PROGRAM, real=False, linger=60, more=(), relay=False):
        self.folder, self.data, self.program, self.linger, self.more = Path(folder), data, program, linger, more
        self.options = [*map(str, options), "--agents", str(agents)]
        self.ports = ports = free_ports(agents)  # where the agents listen
        arguments = [str(BUILD / "make_network"), str(data), *self.options, "--folder", str(self.folder)]
        if relay:
            arguments.append("--relay")
        for port in ports:
            arguments += ["--port", str(port)]
        subprocess.run(arguments, check=True)
        text = (self.folder / "launch.toml").read_text()
        if real:
            text = re.sub(r"\n#[^\n]*\n\[throw_away\]\nseed = [^\n]*\n", "\n", text)
        self.secrets = [bytes.fromhex(line) for line in (self.folder / "secrets.txt").read_text().split()]
        (self.folder / "secrets.txt").unlink()
        self.edges = re.findall(r'\["agent-(\d+)", "agent-(\d+)"\]', text)
        self.edges = sorted((min(int(a), int(b)), max(int(a), int(b))) for a, b in self.edges)
        self.proxy = Proxy()
        # The later member dials the earlier one: through the proxy, since addresses are no part of the agreement.
        self.links = {(a, b): self.proxy.add(ports[a]) for a, b in self.edges}
        self.proxy.start()
        self.agents = [Agent(self, i) for i in range(agents)]
        for agent in self.agents:
            own = text
            for (a, b), link in self.links.items():
                if b == agent.number:
                    own = own.replace(f"127.0.0.1:{ports[a]}", f"127.0.0.1:{link.port}")
            agent.file.write_text(own)
        (self.folder / "launch.toml").unlink()

    def neighbours(self, number):
        return [b if a == number else a for a, b in self.edges if number in (a, b)]

    def start(self):
        for agent in self.agents:
            agent.start()
        return self

    def stop(self):
        for agent in self.agents:
            agent.kill()
        self.proxy.stop()

    def progress(self):
        return max(agent.line["rounds"] for agent in self.agents)

    def until(self, condition, seconds=60, what="that"):
        """Waits for the condition; nobody may fail meanwhile."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not happen in {seconds} s:\n{self.story()}")
            for agent in self.agents:
                if agent.poll() not in (None, 0, UNHEARD, -signal.SIGKILL):
                    raise AssertionError(f"{agent.name} ended with {agent.code}:\n{self.story()}")
            time.sleep(0.002)

    def finish(self, seconds=60):
        self.until(lambda: all(agent.has_ended() for agent in self.agents), seconds, "the end")

    def story(self):
        return "\n".join(f"--- {a.name}: exit code {a.code}, {a.starts} starts, {a.line}\n{a.said()}" for a in self.agents)

    def factors(self):
        """X.npy of every agent, as bytes."""
        return [(agent.out / "X.npy").read_bytes() for agent in self.agents]

    def simulated(self):
        """X.npy of `simulate` with the same options."""
        out = self.folder / "simulated"
        done = run("simulate", self.data, *self.options, "--out", out, "--quiet")
        assert done.returncode == 0, done.stderr
        return (out / "X.npy").read_bytes()

    def foreign_numbers(self):
        """Numbers of one agent's data in what another one wrote or said."""
        data = [{value for row in read_npy(self.folder / f"{agent.name}.npy") for value in row} for agent in self.agents]
        hits = []
        for agent in self.agents:
            paths = [path for path in [agent.log, agent.lines, *agent.out.rglob("*")] if path.is_file()]
            others = set().union(*(values for number, values in enumerate(data) if number != agent.number))
            hits += leaks.find_numbers(others - data[agent.number], paths)
        return hits

    def leaks(self, secrets=None):
        """Secrets in what the agents wrote or said."""
        keys = {self.folder / f"{agent.name}.key" for agent in self.agents}
        return leaks.find(self.secrets if secrets is None else secrets, self.folder, keys)
