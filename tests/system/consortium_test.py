"""Identities and consortium files as a process: what is written, what is refused, what is kept secret."""

import json
import os
import pty
import re
import stat
import time
import unittest

from support import PROGRAM, TestCase, low_rank, run, write_npy

USAGE, DATA, FILE = 2, 3, 4


def at_a_terminal(case, command, question, answers):
    """What the program shows on a terminal on which these answers are typed, one after each question, and its exit code."""
    try:
        child, terminal = pty.fork()
    except OSError as problem:
        case.skipTest(f"this machine has no pseudo-terminal: {problem}")
    if child == 0:
        os.execv(PROGRAM, [PROGRAM, *map(str, command)])
    shown, question = b"", question.encode()
    for answer in answers:
        questions = shown.count(question)
        end = time.monotonic() + 60
        while shown.count(question) == questions and time.monotonic() < end:
            shown += os.read(terminal, 4096)
        os.write(terminal, answer)
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the program has ended
            break
        if not more:
            break
        shown += more
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Identity(TestCase):
    def new(self, name, *more, **options):
        return self.succeed("identity", "new", "--name", name, "--out", self.folder, *more, **options)

    def with_passphrase(self, name, passphrase):
        reader, writer = os.pipe()
        os.write(writer, passphrase + b"\n")
        os.close(writer)
        done = run("identity", "new", "--name", name, "--out", self.out, "--passphrase-fd", reader, pass_fds=[reader])
        os.close(reader)
        return done

    def test_two_files_the_private_one_for_its_owner_only(self):
        before = os.umask(0)
        try:
            done = self.new("hospital-a")
        finally:
            os.umask(before)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["hospital-a.key", "hospital-a.pub"])
        self.assertEqual(stat.S_IMODE((self.folder / "hospital-a.key").stat().st_mode), 0o600)
        self.assertRegex(done.stdout, r"fingerprint +(\d{5} ){7}\d{5}\n")

    def test_show_tells_the_same_of_both_files(self):
        made = json.loads(self.new("a", "--json").stdout)
        for file in ("a.pub", "a.key"):
            shown = json.loads(self.succeed("identity", "show", self.folder / file, "--json").stdout)
            self.assertEqual(shown, {key: made[key] for key in shown})
        self.assertEqual(made["name"], "a")
        self.assertEqual(int(made["valid_until"][:4]), int(made["valid_from"][:4]) + 2)

    def test_nothing_is_replaced_without_force(self):
        self.new("a")
        key = (self.folder / "a.key").read_bytes()
        done = run("identity", "new", "--name", "a", "--out", self.folder)
        self.assertEqual(done.returncode, FILE)
        self.assertIn("--force", done.stderr)
        self.assertEqual((self.folder / "a.key").read_bytes(), key)
        self.new("a", "--force")
        self.assertNotEqual((self.folder / "a.key").read_bytes(), key)

    def test_bad_names(self):
        self.refuse(USAGE, ["--name", "letters"], "identity", "new", "--name", "")
        for name in ("a b", "../a", ".a", "-a", "x" * 65, "hôpital"):
            self.refuse(USAGE, ["--name", "letters"], "identity", "new", f"--name={name}")

    def test_a_passphrase_from_a_descriptor(self):
        done = self.with_passphrase("a", b"correct horse")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("horse", done.stdout + done.stderr)
        self.assertIn("and its passphrase", done.stdout)
        for passphrase in (b"", b"x" * 1025):
            self.assertEqual(self.with_passphrase("b", passphrase).returncode, USAGE)
        self.assertFalse((self.out / "b.key").exists())

    def test_a_passphrase_is_no_argument_and_its_descriptor_is_open(self):
        self.refuse(USAGE, "passphrase", "identity", "new", "--name", "c", "--passphrase-fd", 99)
        self.refuse(USAGE, "horse", "identity", "new", "--name", "a", "--passphrase", "horse")

    def test_without_a_terminal_there_is_no_question(self):
        done = run("identity", "new", "--name", "a", "--out", self.out, "--passphrase", start_new_session=True)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn("--passphrase-fd", done.stderr)
        self.assertFalse(self.out.exists())

    def at_a_terminal(self, answers):
        return at_a_terminal(self, ["identity", "new", "--name", "a", "--out", self.out, "--passphrase"], ": ", answers)

    def test_a_passphrase_at_a_terminal_is_asked_for_twice_and_never_shown(self):
        shown, code = self.at_a_terminal([b"correct horse\n", b"correct horse\n"])
        self.assertEqual(code, 0, shown)
        self.assertNotIn("horse", shown)
        self.assertIn("once more", shown)

    def test_a_mistyped_passphrase_and_ctrl_c_leave_nothing(self):
        shown, code = self.at_a_terminal([b"correct horse\n", b"correct horsf\n"])
        self.assertEqual(code, USAGE, shown)
        self.assertIn("differ", shown)
        shown, code = self.at_a_terminal([b"corr\x03\n"])
        self.assertEqual(code, 130, shown)
        self.assertFalse(self.out.exists())

    def test_files_of_another_kind(self):
        (self.folder / "x.pub").write_text("hello")
        (self.folder / "empty.pub").write_text("")
        self.new("a")
        text = (self.folder / "a.pub").read_text()
        (self.folder / "cut.pub").write_text(text[:-60])
        (self.folder / "changed.pub").write_text(text.replace(text[80:84], "AAAA"))
        (self.folder / "long.pub").write_text(text + " " * 5000)
        for name, code in (("x", DATA), ("empty", FILE), ("cut", DATA), ("changed", DATA), ("long", DATA), ("none", FILE)):
            done = run("identity", "show", self.folder / f"{name}.pub")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn(f"{name}.pub", done.stderr)
            self.assertEqual(done.stdout, "")


class Consortium(TestCase):
    def setUp(self):
        super().setUp()
        for name in "abcd":
            self.succeed("identity", "new", "--name", name, "--out", self.folder, "--quiet")
        self.file = self.folder / "trial.toml"

    def members(self, names, listening=True):
        out = []
        for i, name in enumerate(names):
            at = f"@{name}.example:{7000 + i}" if listening else ""
            out += ["--member", f"{self.folder / name}.pub{at}"]
        return out

    def new(self, *more, names="abcd", exact=("--trust-members",)):
        return self.succeed("consortium", "new", *self.members(names), "--rank", 2, "--rows", 6, "--out", self.file, *exact, *more)

    def refuse_new(self, code, words, *more, names="abcd", rows=("--rows", 6), rank=2, exact=("--trust-members",)):
        self.refuse(code, words, "consortium", "new", *self.members(names), "--rank", rank, *rows, *exact, *more)

    def check(self, file=None):
        done = run("consortium", "check", file or self.file, "--json")
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr

    def test_from_identities_to_a_file_that_everybody_reads_alike(self):
        done = self.new("--topology", "ring")
        digits = re.search(r"telephone: ((\d{5} ){7}\d{5})\n", done.stdout).group(1)
        code, seen, _ = self.check()
        self.assertEqual(code, 0)
        self.assertEqual(seen["digits"], digits)
        self.assertEqual([m["neighbours"] for m in seen["members"]], [["b", "d"], ["a", "c"], ["b", "d"], ["a", "c"]])
        self.assertEqual(seen["problems"], [])
        self.file.write_text(self.file.read_text().replace("a.example:7000", "[::1]:9").replace("rank = 2", "rank = 0b10 # two"))
        self.assertEqual(self.check()[1]["digits"], digits)
        self.file.write_text(self.file.read_text().replace("iterations = ", "iterations = 1"))
        self.assertNotEqual(self.check()[1]["digits"], digits)

    def test_a_new_file_is_private_and_says_what_that_means(self):
        said = self.new("--columns", 2345, exact=()).stdout
        self.assertIn("private with epsilon 4 and delta 1e-06 for about 2000 columns", said)
        self.assertIn("learns about one column no more than the following says", said)
        self.assertNotIn("trust", said)
        code, seen, _ = self.check()
        self.assertEqual(code, 0)
        self.assertEqual({name: seen["privacy"][name] for name in ("epsilon", "delta", "columns")},
                         {"epsilon": 4, "delta": 1e-6, "columns": 2000})
        self.assertEqual(seen["settings"]["normalise"], "l2")
        self.assertIs(seen["settings"]["trust_members"], False)
        self.refuse_new(USAGE, "say with --columns about how many columns", exact=())
        self.refuse_new(USAGE, ["--scheme hardened opens sums without noise", "--trust-members"], "--scheme", "hardened", exact=())
        for more in (("--columns", 2000, "--delta", 0.5), ("--columns", 2000, "--starts", 2), ("--columns", 2000, "--epsilon", 1e-4),
                     ("--columns", 2000, "--tolerance", 1e-3)):
            done = run("consortium", "new", *self.members("abcd"), "--rank", 2, "--rows", 6, "--out", self.out, *more)
            self.assertEqual(done.returncode, USAGE, done.stdout)
            self.assertNotIn("trust", done.stderr)

    def test_exact_totals_need_trust_which_is_part_of_the_digits(self):
        said = self.new().stdout
        self.assertIn("read columns of the others exactly, about eight in a run of 50 rounds, however many columns there are", said)
        _, seen, _ = self.check()
        self.assertIs(seen["settings"]["trust_members"], True)
        self.file.write_text(self.file.read_text().replace("trust_members = true", "trust_members = false"))
        code, seen, errors = self.check()
        self.assertEqual(code, USAGE)
        self.assertIsNone(seen["digits"])
        self.assertIn("the file opens exact totals", errors)
        write_npy(self.folder / "Z.npy", low_rank(6, 100, 2))
        done = run("agent", "--consortium", self.file, "--identity", self.folder / "a.key", "--data", self.folder / "Z.npy", "--out", self.out)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn("the file opens exact totals", done.stderr)
        self.assertFalse(self.out.exists())
        self.refuse_new(USAGE, "leave out --trust-members", "--epsilon", 4, "--delta", 1e-6, "--normalise", "l2", "--columns", 2000)

    def test_no_private_key_is_in_the_file(self):
        self.new()
        text = self.file.read_bytes()
        for name in "abcd":
            secrets = (self.folder / f"{name}.key").read_bytes()[-64:]
            for part in (secrets[:32], secrets[32:]):
                self.assertNotIn(part, text)
                self.assertNotIn(part.hex().encode(), text)

    def test_every_problem_is_one_line(self):
        self.new("--topology", "ring", "--scheme", "hardened")
        text = self.file.read_text()
        text = text.replace('  ["a", "d"],\n', '  ["a", "x"],\n').replace("rank = 2", "rank = 7")
        self.file.write_text(text.replace('"paillier"', '"none"').replace('"hardened"', '"as-printed"'))
        code, seen, errors = self.check()
        self.assertEqual(code, USAGE)
        self.assertIsNone(seen["digits"])
        sentences = "\n".join(p["sentence"] for p in seen["problems"])
        for words in ("names x, who is not a member", "rank 7 is above the 6 rows", "--cipher paillier", "--scheme hardened",
                      "--allow-degree-one a", "--allow-degree-one d"):
            self.assertIn(words, sentences)
        self.assertEqual(len(errors.strip().splitlines()), 1)
        self.assertIn("more)", errors)

    def test_what_new_refuses(self):
        self.refuse_new(USAGE, "2 members", names="ab")
        self.refuse_new(USAGE, "two members are called a", names="abca")
        self.refuse_new(USAGE, "--allow-degree-one", "--topology", "line", "--scheme", "hardened")
        self.refuse_new(USAGE, "--cipher paillier", "--cipher", "none")
        self.refuse_new(USAGE, "not private", "--scheme", "as-printed")
        self.refuse_new(USAGE, "--updates corrected", "--updates", "as-printed")
        self.refuse_new(USAGE, "--start random", "--start", "ones")
        self.refuse_new(USAGE, "rank 7 is above the 6 rows", rank=7)
        self.refuse_new(USAGE, "--key-bits", "--key-bits", "x")
        self.refuse_new(USAGE, "1024", "--key-bits", 1024)
        self.refuse_new(USAGE, "--rows", rows=("--rows", 0))
        self.refuse_new(USAGE, "--row", rows=())
        self.refuse_new(USAGE, "--row", rows=("--rows", 6, "--row-names", "x"))
        self.refuse_new(USAGE, "--topology", "--topology", "circle")
        self.refuse_new(USAGE, "--tolerance", "--tolerance", 2)
        self.refuse_new(USAGE, "--mu", "--mu", "-1")
        self.refuse_new(USAGE, "--starts 3 has no meaning for --scheme hardened: leave it out, or choose --scheme sum", "--starts", 3, "--scheme", "hardened")
        self.refuse_new(USAGE, "--key-bits 2048 has no meaning for --scheme sum", "--scheme", "sum", "--key-bits", 2048)
        self.refuse_new(USAGE, "--allow-difference-of", "--start-from", write_npy(self.folder / "X.npy", low_rank(6, 2, 1)), "--scheme", "sum")
        self.refuse_new(USAGE, "6 by 3", "--start-from", write_npy(self.folder / "X.npy", low_rank(6, 3, 1)))
        self.refuse_new(FILE, "none.pub", "--member", self.folder / "none.pub")
        self.refuse_new(USAGE, "is no address", "--member", f"{self.folder / 'a.pub'}@nowhere")
        self.refuse_new(DATA, "a.key", "--member", self.folder / "a.key")

    def test_two_that_do_not_listen(self):
        done = run("consortium", "new", *self.members("ab"), *self.members("cd", listening=False), "--rank", 2, "--rows", 6,
                   "--columns", 2000, "--topology", "ring", "--out", self.file)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("neither c nor d listens", done.stderr)
        self.assertFalse(self.file.exists())

    def test_whoever_does_not_listen_is_joined_to_whoever_does_or_all_meet_at_a_relay(self):
        command = ["consortium", "new", *self.members("ab"), *self.members("cd", listening=False), "--rank", 2, "--rows", 6,
                   "--columns", 2000, "--json", "--out", self.file]
        found = json.loads(self.succeed(*command).stdout)
        neighbours = {member["name"]: member["neighbours"] for member in found["members"]}
        self.assertEqual(neighbours["c"], ["a", "b"])
        self.assertEqual(neighbours["d"], ["a", "b"])
        self.assertIsNone(found["relay"])
        self.succeed("identity", "new", "--name", "relay", "--out", self.folder)
        relay = f"{self.folder / 'relay.pub'}@relay.example:7443"
        found = json.loads(self.succeed(*command, "--topology", "complete", "--force", "--relay", relay).stdout)
        self.assertEqual(found["relay"]["address"], "relay.example:7443")
        self.assertEqual([len(member["neighbours"]) for member in found["members"]], [3, 3, 3, 3])
        said = self.succeed("consortium", "check", self.file).stdout
        self.assertIn("meet at relay.example:7443, which relay runs: it sees who sends how much and when", said)
        done = run(*command, "--force", "--relay", self.folder / "relay.pub")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--relay", done.stderr)

    def test_what_is_allowed_on_purpose(self):
        self.new("--topology", "line", "--scheme", "hardened", "--allow-degree-one", "a", "--allow-degree-one", "d", "--allow-few-columns", "b")
        self.assertIn('allow_few_columns = [\n  "b",\n]', self.file.read_text())
        self.assertEqual(self.check()[0], 0)
        X = write_npy(self.folder / "X.npy", low_rank(6, 2, 1))
        self.new("--scheme", "sum", "--start-from", X, "--allow-difference-of", "lost", "--force")
        code, seen, _ = self.check()
        self.assertEqual(code, 0)
        self.assertIn("lost", " ".join(seen["notes"]))

    def test_the_file_without_a_lost_member(self):
        X = write_npy(self.folder / "X.npy", low_rank(6, 2, 1))
        self.new("--scheme", "sum", "--topology", "ring")
        before = self.check()[1]
        self.out = self.folder / "next.toml"
        without = ["consortium", "without", self.file, "--lost", "b"]
        done = run(*without, "--out", self.out)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn("how many columns b had", done.stderr)
        self.assertIn("nothing was written: if this is agreed to, say so with --yes", done.stderr)
        self.assertFalse(self.out.exists())
        self.succeed(*without, "--yes", "--out", self.out)
        code, seen, _ = self.check(self.out)
        self.assertEqual(code, 0)
        self.assertEqual({m["name"]: set(m["neighbours"]) for m in seen["members"]}, {"a": set("cd"), "c": set("ad"), "d": set("ac")})
        self.assertEqual(seen["settings"], before["settings"])
        self.assertNotIn("start_from", self.out.read_text())
        again = run(*without, "--yes", "--out", self.out)
        self.assertEqual(again.returncode, FILE)
        self.assertIn("already exists", again.stderr)
        self.succeed(*without, "--yes", "--force", "--start-from", X, "--out", self.out)
        self.assertIn('allow_difference_of = [\n  "b",\n]', self.out.read_text())
        self.assertEqual(self.check(self.out)[0], 0)
        self.out = self.folder / "none.toml"
        other = write_npy(self.folder / "Y.npy", low_rank(5, 2, 1))
        self.refuse(USAGE, "6 by 2", *without, "--yes", "--start-from", other)
        without[-1] = "x"
        self.refuse(USAGE, ["trial.toml", 'no member "x"'], *without, "--yes")

    def test_it_is_asked_whether_the_others_go_on(self):
        self.new("--scheme", "sum")
        next_file = self.folder / "next.toml"
        command = ["consortium", "without", self.file, "--lost", "d", "--out", next_file]
        shown, code = at_a_terminal(self, command, "[y/N] ", [b"n\n"])
        self.assertEqual(code, USAGE, shown)
        self.assertFalse(next_file.exists())
        shown, code = at_a_terminal(self, command, "[y/N] ", [b"y\n"])
        self.assertEqual(code, 0, shown)
        self.assertTrue(next_file.exists())

    def test_names_of_rows(self):
        names = self.folder / "rows.txt"
        digits = set()
        for text in ("x\ny\nz\n", "x\r\ny\r\nz", "y\nx\nz\n"):
            names.write_text(text)
            self.succeed("consortium", "new", *self.members("abc"), "--rank", 2, "--row-names", names, "--columns", 2000, "--out", self.file, "--force")
            self.assertIn(f'rows = 3\nrow_names = [\n  "{text[0]}",\n', self.file.read_text())
            digits.add(self.check()[1]["digits"])
        self.assertEqual(len(digits), 2)
        for text, words in (("x\n\ny\n", "line 2 is empty"), ("x\ny\nx\n", "line 3")):
            names.write_text(text)
            self.refuse_new(DATA, ["rows.txt", words], rows=("--row-names", names))

    def test_nothing_is_replaced_without_force(self):
        self.file.write_text("mine")
        done = run("consortium", "new", *self.members("abc"), "--rank", 2, "--rows", 6, "--columns", 2000, "--out", self.file)
        self.assertEqual(done.returncode, FILE)
        self.assertIn("--force", done.stderr)
        self.assertEqual(self.file.read_text(), "mine")

    def test_files_that_are_none(self):
        self.new()
        good = self.file.read_text()
        nested = "x = " + ("[\n{" + ".".join("a" * 100) + "=") * 200 + "1" + "}\n]" * 200
        for text, code, words in (("", FILE, "empty"), ("hello", DATA, "line 1"), (good.replace("rank = 2", "rank = two"), DATA, "line"),
                                  (good.replace("rank = 2", "rank = 2\nrang = 2"), DATA, "rang"), ("\0" * 100, DATA, "line 1"),
                                  (good[:-100], DATA, "line"), ("a" * 9_000_000, FILE, "bytes"), (nested, DATA, "line"),
                                  (good.replace("a.example", "a example"), DATA, "is no address")):
            self.file.write_text(text)
            done = run("consortium", "check", self.file)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertIn("trial.toml", done.stderr)
            self.assertIn(words, done.stderr)
        self.assertEqual(run("consortium", "check", self.folder / "none.toml").returncode, FILE)


if __name__ == "__main__":
    unittest.main()
