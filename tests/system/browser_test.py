"""The page to watch, as people see it: in Debian's chromium, beside a run of three agents.

PPDNMF_PICTURES=FOLDER keeps pictures of it, for people to look at.
"""

import os
import re
import unittest
from pathlib import Path

import browser
from network import Network
from support import TestCase, low_rank, wait_for, write_npy

OPTIONS = ["--rank", 6, "--topology", "ring", "--scheme", "sum", "--iterations", 260, "--tolerance", 0, "--seed", 6,
           "--crowd", "off"]
BYTES_PER_SECOND = 20_000  # on every edge; with it an iteration takes about a tenth of a second, however fast the machine
ADDRESS = re.compile(r"watch this run at (http://127\.0\.0\.1:\d+)/\?token=([0-9a-f]{48})")
REFUSAL = "The token is missing or wrong: open the whole address that the program printed."
POINTS = "(document.querySelector('svg .line')?.getAttribute('d') ?? '').split('L').length"
WRONG = "[...document.querySelectorAll('tr.wrong')].map((row) => row.innerText.trim())"
WELL = "[...document.querySelectorAll('tr.well th')].map((name) => name.innerText)"
GONE = "!document.getElementById('gone').hidden"
BROKEN_NAMES = """[...document.querySelectorAll('th')].filter((name) => {
  const text = document.createRange();
  text.selectNodeContents(name);
  return text.getClientRects().length > 1;
}).map((name) => name.innerText)"""
LARGEST_LABEL = "Math.max(...[...document.querySelectorAll('svg text')].map((label) => label.getBoundingClientRect().height))"


class PageInABrowser(TestCase):
    def setUp(self):
        if lacking := browser.missing():
            self.skipTest(f"this machine has no {lacking}")
        super().setUp()
        self.browser = browser.Browser()
        self.addCleanup(self.browser.close)

    def run_slowly(self):
        files = self.folder / "net"
        files.mkdir(mode=0o700)
        data = write_npy(self.folder / "Z.npy", low_rank(30, 90, 6, noise=0.5))
        self.network = Network(files, data, OPTIONS, 3, linger=5)
        self.addCleanup(self.network.stop)
        for link in self.network.links.values():
            link.slow(600, BYTES_PER_SECOND)
        watched = self.network.agents[0]
        watched.more = ["--page"]
        self.network.start()
        self.assertTrue(wait_for(lambda: ADDRESS.search(watched.said())), watched.said())
        return ADDRESS.search(watched.said()).groups()

    def until(self, expression, what, seconds=30):
        """Waits until it is true on the page."""
        self.network.until(lambda: self.browser.value(expression), seconds, what)

    def look(self, name):
        """At both widths: nothing is wider than the page, no name is broken, the plot and its labels have their size."""
        for width in (400, 1200):
            self.browser.resize(width, 900)
            self.assertEqual(self.browser.value("innerWidth"), width)
            self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), width, name)
            self.assertGreater(self.browser.value("document.querySelector('svg').getBoundingClientRect().height"), 100)
            self.assertEqual(self.browser.value(BROKEN_NAMES), [], name)
            self.assertLess(self.browser.value(LARGEST_LABEL), 20, name)
            if folder := os.environ.get("PPDNMF_PICTURES"):
                self.browser.picture(Path(folder) / f"{name}_{width}.png")

    def check_quiet(self, origin):
        """The page had nothing to complain about and asked nobody else."""
        self.assertEqual([message for level, message in self.browser.console() if level == "SEVERE"], [])
        asked = [address for address in self.browser.requests() if not address.startswith("data:")]
        self.assertIn(f"{origin}/fragment", asked)
        self.assertEqual([address for address in asked if not address.startswith(f"{origin}/")], [])

    def check_refused(self, origin):
        for path in ("", "fragment", "state.json", "metrics"):
            self.browser.visit(f"{origin}/{path}?token={'0' * 48}")
            self.assertEqual(self.browser.value("document.body.innerText.trim()"), REFUSAL)
        self.assertEqual(self.browser.ask("GET", "/cookie"), [])
        # A refusal is a complaint, too: it comes on the console, where the page's own would.
        self.assertIn("SEVERE", [level for level, _ in self.browser.console()])
        self.browser.requests()

    def test_it_grows_shows_a_killed_peer_and_its_return_at_any_width(self):
        origin, token = self.run_slowly()
        self.check_refused(origin)
        self.browser.visit(f"{origin}/?token={token}")
        self.assertEqual(self.browser.value("location.href"), f"{origin}/")
        self.assertEqual(self.browser.value("document.cookie"), "")
        self.until(f"{POINTS} > 5", "the plot's beginning")
        points = self.browser.value(POINTS)
        self.until(f"{POINTS} > {points} + 5", "the plot's growth")
        self.assertEqual(self.browser.value(f"{WELL}.sort()"), ["agent-1", "agent-2"])
        self.look("running")

        self.network.agents[2].kill()
        self.until(f"{WRONG}.length > 0", "the page's notice", 10)
        self.assertRegex(self.browser.value(WRONG)[0], r"^agent-2\s+not connected since")
        self.look("killed")
        self.network.agents[2].start()
        self.until(f"{WRONG}.length === 0 && {WELL}.length === 2", "the return")
        points = self.browser.value(POINTS)
        self.until(f"{POINTS} > {points} + 5", "the plot's further growth")
        self.look("returned")
        self.check_quiet(origin)

        for link in self.network.links.values():
            link.slow(0, 1)
        self.network.finish()
        self.until(GONE, "the page's word on the end")
        self.assertEqual(self.browser.value("document.querySelector('.phase').innerText"), "ended (iterations)")
        self.assertEqual(self.browser.value("document.querySelector('dd').innerText"), "260 of 260")
        self.look("ended")


if __name__ == "__main__":
    unittest.main()
