"""Private runs between organisations: the file, the ledger beside the identity, restarts, refusals."""

import json
import re
import signal
import subprocess
import unittest
import unittest.mock

from network import Network
from support import PROGRAM, TestCase, free_ports, low_rank, write_npy

USAGE, FILE, PEER = 2, 4, 6
SITES = "abc"
# Columns are few, so that the test is quick, and epsilon is large, so that the program does not refuse the noise.
BUDGET = {"--epsilon": 20, "--delta": 1e-6, "--normalise": "l2", "--columns": 300, "--scheme": "sum", "--iterations": 6}


def flat(options):
    return [str(word) for name, value in options.items() if value is not None for word in (name, value)]


class Sites(TestCase):
    def setUp(self):
        super().setUp()
        for number, site in enumerate(SITES):
            self.succeed("identity", "new", "--name", site, "--out", self.folder)
            write_npy(self.folder / f"{site}.npy", low_rank(6, 100, 2, seed=number))

    def members(self):
        ports = free_ports(2)
        listens = [f"@127.0.0.1:{ports[0]}", f"@127.0.0.1:{ports[1]}", ""]
        return [word for site, where in zip(SITES, listens) for word in ("--member", f"{self.folder}/{site}.pub{where}")]

    def agree(self, *more, **changed):
        options = {**BUDGET, **{f"--{name.replace('_', '-')}": value for name, value in changed.items()}}
        return self.succeed("consortium", "new", *self.members(), "--topology", "ring", "--rank", 2, "--rows", 6, *flat(options), *more,
                            "--out", self.folder / "trial.toml", "--force")

    def ledger(self, site, epsilon=25):
        path = self.folder / f"{site}.ledger"
        path.write_text(f"data ward7 epsilon {epsilon} delta 1e-6\n")
        return path

    def command(self, site, out, *more):
        return [PROGRAM, "agent", "--consortium", self.folder / "trial.toml", "--identity", self.folder / f"{site}.key", "--data",
                self.folder / f"{site}.npy", "--out", self.folder / f"{out}-{site}", "--threads", "1", *map(str, more)]

    def start(self, site, out, *more):
        process = subprocess.Popen(self.command(site, out, *more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def refused(self, code, words, site, *more):
        """One sentence, before anything is sent."""
        done = subprocess.run(self.command(site, "refused", *more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = [line for line in done.stderr.strip().splitlines() if not any(words in line for words in ("all must see the same digits", "totals are exact: a member that"))]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(words, lines[0])

    def run_all(self, out):
        agents = [self.start(site, out, "--data-name", "ward7") for site in SITES]
        self.said = []
        for process in agents:
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            self.said.append(errors)


class Private(Sites):
    def check_shared(self, out, own):
        """What others may read has no number that only this member knows."""
        shared = [path for path in out.rglob("*") if path.is_file() and path.stat().st_mode & 0o077 and path.name != "lock"]
        self.assertEqual({str(path.relative_to(out)) for path in shared} - {"X.csv", "share/X.csv"},
                         {"X.npy", "share/X.npy", "share/history.csv", "share/run.json", "share/report.html"})
        for path in shared:
            content = path.read_bytes()
            for number in (repr(own["own_error"]), f"{own['own_error']:.3g}", f'"columns": {own["columns"]},', f">{own['columns']}<"):
                self.assertNotIn(number.encode(), content, path)
        record = json.loads((out / "share" / "run.json").read_text())
        self.assertEqual(record["parameters"]["epsilon"], 20)
        self.assertNotIn("own_error", record["own"])

    def test_from_the_file_to_the_report_with_one_debit_each(self):
        said = self.agree().stdout
        self.assertIn("private with epsilon 20 and delta 1e-06 for about 300 columns, 2 honest members", said)
        self.assertIn("1e-06)-differentially private for one column", said)
        checked = json.loads(self.succeed("consortium", "check", self.folder / "trial.toml", "--json").stdout)
        self.assertEqual(checked["privacy"], {"epsilon": 20, "delta": 1e-6, "assume_honest": 2, "columns": 300})
        self.assertEqual(checked["settings"]["normalise"], "l2")
        ledgers = [self.ledger(site) for site in SITES]
        self.run_all("first")
        factors = {(self.folder / f"first-{site}" / "X.npy").read_bytes() for site in SITES}
        self.assertEqual(len(factors), 1)
        spent = [re.findall(r"spent ward7 ([0-9a-f]{32}) rho (\S+)", ledger.read_text()) for ledger in ledgers]
        self.assertTrue(all(len(lines) == 1 for lines in spent), spent)
        record = json.loads((self.folder / "first-a" / "run.json").read_text())
        self.assertEqual(record["parameters"]["epsilon"], 20)
        self.assertAlmostEqual(record["parameters"]["rho"], float(spent[0][0][1]), 4)
        self.assertIsNone(record["common_error"])
        self.assertIsNone(record["relative_error"])
        self.assertLess(record["own"]["own_error"], 0.5)
        self.assertIn("differentially private", (self.folder / "first-a" / "report.html").read_text())
        self.assertIn("own_error", (self.folder / "first-a" / "history.csv").read_text())
        self.check_shared(self.folder / "first-a", record["own"])
        # The same command in the same folder spends nothing; another run over the same data is beyond the budget.
        again = subprocess.run(self.command("a", "first", "--data-name", "ward7"), capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        before = ledgers[0].read_text()
        self.refused(USAGE, "more than is left", "a", "--data-name", "ward7")
        self.assertEqual(ledgers[0].read_text(), before)
        # Under a second name, and with a column more, they are the same columns.
        ledgers[0].write_text(before + "data other epsilon 25 delta 1e-6\n")
        data = low_rank(6, 100, 2, seed=0)
        write_npy(self.folder / "a.npy", [[*row, 1.0] for row in data])
        self.refused(USAGE, "by the column that was in most runs, under whatever name", "a", "--data-name", "other")
        write_npy(self.folder / "a.npy", data)
        # With room for it, it has other noise.
        for ledger in ledgers:
            ledger.write_text(ledger.read_text().replace("epsilon 25", "epsilon 60"))
        self.run_all("second")
        self.assertNotIn((self.folder / "second-a" / "X.npy").read_bytes(), factors)
        self.assertEqual(ledgers[0].read_text().count("spent ward7"), 2)

    def test_so_it_is_with_moments_and_rounds_in_their_span(self):
        with unittest.mock.patch.dict(BUDGET, {"--scheme": "moments", "--iterations": 4}):
            self.test_from_the_file_to_the_report_with_one_debit_each()
        self.assertTrue(all("times that under an X of these columns alone" in said for said in self.said), self.said)
        self.assertNotIn("times that under an X of these columns alone", (self.folder / "first-a" / "run.json").read_text())

    def test_what_an_agent_refuses(self):
        self.agree()
        self.refused(USAGE, "say with --data-name NAME", "a")
        self.refused(FILE, "a.ledger: is not there: make it, with a line 'data ward7 epsilon E delta D'", "a", "--data-name", "ward7")
        self.ledger("a")
        self.refused(USAGE, "data other epsilon", "a", "--data-name", "other")
        self.ledger("a", epsilon=10)
        self.refused(USAGE, "more than is left", "a", "--data-name", "ward7")
        self.ledger("a")
        self.refused(USAGE, "--exact-anyway is for runs of exact totals", "a", "--data-name", "ward7", "--exact-anyway")
        self.assertNotIn("spent", (self.folder / "a.ledger").read_text())
        self.agree("--trust-members", "--crowd", "off", epsilon=None, delta=None, normalise=None, columns=None)
        self.refused(USAGE, "--data-name ward7 is for private runs", "b", "--data-name", "ward7")

    def test_a_number_of_columns_that_is_far_too_low_is_noticed_before_anything_is_paid(self):
        self.agree(scheme="moments", iterations=1)
        ledger = self.ledger("a")
        write_npy(self.folder / "a.npy", low_rank(6, 1201, 2))  # where the file says about 300 of all members
        self.refused(3, "these data alone have 1201 columns", "a", "--data-name", "ward7")
        self.assertNotIn("spent", ledger.read_text())

    def test_a_missing_share_is_waited_for_and_named(self):
        self.agree()
        ledger = self.ledger("a")
        self.ledger("b")
        early = [self.start(site, "early", "--data-name", "ward7", "--max-wait", 3) for site in "ab"]
        said = []
        for process in early:
            said.append(process.communicate(timeout=60)[1])
            self.assertEqual(process.returncode, PEER, said[-1])
        self.assertRegex("".join(said), r"nothing came from [abc, ]*c[abc, ]* for 3 seconds; the same command continues the run")
        self.assertEqual(ledger.read_text().count("spent ward7"), 1, "debited before the first message")
        # All three, and the run goes on: nothing more is spent.
        self.ledger("c")
        self.run_all("early")
        self.assertEqual(ledger.read_text().count("spent ward7"), 1)

    def test_what_new_refuses(self):
        def refuse(words, **changed):
            options = {**BUDGET, **{f"--{name.replace('_', '-')}": value for name, value in changed.items()}}
            self.refuse(USAGE, words, "consortium", "new", *self.members(), "--topology", "ring", "--rank", 2, "--rows", 6, *flat(options))

        for epsilon in (0, -1, "nan", 101):
            refuse("--epsilon", epsilon=epsilon)
        for delta in (0, -1, "nan", 0.005):
            refuse("--delta", delta=delta)
        for honest in (0, 4):
            refuse("--assume-honest", assume_honest=honest)
        refuse("--scheme sum", scheme="hardened", iterations=None)
        refuse("say with --columns", columns=None)
        refuse("--columns must be a whole number from 1 to", columns=0)
        refuse("say with --columns", epsilon=None, columns=None)
        refuse("columns, or --epsilon", epsilon=0.001)


class Persons(Sites):
    def setUp(self):
        super().setUp()
        # Column m of 100 belongs to person m // 4, but for the last fifty, who are alone.
        self.names = [f"p{m // 4}" if m < 50 else f"q{m}" for m in range(100)]

    def test_launch_gives_the_bytes_of_simulate_and_both_speak_of_persons(self):
        data = [self.folder / f"{site}.npy" for site in SITES]
        persons = self.folder / "persons.txt"
        persons.write_text("\n".join(self.names * 3) + "\n")
        options = [*flat({name: value for name, value in BUDGET.items() if name not in ("--columns", "--scheme", "--iterations")}),
                   "--rank", 2, "--topology", "ring", "--quiet"]
        for scheme in ("sum", "moments"):
            found = {}
            for command, more in (("simulate", ["--persons", persons]), ("launch", ["--persons", persons]), ("simulate", [])):
                out = self.folder / f"{scheme}-{command}-{len(more)}"
                self.succeed(command, *data, *options, "--scheme", scheme, *more, "--out", out)
                found[command, len(more)] = (out / "X.npy").read_bytes()
                notes = " ".join(json.loads((out / "run.json").read_text())["notes"])
                self.assertEqual("differentially private for one person" in notes, bool(more), notes)
            self.assertEqual(found["simulate", 2], found["launch", 2])
            self.assertNotEqual(found["simulate", 2], found["simulate", 0])
        self.refuse(USAGE, "--persons is for private runs", "simulate", *data, "--rank", 2, "--persons", persons)

    def test_agents_with_persons(self):
        self.agree()
        for site in SITES:
            self.ledger(site)
            (self.folder / f"{site}.persons").write_text("\n".join(self.names) + "\n")
        agents = [self.start(site, "run", "--data-name", "ward7", "--persons", self.folder / f"{site}.persons") for site in SITES]
        for process in agents:
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(len({(self.folder / f"run-{site}" / "X.npy").read_bytes() for site in SITES}), 1)
        notes = " ".join(json.loads((self.folder / "run-a" / "run.json").read_text())["notes"])
        self.assertIn("differentially private for one person", notes)
        # What is handed on says what holds for everybody's columns, whoever else named persons.
        shared = " ".join(json.loads((self.folder / "run-a" / "share" / "run.json").read_text())["notes"])
        self.assertIn("differentially private for one column", shared)
        self.assertNotIn("one person", shared)
        # Another file of persons is other data to the folder; a person is known to the ledger by name.
        (self.folder / "a.persons").write_text("\n".join(["x", *self.names[1:]]) + "\n")
        done = subprocess.run(self.command("a", "run", "--data-name", "ward7", "--persons", self.folder / "a.persons"), capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn("holds a run with other data", done.stderr)
        write_npy(self.folder / "a.npy", low_rank(6, 100, 2, seed=9))
        self.refused(USAGE, "more than is left", "a", "--data-name", "ward7", "--persons", self.folder / "a.persons")
        self.agree("--trust-members", epsilon=None, delta=None, normalise=None, columns=None)
        self.refused(USAGE, "--persons is for private runs", "a", "--persons", self.folder / "a.persons")


class Restarts(TestCase):
    def lay_out(self, name, scheme, iterations, **more):
        data = write_npy(self.folder / f"{name}.npy", low_rank(6, 300, 2))
        files = self.folder / name
        files.mkdir(mode=0o700)
        budget = {**BUDGET, "--columns": None, "--scheme": scheme, "--iterations": iterations}
        network = Network(files, data, [*flat(budget), "--rank", 2, "--topology", "ring"], 3, linger=5, **more)
        self.addCleanup(network.stop)
        return network

    def test_after_kill_9_the_noise_is_what_it_would_have_been(self):
        """Secrets follow from a seed here, so that every word is known beforehand: other noise would be another X."""
        for scheme, iterations in (("moments", 5), ("sum", 8)):
            network = self.lay_out(scheme, scheme, iterations).start()
            kills = 0
            for number, rounds in ((1, 0), (2, 1), (0, 1), (1, 2), (2, 2)):
                victim = network.agents[number]
                network.until(lambda victim=victim, rounds=rounds: victim.has_ended() or victim.line["rounds"] >= rounds)
                kills += victim.kill()
                if victim.poll() == -signal.SIGKILL:
                    victim.start()
            for crash in ("kill:saved:1", "kill:saved:2"):
                victim = network.agents[1]
                if victim.kill():
                    victim.start(crash)
                    kills += victim.wait() == -signal.SIGKILL
                    if victim.poll() == -signal.SIGKILL:
                        victim.start()
            self.assertGreater(kills, 2, network.story())
            network.finish()
            self.assertEqual(network.factors(), [network.simulated()] * 3, scheme)

    def test_killed_and_started_again_it_is_one_run_with_one_debit(self):
        for scheme, iterations in (("sum", 6), ("moments", 4)):
            self.check_one_debit(self.lay_out(f"real-{scheme}", scheme, iterations, real=True, more=["--data-name", "ward7"]))

    def check_one_debit(self, network):
        files = network.folder
        ledgers = [files / f"{agent.name}.ledger" for agent in network.agents]
        for ledger in ledgers:
            ledger.write_text("data ward7 epsilon 25 delta 1e-6\n")
        victim = network.agents[1]
        network.agents[0].start()
        network.agents[2].start()
        # After the first save, before the debit; then between later saves and what was to leave.
        victim.start("kill:saved:1")
        self.assertEqual(victim.wait(), -signal.SIGKILL, victim.said())
        self.assertNotIn("spent", ledgers[1].read_text())
        for crash in ("kill:saved:3", "kill:saved:2"):
            victim.start(crash)
            self.assertEqual(victim.wait(), -signal.SIGKILL, victim.said())
            self.assertEqual(ledgers[1].read_text().count("spent ward7"), 1)
        victim.start()
        network.finish()
        self.assertEqual(len(set(network.factors())), 1)
        for ledger in ledgers:
            self.assertEqual(ledger.read_text().count("spent ward7"), 1)


if __name__ == "__main__":
    unittest.main()
