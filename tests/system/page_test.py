"""The page to watch, beside runs of real processes."""

import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import unittest

from members import Agents
from support import PROGRAM, TestCase, low_rank, wait_for, write_npy

LONG = ["--rank", 3, "--topology", "ring", "--scheme", "sum", "--iterations", 4000, "--tolerance", 0, "--seed", 6,
        "--crowd", "off"]
ADDRESS = re.compile(r"watch this run at http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{48})")

# What the script finds in a browser. Prints, after each time it asks, what it shows and whether its warning is hidden.
SCRIPT_STAGE = """
const shown = {run: {innerHTML: ''}, gone: {hidden: true}};
const timers = [];
let asked = 0;
const fetch = async () => {
  if (++asked === 2) throw new Error('nobody answers');
  return {ok: true, text: async () => 'answer-' + asked};
};
new Function('document', 'fetch', 'setTimeout', process.argv[1])({getElementById: (id) => shown[id]}, fetch, (act) => timers.push(act));
(async () => {
  while (asked < 3 && timers.length) {
    await timers.shift()();
    console.log(shown.run.innerHTML + ',' + shown.gone.hidden);
  }
})();
"""


class Page:
    def __init__(self, text):
        self.port, self.token = int(text.group(1)), text.group(2)

    def get(self, path, token=None, method="GET", seconds=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(method, path, headers={"Authorization": f"Bearer {self.token if token is None else token}"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def state(self):
        return json.loads(self.get("/state.json")[1])


class AgentPage(Agents):
    def test_it_grows_shows_a_killed_peer_and_its_return_and_nobody_disturbs_the_run(self):
        network = self.lay_out(LONG)
        watched = network.agents[1]
        watched.more = ["--page"]
        network.start()
        self.assertTrue(wait_for(lambda: ADDRESS.search(watched.said())), watched.said())
        page = Page(ADDRESS.search(watched.said()))
        network.until(lambda: len(page.state()["points"]) >= 3)
        first = page.state()
        network.until(lambda: page.state()["iterations"] > first["iterations"] + 3)
        self.assertEqual(first["planned"], 4000)
        self.check_strangers(page)
        # Its neighbours are agents 0 and 2.
        network.agents[2].kill()
        network.until(lambda: any(not peer["well"] for peer in page.state()["peers"]), 10, "the page's notice")
        self.assertIn('<tr class="wrong"><th>agent-2</th><td>not connected since', page.get("/fragment")[1])
        network.agents[2].start()
        network.until(lambda: all(peer["well"] for peer in page.state()["peers"]), 20, "the return")
        before = page.state()["iterations"]
        network.until(lambda: page.state()["iterations"] > before)
        # The page goes with its run, however that ends.
        watched.kill()
        self.assertTrue(wait_for(lambda: self.is_gone(page), 10))

    def test_a_run_that_gives_up_waiting_says_so_at_last(self):
        agent = self.lay_out(LONG).agents[1]
        agent.more = ["--page", "--max-wait", "3"]
        agent.start()
        self.assertTrue(wait_for(lambda: ADDRESS.search(agent.said())), agent.said())
        page = Page(ADDRESS.search(agent.said()))
        seen = []

        def is_over():
            try:
                page.get("/fragment")  # an open page asks for it, and is shown the end
                seen.append(page.state())
            except (OSError, http.client.HTTPException):
                return True
            return False

        self.assertTrue(wait_for(is_over), agent.said())
        self.assertEqual(agent.wait(), 6, agent.said())
        self.assertIn("connecting", [state["phase"] for state in seen])
        last = seen[-1]
        self.assertEqual(last["phase"], "gave up")
        self.assertRegex(last["problem"], r"nothing came from (agent-\d(, )?)+ for 3 seconds; the same command continues the run")
        self.assertTrue(last["ended"])
        self.assertEqual([peer["well"] for peer in last["peers"]], [False, False])
        self.assertIn(True, [peer["waited_for"] for peer in last["peers"]])

    def test_a_page_that_was_not_answered_asks_again(self):
        """Its script, run without a browser: of three answers the second does not come."""
        node = shutil.which("node")
        if not node:
            self.skipTest("scripts are run with node")
        network = self.lay_out(LONG)
        watched = network.agents[0]
        watched.more = ["--page"]
        network.start()
        self.assertTrue(wait_for(lambda: ADDRESS.search(watched.said())), watched.said())
        script = Page(ADDRESS.search(watched.said())).get("/page.js")[1]
        done = subprocess.run([node, "-e", SCRIPT_STAGE, script], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), ["answer-1,true", "answer-1,false", "answer-3,true"])

    def is_gone(self, page):
        try:
            page.get("/", seconds=2)
        except OSError:
            return True
        return False

    def check_strangers(self, page):
        """Wrong tokens, a thousand connections, slow ones, garbage: the agent's own descriptors stay as they are."""
        self.assertEqual(page.get("/", "0" * 48)[0], 403)
        self.assertEqual(page.get("/", method="POST")[0], 405)
        files = f"/proc/{self.network.agents[1].process.pid}/fd"
        rounds = self.network.agents[1].line["rounds"]
        count = len(os.listdir(files))
        draw = random.Random(1)
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        sockets = []
        for number in range(1000):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", page.port))
            sockets.append(one)
            if number % 2 == 0:
                try:
                    one.send(draw.randbytes(200) if number % 4 else b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
                except OSError:
                    pass
        self.network.until(lambda: self.network.agents[1].line["rounds"] > rounds + 20, 20, "the run's going on")
        self.assertLess(len(os.listdir(files)), count + 8)
        for one in sockets:
            one.close()
        self.assertEqual(page.get("/", seconds=60)[0], 200)


class LaunchPage(TestCase):
    def test_launch_shows_all_agents(self):
        data = write_npy(self.folder / "Z.npy", low_rank(12, 60, 3))
        process = subprocess.Popen([PROGRAM, "launch", data, "--rank", "2", "--agents", "3", "--crowd", "off", "--iterations", "4000", "--tolerance", "0",
                                    "--scheme", "sum", "--quiet", "--page", "--out", self.out], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        page = Page(ADDRESS.search(process.stderr.readline()))
        self.assertTrue(wait_for(lambda: len(page.state()["points"]) > 2))
        self.assertEqual([peer["name"] for peer in page.state()["peers"]], ["agent-0", "agent-1", "agent-2"])
        self.assertIn("ppdnmf_peer_well{peer=\"agent-2\"} 1\n", page.get("/metrics")[1])
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)


if __name__ == "__main__":
    unittest.main()
