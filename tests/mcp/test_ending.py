"""How a server ends that its client keeps open."""

import fcntl
import json
import signal
import subprocess
import time
import unittest

from world import GITGATE, World


class Ending(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        place = {"cwd": self.world.folder, "env": self.world.environment}
        self.server = subprocess.Popen([GITGATE, "mcp"], text=True, **place, **pipes)
        self.addCleanup(self.server.communicate)
        self.addCleanup(self.server.kill)

    def send(self, **message):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def call(self, tool, **arguments):
        self.send(id=1, method="tools/call", params={"name": tool, "arguments": arguments})

    def is_free(self):
        """Whether no call is made in the sandbox."""
        with open(self.world.home / "sandboxes/default/lock") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def test_a_signal_ends_a_server_in_the_middle_of_a_call_though_its_client_stays(self):
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        self.send(id=0, method="initialize", params=client)
        self.server.stdout.readline()
        self.send(method="notifications/initialized")
        for number in range(20):
            self.call("write_file", path=f"{number}.md", content=f"line {number} of many\n" * 100_000)
            self.assertNotIn('"isError":true', self.server.stdout.readline())
        self.call("git_stage", files=["/workspace"], message="Add much")
        # A tool runs once its lock is held for longer than it takes to look what there is.
        since = time.monotonic()
        while time.monotonic() < since + 0.1:
            if self.is_free():
                since = time.monotonic()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(timeout=60), 130)
        self.assertEqual(self.world.run("fsck").returncode, 0)


if __name__ == "__main__":
    unittest.main()
