"""Network namespaces that a test makes, and that go with it."""

import os
import shutil
import subprocess


class Spaces:
    """For a TestCase, beside it."""

    @staticmethod
    def inside(name):
        """What a command is written behind. Unlike `ip -n` and `ip netns exec` it mounts nothing, which a chroot does not allow."""
        return ["nsenter", f"--net=/run/netns/{name}"]

    def ip(self, *words, space=None):
        subprocess.run([*(self.inside(space) if space else []), "ip", *words], check=True, capture_output=True)

    def make_space(self, name):
        """Skips the test where there can be none."""
        if os.geteuid() != 0 or not shutil.which("ip"):
            self.skipTest("network namespaces need root and iproute2's ip")
        made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
        if made.returncode != 0:
            self.skipTest(f"this machine makes no network namespaces: {made.stderr}")
        self.addCleanup(subprocess.run, ["ip", "netns", "del", name], capture_output=True)
        self.ip("link", "set", "lo", "up", space=name)
        return self.inside(name)
