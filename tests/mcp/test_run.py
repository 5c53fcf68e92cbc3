"""`gitgate run`: an agent in an empty folder, then the review."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from world import GITGATE, SETTINGS, World

AGENT = [sys.executable, str(Path(__file__).parent / "agent.py")]
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ456789"


class Run(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)

    def play(self, *words, command):
        environment = {**self.world.environment, "GITHUB_TOKEN": SECRET, "SSH_AUTH_SOCK": "/nowhere"}
        run = [GITGATE, *words, "--", *command]
        return subprocess.run(run, cwd=self.world.repository, env=environment, capture_output=True, text=True)

    def test_what_an_agent_proposes_is_reviewed_when_it_ends(self):
        ran = self.play("run", command=[*AGENT, "--propose"])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("pending\n", ran.stdout)
        (call,) = self.world.waiting()
        self.assertIn(call, ran.stdout)
        self.world.approve(call)
        self.assertEqual(self.world.git("show", "main:agent.md"), "by the agent")

    def test_a_sandbox_is_made_from_the_repository_of_the_folder(self):
        ran = self.play("-s", "new", "run", command=AGENT)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("Sandbox new: Repository at /workspace", ran.stdout)
        self.assertIn("Proposed commits wait: `gitgate -s new push ", ran.stdout)
        again = self.play("-s", "new", "run", "--from", "local:.", command=AGENT)
        self.assertEqual(again.returncode, 2)
        self.assertIn("exists already", again.stderr)

    def test_what_other_servers_complain_about_is_not_on_the_agents_terminal(self):
        talk = "import sys, runpy; print('complaint', file=sys.stderr); runpy.run_path(sys.argv[1], run_name='__main__')"
        arguments = json.dumps(["-c", talk, str(Path(__file__).parent / "other.py")])
        server = f"[mcp.servers.issues]\ncommand = {json.dumps(sys.executable)}\nargs = {arguments}\nenv = [\"ISSUES_FILE\"]\n"
        (self.world.home / "gitgate.toml").write_text(SETTINGS + server)
        self.world.more = {"ISSUES_FILE": str(self.world.folder / "done")}
        ran = self.play("run", command=["true"])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("complaint", ran.stderr)
        self.assertIn("complaint", (self.world.home / "agents/default/servers.log").read_text())

    def test_an_agent_that_fails_or_does_not_exist_is_told(self):
        ran = self.play("run", command=["false"])
        self.assertEqual(ran.returncode, 1)
        self.assertIn("the agent ended with exit status: 1", ran.stderr)
        ran = self.play("run", command=["/nowhere/agent"])
        self.assertEqual(ran.returncode, 2)
        self.assertIn("cannot start /nowhere/agent", ran.stderr)

    def test_the_folder_is_empty_each_time_and_one_agent_has_it(self):
        leave = [sys.executable, "-c", "open('left.txt', 'w'); import os; print(sorted(os.listdir()))"]
        for _ in range(2):
            ran = self.play("run", command=leave)
            self.assertIn("['.mcp.json', 'AGENTS.md', 'left.txt']", ran.stdout)
            self.assertIn("the agent left left.txt", ran.stderr)
        within = [GITGATE, "--home", str(self.world.home), "-s", "default", "run", "--", "true"]
        ran = self.play("run", command=within)
        self.assertIn("an agent runs on default already", ran.stderr)


if __name__ == "__main__":
    unittest.main()
