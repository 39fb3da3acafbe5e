"""The commands of docs/operating.md, steward.md and log.md, as three sites on one machine would type them: the pages' own text is run."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest
from pathlib import Path

import leaks
from support import PROGRAM, TestCase, free_ports, low_rank, read_npy, run

SITES = "abc"
COLUMNS = {"a": 659, "b": 673, "c": 677}  # numbers that nothing else is likely to be
ROWS = [f"feature {i}" for i in range(12)]
PAGE, STEWARDS_PAGE, LOG_PAGE, RELAYS_PAGE = ((Path(__file__).resolve().parents[2] / "docs" / f"{name}.md").read_text() for name in ("operating", "steward", "log", "relay"))
COMMANDS = re.compile(r"```sh\n(.*?)```\n", re.S)
IDENTITY, AGREE, CHECK, TAKE_PART, WITHOUT, RENEW = COMMANDS.findall(PAGE)
STEWARD, APPROVE, SHOW = COMMANDS.findall(STEWARDS_PAGE)
(VERIFY,) = COMMANDS.findall(LOG_PAGE)
(RELAY,) = COMMANDS.findall(RELAYS_PAGE)


def own_files():
    """What the page's table calls a member's own."""
    rows = [line.split("|") for line in PAGE.splitlines() if "| this member's own |" in line]
    return {Path(name).name for row in rows for name in re.findall(r"`([^`]+)`", row[1])}


class Operating(TestCase):
    def setUp(self):
        super().setUp()
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "ppdnmf").symlink_to(PROGRAM)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        self.office = self.folder / "office"  # of the person who writes the file
        self.office.mkdir()
        (self.office / "features.txt").write_text("\n".join(ROWS) + "\n")
        for number, site in enumerate(SITES):
            self.home(site).mkdir()
            self.type(IDENTITY, site)
            shutil.copy(self.home(site) / "keys" / f"{site}.pub", self.office)
            values = low_rank(len(ROWS), COLUMNS[site], 5, seed=number)
            # Every site has the rows in another order.
            order = range(len(ROWS)) if number == 0 else reversed(range(len(ROWS))) if number == 1 else [*range(3, len(ROWS)), 0, 1, 2]
            lines = [",".join([ROWS[i], *map(repr, values[i])]) for i in order]
            names = ",".join(f"{site}{c}" for c in range(COLUMNS[site]))
            (self.home(site) / "Z.csv").write_text(f",{names}\n" + "\n".join(lines) + "\n")

    def home(self, site):
        return self.folder / site

    def start(self, text, site):
        """A block of the page, typed at a site, which puts its own name where the page says a."""
        own = text.replace("--name a ", f"--name {site} ").replace("keys/a.", f"keys/{site}.")
        process = subprocess.Popen(["sh", "-euc", own], cwd=self.home(site), env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def type(self, text, site):
        process = self.start(text, site)
        output, errors = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, errors)
        return output

    def agree(self, text):
        ports = free_ports(2)
        text = text.replace("a.example:7443", f"127.0.0.1:{ports[0]}").replace("b.example:7443", f"127.0.0.1:{ports[1]}")
        done = subprocess.run(["sh", "-euc", text], cwd=self.office, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        digits = set()
        for site in SITES:
            shutil.copy(self.office / "trial.toml", self.home(site))
            digits.add(re.search(r"telephone: ([\d ]+)\n", self.type(CHECK, site)).group(1))
        self.assertEqual(len(digits), 1)
        return done.stdout, digits.pop()

    def agree_exactly(self, *more):
        self.assertIn("`--trust-members` in step 2 in place of `--columns`", PAGE)
        return self.agree(AGREE.replace("--columns 2000", " ".join(["--trust-members", *more])))

    def exactly(self):
        self.assertIn("no `--data-name` in step 4", PAGE)
        return TAKE_PART.splitlines()[1].replace("--data-name ward7 ", "")

    def finish(self, agents):
        said = [process.communicate(timeout=200) for process in agents]
        for process, (_, errors) in zip(agents, said):
            self.assertEqual(process.returncode, 0, errors)
        return said

    def check_results(self, digits):
        factors = set()
        for number, site in enumerate(SITES):
            out = self.home(site) / "run1"
            factors.add((out / "X.npy").read_bytes())
            record = json.loads((out / "run.json").read_text())
            self.assertEqual(record["own"]["digits"], digits)
            self.assertEqual(record["own"]["agent"], number)
            self.assertIsNone(record["seed"])
            self.assertEqual(record["own"]["columns"], COLUMNS[site])
            self.assertIn("Neighbours", (out / "report.html").read_text())
            self.assertIn(ROWS[8], (out / "X.csv").read_text())
            self.assertIn(f"{site}19", (out / "Y.csv").read_text())
            status = self.succeed("status", out)
            self.assertIn(f"{site} has ended its run", status.stdout)
            self.assertIs(json.loads(self.succeed("status", out, "--json").stdout)["running"], False)
        self.assertEqual(len(factors), 1, "all sites have the same X")

    def test_a_private_run_from_nothing_to_a_report_at_every_site(self):
        self.assertIn("`--steward a=keeper.pub` to `consortium new`", STEWARDS_PAGE)
        self.type(STEWARD, "a")
        shutil.copy(self.home("a") / "keys" / "keeper.pub", self.office)
        said, digits = self.agree(AGREE.replace("--rank 5", "--rank 5 --steward a=keeper.pub"))
        self.assertIn("a takes part only with the approval of its steward, keeper.", said)
        without = self.start(TAKE_PART.splitlines()[1], "a")
        self.assertIn("this member's steward has to approve first", without.communicate(timeout=60)[1])
        self.assertEqual(without.returncode, 2)
        self.assertFalse((self.home("a") / "run1").exists())
        for block in (APPROVE, SHOW):
            self.assertIn("keeper approves that a takes part in one analysis together with b, c.", self.type(block, "a"))
        self.assertIn("private with epsilon 4 and delta 1e-06 for about 2000 columns", said)
        for _, errors in self.finish([self.start(TAKE_PART, site) for site in SITES]):
            self.assertIn(digits, errors)
        self.check_results(digits)
        for site in SITES:
            record = json.loads((self.home(site) / "run1" / "run.json").read_text())
            self.assertEqual(record["parameters"]["epsilon"], 4)
            self.assertIn("differentially private for one column", " ".join(record["notes"]))
            ledger = self.home(site) / "keys" / f"{site}.ledger"
            self.assertEqual(ledger.read_text().count("spent ward7"), 1)
            for file in (ledger, ledger.with_name(f"{site}.ledger.columns")):
                self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.check_no_own_number_leaves()
        for site in SITES:
            shutil.copy(self.home(site) / "run1" / "run.log", self.office / f"{site}.log")
        done = subprocess.run(["sh", "-euc", VERIFY], cwd=self.office, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("every chain and every signature is right, and the logs say the same", done.stdout)
        self.assertRegex((self.office / "a.log").read_text(), '"what":"approved","by":"keeper"')
        # Exact totals of the same columns are refused, unless somebody says so.
        self.agree_exactly("--force")
        process = self.start(self.exactly().replace("run1", "run2"), "a")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, errors)
        self.assertIn("659 of these columns have been in private runs", errors)
        self.assertIn("say with --exact-anyway", errors)
        self.assertFalse((self.home("a") / "run2").exists())

    def test_members_without_an_open_port_meet_at_a_relay(self):
        self.assertIn("`--relay relay.pub@relay.example:7443` is added to step 2", RELAYS_PAGE)
        (port,) = free_ports(1)
        self.home("relay").mkdir()
        self.type(IDENTITY, "relay")
        shutil.copy(self.home("relay") / "keys" / "relay.pub", self.office)
        text = AGREE.replace("@a.example:7443", "").replace("@b.example:7443", "")
        said, digits = self.agree(text.replace("--columns 2000", f"--trust-members --relay relay.pub@127.0.0.1:{port}"))
        self.assertIn(f"meet at 127.0.0.1:{port}, which relay runs", said)
        shutil.copy(self.office / "trial.toml", self.home("relay"))
        agents = [self.start(self.exactly(), site) for site in SITES]
        self.start(RELAY, "relay")
        self.finish(agents)
        self.check_results(digits)

    def check_no_own_number_leaves(self):
        """In no file that the page gives to others is a number of one member's own: of columns, errors, data."""
        own = own_files()
        self.assertLessEqual({"Y.npy", "Y.csv", "run.json", "report.html", "status.json", "history.csv"}, own)
        looked_at = set()
        for site in SITES:
            out = self.home(site) / "run1"
            error = json.loads((out / "run.json").read_text())["own"]["own_error"]
            data = {float(cell) for line in (self.home(site) / "Z.csv").read_text().splitlines()[1:] for cell in line.split(",")[1:]}
            data |= {value for row in read_npy(out / "Y.npy") for value in row if value != 0}
            paths = [path for path in out.rglob("*") if path.is_file() and (path.parent != out or path.name not in own)]
            paths = [path for path in paths if path.parent.name != "journal"]
            self.assertEqual(leaks.find_numbers(data, paths), [])
            for path in paths:
                looked_at.add(str(path.relative_to(out)))
                text = path.read_text(errors="replace")
                self.assertNotRegex(text, rf"(?<![\w.+/]){COLUMNS[site]}(?![\w.+/=])", path)
                self.assertNotIn(repr(error)[:8], text, path)
        self.assertLessEqual({"X.npy", "X.csv", "share/X.npy", "share/run.json", "share/history.csv", "share/report.html"}, looked_at)

    def test_three_of_four_go_on_without_the_lost_one(self):
        self.home("d").mkdir()
        self.type(IDENTITY, "d")
        shutil.copy(self.home("d") / "keys" / "d.pub", self.office)
        self.agree(AGREE.replace("--member c.pub", "--member c.pub --member d.pub").replace("--topology ring", "--topology auto"))
        self.type(WITHOUT.replace("--lost d", "--lost d --yes"), "a")
        self.type(CHECK.replace("trial.toml", "next.toml"), "a")
        found = json.loads(run("consortium", "check", self.home("a") / "next.toml", "--json").stdout)
        self.assertEqual([member["name"] for member in found["members"]], ["a", "b", "c"])
        question = self.start(WITHOUT.replace("next", "unasked"), "a")
        self.assertIn("both runs are private", question.communicate(timeout=60)[1])
        self.assertEqual(question.returncode, 2)
        self.assertFalse((self.home("a") / "unasked.toml").exists())

    def test_a_renewed_identity_takes_part_until_a_file_without_the_old_one_revokes_that(self):
        _, digits = self.agree_exactly()
        key = self.home("a") / "keys" / "a.key"
        old = key.read_bytes()
        shown = json.loads(self.succeed("identity", "show", key, "--json").stdout)
        self.type(RENEW, "a")
        renewed = json.loads(self.succeed("identity", "show", key.with_suffix(".pub"), "--json").stdout)
        self.assertEqual(renewed["before"], shown)
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        said = self.finish([self.start(self.exactly(), site) for site in SITES])
        self.assertIn("names this member's identity from before its renewal", said[0][1])
        self.check_results(digits)
        # The next file is made with the new one, and is not for who has the old key only.
        shutil.copy(key.with_suffix(".pub"), self.office)
        self.assertNotEqual(self.agree_exactly("--force")[1], digits)
        found = self.succeed("consortium", "check", self.home("a") / "trial.toml", "--json").stdout
        self.assertEqual(json.loads(found)["members"][0]["fingerprint"], renewed["fingerprint"])
        key.write_bytes(old)
        process = self.start(self.exactly().replace("run1", "run2"), "a")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, errors)
        self.assertIn("is not a member of", errors)

    def test_a_site_that_comes_late_is_waited_for(self):
        _, digits = self.agree_exactly("--key-bits 2048 --iterations 2")
        early = [self.start("exec " + self.exactly(), site) for site in "ab"]
        until = time.monotonic() + 60
        text = ""
        while "no connection to c" not in text and time.monotonic() < until:
            time.sleep(0.1)
            text = run("status", self.home("a") / "run1").stdout
        self.assertIn("no connection to c", text)
        # The one that waits is killed, and its command typed again.
        os.kill(early[0].pid, signal.SIGKILL)
        early[0].communicate()
        self.assertIn("a is not running", self.succeed("status", self.home("a") / "run1").stdout)
        self.finish([self.start(self.exactly(), "a"), early[1], self.start(self.exactly(), "c")])
        self.check_results(digits)
        notes = " ".join(json.loads((self.home("a") / "run1" / "run.json").read_text())["notes"])
        self.assertIn("trust_members", notes)

    def test_columns_without_a_crowd_are_refused_before_anything_is_sent(self):
        self.agree_exactly("--scheme sum")
        file = self.home("a") / "Z.csv"
        rows = file.read_text().splitlines()
        cells = rows[1].split(",")
        rows[1] = ",".join([*cells[:-1], "1e6"])
        file.write_text("\n".join(rows) + "\n")
        process = self.start(self.exactly(), "a")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("one column has more than 10 % of row", errors)
        self.assertIn("Nothing was sent. Agree on --epsilon", errors)
        self.assertFalse((self.home("a") / "run1" / "journal").exists())

    def test_rows_that_are_not_the_agreed_ones(self):
        self.agree_exactly()
        file = self.home("a") / "Z.csv"
        file.write_text(file.read_text().replace("feature 3", "feature x"))
        process = self.start(self.exactly(), "a")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertIn("lacks the row 'feature 3' and has the row 'feature x'", errors)

    def test_the_page_is_short(self):
        self.assertLess(len(PAGE.splitlines()), 150)


if __name__ == "__main__":
    unittest.main()
