"""What a run would cost, from sizes alone."""

import json
import unittest

from support import TestCase, run

USAGE = 2
SMALL = ("estimate", "--rows", 60, "--columns", 5000, "--rank", 4)


class Estimate(TestCase):
    def test_says_what_each_member_and_all_would_spend(self):
        text = self.succeed(*SMALL, "--agents", 20).stdout
        for word in ("memory", "time", "disk", "bytes sent", "steps up the tree"):
            self.assertIn(word, text)
        numbers = json.loads(self.succeed(*SMALL, "--agents", 20, "--iterations", 30, "--json").stdout)
        self.assertEqual(numbers["bytes_sent_by_all"], 2 * 30 * 19 * numbers["message_bytes"])
        self.assertGreater(numbers["memory_bytes"], 60 * 5000 * 8)

    def test_one_alone_sends_nothing_and_nonzeros_alone_take_memory(self):
        self.assertNotIn("bytes sent", self.succeed(*SMALL).stdout)
        sparse = json.loads(self.succeed(*SMALL, "--nonzeros", 15000, "--json").stdout)
        self.assertLess(sparse["data_bytes"], 60 * 5000 * 8 / 10)

    def test_refuses_sizes_that_no_matrix_has(self):
        for more, words in ((("--rank", 0), "at least 1"), (("--nonzeros", 400000), "cannot have that many"), (("--agents", 0), "--agents")):
            done = run("estimate", "--rows", 60, "--columns", 5000, *(() if more[0] == "--rank" else ("--rank", 4)), *more)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
