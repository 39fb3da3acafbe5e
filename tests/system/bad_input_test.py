"""Bad input gets one sentence, the documented exit code, and leaves nothing behind."""

import struct
import unittest

from support import TestCase, low_rank, run, write_npy

USAGE, DATA, FILE, NUMERIC = 2, 3, 4, 5


class BadInput(TestCase):
    def setUp(self):
        super().setUp()
        self.data = write_npy(self.folder / "Z.npy", low_rank(6, 8, 2))

    def altered(self, row, column, value):
        matrix = low_rank(6, 8, 2)
        matrix[row][column] = value
        return write_npy(self.folder / "altered.npy", matrix)

    def refuse_everywhere(self, code, words, data):
        self.refuse(code, words, "factorize", data, "--rank", 2)
        self.refuse(code, words, "simulate", data, "--rank", 2, "--agents", 2)
        self.refuse(code, words, "transform", self.data, data)

    def test_negative_entries(self):
        self.refuse_everywhere(DATA, ["negative", "--clip-negative"], self.altered(2, 3, -0.5))
        done = run("factorize", self.folder / "altered.npy", "--rank", 2, "--iterations", 2, "--clip-negative", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nan_and_infinity(self):
        self.refuse_everywhere(DATA, "altered.npy", self.altered(1, 1, float("nan")))
        self.refuse_everywhere(DATA, "altered.npy", self.altered(1, 1, float("inf")))

    def test_a_command_or_an_option_that_there_is_not(self):
        self.refuse(USAGE, "--exchange was not expected; see ppdnmf simulate --help", "simulate", self.data, "--rank", 2, "--exchange", "sum")
        for typed, words in (((), "say which command; see ppdnmf --help"), (("identity",), "say which command; see ppdnmf identity --help"),
                             (("nothing",), "there is no command 'nothing'; see ppdnmf --help")):
            done = run(*typed)
            self.assertEqual((done.returncode, done.stderr), (USAGE, f"ppdnmf: {words}\n"))

    def test_numbers_that_cannot_be_squared(self):
        for unit in (1e200, 1e-200):
            data = write_npy(self.folder / "scaled.npy", [[unit * x for x in row] for row in low_rank(6, 8, 2)])
            self.refuse_everywhere(DATA, ["scaled.npy", "choose a unit"], data)

    def test_parameters_that_overflow(self):
        for option in ("--mu", "--eta", "--weight"):
            for value in ("5e-324", "1e300"):
                self.refuse(USAGE, [option, value], "simulate", self.data, "--rank", 2, "--agents", 2, "--scheme", "hardened", option, value)

    def test_the_poisson_loss_where_there_is_none(self):
        poisson = ("--rank", 2, "--loss", "poisson")
        agents = (*poisson, "--agents", 2)
        self.refuse(USAGE, ["--loss poisson", "--scheme hardened"], "simulate", self.data, *agents, "--scheme", "hardened")
        self.refuse(USAGE, ["--loss poisson", "private"], "simulate", self.data, *agents, "--epsilon", 1, "--delta", 1e-6, "--normalise", "l1")
        self.refuse(USAGE, ["--loss poisson", "--solver fast"], "factorize", self.data, *poisson, "--solver", "admm")
        self.refuse(USAGE, ["--curvature", "--loss poisson"], "factorize", self.data, "--rank", 2, "--curvature", "full")
        self.refuse(USAGE, ["--curvature", "--loss poisson"], "simulate", self.data, "--rank", 2, "--agents", 2, "--curvature", "full")

    def test_a_cap_where_there_is_none(self):
        capped = ("--rank", 2, "--cap", 0.75)
        agents = (*capped, "--agents", 2)
        for value in (0, 1, -0.5, "many"):
            self.refuse(USAGE, "--cap", "factorize", self.data, "--rank", 2, "--cap", value)
            self.refuse(USAGE, "--cap", "simulate", self.data, "--rank", 2, "--agents", 2, "--cap", value)
        self.refuse(USAGE, ["--cap", "--normalise"], "factorize", self.data, *capped, "--normalise", "l1")
        self.refuse(USAGE, ["--cap", "--normalise"], "simulate", self.data, *agents, "--normalise", "l2")
        self.refuse(USAGE, ["--cap", "--scheme hardened"], "simulate", self.data, *agents, "--scheme", "hardened")
        self.refuse(USAGE, ["--cap", "private"], "simulate", self.data, *agents, "--epsilon", 8, "--delta", 1e-6, "--normalise", "l1")
        self.refuse(USAGE, ["--cap", "private"], "factorize", self.data, *capped, "--epsilon", 8, "--delta", 1e-6, "--normalise", "l1", "--columns", 8)
        zero = write_npy(self.folder / "zero.npy", [[0.0] * 5] * 4)
        self.refuse(DATA, "zero", "factorize", zero, *capped)
        self.refuse(DATA, "zero", "simulate", zero, *agents)

    def test_missing_entries(self):
        nan = float("nan")
        gappy = low_rank(6, 8, 2)
        gappy[1][1] = nan
        data = write_npy(self.folder / "gappy.npy", gappy)
        text = self.folder / "gappy.csv"
        text.write_text("\n".join(",".join("" if x != x else repr(x) for x in row) for row in gappy) + "\n")
        agents = ("--rank", 2, "--agents", 2, "--missing", "nan")
        for file, words in ((data, "missing"), (text, "line 2, column 2: the cell is empty")):
            code = DATA if file == data else FILE
            self.refuse_everywhere(code, words, file)
            for command in (("factorize", file, "--rank", 2), ("simulate", file, "--rank", 2, "--agents", 2), ("transform", self.data, file)):
                done = run(*command, "--missing", "nan", "--force", "--out", self.folder / "found")
                self.assertEqual(done.returncode, 0, done.stderr)
        self.refuse(USAGE, ["--missing nan", "--scheme hardened"], "simulate", data, *agents, "--scheme", "hardened")
        self.refuse(USAGE, ["--missing nan", "--scheme as-printed"], "simulate", data, *agents, "--scheme", "as-printed")
        self.refuse(USAGE, ["--missing nan", "--scheme sum"], "simulate", data, *agents, "--scheme", "moments")
        self.refuse(USAGE, ["--missing nan", "private"], "simulate", data, *agents, "--epsilon", 8, "--delta", 1e-6, "--normalise", "l1")
        self.refuse(USAGE, ["--missing nan", "--solver fast"], "factorize", data, "--rank", 2, "--missing", "nan", "--solver", "admm")
        self.refuse(USAGE, "--missing", "factorize", data, "--rank", 2, "--missing", "zero")
        infinite = self.altered(1, 1, float("inf"))
        self.refuse(DATA, "not finite", "factorize", infinite, "--rank", 2, "--missing", "nan")
        for name, gone in (("column 3", [(row, 2) for row in range(6)]), ("row 4", [(3, column) for column in range(8)])):
            matrix = low_rank(6, 8, 2)
            for row, column in gone:
                matrix[row][column] = nan
            file = write_npy(self.folder / "whole.npy", matrix)
            self.refuse(DATA, [name, "missing"], "factorize", file, "--rank", 2, "--missing", "nan")
            self.refuse(DATA, ["missing"], "simulate", file, *agents)

    def test_site_effects_where_there_are_none(self):
        sites = ("--rank", 2, "--site-effects", 0.1)
        agents = (*sites, "--agents", 2)
        self.refuse(USAGE, ["--site-effects", "several agents"], "factorize", self.data, *sites)
        self.refuse(USAGE, ["--site-effects", "--loss squares"], "simulate", self.data, *agents, "--loss", "poisson")
        self.refuse(USAGE, ["--site-effects", "--missing nan"], "simulate", self.data, *agents, "--missing", "nan")
        self.refuse(USAGE, ["--site-effects", "--scheme sum"], "simulate", self.data, *agents, "--scheme", "moments")
        self.refuse(USAGE, ["--site-effects", "--scheme hardened"], "simulate", self.data, *agents, "--scheme", "hardened")
        self.refuse(USAGE, ["--site-effects", "private"], "simulate", self.data, *agents, "--epsilon", 8, "--delta", 1e-6, "--normalise", "l1")
        for value in (0, -1, "much"):
            self.refuse(USAGE, "--site-effects", "simulate", self.data, "--rank", 2, "--agents", 2, "--site-effects", value)

    def test_all_zero(self):
        zero = write_npy(self.folder / "zero.npy", [[0.0] * 5] * 4)
        self.refuse(DATA, "zero", "factorize", zero, "--rank", 2)
        self.refuse(DATA, "zero", "simulate", zero, "--rank", 2, "--agents", 2)

    def test_files_of_different_rows(self):
        other = write_npy(self.folder / "other.npy", low_rank(7, 8, 2))
        self.refuse(DATA, ["6", "7"], "simulate", self.data, other, "--rank", 2)
        self.refuse(DATA, ["6", "7"], "transform", self.data, other)

    def test_files_of_different_row_names(self):
        for name, last in (("a.csv", "r3"), ("b.csv", "rX")):
            (self.folder / name).write_text(f",c1,c2\nr1,1,2\nr2,3,4\n{last},5,6\n")
        self.refuse(DATA, "rX", "simulate", self.folder / "a.csv", self.folder / "b.csv", "--rank", 1)

    def test_private_runs(self):
        data = write_npy(self.folder / "wide.npy", low_rank(6, 900, 2))
        private = {"--scheme": "sum", "--epsilon": 8, "--delta": 1e-6, "--normalise": "l2", "--agents": 3}

        def refuse(words, **changed):
            options = {**private, **{f"--{name.replace('_', '-')}": value for name, value in changed.items()}}
            flat = [word for name, value in options.items() if value is not None for word in (name, value)]
            self.refuse(USAGE, words, "simulate", data, "--rank", 2, *flat)

        for epsilon in (0, -1, "nan", "inf", 101):
            refuse("--epsilon", epsilon=epsilon)
        for delta in (0, -1, 0.002, 1, "nan"):
            refuse("--delta", delta=delta)
        refuse(["noise", "columns, or --epsilon"], epsilon=0.001)
        refuse("needs --delta", delta=None)
        refuse("--normalise l1 or l2", normalise=None)
        refuse("--scheme sum", scheme="hardened")
        refuse("add --epsilon", epsilon=None)
        refuse("--starts", starts=3)
        refuse("--tolerance", tolerance=0.1)
        refuse("masks", cipher="none")
        for honest in (0, 4):
            refuse("--assume-honest", assume_honest=honest)
        refuse("belong together", data_name="ward")
        refuse(["masks could fall apart", "--assume-honest"], agents=100, assume_honest=36)
        refuse("--epsilon must be a number from", epsilon=1e-300, delta=1e-300)

    def test_a_run_beyond_its_budget(self):
        data = write_npy(self.folder / "wide.npy", low_rank(6, 900, 2))
        ledger = self.folder / "our.ledger"
        private = ["simulate", data, "--rank", 2, "--scheme", "sum", "--delta", 1e-6, "--normalise", "l2", "--agents", 3, "--ledger", ledger]
        self.refuse(FILE, "our.ledger", *private, "--epsilon", 8, "--data-name", "ward")
        ledger.write_text("data ward epsilon 10 delta 1e-6\n")
        self.refuse(USAGE, ["our.ledger", "data other epsilon"], *private, "--epsilon", 8, "--data-name", "other")
        first = run(*private, "--epsilon", 8, "--data-name", "ward", "--quiet", "--out", self.folder / "first")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(ledger.read_text().count("spent ward"), 1)
        again = run(*private, "--epsilon", 8, "--data-name", "ward", "--quiet", "--out", self.folder / "again")
        self.assertEqual(again.returncode, 0, again.stderr)  # the same bytes tell nothing new
        self.refuse(USAGE, ["our.ledger", "more than is left"], *private, "--epsilon", 8, "--data-name", "ward", "--seed", 2)
        self.assertEqual(ledger.read_text().count("spent ward"), 1)

    def test_rank(self):
        for command in (["factorize"], ["simulate", "--agents", 2]):
            for rank in (0, -1, 101):
                self.refuse(USAGE, "rank", command[0], self.data, *command[1:], "--rank", rank)
            self.refuse(USAGE, "--rank", command[0], self.data, *command[1:])

    def test_disconnected_graph(self):
        edges = self.folder / "edges.txt"
        edges.write_text("0 1\n2 3\n")
        self.refuse(USAGE, "not connected", "simulate", self.data, "--rank", 2, "--agents", 4, "--topology", edges)

    def test_edge_lists(self):
        edges = self.folder / "edges.txt"
        for text, code, words in (("0 1\n1 x\n", DATA, "line 2"), ("0 1 2\n", DATA, "line 1"), ("0 9\n", USAGE, "0-9"),
                                  ("0 0\n", USAGE, "itself")):
            edges.write_text(text)
            self.refuse(code, [words, "edges.txt"], "simulate", self.data, "--rank", 2, "--agents", 2, "--topology", edges)
        self.refuse(USAGE, "--topology", "simulate", self.data, "--rank", 2, "--agents", 2, "--topology", "nowhere.txt")

    def test_unreadable_files(self):
        self.refuse_everywhere(FILE, "missing.npy", self.folder / "missing.npy")
        (self.folder / "folder.npy").mkdir()
        self.refuse_everywhere(FILE, "folder.npy", self.folder / "folder.npy")
        (self.folder / "what.xyz").write_text("1 2")
        done = run("factorize", self.folder / "what.xyz", "--rank", 1, "--out", self.out)
        self.assertIn(done.returncode, (USAGE, DATA, FILE))
        self.assertFalse(self.out.exists())

    def test_truncated_files(self):
        whole = self.data.read_bytes()
        cut = self.folder / "cut.npy"
        for size in (0, 5, 9, 30, 127, 128, 200, len(whole) - 1):
            cut.write_bytes(whole[:size])
            done = run("factorize", cut, "--rank", 2, "--out", self.out)
            self.assertIn(done.returncode, (DATA, FILE), f"{size}: {done.stderr}")
            self.assertEqual(len(done.stderr.strip().splitlines()), 1)
            self.assertFalse(self.out.exists())

    def test_enormous_headers(self):
        huge = self.folder / "huge.npy"
        for shape in ("(1000000000000, 1000000000000)", "(18446744073709551615, 2)", "(4294967296, 4294967296)"):
            header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + "}"
            header += " " * (-(len(header) + 11) % 64) + "\n"
            huge.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"\0" * 64)
            done = run("factorize", huge, "--rank", 2, "--out", self.out)
            self.assertIn(done.returncode, (DATA, FILE), done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertFalse(self.out.exists())
        mtx = self.folder / "huge.mtx"
        mtx.write_text("%%MatrixMarket matrix coordinate real general\n999999999999 999999999999 1\n1 1 1\n")
        done = run("factorize", mtx, "--rank", 2, "--out", self.out)
        self.assertIn(done.returncode, (DATA, FILE), done.stderr)
        self.assertFalse(self.out.exists())

    def test_unknown_options_and_commands(self):
        self.refuse(USAGE, "--colour", "factorize", self.data, "--rank", 2, "--colour")
        self.refuse(USAGE, "--updates", "simulate", self.data, "--rank", 2, "--updates", "wrong")
        for arguments in (["paint"], []):
            done = run(*arguments)
            self.assertEqual(done.returncode, USAGE)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_more_agents_than_columns(self):
        self.refuse(USAGE, "9 agents cannot share 8 columns", "simulate", self.data, "--rank", 2, "--agents", 9)

    def test_splits_that_do_not_fit(self):
        self.refuse(USAGE, "--split", "simulate", self.data, "--rank", 2, "--split", "3,4")
        self.refuse(USAGE, "--split", "simulate", self.data, "--rank", 2, "--split", "0,8")
        self.refuse(USAGE, "--split", "simulate", self.data, "--rank", 2, "--split", "4,4", "--agents", 3)
        self.refuse(USAGE, "--split", "simulate", self.data, "--rank", 2, "--split", f"{2**63 - 1},{2**63 - 1},10")
        self.refuse(USAGE, "--agents", "simulate", self.data, self.data, "--rank", 2, "--agents", 3)

    def test_options_that_a_solver_has_no_use_for(self):
        for option, value in (("--admm-x", 3), ("--admm-y", 3), ("--mu", "auto"), ("--eta", 1)):
            self.refuse(USAGE, f"{option} has no meaning for --solver fast", "factorize", self.data, "--rank", 2, option, value)
        self.refuse(USAGE, "--starts has no meaning", "factorize", self.data, "--rank", 2, "--solver", "admm", "--starts", 1)
        self.refuse(USAGE, "--start ones", "factorize", self.data, "--rank", 2, "--start", "ones", "--starts", 2)
        self.refuse(USAGE, "--solver", "factorize", self.data, "--rank", 2, "--solver", "best")
        self.refuse(USAGE, "--starts", "factorize", self.data, "--rank", 2, "--starts", 0)

    def test_numbers_out_of_range(self):
        for option, value in (("--iterations", 0), ("--admm-x", 0), ("--admm-y", -1), ("--tolerance", 2), ("--mu", 0),
                              ("--mu", "x"), ("--eta", "-1")):
            self.refuse(USAGE, option, "factorize", self.data, "--rank", 2, "--solver", "admm", option, value)
            self.refuse(USAGE, option, "simulate", self.data, "--rank", 2, "--agents", 2, option, value)
        for option, value in (("--weight", "-1"), ("--n-max", 0), ("--u-bound", "nan"), ("--u-bound", "1e30"),
                              ("--threads", 0), ("--local-rounds", 0), ("--topology", "random:x"),
                              ("--image", "2x2"), ("--image", f"2x{2**63 - 1}"), ("--image", "tall")):
            self.refuse(USAGE, option, "simulate", self.data, "--rank", 2, "--agents", 2, option, value)
        self.refuse(USAGE, "--agents", "simulate", self.data, "--rank", 2, "--agents", 0)

    def test_a_factor_beyond_its_bound_leaves_nothing(self):
        done = run("simulate", self.data, "--rank", 2, "--agents", 2, "--cipher", "none", "--weight", "1e200", "--quiet", "--out", self.out)
        self.assertEqual(done.returncode, NUMERIC, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertFalse(self.out.exists())

    def test_a_transcript_that_cannot_be_written_is_noticed_before_the_run(self):
        for path in (self.folder / "nowhere" / "t.txt", self.folder):
            self.refuse(FILE, str(path), "simulate", self.data, "--rank", 2, "--agents", 2, "--transcript", path)

    def test_a_folder_that_cannot_be_made(self):
        (self.folder / "file").write_text("")
        for out in (self.folder / "file", self.folder / "file" / "below"):
            done = run("factorize", self.data, "--rank", 2, "--out", out)
            self.assertEqual(done.returncode, FILE, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
