"""What a client sees: tools, resources, the prompt, errors, revisions of the protocol."""

import json
import subprocess
import unittest

from mcp import MCPError
from world import GITGATE, World, error, text



def formats(schema):
    """The formats in a schema."""
    if isinstance(schema, list):
        return [found for part in schema for found in formats(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema["format"]] if isinstance(schema.get("format"), str) else []
    return own + [found for part in schema.values() for found in formats(part)]


REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


class Surface(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)

    def lines(self, *messages):
        """What the server answers to lines of a client that knows nothing of it."""
        sent = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
        words = [GITGATE, "mcp"]
        run = subprocess.run(
            words, input=sent, cwd=self.world.folder, env=self.world.environment, capture_output=True, text=True
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def test_every_revision_with_a_handshake_is_spoken(self):
        for revision in REVISIONS:
            client = {"name": "old", "version": "1"}
            params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
            answers = self.lines(
                {"id": 1, "method": "initialize", "params": params},
                {"method": "notifications/initialized"},
                {"id": 2, "method": "tools/call", "params": {"name": "git_status", "arguments": {}}},
            )
            self.assertEqual(answers[0]["result"]["protocolVersion"], revision)
            self.assertEqual(answers[0]["result"]["serverInfo"]["name"], "gitgate")
            result = answers[1]["result"]
            self.assertIn("## main", result["content"][0]["text"])
            self.assertNotIn("structuredContent", result, "some clients show a model only that")
            self.assertNotIn("resultType", result)

    async def test_the_revision_without_a_handshake_is_spoken(self):
        async with self.world.stdio(mode="2026-07-28") as agent:
            status = await agent.call_tool("git_status", {})
            self.assertEqual(status.structured_content["branch"], "main")

    async def test_each_tool_says_what_it_takes_gives_and_does(self):
        async with self.world.stdio() as agent:
            tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
        for tool in tools.values():
            self.assertEqual(tool.input_schema["type"], "object", tool.name)
            self.assertEqual(tool.output_schema["type"], "object", tool.name)
            # Some clients refuse schemas with one. An argument may be called so.
            self.assertEqual(formats([tool.input_schema, tool.output_schema]), [], tool.name)
            self.assertTrue(tool.description, tool.name)
        # What is not said is so: the protocol's defaults.
        open_world = {name for name, tool in tools.items() if tool.annotations.open_world_hint is not False}
        self.assertEqual(open_world, {"git_push", "git_pull", "git_branches"})
        reading = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
        self.assertLessEqual({"read_file", "git_status", "git_log", "git_show"}, reading)
        self.assertFalse({"write_file", "git_stage", "git_push"} & reading)
        destroying = {name for name in tools.keys() - reading if tools[name].annotations.destructive_hint is not False}
        self.assertLessEqual({"delete_file", "git_restore", "git_discard"}, destroying)
        self.assertFalse({"git_add", "git_stage", "git_push"} & destroying)
        self.assertTrue(tools["write_file"].annotations.idempotent_hint)

    async def test_only_what_is_chosen_is_offered(self):
        async with self.world.stdio("--read-only") as agent:
            tools = (await agent.list_tools()).tools
            self.assertTrue(all(tool.annotations.read_only_hint for tool in tools))
            with self.assertRaises(MCPError):
                await agent.call_tool("write_file", {"path": "a", "content": "a"})
        async with self.world.stdio("--toolsets", "filesystem") as agent:
            names = {tool.name for tool in (await agent.list_tools()).tools}
            self.assertIn("write_file", names)
            self.assertNotIn("git_status", names)
        refused = self.world.run("mcp", "--toolsets", "programs")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("name one of: filesystem", refused.stderr)

    async def test_what_is_wrong_is_a_result_with_kind_message_and_hint(self):
        async with self.world.stdio() as agent:
            failed = await agent.call_tool("read_file", {"path": "nowhere.md"})
            self.assertEqual(error(failed)["kind"], "not-found")
            self.assertIn("kind: not-found\n", text(failed))
            failed = error(await agent.call_tool("read_file", {"nonsense": 1}))
            self.assertEqual((failed["kind"], failed["message"]), ("bad-args", "path is required"))

    async def test_files_staged_commits_and_decisions_can_be_read(self):
        async with self.world.stdio() as agent:
            await agent.call_tool("write_file", {"path": "a b.md", "content": "one\n"})
            await agent.call_tool("write_file", {"path": "b.bin", "content": "/w==", "encoding": "base64"})
            await agent.call_tool("git_stage", {"files": ["a b.md"], "message": "Add a b"})
            read = (await agent.read_resource("gitgate://workspace/a%20b.md")).contents[0]
            self.assertEqual(read.text, "one\n")
            read = (await agent.read_resource("gitgate://workspace/b.bin")).contents[0]
            self.assertEqual(read.blob, "/w==")
            listed = {resource.title: resource.uri for resource in (await agent.list_resources()).resources}
            (commit,) = [uri for title, uri in listed.items() if title.endswith("Add a b")]
            diff = (await agent.read_resource(str(commit))).contents[0].text
            self.assertIn("+one\n", diff)
            error(await agent.call_tool("git_push", {"commitId": "HEAD"}))
            (call,) = self.world.waiting()
            self.world.reject(call, "Not now")
            error(await agent.call_tool("git_push", {"commitId": "HEAD"}))
            log = (await agent.read_resource("gitgate://log")).contents[0].text
            self.assertIn("Not now", log)
            self.assertNotIn("digest", log)
            for nowhere in ("gitgate://workspace/nowhere", "gitgate://nonsense", "file:///etc/passwd"):
                with self.assertRaises(MCPError):
                    await agent.read_resource(nowhere)

    async def test_a_prompt_explains_how_to_work(self):
        async with self.world.stdio() as agent:
            (prompt,) = (await agent.list_prompts()).prompts
            told = (await agent.get_prompt(prompt.name)).messages[0].content.text
        self.assertIn("git_stage", told)


if __name__ == "__main__":
    unittest.main()
