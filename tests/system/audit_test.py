"""The audit as a process: planned runs are judged, what makes no sense gets a sentence, earlier results are kept."""

import json
import unittest

from support import TestCase, run

USAGE, FILE = 2, 4


class PlannedRun(TestCase):
    def judge(self, *arguments):
        return json.loads(self.succeed("audit", *arguments, "--json").stdout)

    def test_few_columns_and_single_pairs_are_named(self):
        found = self.judge("--scheme", "hardened", "--topology", "ring", "--agents", 4, "--columns", "30,30,5,30")
        self.assertFalse(found["accepted"])
        self.assertEqual([agent["enough_columns"] for agent in found["agents"]], [True, True, False, True])
        self.assertEqual([agent["helpers"] for agent in found["agents"]], [1, 1, 1, 1])
        self.assertTrue(any("2 must bring 20 columns" in sentence for sentence in found["advice"]))

    def test_enough_columns_are_accepted(self):
        self.assertTrue(self.judge("--scheme", "hardened", "--topology", "ring", "--agents", 4, "--columns", "30,30,20,30")["accepted"])

    def test_totals_count_the_columns_of_all_others(self):
        few = self.judge("--agents", 4, "--rows", 30, "--columns", "30,10,10,10")
        self.assertEqual([agent["enough_columns"] for agent in few["agents"]], [False, False, False, False])
        many = self.judge("--scheme", "sum", "--agents", 4, "--rows", 30, "--columns", "60,60,60,60")
        self.assertTrue(many["accepted"])
        self.assertEqual({agent["helpers"] for agent in many["agents"]}, {2})

    def test_a_private_run_is_told_what_its_budget_promises(self):
        planned = ("--rows", 30, "--columns", "500,400,600")
        self.assertIsNone(self.judge(*planned)["membership_bound"])
        found = self.judge(*planned, "--epsilon", 4, "--delta", "1e-6")
        self.assertTrue(found["accepted"])
        self.assertAlmostEqual(found["membership_bound"], 0.7232, 4)
        self.assertIn("AUC of 0.724 at best", found["promise"])
        self.assertFalse(self.judge(*planned, "--epsilon", 0.01, "--delta", "1e-6")["accepted"])

    def test_the_scheme_as_printed_is_never_accepted(self):
        self.assertFalse(self.judge("--scheme", "as-printed", "--agents", 4, "--columns", "90,90,90,90")["accepted"])

    def test_wrong_numbers_get_a_sentence(self):
        for arguments, words in ((("--agents", 3, "--columns", "30,30"), "2 numbers, but there are 3 agents"),
                                 (("--agents", 2, "--columns", "30,0"), "below 1"),
                                 (("--agents", 3, "--epsilon", 4), "belong together"),
                                 (("--agents", 3, "--epsilon", 4, "--delta", 2), "--delta must be"),
                                 (("--agents", 3, "--epsilon", 4, "--delta", "1e-6", "--scheme", "hardened"), "needs --scheme sum"),
                                 (("--consortium", "c.toml", "--agents", 3), "leave out")):
            done = run("audit", *arguments)
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(words, done.stderr)

    def test_a_missing_consortium_gets_a_sentence(self):
        done = run("audit", "--consortium", self.folder / "none.toml")
        self.assertEqual(done.returncode, FILE)

    def test_an_earlier_audit_is_kept(self):
        self.out.mkdir()
        (self.out / "audit.json").write_text("{}")
        done = run("audit", "--quick", "--out", self.out)
        self.assertEqual(done.returncode, FILE)
        self.assertIn("--force", done.stderr)


if __name__ == "__main__":
    unittest.main()
