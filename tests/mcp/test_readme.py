"""What the README says about connecting an agent, to the letter but for the answers of a person."""

import json
import re
import shlex
import subprocess
import time
import unittest
from pathlib import Path

from mcp import Client, StdioServerParameters
from world import GITGATE, World, error

README = Path(__file__).parents[2] / "README.md"


class Readme(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        # The reader has no sandbox yet.
        self.world.person("rm", "default", "--force")
        self.world.git("checkout", "--quiet", "main")

    def commands(self):
        section = README.read_text().split("## Connect your agent\n")[1].split("\n## ")[0]
        block = re.search(r"```\n(.*?)```", section, re.DOTALL).group(1)
        return [shlex.split(line, comments=True)[1:] for line in block.splitlines()]

    def here(self, *words):
        run = subprocess.run(
            [GITGATE, *words], cwd=self.world.repository, env=self.world.environment, capture_output=True, text=True
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    async def test_three_commands_lead_to_a_reviewed_push(self):
        begun = time.monotonic()
        new, setup, review = self.commands()
        self.here(*new)
        self.here(*setup, "--yes")
        (server,) = json.loads((self.world.repository / ".mcp.json").read_text())["mcpServers"].values()
        environment = self.world.environment
        del environment["GITGATE_HOME"]
        started = StdioServerParameters(command=server["command"], args=server["args"], env=environment)
        async with Client(started) as agent:
            await agent.call_tool("edit_file", {"path": "README.md", "old": "Project", "new": "Our project"})
            await agent.call_tool("git_stage", {"files": ["README.md"], "message": "Say whose it is"})
            pending = error(await agent.call_tool("git_push", {"commitId": "HEAD"}))
            self.assertEqual(pending["kind"], "pending")
        (call,) = re.findall(r"^([0-9a-f]{8})  git_push", self.here(*review), re.MULTILINE)
        self.world.approve(call)
        # It has landed on a branch of the sandbox's own, which the world calls `default`.
        self.world.git("merge", "--quiet", "agent/default")
        self.assertEqual((self.world.repository / "README.md").read_text(), "# Our project\n")
        print(f"from a repository to a reviewed push: {time.monotonic() - begun:.1f} s", end=" ... ")


if __name__ == "__main__":
    unittest.main()
