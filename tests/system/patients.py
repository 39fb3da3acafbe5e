"""What the tests of `doctor` share: a consortium, agents of it, and what is said at each of its members."""

import json
import os
import subprocess

from relays import Caller
from support import PROGRAM, TestCase, free_ports, low_rank, wait_for, write_npy


class Patients(TestCase):
    def examine(self, file, key, *more, inside=(), env=None):
        """(exit code, findings) of `doctor`. `inside`: what is typed in front of it; `env`: more variables."""
        words = ["doctor", "--consortium", str(file), "--identity", str(key), "--json", *map(str, more)]
        done = subprocess.run([*inside, PROGRAM, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=240,
                              env={**os.environ, **(env or {})}, check=False)
        self.assertTrue(done.stdout, done.stderr)
        found = json.loads(done.stdout)
        self.assertIs(found["well"], done.returncode == 0, done.stderr)
        return done.returncode, found

    def wrong(self, found):
        return {(one["about"], one["check"]): one["sentence"] for one in found["findings"] if not one["well"]}

    def agree(self, names, ports, fresh=None, *more):
        """The file of a star around the first, which the others dial. `fresh`: who makes an identity for it. A port may
        be a place, too."""
        for name in names if fresh is None else fresh:
            self.succeed("identity", "new", "--name", name, "--out", self.folder, "--force")
        places = [port if isinstance(port, str) else f"127.0.0.1:{port}" for port in ports]
        members = [word for name, place in zip(names, places) for word in ("--member", f"{self.folder / name}.pub@{place}")]
        file = self.folder / "trial.toml"
        self.succeed("consortium", "new", *members, "--topology", "star", "--rank", 2, "--rows", 9, "--trust-members", "--crowd", "off",
                     "--allow-degree-one", "b", "--allow-degree-one", "c", *more, "--force", "--out", file)
        return file

    def expect(self, file, dialler, listener, *more, **at):
        """Words of what is wrong as b, which dials, and a, which is dialled, see it; None: nothing is. `at`: what
        examine() takes, as b= and a=."""
        for name, check, words in (("b", *dialler), ("a", *listener)):
            _, found = self.examine(file, self.folder / f"{name}.key", "--patience", 1, *more, **at.get(name, {}))
            wrong = self.wrong(found)
            if words is None:
                self.assertEqual(wrong, {}, found)
                self.assertIn(check, str(found))
            else:
                self.assertEqual(list(wrong), [("a", check)], found)
                self.assertIn(words, wrong["a", check])

    def start_agent(self, file, name, *more, inside=(), env=None):
        """An agent that listens, as soon as `doctor` at its machine says so. It says what it says in NAME.log."""
        agent = self.begin_agent(file, name, *more, inside=inside, env=env)
        listens = "this member's own agent listens at"
        self.assertTrue(wait_for(lambda: listens in str(self.examine(file, self.folder / f"{name}.key", *more, inside=inside, env=env)[1])))
        return agent

    def begin_agent(self, file, name, *more, inside=(), env=None):
        data = write_npy(self.folder / "Z.npy", low_rank(9, 400, 2))
        with (self.folder / f"{name}.log").open("wb") as log:
            agent = subprocess.Popen([*inside, PROGRAM, "agent", "--consortium", file, "--identity", self.folder / f"{name}.key", "--data", data,
                                      "--out", self.folder / f"out-{name}", *more], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     env={**os.environ, **(env or {})})
        self.addCleanup(agent.wait)
        self.addCleanup(agent.kill)
        return agent

    def said(self, name):
        return (self.folder / f"{name}.log").read_text()

    # --- a relay -----------------------------------------------------------------------------------------------------

    def agree_on_relay(self, *places):
        """`places` are those of the first members; the others do not listen."""
        for name in ("a", "b", "c", "relay"):
            self.succeed("identity", "new", "--name", name, "--out", self.folder)
        (self.port,) = free_ports(1)
        self.file = self.folder / "trial.toml"
        members = [f"--member={self.folder / name}.pub{place}" for name, place in zip("abc", [*places, "", "", ""])]
        self.succeed("consortium", "new", *members, "--relay", f"{self.folder}/relay.pub@127.0.0.1:{self.port}", "--topology", "complete", "--rank", 2,
                     "--rows", 9, "--trust-members", "--crowd", "off", "--out", self.file)
        checked = self.succeed("consortium", "check", self.file, "--json")
        self.digest = bytes.fromhex(json.loads(checked.stdout)["digest"])
        self.callers = {name: Caller(self.folder / f"{name}.key", self.port) for name in "abc"}

    def start_relay(self, *inside, env=None):
        with (self.folder / "relay.log").open("wb") as log:
            relay = subprocess.Popen([*inside, PROGRAM, "relay", "--consortium", self.file, "--identity", self.folder / "relay.key"],
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **(env or {})})
        self.addCleanup(relay.wait)
        self.addCleanup(relay.kill)
        self.assertTrue(wait_for(lambda: "passes bytes on at" in self.said("relay")), self.said("relay"))
        return relay
