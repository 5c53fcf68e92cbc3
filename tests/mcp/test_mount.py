"""Other servers, mounted behind gitgate (FR-GIT-MCP-01 to 03)."""

import sys
import unittest
from pathlib import Path

from mcp import MCPError
from world import SETTINGS, World, error, text

OTHER = Path(__file__).parent / "other.py"


class Mount(unittest.IsolatedAsyncioTestCase):
    def mounted(self, more="", rules=""):
        server = f'[mcp.servers.issues]\ncommand = "{sys.executable}"\nargs = ["{OTHER}"]\nenv = ["ISSUES_FILE"]\n'
        world = World(SETTINGS.replace("[mcp]\n", f"[mcp]\n{more}") + server)
        self.addCleanup(world.close)
        self.done = world.folder / "done"
        self.done.write_text("")
        world.more = {"ISSUES_FILE": str(self.done), "SECRET": "x"}
        (world.home / "sandboxes/default/policy.toml").write_text(rules)
        return world

    async def names(self, world, *options):
        async with world.stdio(*options) as agent:
            return {tool.name for tool in (await agent.list_tools()).tools}

    async def test_fr_git_mcp_01_tools_of_another_server_have_its_name(self):
        names = await self.names(self.mounted())
        self.assertLessEqual({"git_status", "mcp__issues__list_issues", "mcp__issues__close_issue"}, names)

    async def test_fr_git_mcp_02_a_name_that_gitgate_has_is_gitgates(self):
        self.assertNotIn("mcp__issues__git_status", await self.names(self.mounted()))

    async def test_fr_git_mcp_03_a_person_can_prefer_the_other(self):
        names = await self.names(self.mounted("prefer_mcp = true\n"))
        self.assertIn("mcp__issues__git_status", names)
        self.assertNotIn("git_status", names)
        self.assertIn("git_log", names)

    async def test_a_person_is_asked_before_another_server_does_anything(self):
        world = self.mounted()
        async with world.stdio() as agent:
            pending = error(await agent.call_tool("mcp__issues__close_issue", {"number": 7}))
            self.assertEqual(pending["kind"], "pending")
            self.assertEqual(self.done.read_text(), "")
            (call,) = world.waiting()
            self.assertIn('"number":7', world.person("review"))
            world.person("review", call, "--yes")
            closed = await agent.call_tool("mcp__issues__close_issue", {"number": 7})
            self.assertEqual((text(closed), self.done.read_text()), ("closed 7", "7\n"))
            # An approval is of one call, once.
            self.assertEqual(error(await agent.call_tool("mcp__issues__close_issue", {"number": 7}))["kind"], "pending")
            (call,) = world.waiting()
            world.reject(call, "It is open")
            rejected = error(await agent.call_tool("mcp__issues__close_issue", {"number": 7}))
            self.assertEqual((rejected["kind"], rejected["reason"]), ("rejected", "It is open"))
            self.assertEqual(self.done.read_text(), "7\n")
        log = world.person("log")
        self.assertIn("the agent's mcp__issues__close_issue approved", log)
        self.assertIn("the agent's mcp__issues__close_issue rejected", log)
        self.assertIn("It is open", log)

    async def test_rules_decide_about_tools_of_other_servers_by_name(self):
        rules = """
        [[allow]]
        tool = "mcp__issues__list_*"
        [[deny]]
        tool = "mcp__issues__close_issue"
        reason = "issues are closed by people"
        """
        world = self.mounted(rules=rules)
        async with world.stdio() as agent:
            listed = await agent.call_tool("mcp__issues__list_issues", {})
            self.assertEqual(text(listed), "It is slow")
            denied = error(await agent.call_tool("mcp__issues__close_issue", {"number": 1}))
            self.assertEqual(denied["kind"], "not-permitted")
            self.assertIn("issues are closed by people", denied["message"])
        self.assertEqual(self.done.read_text(), "")
        log = world.person("log")
        self.assertIn("mcp__issues__list_issues approved", log)
        self.assertIn("mcp__issues__close_issue rejected", log)

    async def test_attack_22_a_rule_for_all_tools_is_not_for_those_of_other_servers(self):
        world = self.mounted(rules='[[allow]]\ntool = "*"\n')
        async with world.stdio() as agent:
            self.assertEqual(error(await agent.call_tool("mcp__issues__list_issues", {}))["kind"], "pending")

    async def test_fewer_tools_are_offered_of_other_servers_too(self):
        world = self.mounted()
        self.assertFalse([name for name in await self.names(world, "--read-only") if name.startswith("mcp__")])
        names = await self.names(world, "--toolsets", "mcp__issues")
        self.assertEqual({name.split("__")[0] for name in names}, {"mcp"})
        async with world.stdio("--toolsets", "repo") as agent:
            with self.assertRaises(MCPError):
                await agent.call_tool("mcp__issues__close_issue", {"number": 1})

    async def test_a_server_that_does_not_start_is_told_at_once(self):
        world = World(SETTINGS + '[mcp.servers.gone]\ncommand = "/nowhere/server"\n')
        self.addCleanup(world.close)
        failed = world.run("mcp")
        self.assertEqual(failed.returncode, 2)
        self.assertIn("the server 'gone' of gitgate.toml cannot be used", failed.stderr)


if __name__ == "__main__":
    unittest.main()
