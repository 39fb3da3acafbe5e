"""Agents as processes whose ports strangers find."""

import resource
import socket
import unittest

from members import SUM, Agents

LONG = [200 if word == 40 else word for word in SUM]
CONNECTIONS = 5000
DESCRIPTORS = 1024


class Strangers(Agents):
    def limit(self, soft):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard), hard))

    def connect(self, port, count):
        for _ in range(count):
            stranger = socket.create_connection(("127.0.0.1", port), timeout=10)
            self.addCleanup(stranger.close)

    def test_a_flood_of_silent_connections_does_not_stop_a_run(self):
        before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < CONNECTIONS + 500:
            self.skipTest(f"this process may have {hard} files open, too few for the flood")
        self.addCleanup(self.limit, before)
        network = self.lay_out(LONG)
        self.limit(DESCRIPTORS)
        network.start()
        self.limit(CONNECTIONS + 500)
        flooded, neighbour = network.agents[0], network.agents[1]
        network.until(lambda: flooded.line["rounds"] >= 2)
        self.connect(network.ports[0], CONNECTIONS // 2)
        self.assertTrue(neighbour.kill(), "the run goes on")  # and it has to come in again through the crowd
        self.connect(network.ports[0], CONNECTIONS // 2)
        neighbour.start()
        network.finish()
        self.check_result()
        self.assertRegex(flooded.said(), r"closed \d+ connections? from 127.0.0.1: they did not show that they are a neighbour's")
        self.assertNotIn("ulimit", flooded.said())


if __name__ == "__main__":
    unittest.main()
